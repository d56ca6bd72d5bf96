"""Which budgets a filter takes."""

from __future__ import annotations

from typing import Any

from sfumato.errors import InputError
from sfumato.numeric import shown
from sfumato.privacy.events.wording import literal
from sfumato.privacy.guarantees import (
    ApproxDP,
    GaussianDP,
    Guarantee,
    PureDP,
    RenyiDP,
    ZeroConcentratedDP,
)
from sfumato.refusal import any_of

__all__ = ["check_budget"]

_EXAMPLES: dict[type[Guarantee], str] = {
    PureDP: "PureDP(epsilon=1)",
    ApproxDP: "ApproxDP(epsilon=1, delta=1e-6)",
    ZeroConcentratedDP: "ZeroConcentratedDP(rho=0.1)",
    GaussianDP: "GaussianDP(mu=0.5)",
    RenyiDP: "RenyiDP({8: 0.5})",
}


def check_budget(budget: Any, owner: str, *kinds: type[Guarantee]) -> None:
    """Refuse a budget that is of no kind a filter takes, or an approximate one with δ = 0."""
    if not isinstance(budget, kinds):
        wanted = any_of(each.__name__ for each in kinds)
        given = budget if isinstance(budget, Guarantee) else shown(budget)
        raise InputError(
            "E-BUDGET-KIND",
            "{owner} takes a budget of {wanted}, not {given}",
            "write {owner}({examples}), say",
            owner=owner,
            wanted=wanted,
            given=given,
            examples=_EXAMPLES[kinds[0]],
        )
    if isinstance(budget, ApproxDP) and budget.exact_delta == 0:
        raise InputError(
            "E-BUDGET-KIND",
            "{owner} takes a budget with a delta above 0, not {budget}",
            "write PureFilter(PureDP(epsilon={exact_epsilon}))",
            owner=owner,
            budget=budget,
            exact_epsilon=literal(budget.exact_epsilon),
        )
