"""Frequency oracles: protocols for one answer of several, by what their reports support."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate, count
from math import floor, prod
from typing import TYPE_CHECKING, ClassVar

from sfumato.errors import InternalError
from sfumato.survey.client.protocols.protocol import Protocol, Report, are_bits, bit, written_bits

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sfumato.survey.client.draws import Draws


@dataclass(frozen=True)
class Response(Protocol):
    """Warner's randomized response for k choices; with two and 2/3 it is the book's."""

    name = "response"
    theorem = (
        "Telling the truth with probability E/(E + k - 1), and else one of the k - 1 other "
        "choices uniformly, is ln(E)-differentially private for substituting one answer."
    )
    citations = ("warner1965", "kairouz2016extremal")

    @property
    def hit(self) -> Fraction:
        """The probability of the truth."""
        return self.loss.ratio / (self.loss.ratio + self.choices - 1)

    @property
    def miss(self) -> Fraction:
        """The probability of one given other choice."""
        return 1 / (self.loss.ratio + self.choices - 1)

    def randomize(self, answer: int, draws: Draws) -> int:
        """Return one choice: the answer, or another."""
        if draws.chance(self.hit):
            return answer
        return (answer + 1 + draws.below(self.choices - 1)) % self.choices

    def supports(self, report: Report, choice: int) -> bool:
        """Return whether the report is this choice."""
        return report == choice

    def allows(self, report: object) -> bool:
        """Return whether the report is a choice."""
        return isinstance(report, int) and 0 <= report < self.choices


_HALF = Fraction(1, 2)


@dataclass(frozen=True)
class Unary(Protocol):
    """A bit for each choice: a fair coin for the answer, a rare 1 for each of the others."""

    name = "unary"
    theorem = (
        "Bits that are 1 with probability 1/2 for the answer and 1/(E + 1) for each other choice, "
        "independently, are ln(E)-differentially private for substituting one answer."
    )
    citations: ClassVar[tuple[str, ...]] = ("wang2017locally",)

    @property
    def hit(self) -> Fraction:
        """One half: the bit of the answer is a fair coin."""
        return _HALF

    @property
    def miss(self) -> Fraction:
        """The probability of a 1 for one given other choice."""
        return 1 / (self.loss.ratio + 1)

    def randomize(self, answer: int, draws: Draws) -> str:
        """Return one bit for each choice."""
        chances = [self.miss] * self.choices
        chances[answer] = self.hit
        return written_bits(map(draws.chance, chances))

    def supports(self, report: Report, choice: int) -> bool:
        """Return whether the choice's bit is 1."""
        return bit(report, choice)

    def allows(self, report: object) -> bool:
        """Return whether these are bits, one for each choice."""
        return are_bits(report, self.choices)


@dataclass(frozen=True)
class Subset(Protocol):
    """A set of w choices: the least variance that any protocol has, for every k and ε.

    w is k/(e^ε + 1), rounded to the side with the less variance; at w = 1 this is randomized
    response.  A report is a text of k bits, so it suits up to a thousand choices or so.
    """

    name = "subset"
    theorem = (
        "A set of w of the k choices, all sets with the answer alike and E times as likely as all "
        "sets without it, is ln(E)-differentially private for substituting one answer."
    )
    citations = ("ye2018optimal",)

    @property
    def size(self) -> int:
        """How many choices a report has."""
        return _best_size(self.choices, self.loss.ratio)

    @property
    def parameters(self) -> dict[str, int]:
        """The size of the sets."""
        return {"size": self.size}

    @property
    def hit(self) -> Fraction:
        """The probability that the set has the answer."""
        return _rates(self.choices, self.loss.ratio, self.size)[0]

    @property
    def miss(self) -> Fraction:
        """The probability that the set has one given other choice."""
        return _rates(self.choices, self.loss.ratio, self.size)[1]

    def randomize(self, answer: int, draws: Draws) -> str:
        """Return the bits of one set."""
        taken = draws.chance(self.hit)
        wanted, left = self.size - taken, self.choices - 1
        bits = []
        for choice in range(self.choices):
            if choice == answer:
                bits.append(taken)
                continue
            bits.append(wanted > 0 and draws.below(left) < wanted)
            wanted, left = wanted - bits[-1], left - 1
        return written_bits(bits)

    def supports(self, report: Report, choice: int) -> bool:
        """Return whether the set has the choice."""
        return bit(report, choice)

    def allows(self, report: object) -> bool:
        """Return whether this is a set of the right size."""
        return are_bits(report, self.choices) and str(report).count("1") == self.size


def _rates(choices: int, ratio: Fraction, size: int) -> tuple[Fraction, Fraction]:
    """Return how often a set of this size has the answer, and how often one other choice."""
    hit = size * ratio / (size * ratio + choices - size)
    return hit, (size - hit) / (choices - 1)


@lru_cache(maxsize=256)
def _best_size(choices: int, ratio: Fraction) -> int:
    def variance(size: int) -> Fraction:
        hit, miss = _rates(choices, ratio, size)
        return miss * (1 - miss) / (hit - miss) ** 2

    near = min(max(floor(choices / (1 + ratio)), 1), choices - 1)
    return min((near, min(near + 1, choices - 1)), key=variance)


