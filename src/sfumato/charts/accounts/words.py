"""How a budget stands, in the words of a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.ledger.rules.amounts import at_most, budgeted
from sfumato.ledger.standing import percent
from sfumato.privacy import ApproxDP, GaussianDP, PureDP, ZeroConcentratedDP

if TYPE_CHECKING:
    from fractions import Fraction

    from sfumato.ledger import Standing

__all__ = ["spent_of"]


def spent_of(standing: Standing) -> str:
    """Return what of a budget is spent: in its letter, in percent where that is not its share."""
    whole, spent = standing.rule.budget, standing.spent
    if not standing.used:
        return f"nothing of {budgeted(whole)}"
    match whole, spent:
        case PureDP(), PureDP():
            return f"ε = {at_most(spent.exact_epsilon)} of {at_most(whole.exact_epsilon)}"
        case ApproxDP(), ApproxDP() if standing.rule.reserve:
            return f"{percent(standing.used)} ({_of_both(whole, spent, standing.rule.reserve)})"
        case ApproxDP(), ApproxDP():
            at = f" at δ = {at_most(whole.exact_delta)}"
            return f"ε = {at_most(spent.exact_epsilon)} of {at_most(whole.exact_epsilon)}{at}"
        case ZeroConcentratedDP(), ZeroConcentratedDP():
            return f"ρ = {at_most(spent.exact_rho)} of {at_most(whole.exact_rho)}"
        case GaussianDP(), GaussianDP():
            share = f"{percent(standing.used)} of μ²"
            return f"μ = {at_most(spent.exact_mu)} of {at_most(whole.exact_mu)} ({share})"
    return f"{percent(standing.used)} of {budgeted(whole)}"


def _of_both(whole: ApproxDP, spent: ApproxDP, reserve: Fraction) -> str:
    """Return the ε that is spent, and what events with a δ of their own spent of its reserve."""
    reserved = reserve * whole.exact_delta
    own = spent.exact_delta - (whole.exact_delta - reserved)
    epsilon = f"ε = {at_most(spent.exact_epsilon)} of {at_most(whole.exact_epsilon)}"
    return f"{epsilon}, δ = {at_most(own)} of {at_most(reserved)} in reserve"
