"""Reports in arrays, summed into tallies: which choices they support, and how many do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.survey.client.protocols import Hadamard, Hashing, Response
from sfumato.survey.client.questions import NumberQuestion
from sfumato.survey.collector.hashes import buckets_of, hashing_counts
from sfumato.survey.collector.tally import PairTally, Tally

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from sfumato.survey.client.questions import ChoiceQuestion, Question

    Reports = NDArray[Any]
    Weights = NDArray[np.int64]

__all__ = ["pair_tally_of", "support_matrix", "tally_of"]

#: Cells of a matrix that are looked at together.
_BLOCK = 1 << 22


def tally_of(question: Question, reports: Reports, weights: Weights | None = None) -> Tally:
    """Return the tally of many reports on one question.

    Parameters
    ----------
    question
        What was asked.
    reports
        Possible reports, in the form that ``parse`` and ``randomize_many`` give them.
    weights
        How many people sent each of the reports; one each, unless said otherwise.

    Examples
    --------
    >>> import numpy as np
    >>> import sfumato as sf
    >>> from sfumato.survey.collector.decoding import tally_of
    >>> survey = sf.Survey({"cheated": {"choices": ["yes", "no"], "truth": "2/3"}})
    >>> tally = tally_of(survey.questions["cheated"], np.array([0, 1, 1, 1]))
    >>> tally.people, tally.counts
    (4, array([1, 3]))
    """
    people = len(reports) if weights is None else int(weights.sum())
    return Tally(people, _counts(question, reports, weights))


def pair_tally_of(
    first: ChoiceQuestion,
    first_reports: Reports,
    second: ChoiceQuestion,
    second_reports: Reports,
    weights: Weights | None = None,
) -> PairTally:
    """Return the joint tally of the reports of the same people on two questions.

    Examples
    --------
    >>> import numpy as np
    >>> import sfumato as sf
    >>> from sfumato.survey.collector.decoding import pair_tally_of
    >>> asked = {"choices": ["yes", "no"], "truth": "2/3"}
    >>> one, two = sf.Survey({"cheated": asked, "copied": asked}).questions.values()
    >>> pair_tally_of(one, np.array([0, 1, 1]), two, np.array([0, 0, 1])).both
    array([[1, 0],
           [1, 1]])
    """
    both = np.zeros((len(first.choices), len(second.choices)), dtype=np.int64)
    for part in _blocks(len(first_reports), sum(both.shape)):
        rows = support_matrix(first, first_reports[part])
        columns = support_matrix(second, second_reports[part])
        both += _product(rows, columns, None if weights is None else weights[part])
    one, two = tally_of(first, first_reports, weights), tally_of(second, second_reports, weights)
    return PairTally(one.people, both, one.counts, two.counts)


def support_matrix(question: ChoiceQuestion, reports: Reports) -> NDArray[np.uint8]:
    """Return for each report, in its row, which choices it supports.

    Examples
    --------
    >>> import numpy as np
    >>> import sfumato as sf
    >>> from sfumato.survey.collector.decoding import support_matrix
    >>> survey = sf.Survey({"cheated": {"choices": ["yes", "no"], "truth": "2/3"}})
    >>> support_matrix(survey.questions["cheated"], np.array([0, 1, 1]))
    array([[1, 0],
           [0, 1],
           [0, 1]], dtype=uint8)
    """
    protocol, choices = question.protocol, np.arange(len(question.choices))
    if isinstance(protocol, Response):
        supports = reports[:, None] == choices
    elif isinstance(protocol, Hadamard):
        supports = np.bitwise_count(reports[:, None] & (choices + 1)) & 1 == 0
    elif isinstance(protocol, Hashing):
        functions, buckets = np.divmod(reports[:, None], protocol.buckets)
        supports = buckets_of(protocol, functions, choices) == buckets
    else:
        return reports
    return np.asarray(supports).view(np.uint8)


def _counts(question: Question, reports: Reports, weights: Weights | None) -> NDArray[np.int64]:
    protocol = question.protocol
    if isinstance(question, NumberQuestion):
        return counted(reports, question.protocol.marks, weights)
    if isinstance(protocol, Response):
        return counted(reports, protocol.choices, weights)
    if isinstance(protocol, Hadamard):
        signs = _walsh(counted(reports, protocol.order, weights))
        return np.asarray((signs[0] + signs[1 : protocol.choices + 1]) // 2)
    if isinstance(protocol, Hashing):
        return hashing_counts(protocol, reports, weights)
    return _column_sums(question, reports, weights)


def _column_sums(
    question: ChoiceQuestion, reports: Reports, weights: Weights | None
) -> NDArray[np.int64]:
    sums = np.zeros(len(question.choices), dtype=np.int64)
    for part in _blocks(len(reports), len(sums)):
        rows = support_matrix(question, reports[part])
        if weights is None:
            sums += rows.sum(axis=0, dtype=np.int64)
        else:
            sums += weights[part] @ rows
    return sums


def counted(reports: Reports, bound: int, weights: Weights | None) -> NDArray[np.int64]:
    """Return how many people sent each of the numbers below a bound."""
    if weights is None:
        return np.bincount(reports, minlength=bound)
    # Sums in floats are exact here: people are far fewer than 2**53.
    return np.rint(np.bincount(reports, weights, minlength=bound)).astype(np.int64)


def _walsh(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the Walsh-Hadamard transform: at v the sum over y of ± counts, by common bits."""
    half = 1
    while half < len(counts):
        pairs = counts.reshape(-1, 2, half)
        counts = np.stack([pairs[:, 0] + pairs[:, 1], pairs[:, 0] - pairs[:, 1]], axis=1).ravel()
        half *= 2
    return counts


def _product(
    rows: NDArray[np.uint8], columns: NDArray[np.uint8], weights: Weights | None
) -> NDArray[np.int64]:
    """Return how many people support each pair; the sums are whole numbers that floats hold."""
    kind = np.float32 if weights is None else np.float64
    left: NDArray[Any] = rows.astype(kind)
    if weights is not None:
        left *= weights[:, None]
    return np.asarray(np.rint(left.T @ columns.astype(kind)), dtype=np.int64)


def _blocks(rows: int, columns: int) -> Iterator[slice]:
    step = max(1, _BLOCK // columns)
    return (slice(start, start + step) for start in range(0, rows, step))