@dataclass(frozen=True)
class Hadamard(Protocol):
    """One whole number below the next power of two: a short report, decoded by a fast transform.

    The number y supports choice v where y and v + 1 have an even number of common bits: half of
    all numbers do, and for two choices those halves are independent.  The best of protocols up
    to ε = 1 or so, to a constant; above, a report of one sign wastes what ε allows.
    """

    name = "hadamard"
    theorem = (
        "One of the numbers that support the answer with probability E/(E + 1), and else one of "
        "those that do not, is ln(E)-differentially private for substituting one answer."
    )
    citations = ("acharya2019hadamard",)

    @property
    def order(self) -> int:
        """How many numbers there are: the least power of two above the number of choices."""
        return int(2 ** self.choices.bit_length())

    @property
    def parameters(self) -> dict[str, int]:
        """The order of the matrix."""
        return {"order": self.order}

    @property
    def hit(self) -> Fraction:
        """The probability that a report supports the answer."""
        return self.loss.ratio / (self.loss.ratio + 1)

    @property
    def miss(self) -> Fraction:
        """One half: two rows of the matrix agree in half of their places."""
        return _HALF

    def randomize(self, answer: int, draws: Draws) -> int:
        """Return one number."""
        supporting = draws.chance(self.hit)
        number = draws.below(self.order)
        if self.supports(number, answer) == supporting:
            return number
        column = answer + 1
        return number ^ (column & -column)

    def supports(self, report: Report, choice: int) -> bool:
        """Return whether the report and the choice have an even number of common bits."""
        return (int(report) & (choice + 1)).bit_count() % 2 == 0

    def allows(self, report: object) -> bool:
        """Return whether this is one of the numbers."""
        return isinstance(report, int) and 0 <= report < self.order


_MOST_REPORTS = 2**63
_MOST_BUCKETS = 2**20


@dataclass(frozen=True)
class Hashing(Protocol):
    """A hash into g buckets, drawn by the person, and a randomized response among the buckets.

    For each prime factor p of g the hash has one digit: the answer's digits in base p, times a
    random row of digits, summed modulo p.  Two answers meet in a bucket with probability 1/g
    exactly, not just nearly as with a hash of text.  g is e^ε + 1, rounded to the whole number
    of least variance among those whose reports fit into 63 bits.

    Attributes
    ----------
    buckets
        g, how many buckets there are.
    primes
        The prime factors of g.
    digits
        For each of them, how many digits a choice has in that base.
    """

    buckets: int = field(init=False)
    primes: tuple[int, ...] = field(init=False)
    digits: tuple[int, ...] = field(init=False)

    name = "hashing"
    theorem = (
        "A random hash function, and the bucket of the answer with probability E/(E + g - 1) and "
        "else another, are ln(E)-differentially private for substituting one answer."
    )
    citations = ("wang2017locally",)

    def __post_init__(self) -> None:
        buckets = next(each for each in self._by_variance() if self._fits(each))
        primes = tuple(_prime_factors(buckets))
        digits = tuple(_digits(self.choices, prime) for prime in primes)
        self.__dict__.update(buckets=buckets, primes=primes, digits=digits)

    @property
    def functions(self) -> int:
        """How many hash functions there are."""
        return prod(p**d for p, d in zip(self.primes, self.digits, strict=True))

    @property
    def parameters(self) -> dict[str, int]:
        """The number of buckets."""
        return {"buckets": self.buckets}

    @property
    def hit(self) -> Fraction:
        """The probability of the answer's own bucket."""
        return self.loss.ratio / (self.loss.ratio + self.buckets - 1)

    @property
    def miss(self) -> Fraction:
        """One in g: the probability of the bucket of one given other choice."""
        return Fraction(1, self.buckets)

    def bucket(self, function: int, choice: int) -> int:
        """Return the bucket into which a hash function puts a choice."""
        place = 0
        for prime, digits in zip(self.primes, self.digits, strict=True):
            met, rest = 0, choice
            for _ in range(digits):
                function, row = divmod(function, prime)
                rest, digit = divmod(rest, prime)
                met += row * digit
            place = place * prime + met % prime
        return place

    def randomize(self, answer: int, draws: Draws) -> int:
        """Return the function and the bucket in one whole number: function · g + bucket."""
        function = draws.below(self.functions)
        bucket = self.bucket(function, answer)
        if not draws.chance(self.hit):
            bucket = (bucket + 1 + draws.below(self.buckets - 1)) % self.buckets
        return function * self.buckets + bucket

    def supports(self, report: Report, choice: int) -> bool:
        """Return whether the report's function puts the choice into the report's bucket."""
        function, bucket = divmod(int(report), self.buckets)
        return self.bucket(function, choice) == bucket

    def allows(self, report: object) -> bool:
        """Return whether this is a function and a bucket."""
        return isinstance(report, int) and 0 <= report < self.functions * self.buckets

    def _by_variance(self) -> Iterator[int]:
        """Yield numbers of buckets, the best first and the others by their distance from it."""
        near = min(floor(self.loss.ratio) + 1, _MOST_BUCKETS)
        best = min((near, near + 1), key=self._variance_of)
        yield best
        for step in count(1):
            around = [each for each in (best - step, best + step) if each >= 2]
            yield from sorted(around, key=self._variance_of)
            if step > _MOST_BUCKETS:
                raise InternalError("E-INTERNAL", "no number of buckets fits into a report")

    def _fits(self, buckets: int) -> bool:
        primes = _prime_factors(buckets)
        sizes = accumulate((p ** _digits(self.choices, p) for p in primes), int.__mul__)
        return max(sizes) * buckets <= _MOST_REPORTS

    def _variance_of(self, buckets: int) -> Fraction:
        hit, miss = self.loss.ratio / (self.loss.ratio + buckets - 1), Fraction(1, buckets)
        return miss * (1 - miss) / (hit - miss) ** 2


def _digits(choices: int, base: int) -> int:
    return next(digits for digits in count(1) if base**digits >= choices)


def _prime_factors(number: int) -> Iterator[int]:
    factor = 2
    while factor * factor <= number:
        while number % factor == 0:
            yield factor
            number //= factor
        factor += 1
    if number > 1:
        yield number
