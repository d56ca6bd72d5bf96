"""Prefix codes: a codeword for each outcome, none of which begins another."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from fractions import Fraction
from itertools import islice
from typing import TYPE_CHECKING, Any

from flint import arb

from sfumato.errors import InputError
from sfumato.information.cells import encoded
from sfumato.information.codes.kraft import KraftSum, kraft_sum
from sfumato.information.distribution import Distribution, DistributionLike, as_distribution
from sfumato.information.likelihood import matched
from sfumato.information.validate import is_frame
from sfumato.numeric import Enclosure, as_ball, cached_property, read_count, working_precision
from sfumato.printing import Printed, aligned, counted, cut, drawn, rounded
from sfumato.refusal import Argument
from sfumato.translation import mark, said, tr

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence
    from pathlib import Path

    from sfumato.printing import Chart


_BITS = 256
#: How many codewords are printed, and how long a name or a codeword may be there.
_MOST, _LABEL, _CODEWORD = 20, 30, 40


class PrefixCode(Printed):
    """A codeword of 0 and 1 for each outcome of a distribution, none of which begins another.

    Codewords are the canonical ones of their lengths, so lengths are all there is to choose.
    The expected length is at least the entropy, whatever the code :cite:p:`shannon1948`.  Made
    of a column about people, a code is not private: its lengths tell how frequent values are.

    Parameters
    ----------
    distribution
        What the code is for.
    lengths
        How long the codeword of each outcome is, by outcome.  Each that can occur needs one;
        their Kraft sum is at most 1.
    name
        What to call the code.

    Examples
    --------
    >>> from sfumato.information import PrefixCode
    >>> code = PrefixCode({"yes": 3, "no": 1}, {"yes": 1, "no": 2})
    >>> code.encode(["yes", "no", "yes"]), code.expected_length
    ('0100', Fraction(5, 4))
    """

    distribution: Distribution
    lengths: Mapping[Hashable, int]
    kraft: KraftSum
    name: str

    def __init__(
        self,
        distribution: DistributionLike,
        lengths: Mapping[Hashable, int],
        *,
        name: str = mark("prefix code"),
    ) -> None:
        self.distribution = as_distribution(distribution, "distribution")
        self.lengths = {each: lengths[each] for each in self.distribution.labels if each in lengths}
        if len(self.lengths) < len(lengths):
            raise InputError(
                "E-OUTCOME-UNKNOWN",
                "there is no such outcome",
                "give a length to outcomes of the distribution only",
            )
        self._check_all_have_one()
        self.kraft, self.name = kraft_sum(self.lengths.values()), name
        self.kraft.check()

    @cached_property
    def codewords(self) -> dict[Hashable, str]:
        """The codeword of each outcome.

        Examples
        --------
        >>> from sfumato.information import huffman
        >>> huffman([1/2, 1/4, 1/4]).codewords
        {0: '0', 1: '10', 2: '11'}
        """
        return dict(zip(self.lengths, self.kraft.codewords, strict=True))

    @cached_property
    def ideal_lengths(self) -> dict[Hashable, float]:
        """What a codeword would take ideally, -log2 p, of each outcome that has one.

        Examples
        --------
        >>> from sfumato.information import huffman
        >>> huffman({"a": 2, "b": 1, "c": 1}).ideal_lengths
        {'a': 1.0, 'b': 2.0, 'c': 2.0}
        """
        ideal = (self.distribution.log_probabilities / -math.log(2) + 0.0).tolist()
        every = zip(self.distribution.labels, ideal, strict=True)
        return {each: bits for each, bits in every if each in self.lengths}

    @property
    def expected_length(self) -> Fraction:
        """The mean length of a codeword, exactly.

        Examples
        --------
        >>> from sfumato.information import huffman
        >>> huffman([2, 1, 1]).expected_length
        Fraction(3, 2)
        """
        return Fraction(self.length_under(self.distribution))

    def length_under(self, p: DistributionLike) -> Fraction | float:
        """Return the mean length of a codeword when outcomes come from another distribution.

        With ideal codewords of -log2 q bits that is the cross entropy H(p) + D(p‖q) in bits; it is
        infinite where an outcome that ``p`` allows has no codeword.

        Parameters
        ----------
        p
            Where outcomes come from, over the outcomes of the code's own distribution.

        Examples
        --------
        >>> from sfumato.information import cross_entropy, huffman
        >>> p, q = [1/4, 1/4, 1/2], [1/2, 1/4, 1/4]
        >>> huffman(q).length_under(p), cross_entropy(p, q)
        (Fraction(7, 4), 1.75)
        """
        left, right = matched(p, self.distribution)
        numerators, total = left.integers
        pairs = [
            (number, self.lengths.get(label))
            for number, label in zip(numerators, right.labels, strict=True)
            if number
        ]
        if any(length is None for _, length in pairs):
            return math.inf
        return Fraction(sum(number * (length or 0) for number, length in pairs), total)

    @cached_property
    def entropy(self) -> Enclosure:
        """The entropy of the distribution in bits, between two floats.

        Examples
        --------
        >>> from sfumato.information import huffman
        >>> huffman([2, 1]).entropy.upper
        0.9182958340544897
        """
        numerators, total = self.distribution.integers
        with working_precision(_BITS + total.bit_length()):
            tight = self._is_tight
            ball = as_ball(self.expected_length) if tight else entropy_ball(numerators, total)
            return Enclosure.of_ball(ball)

    @cached_property
    def redundancy(self) -> Enclosure:
        """How many bits the expected length is above the entropy: never less than 0.

        Examples
        --------
        >>> from sfumato.information import huffman
        >>> huffman([1/2, 1/4, 1/4]).redundancy.upper
        0.0
        >>> round(huffman([2, 1]).redundancy.upper, 6)
        0.081704
        """
        if self._is_tight:
            return Enclosure(0.0, 0.0)
        numerators, total = self.distribution.integers
        with working_precision(_BITS + total.bit_length()):
            above = as_ball(self.expected_length) - entropy_ball(numerators, total)
            found = Enclosure.of_ball(above)
        return Enclosure(max(0.0, found.lower), max(0.0, found.upper))

    def encode(self, values: Iterable[Hashable]) -> str:
        """Return the codewords of a column of values, one after the other.

        Examples
        --------
        >>> from sfumato.information import huffman
        >>> huffman({"a": 2, "b": 1, "c": 1}).encode("abca")
        '010110'
        """
        labels, places = read_column(values)
        words = [self.codewords.get(each) for each in labels]
        if None in words:
            raise no_codeword(places.tolist().index(words.index(None)))
        return "".join(words[place] or "" for place in places.tolist())

    def decode(self, bits: str, *, count: int | None = None) -> list[Hashable]:
        """Return the values that ``encode`` wrote as these bits.

        Parameters
        ----------
        bits
            A text of 0 and 1.
        count
            How many values there are; needed only where one outcome is certain, whose codeword
            takes no bits.

        Examples
        --------
        >>> from sfumato.information import huffman
        >>> huffman({"a": 2, "b": 1, "c": 1}).decode("010110")
        ['a', 'b', 'c', 'a']
        """
        given: Any = bits
        if not isinstance(given, str) or not {*given} <= {"0", "1"}:
            raise InputError(
                "E-ARGUMENT-TYPE",
                "{bits} must be a text of 0 and 1, such as '0110'",
                bits=Argument("bits"),
            )
        if 0 in self.kraft.lengths:
            return self._certain(bits, count)
        found = self._read(bits)
        if count is not None and len(found) != read_count(count, least=0):
            raise _other_bits(tr("they hold {values}", values=counted(len(found), "value")))
        return found

    def lines(self) -> list[str]:
        """Return what the code costs, and its first codewords.

        Examples
        --------
        >>> from sfumato.information import huffman
        >>> print(huffman({"tea": 2, "coffee": 1}))
        Huffman code of 2 outcomes: 1.000 bits on average
        entropy 0.9183 bits: the least of any code, on average; 0.08170 bits more are used
        outcome  probability  −log2 p  length  codeword
        tea      0.6667       0.5850        1  0
        coffee   0.3333       1.585         1  1
        """
        mean, over = float(self.expected_length), self.redundancy.upper
        least = tr(
            "entropy {entropy} bits: the least of any code, on average; {over} bits more are used",
            entropy=rounded(self.entropy.upper),
            over=rounded(over),
        )
        equal = tr("that is the entropy: on average no code takes fewer")
        return [
            tr(
                "{name} of {outcomes}: {mean} bits on average",
                name=said(self.name),
                outcomes=counted(len(self.lengths), "outcome"),
                mean=rounded(mean),
            ),
            least if over else equal,
            *aligned([_HEADER, *self._rows(_MOST)], right={3}),
            *(["…"] if len(self.lengths) > _MOST else []),
        ]

    def as_dict(self) -> dict[str, Any]:
        """Return the code ready for JSON.

        Examples
        --------
        >>> from sfumato.information import huffman
        >>> huffman({"tea": 2, "coffee": 1}).as_dict()["codewords"]
        [['tea', '0'], ['coffee', '1']]
        """
        return {
            "name": self.name,
            "expected_length": float(self.expected_length),
            "entropy": [self.entropy.lower, self.entropy.upper],
            "redundancy": [self.redundancy.lower, self.redundancy.upper],
            "codewords": [[str(each), word] for each, word in self.codewords.items()],
        }

    def plot(self, *, to: str | Path | None = None) -> Chart:
        """Draw the lengths of codewords beside -log2 p; needs ``sfumato[plots]``.

        Parameters
        ----------
        to
            Also write it into a file ending in ``.html``, ``.png`` or ``.svg``.

        Examples
        --------
        >>> from sfumato.information import huffman
        >>> huffman([1/2, 1/4, 1/4]).plot().to_dict()["title"]["text"]
        ['Huffman code: 1.5 bits on average, which is the entropy']
        """
        return drawn("prefix_code", self, to=to)

    def __repr__(self) -> str:
        return (
            f"PrefixCode({self.name}: {self.codewords!r})"
            if len(self.lengths) <= 6
            else (f"PrefixCode({self.name} of {len(self.lengths):,} outcomes)")
        )

    @cached_property
    def _is_tight(self) -> bool:
        """Whether each outcome that can occur has a codeword of -log2 p bits exactly."""
        chances = zip(self.distribution.labels, self.distribution.fractions, strict=True)
        return all(
            chance == Fraction(1, 1 << self.lengths[each]) for each, chance in chances if chance
        )

    def _check_all_have_one(self) -> None:
        numerators, _ = self.distribution.integers
        possible = zip(self.distribution.labels, numerators, strict=True)
        if any(number and each not in self.lengths for each, number in possible):
            raise InputError(
                "E-LENGTHS-DIFFER",
                "an outcome that can occur has no length",
                "give each its length in bits, by outcome",
            )

    def _certain(self, bits: str, count: int | None) -> list[Hashable]:
        if bits:
            raise _other_bits(tr("the only codeword takes no bits"))
        if count is None:
            raise InputError(
                "E-ARGUMENT-MISSING",
                "one outcome is certain and takes no bits, so they do not tell how many there are",
                "write decode(bits, count=3), say",
            )
        return list(self.lengths) * read_count(count, least=0)

    def _read(self, bits: str) -> list[Hashable]:
        outcomes = {word: each for each, word in self.codewords.items()}
        found, begin, longest = [], 0, max(self.kraft.lengths)
        for end in range(1, len(bits) + 1):
            word = bits[begin:end]
            if word in outcomes:
                found.append(outcomes[word])
                begin = end
            elif end - begin >= longest:
                raise _other_bits(tr("no codeword begins so at bit {bit}", bit=begin))
        if begin < len(bits):
            raise _other_bits(tr("they end inside a codeword"))
        return found

    def _rows(self, most: int) -> Iterator[tuple[str, ...]]:
        chances = dict(self.distribution.items())
        for each, word in islice(self.codewords.items(), most):
            cells = rounded(float(chances[each])), rounded(self.ideal_lengths[each])
            yield cut(str(each), _LABEL), *cells, str(len(word)), cut(word, _CODEWORD)


_HEADER = (mark("outcome"), mark("probability"), mark("−log2 p"), mark("length"), mark("codeword"))


def entropy_ball(numerators: Sequence[int], total: int) -> arb:
    """Return the entropy in bits of integers over their total, as a ball."""
    whole, two = arb(total), arb(2).log()
    terms = (
        many * number * arb(number).log() for number, many in Counter(numerators).items() if number
    )
    return (whole.log() - sum(terms, arb(0)) / whole) / two


def read_column(values: Any) -> tuple[tuple[Hashable, ...], Any]:
    """Return the distinct values of a column, and the place of each entry among them."""
    if not isinstance(values, Iterable) or isinstance(values, Mapping) or is_frame(values):
        raise InputError(
            "E-COLUMN-TYPE",
            "{values} must be a column of values, such as ['a', 'b', 'a']",
            values=Argument("values"),
        )
    return encoded(values)


def no_codeword(place: int) -> InputError:
    """Return the refusal of a value that a code is not made for."""
    return InputError(
        "E-OUTCOME-UNKNOWN",
        "the value at position {place} cannot be encoded",
        "the code is made for the outcomes that its distribution allows",
        place=place,
    )


def _other_bits(why: str) -> InputError:
    return InputError(
        "E-CODE-BITS",
        "these bits are not what this code writes: {why}",
        "give all that encode returned, unchanged",
        why=why,
    )
