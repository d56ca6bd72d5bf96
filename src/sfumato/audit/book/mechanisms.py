"""Mechanisms of the source: randomized response (5.1), private Lloyd (5.3), the exponential one.

The rows of private Lloyd lie in the L1 unit ball.  Every round publishes, for each centre, how
many rows are nearest to it and their sum, each coordinate with Laplace noise of scale 2/ε' where
ε' = ε/(2T).  Given the centres of the round before, the published vector has independent
coordinates, so its greatest log ratio between two tables is exactly the L1 change of counts and
sums over the scale.  Drawing a centre again where the noisy count is below 1 reads nothing but what
is published.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import combinations, combinations_with_replacement, product
from typing import TYPE_CHECKING

from sfumato.audit.book.statement import (
    BookStatement,
    ClaimedMechanism,
    Finding,
    OutputDistribution,
    answer,
    check_claims,
    least,
)
from sfumato.audit.exact.datasets import Datasets
from sfumato.audit.exact.independent import each
from sfumato.audit.verification import verify
from sfumato.information import max_divergence
from sfumato.numeric import Exponentials, Ln
from sfumato.printing import counted
from sfumato.privacy import Substitute, compose, events
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from collections.abc import Callable


_CLAIM = Ln(2)
_MOST_PEOPLE = 20


def _check_surveys(truth: Fraction) -> Finding:
    """Judge the claim on all neighbouring tables of people who tell the truth so often."""
    mechanism = each(lambda row: answer(row, truth))
    verdicts = [
        verify(mechanism, inputs=Datasets([0, 1], size=people), epsilon=_CLAIM)
        for people in range(1, _MOST_PEOPLE + 1)
    ]
    last, pairs = verdicts[-1], sum(verdict.pairs for verdict in verdicts)
    return Finding(
        holds=all(verdict and verdict.epsilon.exact == _CLAIM for verdict in verdicts),
        instances=pairs,
        figures=tr(
            "surveys of 1 to {most_people} people, {pairs} of tables; least ε {last}",
            most_people=_MOST_PEOPLE,
            pairs=counted(pairs, "pair"),
            last=least(last),
        ),
    )


RANDOMIZED_RESPONSE = BookStatement(
    name="Theorem 5.1",
    where=mark("chapter, §5.3.1"),
    title=mark("randomized response is ln 2-DP"),
    text=mark(
        "Randomized response, in which everybody tells the truth with probability 2/3 and "
        "else the opposite, is ln 2-differentially private, whatever the number of people."
    ),
    check=_check_surveys,
    instance=Fraction(2, 3),
    twin=Fraction(3, 4),
    wrong=mark("the truth told with probability 3/4"),
)


Row = tuple[Fraction, ...]
Published = list[Fraction]

_HALF, _ONE, _ZERO = Fraction(1, 2), Fraction(1), Fraction(0)
_ROWS: tuple[Row, ...] = (
    (_ONE, _ZERO),
    (-_ONE, _ZERO),
    (_ZERO, _ONE),
    (_HALF, -_HALF),
    (_HALF, _ZERO),
    (_ZERO, _ZERO),
)


@dataclass(frozen=True)
class _Lloyd:
    """Private Lloyd on all tables of so many rows, given any two of the rows as centres."""

    epsilon: Fraction
    rounds: int
    size: int
    sensitivity: Fraction = Fraction(2)

    @property
    def scale(self) -> Fraction:
        """The noise of one round: 2/ε' with ε' = ε/(2T)."""
        return self.sensitivity * 2 * self.rounds / self.epsilon

    def divergences(self) -> list[Fraction]:
        """Return the max divergence of a round, for all neighbouring tables and centres."""
        return [
            _distance(_published((*rest, one), near), _published((*rest, other), near)) / self.scale
            for near in map(_nearest, combinations(_ROWS, 2))
            for rest in combinations_with_replacement(_ROWS, self.size - 1)
            for one, other in combinations(_ROWS, 2)
        ]


def _nearest(centres: tuple[Row, ...]) -> dict[Row, int]:
    """Return the centre that each row is nearest to; of two as near, the first."""
    return {row: min(range(len(centres)), key=lambda j: _squared(row, centres[j])) for row in _ROWS}


def _published(table: tuple[Row, ...], nearest: dict[Row, int]) -> Published:
    """Return the counts and sums of the rows nearest to each centre, without noise."""
    found: Published = [_ZERO] * (2 * (1 + len(_ROWS[0])))
    for row in table:
        start = nearest[row] * (1 + len(row))
        for place, value in enumerate((_ONE, *row), start):
            found[place] += value
    return found


def _squared(row: Row, centre: Row) -> Fraction:
    return sum(((a - b) ** 2 for a, b in zip(row, centre, strict=True)), _ZERO)


def _distance(one: Published, other: Published) -> Fraction:
    return sum((abs(a - b) for a, b in zip(one, other, strict=True)), _ZERO)


def _check_lloyd(given: _Lloyd) -> Finding:
    found = given.divergences()
    round_bound, greatest = given.epsilon / given.rounds, max(found)
    total = compose(events.Pure(epsilon=greatest), count=given.rounds, relation=Substitute())
    return Finding(
        holds=greatest <= round_bound and total.delta(epsilon=given.epsilon) == 0,
        instances=len(found),
        figures=tr(
            "{found:,} pairs of tables with centres; a round costs at most {greatest} "
            "where ε/T = {round_bound}, {rounds} rounds {together}",
            found=len(found),
            greatest=greatest,
            round_bound=round_bound,
            rounds=given.rounds,
            together=greatest * given.rounds,
        ),
    )


LLOYD = BookStatement(
    name="Theorem 5.3",
    where=mark("chapter, §5.3.3"),
    title=mark("private Lloyd"),
    text=mark(
        "Lloyd's algorithm on rows of the L1 unit ball, with Lap(2/ε') on counts and sums "
        "in each of T rounds and ε' = ε/(2T), is ε-differentially private: ε/T a round. "
        "(It is said to reach the optimum; Lloyd's algorithm reaches a local one.)"
    ),
    check=_check_lloyd,
    instance=_Lloyd(epsilon=Fraction(1), rounds=5, size=3),
    twin=_Lloyd(epsilon=Fraction(1), rounds=5, size=3, sensitivity=Fraction(1)),
    wrong=mark("noise for sensitivity 1 in place of 2"),
)

_CANDIDATES = "abc"
_VOTES = Datasets(_CANDIDATES, size=3)


def _by_votes(rate: Fraction) -> Callable[[tuple[str, ...]], dict[str, Exponentials]]:
    """Return a choice with weights exp(rate·votes); one row moves no candidate's by more than 1."""
    return lambda votes: {each: Exponentials.exp(rate * votes.count(each)) for each in _CANDIDATES}


