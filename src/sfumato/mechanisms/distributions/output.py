"""The exact output distribution of a mechanism: probabilities as enclosures, never estimates."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from flint import arb

from sfumato.errors import InputError
from sfumato.numeric import Enclosure, Exponentials, as_ball, shown, working_precision
from sfumato.sampling import nearest_finite
from sfumato.translation import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


T = TypeVar("T")

#: Precisions at which a probability is tried until it is known to 2^-50.
_BITS = 128, 512, 2048
#: How many outcomes are printed.
_MOST_LISTED = 20
_KNOWN = 2.0**-50
_HALF = Fraction(1, 2)


class OutputDistribution(ABC, Generic[T]):
    """How likely each output is.

    Examples
    --------
    >>> import sfumato as sf
    >>> from sfumato.mechanisms import DiscreteLaplace
    >>> isinstance(DiscreteLaplace(epsilon=1).distribution(0), sf.mechanisms.OutputDistribution)
    True
    """

    @abstractmethod
    def ball(self, outcome: T) -> arb:
        """Return a ball around the probability of an outcome, at the precision in force.

        Examples
        --------
        >>> from sfumato.mechanisms import FiniteDistribution
        >>> FiniteDistribution(["no", "yes"], [0.25, 0.75]).ball("yes")
        0.750000000000000
        """

    @abstractmethod
    def cumulative(self, outcome: T) -> arb:
        """Return a ball around the probability of an outcome or one before it.

        Examples
        --------
        >>> from sfumato.mechanisms import FiniteDistribution
        >>> FiniteDistribution(["no", "yes"], [0.25, 0.75]).cumulative("yes")
        1.00000000000000
        """

    def probability(self, outcome: T) -> Enclosure:
        """Return certified bounds on the probability of an outcome.

        Examples
        --------
        >>> from sfumato.mechanisms import FiniteDistribution
        >>> FiniteDistribution(["no", "yes"], [0.25, 0.75]).probability("yes")
        Enclosure(lower=0.75, upper=0.75)
        """
        return _enclosed(partial(self.ball, outcome))

    def cdf(self, outcome: T) -> Enclosure:
        """Return certified bounds on the probability of an outcome or one before it.

        Examples
        --------
        >>> from sfumato.mechanisms import FiniteDistribution
        >>> FiniteDistribution(["no", "yes"], [0.25, 0.75]).cdf("no")
        Enclosure(lower=0.25, upper=0.25)
        """
        return _enclosed(partial(self.cumulative, outcome))


def _enclosed(probability: Callable[[], arb]) -> Enclosure:
    """Return floats around a probability, within 0 and 1 whatever its ball."""
    found = Enclosure(0.0, 1.0)
    for bits in _BITS:
        with working_precision(bits):
            found = _of_probability(probability())
        if found.width <= _KNOWN:
            break
    return found


def _of_probability(ball: arb) -> Enclosure:
    if ball.is_nan():
        return Enclosure(0.0, 1.0)
    wide = Enclosure.of_ball(ball)
    return Enclosure(min(max(wide.lower, 0.0), 1.0), max(min(wide.upper, 1.0), 0.0))


class FiniteDistribution(OutputDistribution[T]):
    """A distribution on finitely many outcomes, in a stated order.

    Parameters
    ----------
    outcomes
        What can come out, in order.
    probabilities
        Of each outcome: exact numbers, or functions that return a ball at the precision in force.
    weights
        Where the probabilities are not exact numbers, a function that returns exact odds.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from sfumato.mechanisms import FiniteDistribution
    >>> distribution = FiniteDistribution(["no", "yes"], [Fraction(1, 3), Fraction(2, 3)])
    >>> distribution.exact("yes")
    Fraction(2, 3)
    """

    def __init__(
        self,
        outcomes: Sequence[T],
        probabilities: Sequence[float | Fraction | Callable[[], arb]],
        weights: Callable[[], Sequence[Exponentials] | None] | None = None,
    ) -> None:
        self.outcomes = tuple(outcomes)
        self._probabilities = tuple(
            each if callable(each) else Fraction(each) for each in probabilities
        )
        self._weights = weights

    @property
    def weights(self) -> dict[T, Exponentials] | None:
        """The exact odds of every outcome, None where they are not told.

        Examples
        --------
        >>> import sfumato as sf
        >>> sf.mechanisms.Exponential(epsilon=1, sensitivity=1).distribution([3, 1]).weights
        {0: Exponentials({0: 1}), 1: Exponentials({-1: 1})}
        """
        odds = None if self._weights is None else self._weights()
        return None if odds is None else dict(zip(self.outcomes, odds, strict=True))

    def probabilities(self) -> dict[T, Enclosure]:
        """Return certified bounds on the probability of every outcome, in order.

        Examples
        --------
        >>> from sfumato.mechanisms import FiniteDistribution
        >>> FiniteDistribution(["no", "yes"], [0.25, 0.75]).probabilities()["yes"].upper
        0.75
        """
        return {outcome: self.probability(outcome) for outcome in self.outcomes}

    def __repr__(self) -> str:
        return f"<FiniteDistribution on {len(self.outcomes):,} outcomes>"

    def __str__(self) -> str:
        first = self.outcomes[:_MOST_LISTED]
        listed = [f"{shown(each)}: {self.probability(each)}" for each in first]
        more = len(self.outcomes) - _MOST_LISTED
        return "\n".join([*listed, tr("and {more:,} more", more=more)] if more > 0 else listed)

    def exact(self, outcome: T) -> Fraction | None:
        """Return the probability as a rational, None where it is not known to be one.

        Examples
        --------
        >>> from fractions import Fraction
        >>> from sfumato.mechanisms import FiniteDistribution
        >>> FiniteDistribution(["no", "yes"], [Fraction(1, 3), Fraction(2, 3)]).exact("no")
        Fraction(1, 3)
        """
        found = self._probabilities[self._index(outcome)]
        return found if isinstance(found, Fraction) else None

    def ball(self, outcome: T) -> arb:
        """Return a ball around the probability of an outcome.

        Examples
        --------
        >>> from sfumato.mechanisms import FiniteDistribution
        >>> FiniteDistribution([0, 1], [0.5, 0.5]).ball(1)
        0.500000000000000
        """
        return self._ball(self._index(outcome))

    def cumulative(self, outcome: T) -> arb:
        """Return a ball around the probability of an outcome or one listed before it.

        Examples
        --------
        >>> from sfumato.mechanisms import FiniteDistribution
        >>> FiniteDistribution([0, 1], [0.5, 0.5]).cumulative(0)
        0.500000000000000
        """
        return sum((self._ball(i) for i in range(self._index(outcome) + 1)), arb(0))

    def _ball(self, index: int) -> arb:
        found = self._probabilities[index]
        return as_ball(found) if isinstance(found, Fraction) else found()

    def _index(self, outcome: Any) -> int:
        try:
            return self.outcomes.index(outcome)
        except ValueError:
            raise InputError(
                "E-OUTCOME-UNKNOWN",
                "{outcome} is no outcome of this distribution",
                "choose one of its outcomes",
                outcome=shown(outcome),
            ) from None


@dataclass(frozen=True)
class FloatRounding:
    """A whole number of steps leaves as the nearest float."""

    grid: Fraction

    def __call__(self, steps: Fraction) -> Fraction:
        """Return the output for a number of steps."""
        return Fraction(nearest_finite(steps * self.grid))


@dataclass(frozen=True)
class StepRounding:
    """A real leaves as the float nearest to the nearest multiple of a grid."""

    grid: Fraction

    def __call__(self, number: Fraction) -> Fraction:
        """Return the output for a real."""
        return FloatRounding(self.grid)(Fraction(math.floor(number / self.grid + _HALF)))


@dataclass(frozen=True)
class ClampedRounding:
    """A real leaves as the nearest multiple of a step between two of them, None for no bound."""

    step: Fraction
    low: int | None
    high: int | None

    def __call__(self, number: Fraction) -> Fraction:
        """Return the output for a real."""
        steps = math.floor(number / self.step + _HALF)
        steps = steps if self.low is None else max(steps, self.low)
        return (steps if self.high is None else min(steps, self.high)) * self.step
