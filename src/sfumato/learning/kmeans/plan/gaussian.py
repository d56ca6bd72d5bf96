"""Gaussian noise on the sums where δ is given, as little as the accountant proves enough."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from sfumato.errors import InputError
from sfumato.privacy import ApproxDP, compose
from sfumato.refusal import Argument, Arguments, Bare

if TYPE_CHECKING:
    from sfumato.learning.kmeans.plan.asked import Asked
    from sfumato.learning.kmeans.plan.parts import Rounds
    from sfumato.learning.kmeans.plan.plan import Plan

__all__ = ["with_gaussian_sums"]

_BISECTIONS = 20
_LEAST = Fraction(1, 10**16)
#: The sum of absolute coordinates of a point, over √d times the root of the sum of squares, is
#: about so much where no coordinate stands out.
_USUAL = 0.8


def with_gaussian_sums(plan: Plan, asked: Asked) -> Plan:
    """Return the plan with Gaussian noise on sums, if it is less than the Laplace noise would be.

    The rest of the plan spends ε purely.  ρ is the greatest for which the accountant proves that
    all of it together keeps (ε, δ).
    """
    rounds = plan.rounds
    if rounds is None or rounds.sums is None or asked.noise == "laplace":
        return plan
    if not _keeps(_gaussian(plan, rounds, asked, _LEAST), asked):
        return _without_gaussian(plan, asked)
    rho = _greatest_rho(plan, rounds, asked)
    longer = _USUAL * plan.dimensions**0.5
    of_laplace = 2**0.5 * longer / float(rounds.sums)
    if asked.noise == "auto" and (2 * float(rho)) ** -0.5 >= of_laplace:
        return plan
    return _gaussian(plan, rounds, asked, rho)


def _without_gaussian(plan: Plan, asked: Asked) -> Plan:
    if asked.noise == "auto":
        return plan
    raise InputError(
        "E-EPSILON-TOO-SMALL",
        "epsilon and delta are too small for Gaussian noise that can be drawn",
        "leave noise out, or write {example}",
        example=Arguments((Argument("epsilon", 1), Argument("delta", Bare("1e-6")))),
    )


def _greatest_rho(plan: Plan, rounds: Rounds, asked: Asked) -> Fraction:
    """Return ρ of the sums of a round, by bisection of its logarithm, and short enough to print."""
    low, high = _LEAST, asked.epsilon
    for _ in range(_BISECTIONS):
        middle = Fraction(f"{float(low * high) ** 0.5:.5g}")
        if _keeps(_gaussian(plan, rounds, asked, middle), asked):
            low = middle
        else:
            high = middle
    return low


def _gaussian(plan: Plan, rounds: Rounds, asked: Asked, rho: Fraction) -> Plan:
    guarantee = ApproxDP(
        epsilon=asked.epsilon, delta=asked.delta or 0, relation=plan.change.relation
    )
    return replace(plan, rounds=replace(rounds, sums=None, rho=rho), guarantee=guarantee)


def _keeps(plan: Plan, asked: Asked) -> bool:
    spent = compose(plan.event, relation=plan.change.relation).epsilon(delta=asked.delta or 0)
    return Fraction(spent) <= asked.epsilon
