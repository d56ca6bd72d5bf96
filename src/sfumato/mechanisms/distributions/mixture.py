"""The distribution of an output of which something else is drawn first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from flint import arb

from sfumato.information.continuous import Mixture
from sfumato.mechanisms.distributions.output import OutputDistribution
from sfumato.mechanisms.distributions.stretches import mixed_stretches
from sfumato.numeric import as_ball

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from sfumato.mechanisms.distributions.integers import DiscreteLaplaceNoise
    from sfumato.numeric import Exponentials

__all__ = ["GatedDistribution", "MixtureDistribution"]

T = TypeVar("T")

#: Exact odds of more parts than this have too many terms.
_MOST_MIXED = 6


class MixtureDistribution(OutputDistribution[T]):
    """One of several distributions, each with a probability of its own.

    Parameters
    ----------
    parts
        Pairs of a probability, exact, and a distribution.
    """

    def __init__(self, parts: Sequence[tuple[Fraction, OutputDistribution[T]]]) -> None:
        self.parts = tuple(parts)

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
        chances, sources = zip(
            *((chance, each.source) for chance, each in self._shaped), strict=True
        )
        return sources[0] if len(sources) == 1 else Mixture(chances, sources)

    @property
    def processing(self) -> Any:
        """What is done to the source, where it is the same for all parts."""
        ways = {getattr(each, "processing", None) for _, each in self.parts}
        return ways.pop() if len(ways) == 1 else None

    @property
    def step(self) -> Fraction | None:
        """What outcomes are multiples of, where the parts have stretches of such."""
        steps = {getattr(each, "step", None) for _, each in self.parts}
        return steps.pop() if len(steps) == 1 else None

    @property
    def stretches(self) -> list[tuple[int, int, Exponentials]] | None:
        """Stretches of equally likely outcomes with their odds, where all parts have such."""
        if self.step is None or len(self.parts) > _MOST_MIXED:
            return None
        return mixed_stretches([(chance, each.stretches) for chance, each in self._shaped])

    @property
    def _shaped(self) -> tuple[tuple[Fraction, Any], ...]:
        """The parts, of which the same things are known."""
        return self.parts


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
