"""The distribution of an output of which something else is drawn first."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeVar

from flint import arb

from sfumato.information.continuous import Mixture
from sfumato.mechanisms.distributions.output import OutputDistribution
from sfumato.numeric import Exponentials, as_ball

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from sfumato.mechanisms.distributions.integers import DiscreteLaplaceNoise

    Stretches = Sequence[tuple[int, int, Exponentials]]


T = TypeVar("T")
#: Exact odds of more parts than this have too many terms.
_MOST_MIXED = 6


def mixed_stretches(
    parts: Sequence[tuple[Fraction, Stretches]],
) -> list[tuple[int, int, Exponentials]]:
    """Return a mixture of distributions that are told by stretches, over the same outcomes.

    The odds of each part are multiplied by the sums of all others, so that none is divided.

    Parameters
    ----------
    parts
        The probability of each part, and its stretches: a first and a last outcome, and the odds
        of each outcome between.
    """
    cuts = sorted({edge for _, each in parts for low, high, _ in each for edge in (low, high + 1)})
    scaled = [_scaled(parts, place) for place in range(len(parts))]
    return [
        (low, after - 1, Exponentials.sum(_odds(each, low) for each in scaled))
        for low, after in pairwise(cuts)
    ]


def _scaled(
    parts: Sequence[tuple[Fraction, Stretches]], place: int
) -> list[tuple[int, int, Exponentials]]:
    """Return one part with its odds times its probability and the sums of all others."""
    factor = Exponentials(parts[place][0])
    for other, (_, distribution) in enumerate(parts):
        if other != place:
            factor = factor * _total(distribution)
    return [(low, high, odds * factor) for low, high, odds in parts[place][1]]


def _total(distribution: Stretches) -> Exponentials:
    return Exponentials.sum((high - low + 1) * odds for low, high, odds in distribution)


def _odds(distribution: Stretches, outcome: int) -> Exponentials:
    place = bisect_right(distribution, outcome, key=lambda each: each[0]) - 1
    inside = place >= 0 and outcome <= distribution[place][1]
    return distribution[place][2] if inside else Exponentials(0)


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
        chances, sources = zip(*((chance, each.source) for chance, each in self.parts), strict=True)
        return sources[0] if len(sources) == 1 else Mixture(chances, sources)

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
