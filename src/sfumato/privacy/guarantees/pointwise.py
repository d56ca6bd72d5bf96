"""Guarantees that are a set of (ε, δ) points: pure, approximate, and whole profiles."""

from __future__ import annotations

import math
from abc import abstractmethod
from fractions import Fraction
from typing import TYPE_CHECKING

from sfumato.errors import InputError
from sfumato.numeric import as_ball, shown
from sfumato.privacy.guarantees.base import Guarantee
from sfumato.privacy.guarantees.hull import least_delta, least_epsilon
from sfumato.privacy.guarantees.reading import multiple
from sfumato.privacy.parameters import written
from sfumato.privacy.theorems.certified import least_float

if TYPE_CHECKING:
    from collections.abc import Sequence

    from flint import arb

    from sfumato.numeric import Enclosure
    from sfumato.privacy.parameters import Epsilon

__all__ = ["Point", "PointwiseGuarantee", "group_points", "randomized_response_renyi"]

#: An ε and a δ that hold together.
Point = tuple["Epsilon", Fraction]


class PointwiseGuarantee(Guarantee):
    """A guarantee that is a set of (ε, δ) points; what it says elsewhere is exact for the class."""

    @property
    def points(self) -> tuple[Point, ...]:
        """The points, ε rising and δ falling."""
        return self._points()

    @abstractmethod
    def _points(self) -> tuple[Point, ...]:
        """Return the points, ε rising and δ falling."""

    def _epsilon_bounds(self, delta: Fraction) -> Enclosure:
        return least_epsilon(self.points, delta)

    def _delta_bounds(self, epsilon: Epsilon) -> Enclosure:
        return least_delta(self.points, epsilon)

    def _renyi_bound(self, order: Fraction) -> float:
        pure = self._pure_epsilon()
        return math.inf if pure is None else randomized_response_renyi(pure, order)

    def _rho(self) -> float:
        from sfumato.privacy.theorems.conversion import pure_to_zcdp

        pure = self._pure_epsilon()
        return math.inf if pure is None else pure_to_zcdp(epsilon=pure)

    def _mu(self) -> float:
        from sfumato.privacy.theorems.conversion import pure_to_gaussian

        pure = self._pure_epsilon()
        return math.inf if pure is None else pure_to_gaussian(epsilon=pure)

    def _tradeoff(self, false_positive_rate: Fraction) -> float:
        """Return the best bound of any point: between points the curve has no better one."""
        from sfumato.privacy.guarantees.tradeoff import false_negative_rate

        return max(
            false_negative_rate(
                epsilon=epsilon, delta=delta, false_positive_rate=false_positive_rate
            )
            for epsilon, delta in self.points
        )

    def _follows_from(self, stronger: Guarantee) -> bool:
        return all(_holds(stronger, epsilon, delta) for epsilon, delta in self.points)

    def _pure_epsilon(self) -> Epsilon | None:
        """Return the ε that holds at δ = 0, if there is one."""
        epsilon, delta = self.points[-1]
        return None if delta else epsilon


def randomized_response_renyi(epsilon: Epsilon, order: Fraction) -> float:
    """Return the Rényi divergence of randomized response with odds e^ε, rounded up.

    No ε-private mechanism has a greater one, since each is a post-processing of randomized
    response :cite:p:`kairouz2015composition`.  It is ln(cosh((α - 1/2) ε) / cosh(ε/2)) / (α - 1),
    written without the difference of large numbers.
    """

    def divergence() -> arb:
        ball, above = as_ball(epsilon), as_ball(order - 1)
        growth = 2 * (as_ball(order) * ball / 2).sinh() * (above * ball / 2).sinh()
        return (growth / (ball / 2).cosh()).log1p() / above

    return min(least_float(divergence), least_float(lambda: as_ball(epsilon)))


def group_points(points: Sequence[Point], size: int) -> list[Point]:
    """Return what points guarantee to a group, without those that guarantee nothing."""
    grown = [_group_point(epsilon, delta, size) for epsilon, delta in points]
    kept = [(epsilon, delta) for epsilon, delta in grown if delta < 1]
    if not kept:
        raise InputError(
            "E-GROUP-TOO-LARGE",
            "for a group of {size} the delta would be 1 or more, which guarantees nothing",
            "ask for a smaller group, or account for the mechanism with a greater sensitivity",
            size=shown(size),
        )
    return kept


def _group_point(epsilon: Epsilon, delta: Fraction, size: int) -> Point:
    from sfumato.privacy.theorems.group import approximate_group

    bound = approximate_group(epsilon=epsilon, delta=delta, size=size)
    return multiple(epsilon, size), written(bound.delta)


def _holds(guarantee: Guarantee, epsilon: Epsilon, delta: Fraction) -> bool:
    """Decide whether a guarantee contains a point, exactly where it has a better one."""
    known = guarantee.points if isinstance(guarantee, PointwiseGuarantee) else ()
    if any(level <= epsilon and failure <= delta for level, failure in known):
        return True
    return guarantee.delta(epsilon=epsilon) <= delta
