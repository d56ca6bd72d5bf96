"""Steps with an (ε, δ) of their own, and the share of a budget's δ that is kept for theirs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError
from sfumato.numeric import shown
from sfumato.privacy import events as ev
from sfumato.privacy.filters.amounts import Amount
from sfumato.privacy.filters.costs import pure_epsilon
from sfumato.privacy.parameters import written

if TYPE_CHECKING:
    from fractions import Fraction

    from sfumato.privacy.events import Event

__all__ = ["guaranteed_epsilon", "own_delta", "read_reserve"]


def guaranteed_epsilon(step: Event) -> Amount | None:
    """Return the ε that a step guarantees, at δ = 0 or at its own δ."""
    return Amount.of(step.epsilon) if isinstance(step, ev.Approximate) else pure_epsilon(step)


def own_delta(step: Event, reserved: Fraction, owner: str) -> Amount:
    """Return the δ of a step; where nothing is reserved for it, refuse the step."""
    if not isinstance(step, ev.Approximate) or step.delta == 0:
        return Amount()
    if reserved == 0:
        raise InputError(
            "E-BUDGET-KIND",
            "{step} has a delta of its own, for which the budget reserves nothing",
            "write {owner}(budget, reserve=0.1), say",
            step=step,
            owner=owner,
        )
    return Amount(step.delta)


def read_reserve(reserve: Any) -> Fraction:
    """Return a share from 0 up to, and without, 1."""
    share = written(reserve, "reserve")
    if not 0 <= share < 1:
        raise InputError(
            "E-ARGUMENT-RANGE",
            "reserve must be 0 or more and below 1, not {reserve}",
            "it is the share of delta for events with a delta of their own",
            reserve=shown(reserve),
        )
    return share
