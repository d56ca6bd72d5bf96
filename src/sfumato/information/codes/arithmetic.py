"""Arithmetic coding: a whole column as one number, in as many bits as it has information."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from itertools import accumulate, chain, repeat
from typing import TYPE_CHECKING, Any

import numpy as np
from flint import arb

from sfumato.errors import InputError
from sfumato.information.codes.prefix import no_codeword, read_column
from sfumato.information.distribution import Distribution, DistributionLike, as_distribution
from sfumato.numeric import Enclosure, read_count, working_precision
from sfumato.printing import Printed, counted, rounded
from sfumato.refusal import Argument
from sfumato.translation import tr

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence


_BITS = 256
#: How much finer an interval is than the total of a model: rounding costs a value 2^-31 bits.
_FINER = 34


@dataclass(frozen=True)
class ArithmeticCode(Printed):
    """A column as an arithmetic code :cite:p:`witten1987`.

    Made of a column about people, it is not private: model and bits hold the column.

    Attributes
    ----------
    model
        The probabilities that the code is made for: of the values of the column, unless others
        were given.  Who decodes needs them too.
    data
        The code, filled up with zeros to whole bytes.
    bits
        How many bits it takes.
    count
        How many values the column has.
    bound
        Σ -log2 p of its values, in bits: the information content of the column.  With a model of
        its own shares that is n times their entropy.  The code takes less than 2 bits more, plus
        2^-31 for each value.

    Examples
    --------
    >>> from sfumato.information import arithmetic_code
    >>> print(arithmetic_code(["no"] * 99 + ["yes"]))
    100 values in 9 bits, 2 bytes
    information content 8.079 bits: 0.9207 bits more are used
    """

    model: Distribution
    data: bytes
    bits: int
    count: int
    bound: Enclosure

    def decode(self) -> list[Hashable]:
        """Return the column.

        Examples
        --------
        >>> from sfumato.information import arithmetic_code
        >>> "".join(arithmetic_code("abracadabra").decode())
        'abracadabra'
        """
        return arithmetic_decode(self.data, model=self.model, count=self.count)

    def lines(self) -> list[str]:
        """Return how many bits the column takes, and how many it has to take.

        Examples
        --------
        >>> from sfumato.information import arithmetic_code
        >>> arithmetic_code("abracadabra").lines()[0]
        '11 values in 23 bits, 3 bytes'
        """
        return [
            tr(
                "{values} in {bits}, {bytes}",
                values=counted(self.count, "value"),
                bits=counted(self.bits, "bit"),
                bytes=counted(len(self.data), "byte"),
            ),
            tr(
                "information content {bound} bits: {over} bits more are used",
                bound=rounded(self.bound.upper),
                over=rounded(self.bits - self.bound.upper),
            ),
        ]

    def as_dict(self) -> dict[str, Any]:
        """Return the figures ready for JSON, without the column.

        Examples
        --------
        >>> from sfumato.information import arithmetic_code
        >>> arithmetic_code("abracadabra").as_dict()["bits"]
        23
        """
        bound = [self.bound.lower, self.bound.upper]
        return {"count": self.count, "bits": self.bits, "bytes": len(self.data), "bound": bound}


def arithmetic_code(
    values: Iterable[Hashable], *, model: DistributionLike | None = None
) -> ArithmeticCode:
    """Return a column as an arithmetic code: within 2 bits of its information content.

    All is computed in whole numbers, wide enough for any model, so that decoding gives back the
    column exactly, on every machine.

    Parameters
    ----------
    values
        The column; a text is a column of its characters.
    model
        Probabilities or counts of the values; those of the column by default.  Another model
        costs the cross entropy.

    Examples
    --------
    >>> from sfumato.information import arithmetic_code
    >>> column = ["a", "b"] * 500
    >>> arithmetic_code(column).bits, arithmetic_code(column, model={"a": 3, "b": 1}).bits
    (1002, 1208)
    """
    labels, places = read_column(values)
    if not labels:
        raise InputError(
            "E-ARGUMENT-EMPTY",
            "{name} is empty",
            "give at least one",
            name=Argument("values"),
        )
    counts = np.bincount(places, minlength=len(labels)).tolist()
    known = as_distribution(
        dict(zip(labels, counts, strict=True)) if model is None else model, "model"
    )
    widths, total = known.integers
    at = _places(known, labels, widths, places)
    coded = _Narrowing(widths, total).encode(at[places].tolist())
    return ArithmeticCode(
        known,
        np.packbits(np.frombuffer(coded, dtype=np.uint8)).tobytes(),
        len(coded),
        len(places),
        _information([widths[place] for place in at.tolist()], counts, total),
    )


def arithmetic_decode(data: bytes, *, model: DistributionLike, count: int) -> list[Hashable]:
    """Return the column that was coded; anything that ``arithmetic_code`` did not write is refused.

    Parameters
    ----------
    data
        The bytes of the code.
    model
        The model that it was coded with.
    count
        How many values the column has.

    Examples
    --------
    >>> from sfumato.information import arithmetic_code, arithmetic_decode
    >>> coded = arithmetic_code(["a", "b", "a"])
    >>> arithmetic_decode(coded.data, model=coded.model, count=3)
    ['a', 'b', 'a']
    """
    if not isinstance(data, (bytes, bytearray, memoryview)):
        raise InputError(
            "E-ARGUMENT-TYPE",
            "{data} must be the bytes of a code",
            "arithmetic_code returns them as its data",
            data=Argument("data"),
        )
    known = as_distribution(model, "model")
    narrowing = _Narrowing(*known.integers)
    bits = np.unpackbits(np.frombuffer(data, dtype=np.uint8)).tolist()
    places = narrowing.decode(bits, read_count(count))
    written = np.packbits(np.frombuffer(narrowing.encode(places), dtype=np.uint8)).tobytes()
    if written != bytes(data):
        raise InputError(
            "E-CODE-BITS",
            "these bytes are not an arithmetic code of so many values with this model",
            "give the data, the model and the count of one code",
        )
    labels = known.labels
    return [labels[place] for place in places]


def arithmetic_length(counts: DistributionLike) -> int:
    """Return how many bits an arithmetic code of a column with these counts takes at most.

    Parameters
    ----------
    counts
        How often each value occurs: integers.

    Examples
    --------
    >>> from sfumato.information import arithmetic_code, arithmetic_length
    >>> arithmetic_length([99, 1]), arithmetic_code("a" * 99 + "b").bits
    (10, 9)
    """
    given = as_distribution(counts, "counts")
    widths, total = given.integers
    with working_precision(_BITS):
        most = _information_ball(widths, widths, total) + 2 + arb(total) / 2 ** (_FINER - 3)
        return int(most.upper().floor().unique_fmpz())


def _information(widths: Sequence[int], counts: Sequence[int], total: int) -> Enclosure:
    with working_precision(_BITS):
        return Enclosure.of_ball(_information_ball(widths, counts, total))


def _information_ball(widths: Sequence[int], counts: Sequence[int], total: int) -> arb:
    """Return Σ -log2 of the chance of each value, as many of each as counted."""
    each = (
        (arb(total) / width).log() * many
        for width, many in zip(widths, counts, strict=True)
        if many
    )
    return sum(each, arb(0)) / arb(2).log()


def _places(
    model: Distribution, labels: Sequence[Hashable], widths: Sequence[int], places: Any
) -> Any:
    """Return where each value stands in the model, or refuse one that it does not allow."""
    known = {label: at for at, label in enumerate(model.labels) if widths[at]}
    found = [known.get(label) for label in labels]
    if None in found:
        raise no_codeword(places.tolist().index(found.index(None)))
    return np.array(found, dtype=np.int64)


class _Narrowing:
    """An interval of whole numbers that each value narrows to its share of it.

    The coder of Witten, Neal and Cleary: where the ends of the interval agree in their first bit,
    that bit is written and the interval doubled; where they are about the middle, the bit to come
    is owed, and the opposite one follows it.
    """

    def __init__(self, widths: Sequence[int], total: int) -> None:
        self._edges = [0, *accumulate(widths)]
        self._total = total
        self._length = total.bit_length() + _FINER
        self._half = 1 << (self._length - 1)
        self._quarter = self._half >> 1

    def encode(self, places: Iterable[int]) -> bytearray:
        """Return the bits of a column, one a byte."""
        low, high, owed, written = 0, 2 * self._half - 1, 0, bytearray()
        for place in places:
            low, high = self._narrowed(low, high, place)
            while (move := self._move(low, high)) is not None:
                if move == self._quarter:
                    owed += 1
                else:
                    _write(written, int(move > 0), owed)
                    owed = 0
                low, high = 2 * (low - move), 2 * (high - move) + 1
        _write(written, int(low >= self._quarter), owed + 1)
        return written

    def decode(self, bits: Sequence[int], count: int) -> list[int]:
        """Return as many places as asked for, whatever the bits are."""
        coming = chain(bits, repeat(0))
        low, high, found = 0, 2 * self._half - 1, []
        value = 0
        for _ in range(self._length):
            value = 2 * value + next(coming)
        for _ in range(count):
            share = ((value - low + 1) * self._total - 1) // (high - low + 1)
            place = bisect_right(self._edges, share) - 1
            found.append(place)
            low, high = self._narrowed(low, high, place)
            while (move := self._move(low, high)) is not None:
                low, high = 2 * (low - move), 2 * (high - move) + 1
                value = 2 * (value - move) + next(coming)
        return found

    def _narrowed(self, low: int, high: int, place: int) -> tuple[int, int]:
        width = high - low + 1
        first, last = self._edges[place : place + 2]
        return low + width * first // self._total, low + width * last // self._total - 1

    def _move(self, low: int, high: int) -> int | None:
        """Return what is taken off before the interval is doubled; None where it is wide enough."""
        if high < self._half:
            return 0
        if low >= self._half:
            return self._half
        if low >= self._quarter and high < self._half + self._quarter:
            return self._quarter
        return None


def _write(written: bytearray, bit: int, owed: int) -> None:
    """Write a bit, and after it as many opposite ones as are owed."""
    written.append(bit)
    written.extend((1 - bit,) * owed)
