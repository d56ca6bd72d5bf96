"""Gaussian noise on the sums where δ is given, as little as the accountant proves enough."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from sfumato.privacy import ApproxDP, compose

if TYPE_CHECKING:
    from sfumato.learning.kmeans.plan.choosing import Asked
    from sfumato.learning.kmeans.plan.plan import Plan

__all__ = ["with_gaussian_sums"]

_BISECTIONS = 24
#: The sum of absolute coordinates of a point, over √d times the root of the sum of squares, is
#: about so much where no coordinate stands out.
_USUAL = 0.8


def with_gaussian_sums(plan: Plan, asked: Asked) -> Plan:
    """Return the plan with Gaussian noise on sums, if it is less than the Laplace noise would be.

    The rest of the plan spends ε purely.  ρ is the greatest for which the accountant proves that
    all of it together keeps (ε, δ).

    Examples
    --------
    >>> from fractions import Fraction
    >>> from sfumato.learning.kmeans.plan.change import Change
    >>> from sfumato.learning.kmeans.plan.choosing import Asked, chosen_plan
    >>> from sfumato.privacy import AddRemove
    >>> asked = Asked(8, 64, Fraction(1), delta=Fraction(1, 10**6))
    >>> print(chosen_plan(asked, Change(AddRemove())).guarantee)
    (1, 1e-06)-DP (add or remove one row)
    """
    if plan.rounds is None or plan.rounds.sums is None or asked.noise == "laplace":
        return plan
    gaussian = _greatest(plan, asked)
    if asked.noise == "auto" and not _is_less_noise(plan, gaussian):
        return plan
    return gaussian


def _greatest(plan: Plan, asked: Asked) -> Plan:
    low, high = Fraction(0), asked.epsilon
    while high - low > high / 2**_BISECTIONS:
        middle = (low + high) / 2
        if _keeps(_gaussian(plan, asked, middle), asked):
            low = middle
        else:
            high = middle
        if high < Fraction(1, 10**18):
            break
    return _gaussian(plan, asked, low)


def _gaussian(plan: Plan, asked: Asked, rho: Fraction) -> Plan:
    short = Fraction(float(rho)).limit_denominator(10**18)
    promise = ApproxDP(
        epsilon=asked.epsilon, delta=asked.delta or 0, relation=plan.change.relation
    )
    rounds = replace(plan.rounds, sums=None, rho=short)  # type: ignore[type-var]
    return replace(plan, rounds=rounds, promise=promise)


def _keeps(plan: Plan, asked: Asked) -> bool:
    spent = compose(plan.event, relation=plan.change.relation).epsilon(delta=asked.delta)
    return Fraction(spent) <= asked.epsilon


def _is_less_noise(laplace: Plan, gaussian: Plan) -> bool:
    """Compare the noise of a coordinate, for points that lie about as far out in both norms."""
    assert laplace.rounds is not None and gaussian.rounds is not None
    longer = _USUAL * laplace.dimensions**0.5
    of_laplace = 2**0.5 * longer / float(laplace.rounds.sums or 1)
    return (2 * float(gaussian.rounds.rho or 1)) ** -0.5 < of_laplace
