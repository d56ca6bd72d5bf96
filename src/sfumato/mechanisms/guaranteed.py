"""Mechanisms of which accountants know the guarantee only, and what they are guaranteed for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from sfumato.mechanisms.base import Mechanism
from sfumato.privacy import ApproxDP, PureDP, events
from sfumato.privacy.parameters import Epsilon, read_count
from sfumato.privacy.usable import usable_epsilon

if TYPE_CHECKING:
    from fractions import Fraction

    from sfumato.privacy.events import Event

__all__ = ["GuaranteedMechanism", "read_usable_epsilon"]

#: Below nothing can be learnt, and from it on all can be computed.
_LEAST = "1e-12"

Value = TypeVar("Value")
Output = TypeVar("Output")


def read_usable_epsilon(epsilon: Any) -> Epsilon:
    """Return an ε that a mechanism of several computed parts can be made for."""
    return usable_epsilon(epsilon, least=_LEAST)


class GuaranteedMechanism(Mechanism[Value, Output]):
    """A mechanism whose event is its (ε, δ): groups get what the guarantee says about groups.

    Attributes
    ----------
    epsilon, delta
        What is guaranteed for one change; δ is None where the guarantee is pure.
    """

    epsilon: Epsilon
    delta: Fraction | None

    def event_at(self, distance: int) -> Event:
        """Return what a release does, seen by tables that so many changes lie between."""
        guaranteed = self.guarantee_at(distance)
        if isinstance(guaranteed, PureDP):
            return events.Pure(epsilon=guaranteed.exact_epsilon)
        return events.Approximate(epsilon=guaranteed.exact_epsilon, delta=guaranteed.exact_delta)

    def guarantee_at(self, distance: int) -> PureDP | ApproxDP:
        """Return what a release guarantees to tables that so many changes lie between."""
        one: Any = (
            PureDP(epsilon=self.epsilon, relation=self.relation)
            if self.delta is None
            else ApproxDP(epsilon=self.epsilon, delta=self.delta, relation=self.relation)
        )
        grown: PureDP | ApproxDP = one.group(read_count(distance, "distance"))
        return grown
