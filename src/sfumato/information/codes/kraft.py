"""Kraft's inequality: which lengths of codewords a prefix code can have."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from sfumato.errors import InputError
from sfumato.numeric import cached_property, read_count, shown
from sfumato.printing import Printed, cut
from sfumato.refusal import Argument
from sfumato.translation import tr

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


#: Of a codeword, in bits; and how many codewords are printed, and how much of each.
_LONGEST, _MOST, _CODEWORD = 10_000, 20, 40


@dataclass(frozen=True)
class KraftSum(Printed):
    """Kraft's sum Σ 2^-length of some lengths of codewords, and what it decides.

    A prefix code with codewords of these lengths exists if and only if the sum is at most 1
    :cite:p:`kraft1949`, and a code of another kind that can be decoded needs it as well
    :cite:p:`mcmillan1956`.

    Attributes
    ----------
    lengths
        The lengths, in bits.
    total
        The sum, exactly.

    Examples
    --------
    >>> from sfumato.information import kraft_sum
    >>> print(kraft_sum([1, 2, 3]))
    Kraft sum 7/8, at most 1: a prefix code of these lengths exists
    codewords: 0, 10, 110
    1/8 is left for more codewords
    """

    lengths: tuple[int, ...]
    total: Fraction

    @property
    def exists(self) -> bool:
        """Whether a prefix code of these lengths exists.

        Examples
        --------
        >>> from sfumato.information import kraft_sum
        >>> kraft_sum([1, 1, 2]).exists
        False
        """
        return self.total <= 1

    @property
    def complete(self) -> bool:
        """Whether such a code leaves no room for one more codeword.

        Examples
        --------
        >>> from sfumato.information import kraft_sum
        >>> kraft_sum([1, 2, 2]).complete
        True
        """
        return self.total == 1

    @cached_property
    def codewords(self) -> tuple[str, ...]:
        """The canonical prefix code of these lengths, in their order; refused where none exists.

        Shorter codewords come first, as binary numbers that count on.

        Examples
        --------
        >>> from sfumato.information import kraft_sum
        >>> kraft_sum([2, 1, 2]).codewords
        ('10', '0', '11')
        """
        self.check()
        return tuple(
            f"{number:0{length}b}" if length else ""
            for number, length in zip(_numbers(self.lengths), self.lengths, strict=True)
        )

    def check(self) -> None:
        """Refuse lengths that no prefix code has.

        Examples
        --------
        >>> from sfumato.information import kraft_sum
        >>> kraft_sum([1, 1, 2]).check()
        Traceback (most recent call last):
            ...
        sfumato.errors.InputError: no prefix code has codewords of these lengths: their Kraft sum \
is 5/4; give longer ones, until it is at most 1
        """
        if not self.exists:
            raise InputError(
                "E-CODE-LENGTHS",
                "no prefix code has codewords of these lengths: their Kraft sum is {total}",
                "give longer ones, until it is at most 1",
                total=shown(self.total),
            )

    def lines(self) -> list[str]:
        """Return the sum, the verdict and the codewords.

        Examples
        --------
        >>> from sfumato.information import kraft_sum
        >>> kraft_sum([1, 1, 2]).lines()
        ['Kraft sum 5/4, above 1: no code of these lengths can be decoded']
        """
        total = shown(self.total)
        if not self.exists:
            return [
                tr(
                    "Kraft sum {total}, above 1: no code of these lengths can be decoded",
                    total=total,
                )
            ]
        first = [cut(each, _CODEWORD) for each in self.codewords[:_MOST]]
        more = ["…"] if len(self.lengths) > _MOST else []
        left = (
            []
            if self.complete
            else [tr("{left} is left for more codewords", left=shown(1 - self.total))]
        )
        return [
            tr("Kraft sum {total}, at most 1: a prefix code of these lengths exists", total=total),
            tr("codewords: {codewords}", codewords=", ".join([*first, *more])),
            *left,
        ]


def kraft_sum(lengths: Iterable[int]) -> KraftSum:
    """Return Kraft's sum of lengths of codewords: whether a prefix code of these lengths exists.

    Parameters
    ----------
    lengths
        Whole numbers of bits; 0 for the codeword without a bit, which can only stand alone.

    Examples
    --------
    >>> from sfumato.information import kraft_sum
    >>> kraft_sum([1, 2, 3, 3]).total
    Fraction(1, 1)
    """
    if isinstance(lengths, (str, bytes)) or not hasattr(lengths, "__iter__"):
        raise InputError(
            "E-ARGUMENT-TYPE",
            "lengths must be whole numbers of bits, such as [1, 2, 2], not {lengths}",
            lengths=shown(lengths),
        )
    read = tuple(read_count(each, "lengths", least=0, most=_LONGEST) for each in lengths)
    if not read:
        raise InputError(
            "E-ARGUMENT-EMPTY", "{name} is empty", "give at least one", name=Argument("lengths")
        )
    longest = max(read)
    places = sum(number << (longest - length) for length, number in Counter(read).items())
    return KraftSum(read, Fraction(places, 1 << longest))


def _numbers(lengths: Sequence[int]) -> list[int]:
    """Return the canonical codewords as numbers: each is one more than the last, made longer."""
    numbers, next_one, before = [0] * len(lengths), 0, 0
    for place in sorted(range(len(lengths)), key=lengths.__getitem__):
        next_one <<= lengths[place] - before
        numbers[place], before = next_one, lengths[place]
        next_one += 1
    return numbers
