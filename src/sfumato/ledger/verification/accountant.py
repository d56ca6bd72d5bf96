"""A second opinion on what was spent, by another way than the filter's: the accountant."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.privacy import ApproxDP, PureDP, compose
from sfumato.privacy.events import Composed, Repeated

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.privacy import Composition, Guarantee
    from sfumato.privacy.events import Event

__all__ = ["exceeds", "spent_by_accountant"]

#: Where privacy curves are compared, for budgets that are no single point.
_EPSILON = 1.0


def spent_by_accountant(charged: Mapping[Event, int], budget: Guarantee) -> Composition:
    """Return all that was charged as one composition.

    It is tight where a filter has to allow for questions that depend on answers, so what it says
    is at most what the filter adds up.
    """
    repeated = [Repeated(event, count=times) for event, times in charged.items()]
    together = repeated[0] if len(repeated) == 1 else Composed(*repeated)
    return compose(together, relation=budget.relation)


def exceeds(spent: Composition, budget: Guarantee) -> bool:
    """Tell whether a composition certainly breaks a budget."""
    if isinstance(budget, PureDP):
        return spent.bounds(delta=0).lower > budget.epsilon(delta=0)
    epsilon = budget.exact_epsilon if isinstance(budget, ApproxDP) else _EPSILON
    return spent.bounds(epsilon=epsilon).lower > budget.delta(epsilon=epsilon)
