"""Optimal local hashing: randomized response on a hash of the answer."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from itertools import accumulate, count
from math import floor, prod
from typing import TYPE_CHECKING

from sfumato.errors import InternalError
from sfumato.survey.client.protocols.base import Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sfumato.survey.client.draws import Draws
    from sfumato.survey.client.protocols.base import Report

__all__ = ["Hashing"]

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
