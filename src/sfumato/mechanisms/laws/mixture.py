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

    Examples
    --------
    >>> from fractions import Fraction
    >>> from sfumato.mechanisms import FiniteLaw
    >>> from sfumato.mechanisms.laws.mixture import MixtureLaw
    >>> fair, loaded = FiniteLaw([0, 1], [0.5, 0.5]), FiniteLaw([0, 1], [0, 1])
    >>> MixtureLaw([(Fraction(1, 4), fair), (Fraction(3, 4), loaded)]).probability(1)
    Enclosure(lower=0.875, upper=0.875)
    """

    def __init__(self, parts: Sequence[tuple[Fraction, Law[T]]]) -> None:
        self.parts = tuple(parts)

    def ball(self, outcome: T) -> arb:
        """Return a ball around the probability of an outcome.

        Examples
        --------
        >>> from fractions import Fraction
        >>> from sfumato.mechanisms import FiniteLaw
        >>> from sfumato.mechanisms.laws.mixture import MixtureLaw
        >>> MixtureLaw([(Fraction(1), FiniteLaw([0, 1], [0.25, 0.75]))]).ball(1)
        0.750000000000000
        """
        return sum((as_ball(chance) * law.ball(outcome) for chance, law in self.parts), arb(0))

    def cumulative(self, outcome: T) -> arb:
        """Return a ball around the probability of an outcome or one before it.

        Examples
        --------
        >>> from fractions import Fraction
        >>> from sfumato.mechanisms import FiniteLaw
        >>> from sfumato.mechanisms.laws.mixture import MixtureLaw
        >>> MixtureLaw([(Fraction(1), FiniteLaw([0, 1], [0.25, 0.75]))]).cumulative(0)
        0.250000000000000
        """
        return sum(
            (as_ball(chance) * law.cumulative(outcome) for chance, law in self.parts), arb(0)
        )

    @property
    def source(self) -> Any:
        """The mixture of what the parts are made from; None where they are made in unlike ways.

        Examples
        --------
        >>> from fractions import Fraction
        >>> from sfumato.mechanisms import Laplace
        >>> from sfumato.mechanisms.laws.mixture import MixtureLaw
        >>> noise = Laplace(epsilon=1, sensitivity=1)
        >>> parts = [(Fraction(1, 4), noise.law(0)), (Fraction(3, 4), noise.law(1))]
        >>> MixtureLaw(parts).source.weights
        (Fraction(1, 4), Fraction(3, 4))
        """
        if self.processing is None:
            return None
        chances, sources = zip(*((chance, law.source) for chance, law in self._shaped), strict=True)
        return sources[0] if len(sources) == 1 else Mixture(chances, sources)

    @property
    def processing(self) -> Any:
        """What is done to the source, where it is the same for all parts.

        Examples
        --------
        >>> from fractions import Fraction
        >>> from sfumato.mechanisms import Laplace
        >>> from sfumato.mechanisms.laws.mixture import MixtureLaw
        >>> noise = Laplace(epsilon=1, sensitivity=1)
        >>> MixtureLaw([(Fraction(1), noise.law(0))]).processing == noise.law(1).processing
        True
        """
        ways = {getattr(law, "processing", None) for _, law in self.parts}
        return ways.pop() if len(ways) == 1 else None

    @property
    def step(self) -> Fraction | None:
        """What outcomes are multiples of, where the parts have stretches of such.

        Examples
        --------
        >>> from fractions import Fraction
        >>> from sfumato.mechanisms import ExponentialMedian
        >>> from sfumato.mechanisms.laws.mixture import MixtureLaw
        >>> law = ExponentialMedian(epsilon=1, bounds=(0, 4096)).law([3])
        >>> MixtureLaw([(Fraction(1), law)]).step
        Fraction(1, 1)
        """
        steps = {getattr(law, "step", None) for _, law in self.parts}
        return steps.pop() if len(steps) == 1 else None

    @property
    def stretches(self) -> list[tuple[int, int, Exponentials]] | None:
        """Stretches of equally likely outcomes with their odds, where all parts have such.

        Examples
        --------
        >>> from fractions import Fraction
        >>> from sfumato.mechanisms import ExponentialMedian
        >>> from sfumato.mechanisms.laws.mixture import MixtureLaw
        >>> median = ExponentialMedian(epsilon=1, bounds=(0, 4096))
        >>> parts = [(Fraction(1, 2), median.law([3])), (Fraction(1, 2), median.law([5]))]
        >>> [each[:2] for each in MixtureLaw(parts).stretches]
        [(0, 2), (3, 3), (4, 4), (5, 5), (6, 4096)]
        """
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

    Examples
    --------
    >>> from fractions import Fraction
    >>> from sfumato.mechanisms import FiniteLaw
    >>> from sfumato.mechanisms.laws.integers import DiscreteLaplaceNoise
    >>> from sfumato.mechanisms.laws.mixture import GatedLaw
    >>> law = GatedLaw(DiscreteLaplaceNoise(Fraction(1)), -3, FiniteLaw([7], [1]))
    >>> round(law.probability(7).upper, 6), round(law.probability(None).upper, 6)
    (0.036397, 0.963603)
    """

    noise: DiscreteLaplaceNoise
    margin: int
    value: Law[Any]

    def ball(self, outcome: Any) -> arb:
        """Return a ball around the probability of an outcome.

        Examples
        --------
        >>> from fractions import Fraction
        >>> from sfumato.mechanisms import FiniteLaw
        >>> from sfumato.mechanisms.laws.integers import DiscreteLaplaceNoise
        >>> from sfumato.mechanisms.laws.mixture import GatedLaw
        >>> law = GatedLaw(DiscreteLaplaceNoise(Fraction(1)), 40, FiniteLaw([7], [1]))
        >>> law.probability(7).upper
        1.0
        """
        if outcome is None:
            return self.noise.cumulative(-self.margin - 1)
        return self.noise.cumulative(self.margin) * self.value.ball(outcome)

    def cumulative(self, outcome: Any) -> arb:
        """Return a ball around the probability of an outcome or one before it; None comes first.

        Examples
        --------
        >>> from fractions import Fraction
        >>> from sfumato.mechanisms import FiniteLaw
        >>> from sfumato.mechanisms.laws.integers import DiscreteLaplaceNoise
        >>> from sfumato.mechanisms.laws.mixture import GatedLaw
        >>> law = GatedLaw(DiscreteLaplaceNoise(Fraction(1)), 0, FiniteLaw([7], [1]))
        >>> round(float(law.cumulative(7)), 12)
        1.0
        """
        if outcome is None:
            return self.ball(None)
        return self.ball(None) + self.noise.cumulative(self.margin) * self.value.cumulative(outcome)

    @property
    def branches(self) -> list[tuple[str | None, arb, Law[Any] | None]]:
        """The alternatives: None itself, and a value with its own law.

        Examples
        --------
        >>> from fractions import Fraction
        >>> from sfumato.mechanisms import FiniteLaw
        >>> from sfumato.mechanisms.laws.integers import DiscreteLaplaceNoise
        >>> from sfumato.mechanisms.laws.mixture import GatedLaw
        >>> law = GatedLaw(DiscreteLaplaceNoise(Fraction(1)), 0, FiniteLaw([7], [1]))
        >>> [name for name, _, _ in law.branches]
        [None, 'released']
        """
        passed = self.noise.cumulative(self.margin)
        return [(None, self.ball(None), None), ("released", passed, self.value)]