def _election(rate: Fraction, epsilon: Fraction) -> ClaimedMechanism:
    return partial(verify, _by_votes(rate), inputs=_VOTES, epsilon=epsilon)


_RATES = (Fraction(1, 10), Fraction(1, 2), Fraction(2))
EXPONENTIAL = BookStatement(
    name="Theorem 6",
    title=mark("the exponential mechanism"),
    text=mark(
        "To choose r with a probability in proportion to exp(ε·u(x, r)), where no u moves by "
        "more than Δ between neighbouring tables, is 2εΔ-differentially private."
    ),
    check=check_claims,
    instance=[_election(rate, 2 * rate) for rate in _RATES],
    twin=[_election(rate, rate) for rate in _RATES],
    wrong=mark("the 2 left out: said to be εΔ-differentially private"),
    citation="mcsherry2007mechanism",
)


@dataclass(frozen=True)
class _BoundedRange:
    """A choice with weights base^votes, and the e^ε between whose ratios losses are said to lie."""

    base: Fraction
    factor: Fraction

    def distribution(self, votes: tuple[str, ...]) -> OutputDistribution:
        weights = {each: self.base ** votes.count(each) for each in _CANDIDATES}
        return {each: weight / sum(weights.values()) for each, weight in weights.items()}

    def ranges(self) -> list[tuple[Fraction, tuple[str, ...], tuple[str, ...]]]:
        """Return the greatest ratio over the least for any two neighbouring tables, and them."""
        return [
            (self._greatest(one, other) * self._greatest(other, one), one, other)
            for one, other in product(product(_CANDIDATES, repeat=3), repeat=2)
            if sum(a != b for a, b in zip(one, other, strict=True)) == 1
        ]

    def _greatest(self, one: tuple[str, ...], other: tuple[str, ...]) -> Fraction:
        p, q = self.distribution(one), self.distribution(other)
        return Fraction(max_divergence(p, q, witness=True).ratio)


