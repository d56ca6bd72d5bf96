"""The law of an output of which something else is drawn first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from flint import arb

from sfumato.information.continuous import Mixture
from sfumato.mechanisms.laws.law import Law
from sfumato.mechanisms.laws.stretches import mixed_stretches
from sfumato.numeric import as_ball

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from sfumato.mechanisms.laws.integers import DiscreteLaplaceNoise
    from sfumato.numeric import Exponentials

__all__ = ["GatedLaw", "MixtureLaw"]

T = TypeVar("T")

#: Exact odds of more parts than this have too many terms.
_MOST_MIXED = 6


class MixtureLaw(Law[T]):
    """One of several laws, each with a probability of its own.

    Parameters
    ----------
    parts
        Pairs of a probability, exact, and a law.
    """

    def __init__(self, parts: Sequence[tuple[Fraction, Law[T]]]) -> None:
        self.parts = tuple(parts)

    def ball(self, outcome: T) -> arb:
        """Return a ball around the probability of an outcome."""
        return sum((as_ball(chance) * law.ball(outcome) for chance, law in self.parts), arb(0))

    def cumulative(self, outcome: T) -> arb:
        """Return a ball around the probability of an outcome or one before it."""
        return sum(
            (as_ball(chance) * law.cumulative(outcome) for chance, law in self.parts), arb(0)
        )

    @property
    def source(self) -> Any:
        """The mixture of what the parts are made from; None where they are made in unlike ways."""
        if self.processing is None:
            return None
        chances, sources = zip(*((chance, law.source) for chance, law in self._shaped), strict=True)
        return sources[0] if len(sources) == 1 else Mixture(chances, sources)

    @property
    def processing(self) -> Any:
        """What is done to the source, where it is the same for all parts."""
        ways = {getattr(law, "processing", None) for _, law in self.parts}
        return ways.pop() if len(ways) == 1 else None

    @property
    def step(self) -> Fraction | None:
        """What outcomes are multiples of, where the parts have stretches of such."""
        steps = {getattr(law, "step", None) for _, law in self.parts}
        return steps.pop() if len(steps) == 1 else None

    @property
    def stretches(self) -> list[tuple[int, int, Exponentials]] | None:
        """Stretches of equally likely outcomes with their odds, where all parts have such."""
        if self.step is None or len(self.parts) > _MOST_MIXED:
            return None
        return mixed_stretches([(chance, law.stretches) for chance, law in self._shaped])

    @property
    def _shaped(self) -> tuple[tuple[Fraction, Any], ...]:
        """The parts, of which the same things are known."""
        return self.parts


@dataclass(frozen=True)
class GatedLaw(Law[Any]):
    """The law of a value that is released only if a test passes, and of None otherwise.

    Parameters
    ----------
    noise
        Of the test.
    margin
        The test passes where the noise is not below its opposite.
    value
        The law of the value if it is released.
    """

    noise: DiscreteLaplaceNoise
    margin: int
    value: Law[Any]

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
    def branches(self) -> list[tuple[str | None, arb, Law[Any] | None]]:
        """The alternatives: None itself, and a value with its own law."""
        passed = self.noise.cumulative(self.margin)
        return [(None, self.ball(None), None), ("released", passed, self.value)]
