"""The distribution of an output of which something else is drawn first."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import pairwise
from math import prod
from typing import TYPE_CHECKING, Any, TypeVar

from flint import arb

from sfumato.errors import InputError
from sfumato.information.continuous import Mixture
from sfumato.mechanisms.distributions.output import FiniteDistribution, OutputDistribution
from sfumato.numeric import Exponentials, as_ball

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sfumato.mechanisms.distributions.integers import DiscreteLaplaceNoise

    Stretches = Sequence[tuple[int, int, Exponentials]]


T = TypeVar("T")
#: Exact odds of more parts than this have too many terms.
_MOST_MIXED = 6


def mixed_stretches(
    parts: Sequence[tuple[Fraction, Stretches]],
) -> list[tuple[int, int, Exponentials]]:
    """Return a mixture of distributions that are told by stretches, over the same outcomes.

    The odds of all parts are brought to one sum, so that none is divided.

    Parameters
    ----------
    parts
        The probability of each part, and its stretches: a first and a last outcome, and the odds
        of each outcome between.
    """
    cuts = sorted({edge for _, each in parts for low, high, _ in each for edge in (low, high + 1)})
    factors = _to_one_total([_total(each) for _, each in parts])
    scaled = [
        [(low, high, odds * (factor * chance)) for low, high, odds in each]
        for factor, (chance, each) in zip(factors, parts, strict=True)
    ]
    return [
        (low, after - 1, Exponentials.sum(_odds(each, low) for each in scaled))
        for low, after in pairwise(cuts)
    ]


def _to_one_total(totals: Sequence[Exponentials]) -> list[Exponentials]:
    """Return what odds of these sums are multiplied by so that all have the same sum.

    That is the product of all other sums that differ, so that nothing is divided.
    """
    factors = {
        each: prod((other for other in {*totals} if other != each), start=Exponentials(1))
        for each in {*totals}
    }
    return [factors[each] for each in totals]


def _total(distribution: Stretches) -> Exponentials:
    return Exponentials.sum((high - low + 1) * odds for low, high, odds in distribution)


def _odds(distribution: Stretches, outcome: int) -> Exponentials:
    place = bisect_right(distribution, outcome, key=lambda each: each[0]) - 1
    inside = place >= 0 and outcome <= distribution[place][1]
    return distribution[place][2] if inside else Exponentials(0)


def mixture(parts: Sequence[tuple[Fraction, OutputDistribution[T]]]) -> OutputDistribution[T]:
    """Return one of several distributions, each with a probability; a finite one if all are.

    Parameters
    ----------
    parts
        Pairs of a probability, exact, and a distribution; the probabilities sum to 1.
    """
    if len(parts) == 1:
        return parts[0][1]
    if any(isinstance(each, GatedDistribution) for _, each in parts):
        raise InputError(
            "E-DISTRIBUTIONS-DIFFER",
            "outputs that are a number or None have no exact mixture here",
            "ask for the distribution of the mechanism itself, on one sample",
        )
    listed = [(chance, each) for chance, each in parts if isinstance(each, FiniteDistribution)]
    return finite_mixture(listed) if len(listed) == len(parts) else MixtureDistribution(parts)


def finite_mixture(
    parts: Sequence[tuple[Fraction, FiniteDistribution[T]]],
) -> FiniteDistribution[T]:
    """Return one of several distributions on finitely many outcomes; exact where all are."""
    outcomes = list(dict.fromkeys(outcome for _, each in parts for outcome in each.outcomes))
    chances = [_chance(parts, outcome) for outcome in outcomes]
    return FiniteDistribution(outcomes, chances, partial(_weights, parts, outcomes))


def _chance(
    parts: Sequence[tuple[Fraction, FiniteDistribution[T]]], outcome: T
) -> Fraction | Callable[[], arb]:
    """Return the probability of an outcome, exactly where all parts know it."""
    having = [(chance, each) for chance, each in parts if outcome in each.outcomes]
    exact = [each.exact(outcome) for _, each in having]
    known = [each for each in exact if each is not None]
    if len(known) == len(having):
        return sum((part[0] * each for part, each in zip(having, known, strict=True)), Fraction(0))
    return lambda: sum((as_ball(chance) * each.ball(outcome) for chance, each in having), arb(0))


def _weights(
    parts: Sequence[tuple[Fraction, FiniteDistribution[T]]], outcomes: Sequence[T]
) -> list[Exponentials] | None:
    """Return the exact odds of all outcomes, None where a part does not tell its own."""
    told = [each.weights for _, each in parts]
    known = [each for each in told if each is not None]
    if len(known) < len(told):
        return None
    factors = _to_one_total([Exponentials.sum(each.values()) for each in known])
    scaled = [factor * chance for factor, (chance, _) in zip(factors, parts, strict=True)]
    return [
        Exponentials.sum(
            factor * each[outcome]
            for factor, each in zip(scaled, known, strict=True)
            if outcome in each
        )
        for outcome in outcomes
    ]


class MixtureDistribution(OutputDistribution[T]):
    """One of several distributions, each with a probability of its own.

    Parameters
    ----------
    parts
        Pairs of a probability, exact, and a distribution.
    """

    def __init__(self, parts: Sequence[tuple[Fraction, OutputDistribution[T]]]) -> None:
        self.parts: tuple[tuple[Fraction, Any], ...] = tuple(parts)

    def ball(self, outcome: T) -> arb:
        """Return a ball around the probability of an outcome."""
        return sum((as_ball(chance) * each.ball(outcome) for chance, each in self.parts), arb(0))

    def cumulative(self, outcome: T) -> arb:
        """Return a ball around the probability of an outcome or one before it."""
        return sum(
            (as_ball(chance) * each.cumulative(outcome) for chance, each in self.parts), arb(0)
        )

    @property
    def source(self) -> Any:
        """The mixture of what the parts are made from; None where they are made in unlike ways."""
        if self.processing is None:
            return None
        sources = [(chance, each.source) for chance, each in self.parts]
        if len(sources) == 1:
            return sources[0][1]
        listed = any(isinstance(each, OutputDistribution) for _, each in sources)
        return MixtureDistribution(sources) if listed else Mixture(*zip(*sources, strict=True))

    @property
    def processing(self) -> Any:
        """What is done to the source, where it is the same for all parts."""
        return self._shared("processing")

    @property
    def step(self) -> Fraction | None:
        """What outcomes are multiples of, where the parts have stretches of such."""
        step: Fraction | None = self._shared("step")
        return step

    @property
    def stretches(self) -> list[tuple[int, int, Exponentials]] | None:
        """Stretches of equally likely outcomes with their odds, where all parts have such."""
        if self.step is None or len(self.parts) > _MOST_MIXED:
            return None
        return mixed_stretches([(chance, each.stretches) for chance, each in self.parts])

    def _shared(self, name: str) -> Any:
        """Return what is the same of all parts, None where they differ."""
        found = {getattr(each, name, None) for _, each in self.parts}
        return found.pop() if len(found) == 1 else None


@dataclass(frozen=True)
class GatedDistribution(OutputDistribution[Any]):
    """The distribution of a value that is released only if a test passes, and of None otherwise.

    Parameters
    ----------
    noise
        Of the test.
    margin
        The test passes where the noise is not below its opposite.
    value
        The distribution of the value if it is released.
    """

    noise: DiscreteLaplaceNoise
    margin: int
    value: OutputDistribution[Any]

    def ball(self, outcome: Any) -> arb:
        """Return a ball around the probability of an outcome."""
        if outcome is None:
            return self.noise.cumulative(-self.margin - 1)
        return self.noise.cumulative(self.margin) * self.value.ball(outcome)

    def cumulative(self, outcome: Any) -> arb:
        """Return a ball around the probability of an outcome or one before it; None comes first."""
        if outcome is None:
            return self.ball(None)
        return self.ball(None) + self.noise.cumulative(self.margin) * self.value.cumulative(outcome)

    @property
    def branches(self) -> list[tuple[str | None, arb, OutputDistribution[Any] | None]]:
        """The alternatives: None itself, and a value with its own distribution."""
        passed = self.noise.cumulative(self.margin)
        return [(None, self.ball(None), None), ("released", passed, self.value)]