def _check_range(given: _BoundedRange) -> Finding:
    found = given.ranges()
    greatest, one, other = max(found)
    return Finding(
        holds=greatest <= given.factor,
        instances=len(found),
        figures=tr(
            "{pairs} of tables, e^ε = {factor}; greatest ratio over the least {greatest}, between "
            "the votes {one} and {other}",
            pairs=counted(len(found), "ordered pair"),
            factor=given.factor,
            greatest=greatest,
            one="".join(one),
            other="".join(other),
        ),
    )


BOUNDED_RANGE = BookStatement(
    name="Bounded range",
    title=mark("losses within an interval of length ε"),
    text=mark(
        "For weights exp(ε·u(x, r)/(2Δ)) the privacy losses of any two neighbouring tables "
        "lie in an interval of length ε: more than ε-differential privacy, which bounds each "
        "by ε in size."
    ),
    check=_check_range,
    instance=_BoundedRange(Fraction(2), Fraction(4)),
    twin=_BoundedRange(Fraction(4), Fraction(4)),
    wrong=mark("weights exp(ε·u/Δ), as are right where all u move the same way"),
    citation="dong2020optimal",
)


@dataclass(frozen=True)
class _Shortfall:
    """A choice at ε = Δ = 1 among one best candidate and many that are a gap below it.

    It is said to fall short of the best by so many times ln|R| + t with probability e^-t at most.
    """

    times: int
    many: int
    gap: int
    t: int

    @property
    def counts(self) -> bool:
        """Whether the gap is so great a shortfall: e^(gap/times) ≥ |R| e^t."""
        allowed = Exponentials.exp(self.t) * (1 + self.many)
        return Exponentials.exp(Fraction(self.gap, self.times)) >= allowed

    def holds(self) -> bool:
        """Tell, exactly, whether the probability of the gap is at most e^-t."""
        weight = Exponentials.exp(Fraction(-self.gap, 2)) * self.many
        return not self.counts or weight * Exponentials.exp(self.t) <= weight + 1

    def probability(self) -> float:
        weight = float(Exponentials.exp(Fraction(-self.gap, 2)) * self.many)
        return weight / (1 + weight)


def _shortfalls(times: int) -> list[_Shortfall]:
    """Return those whose gap counts, and is as small as may be."""
    found = []
    for many, t in product((1, 4, 99), (1, 2, 3)):
        cases = (_Shortfall(times, many, gap, t) for gap in range(1, 40))
        found.append(next(each for each in cases if each.counts))
    return found


def _check_shortfall(given: list[_Shortfall]) -> Finding:
    closest = max(given, key=lambda each: each.probability() * math.exp(each.t))
    return Finding(
        holds=all(each.holds() for each in given),
        instances=len(given),
        figures=tr(
            "{choices} at ε = Δ = 1; closest, among {candidates}: {gap} below the best with "
            "probability {probability:.6f} where e^-t = {bound:.6f}",
            choices=counted(len(given), "choice"),
            candidates=counted(closest.many + 1, "candidate"),
            gap=closest.gap,
            probability=closest.probability(),
            bound=math.exp(-closest.t),
        ),
    )


UTILITY = BookStatement(
    name="Corollary 3.12",
    title=mark("the utility of the exponential mechanism"),
    text=mark(
        "With weights exp(ε·u(x, r)/(2Δ)) the utility of what is chosen from R falls short of "
        "the best by (2Δ/ε)(ln|R| + t) or more with probability at most e^-t."
    ),
    check=_check_shortfall,
    instance=_shortfalls(2),
    twin=_shortfalls(1),
    wrong=mark("the 2 left out: (Δ/ε)(ln|R| + t)"),
    citation="dwork2014",
)
