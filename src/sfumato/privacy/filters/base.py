"""A privacy filter: a budget, what was admitted under it, and what still fits."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from sfumato.errors import BudgetError, InputError
from sfumato.numeric import shown
from sfumato.privacy.events import check_relation
from sfumato.privacy.events.structure import checked
from sfumato.privacy.filters.amounts import Amount
from sfumato.privacy.filters.costs import Cost, added, scaled, total_cost

if TYPE_CHECKING:
    from sfumato.privacy.events import Event
    from sfumato.privacy.guarantees import Guarantee
    from sfumato.privacy.relation import Relation

__all__ = ["AdditiveFilter", "PrivacyFilter", "read_budget"]


class PrivacyFilter(ABC):
    """A budget that admits events one by one, each chosen after seeing all earlier results.

    The next event *and its parameters* may depend on everything released so far, and so may the
    decision to stop: the whole of what was admitted keeps the ``guarantee`` all the same
    :cite:p:`rogers2016odometers`.  Decisions depend on the public parameters of events alone.
    Admitting the same events again gives the same filter, so a record of them is all there is to
    keep.

    Examples
    --------
    >>> from sfumato.privacy import PureDP, events
    >>> from sfumato.privacy.filters import PureFilter
    >>> budget = PureFilter(PureDP(epsilon=1))
    >>> budget.admit(events.Laplace(scale=10))
    >>> print(budget.remaining())
    0.9-DP (add or remove one row)
    """

    def __init__(self, budget: Guarantee, *, currencies: int) -> None:
        self._budget = budget
        self._admitted: list[Event] = []
        self._spent: Cost = (Amount(),) * currencies

    @property
    def guarantee(self) -> Guarantee:
        """What holds, at any time, for all that was admitted: the budget.

        Examples
        --------
        >>> from sfumato.privacy import PureDP
        >>> from sfumato.privacy.filters import PureFilter
        >>> print(PureFilter(PureDP(epsilon=1)).guarantee)
        1-DP (add or remove one row)
        """
        return self._budget

    @property
    def relation(self) -> Relation:
        """Which tables are neighbours.

        Examples
        --------
        >>> from sfumato.privacy import PureDP
        >>> from sfumato.privacy.filters import PureFilter
        >>> print(PureFilter(PureDP(epsilon=1)).relation)
        add or remove one row
        """
        return self._budget.relation

    @property
    def admitted(self) -> tuple[Event, ...]:
        """The events that were admitted, in order.

        Examples
        --------
        >>> from sfumato.privacy import PureDP, events
        >>> from sfumato.privacy.filters import PureFilter
        >>> budget = PureFilter(PureDP(epsilon=1))
        >>> budget.admit(events.Laplace(scale=10))
        >>> budget.admitted
        (Laplace(scale=10, sensitivity=1),)
        """
        return tuple(self._admitted)

    def would_admit(self, event: Event) -> bool:
        """Tell whether an event fits what is left; one that is composed fits as a whole.

        Examples
        --------
        >>> from sfumato.privacy import PureDP, events
        >>> from sfumato.privacy.filters import PureFilter
        >>> budget = PureFilter(PureDP(epsilon=1))
        >>> query = events.Laplace(scale=10)
        >>> [budget.would_admit(events.Repeated(query, count=n)) for n in (10, 11)]
        [True, False]
        """
        return self._fits(added(self._spent, self._cost(event, "would_admit")))

    def admit(self, event: Event) -> None:
        """Charge an event before it is run, or refuse it and stay as it was.

        Examples
        --------
        >>> from sfumato.privacy import PureDP, events
        >>> from sfumato.privacy.filters import PureFilter
        >>> budget = PureFilter(PureDP(epsilon=1))
        >>> budget.admit(events.Laplace(scale=0.5))
        Traceback (most recent call last):
            ...
        sfumato.errors.BudgetError: Laplace noise of scale 0.5 on sensitivity 1 does not fit \
what is left of 1-DP (add or remove one row); nothing was spent
        """
        spent = added(self._spent, self._cost(event, "admit"))
        if not self._fits(spent):
            message = f"{event} does not fit what is left of {self._budget}; nothing was spent"
            raise BudgetError(message)
        self._spent = spent
        self._admitted.append(event)

    def remaining_count(self, event: Event) -> int | None:
        """Return how often an event would still be admitted; None if it costs nothing.

        Examples
        --------
        >>> from sfumato.privacy import PureDP, events
        >>> from sfumato.privacy.filters import PureFilter
        >>> budget = PureFilter(PureDP(epsilon=1))
        >>> budget.remaining_count(events.Laplace(scale=10))
        10
        """
        cost = self._cost(event, "remaining_count")
        if not any(cost > (amount,) for amount in (Amount(),)):
            return None
        return 0

    @abstractmethod
    def spent(self) -> Guarantee:
        """Return what was admitted so far, added up: a reading, where the promise is the budget.

        Examples
        --------
        >>> from sfumato.privacy import PureDP, events
        >>> from sfumato.privacy.filters import PureFilter
        >>> budget = PureFilter(PureDP(epsilon=1))
        >>> budget.admit(events.Repeated(events.Laplace(scale=10), count=3))
        >>> print(budget.spent())
        0.3-DP (add or remove one row)
        """

    @abstractmethod
    def remaining(self) -> Guarantee:
        """Return a promise such that one more step with that promise would be admitted.

        Examples
        --------
        >>> from sfumato.privacy import PureDP
        >>> from sfumato.privacy.filters import PureFilter
        >>> print(PureFilter(PureDP(epsilon=1)).remaining())
        1-DP (add or remove one row)
        """

    @abstractmethod
    def _step_cost(self, step: Event) -> Cost:
        """Return what a single step adds, or refuse it in one sentence."""

    @abstractmethod
    def _fits(self, spent: Cost) -> bool:
        """Tell whether so much may be spent in all."""
