"""A privacy filter: a budget, what was admitted under it, and what still fits."""

from __future__ import annotations

from abc import ABC, abstractmethod
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

from sfumato.errors import BudgetError, InputError
from sfumato.numeric import shown
from sfumato.privacy.events import check_relation
from sfumato.privacy.events.base import event_of
from sfumato.privacy.events.structure import checked
from sfumato.privacy.events.wording import literal
from sfumato.privacy.filters.amounts import Amount, short_below
from sfumato.privacy.filters.costs import Cost, added, scaled, total_cost
from sfumato.privacy.guarantees import (
    ApproxDP,
    GaussianDP,
    Guarantee,
    PureDP,
    RenyiDP,
    ZeroConcentratedDP,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.privacy.events import Event
    from sfumato.privacy.events.base import HasEvent
    from sfumato.privacy.relation import Relation

__all__ = ["AdditiveFilter", "PrivacyFilter", "check_budget"]

#: An event that would be admitted so often costs nothing.
_EVER = 1 << 4096
_EXAMPLES: dict[type[Guarantee], str] = {
    PureDP: "PureDP(epsilon=1)",
    ApproxDP: "ApproxDP(epsilon=1, delta=1e-6)",
    ZeroConcentratedDP: "ZeroConcentratedDP(rho=0.1)",
    GaussianDP: "GaussianDP(mu=0.5)",
    RenyiDP: "RenyiDP({8: 0.5})",
}


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

    #: What is added up, and what to write where a step has none of it.
    currency: ClassVar[str]
    instead: ClassVar[str]

    def __init__(self, budget: Guarantee, *, amounts: int = 1) -> None:
        self._budget = budget
        self._admitted: list[Event] = []
        self._spent: Cost = (Amount(),) * amounts

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

    def would_admit(self, event: Event | HasEvent) -> bool:
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
        return self._fits(added(self._spent, self._cost(self._event(event, "would_admit"))))

    def admit(self, event: Event | HasEvent) -> None:
        """Charge an event before it is run, or refuse it and stay as it was.

        A mechanism may be given as it is; its relation must then be that of the budget.

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
        step = self._event(event, "admit")
        spent = added(self._spent, self._cost(step))
        if not self._fits(spent):
            message = f"{step} does not fit what is left of {self._budget}; nothing was spent"
            raise BudgetError(message)
        self._spent = spent
        self._admitted.append(step)

    def remaining_count(self, event: Event | HasEvent) -> int | None:
        """Return how often an event would still be admitted; None if it costs nothing.

        Examples
        --------
        >>> from sfumato.privacy import PureDP, events
        >>> from sfumato.privacy.filters import PureFilter
        >>> budget = PureFilter(PureDP(epsilon=1))
        >>> budget.remaining_count(events.Laplace(scale=10))
        10
        """
        cost = self._cost(self._event(event, "remaining_count"))

        def fits(count: int) -> bool:
            return self._fits(added(self._spent, scaled(cost, count)))

        return None if fits(_EVER) else _last(fits)

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

    def __str__(self) -> str:
        return f"a budget of {self._budget}, {len(self._admitted):,} admitted"

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self._budget!r}, {len(self._admitted):,} admitted>"

    def _event(self, given: Event | HasEvent, owner: str) -> Event:
        """Return what is charged: an event, or that of a mechanism for the budget's relation."""
        own = getattr(getattr(given, "guarantee", None), "relation", self.relation)
        if own != self.relation:
            message = (
                f"the budget is for “{self.relation}” and what is charged for “{own}”; give the "
                "mechanism the relation= of the budget"
            )
            raise InputError(message)
        event = checked(event_of(given) or given, owner)
        check_relation(event, self.relation)
        return event

    def _cost(self, event: Event) -> Cost:
        return total_cost(event, self._step_cost)

    def _known(self, amount: Amount | None, step: Event) -> Amount:
        """Return what a step adds if that is known, and refuse the step otherwise."""
        if amount is None:
            message = (
                f"{step} has no {self.currency}, which is what {type(self).__name__} adds up; "
                f"{self.instead}"
            )
            raise InputError(message)
        return amount

    @abstractmethod
    def _step_cost(self, step: Event) -> Cost:
        """Return what a single step adds, or refuse it in one sentence."""

    @abstractmethod
    def _fits(self, spent: Cost) -> bool:
        """Tell whether so much may be spent in all."""


class AdditiveFilter(PrivacyFilter):
    """A filter that adds up amounts, each of which has a limit.

    Examples
    --------
    >>> from sfumato.privacy.filters import PureFilter
    >>> from sfumato.privacy.filters.base import AdditiveFilter
    >>> issubclass(PureFilter, AdditiveFilter)
    True
    """

    def __init__(self, budget: Guarantee, *, limits: Cost) -> None:
        super().__init__(budget, amounts=len(limits))
        self._limits = limits

    def _fits(self, spent: Cost) -> bool:
        return all(amount <= limit for amount, limit in zip(spent, self._limits, strict=True))

    def _left(self) -> list[Fraction]:
        """Return what is left of each limit, where no amount has a logarithm in it."""
        pairs = zip(self._limits, self._spent, strict=True)
        return [
            short_below(Fraction(limit.rational) - Fraction(amount.rational))
            for limit, amount in pairs
        ]


def check_budget(budget: Any, owner: str, *kinds: type[Guarantee]) -> None:
    """Refuse a budget that is of no kind a filter takes, or an approximate one with δ = 0.

    Examples
    --------
    >>> from sfumato.privacy import PureDP
    >>> from sfumato.privacy.filters.base import check_budget
    >>> check_budget(PureDP(epsilon=1), "PureFilter", PureDP)
    """
    if not isinstance(budget, kinds):
        wanted = " or ".join(each.__name__ for each in kinds)
        given = budget if isinstance(budget, Guarantee) else shown(budget)
        message = (
            f"{owner} takes a budget of {wanted}, not {given}; "
            f"write {owner}({_EXAMPLES[kinds[0]]}), say"
        )
        raise InputError(message)
    if isinstance(budget, ApproxDP) and budget.exact_delta == 0:
        message = (
            f"{owner} takes a budget with a delta above 0, not {budget}; "
            f"write PureFilter(PureDP(epsilon={literal(budget.exact_epsilon)}))"
        )
        raise InputError(message)


def _last(fits: Callable[[int], bool]) -> int:
    """Return the last count that fits, given that some count does not."""
    low, high = 0, 1
    while fits(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return low
