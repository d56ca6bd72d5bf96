"""Mechanisms of which accountants know the promise only, and what they are promised for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from sfumato.errors import InputError
from sfumato.mechanisms.base import Mechanism, read_relation
from sfumato.numeric import shown
from sfumato.privacy import ApproxDP, PureDP, Relation, Row, Substitute, events
from sfumato.privacy.events import fields
from sfumato.privacy.parameters import Epsilon, read_count

if TYPE_CHECKING:
    from fractions import Fraction

    from sfumato.privacy.events import Event

__all__ = ["ONE_SUBSTITUTED", "PromisedMechanism", "read_positive_delta", "read_row_relation"]

#: The relation of a mechanism for which the number of rows is public.
ONE_SUBSTITUTED: Relation = Substitute()

Value = TypeVar("Value")
Output = TypeVar("Output")


class PromisedMechanism(Mechanism[Value, Output]):
    """A mechanism whose event is its (ε, δ): groups get what the promise says about groups.

    Attributes
    ----------
    epsilon, delta
        What is promised for one change; δ is None where the promise is pure.

    Examples
    --------
    >>> from sfumato.mechanisms.smooth_median import SmoothMedian
    >>> SmoothMedian(epsilon=0.5, bounds=(0, 100)).event_at(2)
    Pure(epsilon=1)
    """

    epsilon: Epsilon
    delta: Fraction | None

    def event_at(self, distance: int) -> Event:
        """Return what a release does, seen by tables that so many changes lie between.

        Examples
        --------
        >>> from sfumato.mechanisms.smooth_median import SmoothMedian
        >>> SmoothMedian(epsilon=1, delta=1e-6, bounds=(0, 100)).event_at(1)
        Approximate(epsilon=1, delta=1e-06)
        """
        promised = self.guarantee_at(distance)
        if isinstance(promised, PureDP):
            return events.Pure(epsilon=promised.exact_epsilon)
        return events.Approximate(epsilon=promised.exact_epsilon, delta=promised.exact_delta)

    def guarantee_at(self, distance: int) -> PureDP | ApproxDP:
        """Return what a release promises to tables that so many changes lie between.

        Examples
        --------
        >>> from sfumato.mechanisms.smooth_median import SmoothMedian
        >>> print(SmoothMedian(epsilon=0.5, bounds=(0, 100)).guarantee_at(2))
        1-DP (substitute two rows)
        """
        one: Any = (
            PureDP(epsilon=self.epsilon, relation=self.relation)
            if self.delta is None
            else ApproxDP(epsilon=self.epsilon, delta=self.delta, relation=self.relation)
        )
        grown: PureDP | ApproxDP = one.group(read_count(distance, "distance"))
        return grown


def read_positive_delta(delta: Any) -> Fraction:
    """Return a probability above 0 and below 1, exactly.

    Examples
    --------
    >>> from sfumato.mechanisms.promised import read_positive_delta
    >>> read_positive_delta(1e-6)
    Fraction(1, 1000000)
    """
    number = fields.delta(delta)
    if number == 0:
        message = f"delta must be above 0 here, not {shown(delta)}; write 1e-6, say"
        raise InputError(message)
    return number


def read_row_relation(relation: Any, *kinds: type[Relation]) -> Relation:
    """Return a relation of one row, of a kind for which the mechanism is proved.

    Examples
    --------
    >>> from sfumato.mechanisms.promised import read_row_relation
    >>> from sfumato.privacy import Substitute
    >>> print(read_row_relation(Substitute(), Substitute))
    substitute one row
    """
    found = read_relation(relation)
    if not isinstance(found, kinds or (Relation,)) or found.count > 1 or found.unit != Row():
        allowed = " or ".join(f"{kind.__name__}()" for kind in kinds) or "AddRemove()"
        message = (
            f"this mechanism is proved for a change of one row, not for “{found}”; write "
            f"relation={allowed} and give each person one row"
        )
        raise InputError(message)
    return found
