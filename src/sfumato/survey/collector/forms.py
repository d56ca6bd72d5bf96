"""Reports as files hold them, and as arrays: words, texts of bits, and whole numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.survey.client.protocols import Hadamard, Hashing, Response, Subset
from sfumato.survey.client.questions import NumberQuestion, Question

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

    Reports = NDArray[Any]
    Mask = NDArray[np.bool_]


_MARK, _ZERO = ord("b"), ord("0")
#: Longer columns have places of 64 bits.
_MOST_LETTERS = 2**31


def largest_report(question: Question) -> int | None:
    """Return the greatest whole number that may be reported; None where reports are texts."""
    protocol = question.protocol
    if isinstance(question, NumberQuestion):
        return question.protocol.marks - 1
    if isinstance(protocol, Hadamard):
        return protocol.order - 1
    if isinstance(protocol, Hashing):
        return protocol.functions * protocol.buckets - 1
    return None


def report_width(question: Question) -> int:
    """Return how many cells a report has in an array: one, or one for each choice."""
    whole = isinstance(question.protocol, Response) or largest_report(question) is not None
    return 1 if whole or isinstance(question, NumberQuestion) else len(question.choices)


def parse(question: Question, values: Any) -> tuple[Reports, Mask]:
    """Return reports as arrays, and which of them the question's protocol can give.

    Parameters
    ----------
    question
        What was asked.
    values
        The entries of the reports: a list, or an array of numpy's or Arrow's.

    Returns
    -------
    tuple
        The reports, with zeros in place of impossible ones, and whether each is possible.
    """
    column, most = _as_column(values), largest_report(question)
    if most is not None or isinstance(question, NumberQuestion):
        return _parse_numbers(column, most or 0)
    if isinstance(question.protocol, Response):
        return _parse_words(column, question.choices)
    bits, fine = _parse_bits(column, len(question.choices))
    if isinstance(question.protocol, Subset):
        fine &= bits.sum(axis=1, dtype=np.int64) == question.protocol.size
        bits[~fine] = 0
    return bits, fine


def written(question: Question, reports: Reports) -> pa.Array:
    """Return reports as they are written into files, in an array of Arrow's."""
    import pyarrow as pa

    if reports.ndim == 2:
        return _written_bits(reports)
    if isinstance(question.protocol, Response):
        words = pa.array(question.choices, pa.string())
        return words.take(pa.array(reports))
    return pa.array(reports, pa.int64())


def fixed_texts(letters: NDArray[np.uint8]) -> pa.Array:
    """Return the texts whose letters, one byte each, are the rows of a matrix."""
    import pyarrow as pa

    count, width = letters.shape
    small = letters.size < _MOST_LETTERS
    kind = pa.StringArray if small else pa.LargeStringArray
    ends = np.arange(count + 1, dtype=np.int32 if small else np.int64) * width
    return kind.from_buffers(count, pa.py_buffer(ends), pa.py_buffer(letters))


def _as_column(values: Any) -> pa.Array:
    import pyarrow as pa

    if isinstance(values, pa.ChunkedArray):
        return values.combine_chunks()
    if isinstance(values, pa.Array):
        return values
    try:
        return pa.array(values)
    except (pa.ArrowInvalid, pa.ArrowTypeError, OverflowError):
        return pa.array([None if each is None else str(each) for each in values], pa.string())


def _as_texts(column: pa.Array) -> pa.Array:
    """Return a column of texts; what cannot be one is missing."""
    import pyarrow as pa

    try:
        return column.cast(pa.large_string())
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        return pa.nulls(len(column), pa.large_string())


def _parse_words(column: pa.Array, choices: tuple[str, ...]) -> tuple[Reports, Mask]:
    import pyarrow as pa
    import pyarrow.compute as pc

    places = pc.index_in(_as_texts(column), pa.array(choices, pa.large_string()))
    fine = places.is_valid().to_numpy(zero_copy_only=False)
    return places.fill_null(0).to_numpy(zero_copy_only=False).astype(np.int64), fine


def _parse_numbers(column: pa.Array, most: int) -> tuple[Reports, Mask]:
    import pyarrow as pa

    whole = column if pa.types.is_integer(column.type) else _whole_numbers(_as_texts(column))
    numbers = whole.fill_null(0).to_numpy(zero_copy_only=False)
    fine = _as_mask(whole.is_valid()) & (numbers >= 0) & (numbers <= most)
    return np.where(fine, numbers, 0).astype(np.int64), fine


def _whole_numbers(texts: pa.Array) -> pa.Array:
    """Return the numbers that texts write without a sign; other texts are missing."""
    import pyarrow as pa
    import pyarrow.compute as pc

    plain = pc.match_substring_regex(texts, r"^(0|[1-9][0-9]{0,18})(\.0)?$")
    texts = pc.if_else(plain, texts, pa.scalar(None, texts.type))
    return pc.replace_substring_regex(texts, r"\.0$", "").cast(pa.uint64())


def _parse_bits(column: pa.Array, count: int) -> tuple[NDArray[np.uint8], Mask]:
    import pyarrow as pa
    import pyarrow.compute as pc

    texts = _as_texts(column)
    sized = pc.equal(pc.binary_length(texts), count + 1).fill_null(fill_value=False)
    filler = pa.scalar("b" + "0" * count, texts.type)
    letters = _letters(pc.if_else(sized, texts, filler), count + 1)
    bits = letters[:, 1:] - np.uint8(_ZERO)
    fine = _as_mask(sized) & (letters[:, 0] == _MARK) & (bits <= 1).all(axis=1)
    bits[~fine] = 0
    return bits, fine


def _letters(texts: pa.Array, width: int) -> NDArray[np.uint8]:
    """Return texts of one width as a matrix of their bytes."""
    import pyarrow as pa

    fixed = texts.cast(pa.large_binary()).cast(pa.binary(width))
    data = np.frombuffer(fixed.buffers()[1] or b"", dtype=np.uint8)
    start = fixed.offset * width
    return data[start : start + len(fixed) * width].reshape(len(fixed), width)


def _written_bits(bits: NDArray[np.uint8]) -> pa.Array:
    letters = np.full((bits.shape[0], bits.shape[1] + 1), _MARK, dtype=np.uint8)
    np.add(bits, _ZERO, out=letters[:, 1:], casting="unsafe")
    return fixed_texts(letters)


def _as_mask(column: pa.Array) -> Mask:
    return np.asarray(column.to_numpy(zero_copy_only=False), dtype=np.bool_)
