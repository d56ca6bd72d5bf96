"""How a budget stands, in the words of a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.ledger import at_most, budgeted, percent
from sfumato.privacy import ApproxDP, GaussianDP, PureDP, ZeroConcentratedDP
from sfumato.translation import tr

if TYPE_CHECKING:
    from fractions import Fraction

    from sfumato.ledger import Standing

__all__ = ["spent_of"]


def spent_of(standing: Standing) -> str:
    """Return what of a budget is spent: in its letter, in percent where that is not its share."""
    whole, spent = standing.rule.budget, standing.spent
    if not standing.used:
        return tr("nothing of {whole}", whole=budgeted(whole))
    match whole, spent:
        case PureDP(), PureDP():
            return tr(
                "ε = {spent} of {whole}",
                spent=at_most(spent.exact_epsilon),
                whole=at_most(whole.exact_epsilon),
            )
        case ApproxDP(), ApproxDP() if standing.rule.reserve:
            return f"{percent(standing.used)} ({_of_both(whole, spent, standing.rule.reserve)})"
        case ApproxDP(), ApproxDP():
            at = tr(" at δ = {exact_delta}", exact_delta=at_most(whole.exact_delta))
            return tr(
                "ε = {spent} of {whole}{at}",
                spent=at_most(spent.exact_epsilon),
                whole=at_most(whole.exact_epsilon),
                at=at,
            )
        case ZeroConcentratedDP(), ZeroConcentratedDP():
            return tr(
                "ρ = {spent} of {whole}",
                spent=at_most(spent.exact_rho),
                whole=at_most(whole.exact_rho),
            )
        case GaussianDP(), GaussianDP():
            share = tr("{used} of μ²", used=percent(standing.used))
            return tr(
                "μ = {spent} of {whole} ({share})",
                spent=at_most(spent.exact_mu),
                whole=at_most(whole.exact_mu),
                share=share,
            )
    return tr("{used} of {whole}", used=percent(standing.used), whole=budgeted(whole))


def _of_both(whole: ApproxDP, spent: ApproxDP, reserve: Fraction) -> str:
    """Return the ε that is spent, and what events with a δ of their own spent of its reserve."""
    reserved = reserve * whole.exact_delta
    own = spent.exact_delta - (whole.exact_delta - reserved)
    epsilon = tr(
        "ε = {spent} of {whole}",
        spent=at_most(spent.exact_epsilon),
        whole=at_most(whole.exact_epsilon),
    )
    return tr(
        "{epsilon}, δ = {own} of {reserved} in reserve",
        epsilon=epsilon,
        own=at_most(own),
        reserved=at_most(reserved),
    )
