"""Reading a distribution on finitely many outcomes, exactly where it is given exactly."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any

from flint import arb

from sfumato.audit.comparison import FIRST_BITS
from sfumato.audit.exact.outcomes import at_outcome, check_outcomes, entries_of, is_data
from sfumato.audit.exact.weights import Exact, ball_of, exact_sum, exactly, logarithms
from sfumato.errors import InputError
from sfumato.information import Distribution
from sfumato.numeric import (
    Exponentials,
    any_float,
    as_ball,
    cached_property,
    shown,
    working_precision,
)
from sfumato.privacy import written

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from sfumato.refusal import Given

    Floats = NDArray[np.float64]

_TOLERANCE = Fraction(1, 10**9)


class ExactDistribution:
    """Outcomes and exact weights, which need not sum to one: their total does.

    Attributes
    ----------
    outcomes
        What can come out.
    values
        The weights as they are held: integers, Fractions, Exponentials, and floats that stand
        for the decimal that was written.
    """

    def __init__(self, outcomes: Sequence[Hashable], values: Sequence[Any]) -> None:
        self.outcomes, self.values = tuple(outcomes), tuple(values)

    @cached_property
    def total(self) -> Exact:
        """What the weights sum to."""
        return exact_sum(self.values)

    @cached_property
    def logs(self) -> Floats:
        """The logarithms of the weights, nearly."""
        return logarithms(self.values)

    def balls(self) -> list[arb]:
        """Return a ball around the probability of every outcome."""
        total = ball_of(self.total)
        return [ball_of(exactly(each)) / total for each in self.values]

    @cached_property
    def _key(self) -> tuple[Any, ...]:
        written = any(isinstance(each, float) for each in self.values)
        return written, self.outcomes, self.values

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ExactDistribution) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)


class BallDistribution:
    """Outcomes, and balls around their probabilities at the precision in force.

    Balls that certainly belong to no probabilities are refused, at whatever precision that shows.
    """

    def __init__(self, distribution: Any, where: Given) -> None:
        self._asked, self._where = tuple(distribution.outcomes), where
        self._distribution = distribution
        self.outcomes = check_outcomes(self._asked, where)

    def balls(self) -> list[arb]:
        """Return a ball around the probability of every outcome."""
        found = [_ball(self._distribution.ball(each), each, self._where) for each in self._asked]
        miss = abs(sum(found, arb(0)) - 1)
        if miss > 0:
            raise InputError(
                "E-PROBABILITIES-SUM",
                "the distribution for {where} has enclosures whose sum is certainly not 1, but off "
                "by {miss:.3g}",
                "let each contain its probability: arb(1) / 10, not arb(0.1)",
                where=self._where,
                miss=float(miss.mid()),
            )
        return found


FiniteDistribution = ExactDistribution | BallDistribution


def is_finite_distribution(value: Any) -> bool:
    """Tell whether something is read as a distribution on finitely many outcomes."""
    if isinstance(value, (ExactDistribution, BallDistribution, Distribution)) or is_data(value):
        return True
    if hasattr(value, "outcomes"):
        return any(callable(getattr(value, name, None)) for name in ("exact", "ball"))
    return isinstance(value, Iterable)


def read_finite_distribution(value: Any, where: Given) -> FiniteDistribution:
    """Return what a mapping, a list, a column, a Distribution or an object with outcomes says.

    ``where`` names it in an error.
    """
    if isinstance(value, (ExactDistribution, BallDistribution)):
        return value
    if hasattr(value, "outcomes") and not is_data(value):
        return _distribution_of_object(value, where)
    if isinstance(value, Distribution):
        value = dict(value.items())
    distribution = ExactDistribution(*entries_of(value, where))
    _check_total(distribution, where)
    return distribution


def distribution_of_table(table: Mapping[Any, Any]) -> Callable[[Any], Any]:
    """Return the function that finds the row of an input in a table."""

    def distribution(value: Any) -> Any:
        try:
            return table[value]
        except (KeyError, TypeError):
            known = ", ".join(shown(each) for each in list(table)[:6])
            raise InputError(
                "E-INPUT-UNKNOWN",
                "the table has no row for the input {value}",
                "it has {known}",
                value=shown(value),
                known=known,
            ) from None

    return distribution


def _distribution_of_object(value: Any, where: Given) -> FiniteDistribution:
    """Return an object's distribution: by its weights, by exact probabilities, or else by balls."""
    outcomes = tuple(value.outcomes)
    check_outcomes(outcomes, where)
    weights = getattr(value, "weights", None)
    if isinstance(weights, Mapping):
        return read_finite_distribution(weights, where)
    if callable(getattr(value, "exact", None)):
        found = [value.exact(each) for each in outcomes]
        if None not in found:
            return read_finite_distribution(dict(zip(outcomes, found, strict=True)), where)
    return _distribution_of_balls(value, outcomes, where)


def _distribution_of_balls(
    value: Any, outcomes: tuple[Hashable, ...], where: Given
) -> FiniteDistribution:
    """Return the distribution of an object that gives balls, or else plain numbers for all."""
    distribution = BallDistribution(value, where)
    with working_precision(FIRST_BITS):
        found = [value.ball(each) for each in outcomes]
        if any(isinstance(each, arb) for each in found):
            distribution.balls()
            return distribution
    shares = [Fraction(each) if _is_whole(each) else each for each in found]
    return read_finite_distribution(dict(zip(outcomes, shares, strict=True)), where)


def _ball(value: Any, outcome: Hashable, where: Given) -> arb:
    """Return a checked ball around a probability; a number is the one that was written."""
    number = isinstance(value, Real) and not isinstance(value, bool)
    at = at_outcome(where, outcome)
    ball = as_ball(written(value, at)) if number else value
    if not isinstance(ball, arb) or ball.is_nan():
        raise InputError(
            "E-DISTRIBUTION-FORM",
            "{at} has {value} for an enclosure",
            "give a flint.arb that contains its probability",
            at=at,
            value=shown(value),
        )
    if ball < 0:
        raise InputError(
            "E-PROBABILITY-NEGATIVE",
            "{at} has an enclosure that is certainly negative",
            "give one that contains its probability",
            at=at,
        )
    return ball


def _is_whole(value: Any) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool)


def _check_total(distribution: ExactDistribution, where: Given) -> None:
    """Refuse probabilities that do not sum to one; integers are counts, exponentials weights."""
    total, kinds = distribution.total, {type(each) for each in distribution.values}
    if not total:
        raise InputError(
            "E-DISTRIBUTION-EMPTY",
            "the distribution for {where} holds only zeros",
            "give at least one positive entry",
            where=where,
        )
    if kinds == {int} or isinstance(total, Exponentials):
        return
    slack = _TOLERANCE if kinds & {float, Decimal} else Fraction(0)
    if not -slack <= total - 1 <= slack:
        raise InputError(
            "E-PROBABILITIES-SUM",
            "the distribution for {where} sums to {total:.10g}, not to 1",
            "give probabilities that sum to one, or counts as integers",
            where=where,
            total=any_float(total),
        )
