"""The law of an output of which something else is drawn first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from flint import arb

from sfumato.mechanisms.laws.law import Law
from sfumato.numeric import as_ball

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from sfumato.mechanisms.laws.integers import DiscreteLaplaceNoise

__all__ = ["GatedLaw", "MixtureLaw"]

T = TypeVar("T")


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
