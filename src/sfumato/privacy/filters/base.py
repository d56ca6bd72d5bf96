"""A privacy filter: a budget, what was admitted under it, and what still fits."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, ClassVar

from sfumato.errors import BudgetError, InputError
from sfumato.numeric import cached_property, shown
from sfumato.privacy.events import Event, check_relation
from sfumato.privacy.events.base import event_of, literal
from sfumato.privacy.events.structure import checked
from sfumato.privacy.filters.amounts import Amount
from sfumato.privacy.filters.costs import Cost, added, scaled, total_cost
from sfumato.privacy.filters.state import FilterState, check_continues
from sfumato.privacy.guarantees import (
    ApproxDP,
    GaussianDP,
    Guarantee,
    PureDP,
    RenyiDP,
    ZeroConcentratedDP,
)
from sfumato.refusal import any_of, text

if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction

    from sfumato.privacy.events.base import HasEvent
    from sfumato.privacy.relation import Relation


def charged(given: Any, relation: Relation, owner: str) -> Event:
    """Return what is charged: an event, or that of a mechanism for the budget's relation."""
    if isinstance(given, Event):
        return given
    own = getattr(getattr(given, "guarantee", None), "relation", relation)
    if own != relation:
        raise InputError(
            "E-RELATION-OTHER",
            "the budget is for “{relation}” and what is charged for “{own}”",
            "give one of them the relation= of the other",
            relation=relation,
            own=own,
        )
    return checked(event_of(given) or given, owner)


def listed(events: Any) -> Iterable[Any]:
    """Return what can be gone through, which one event alone cannot."""
    if isinstance(events, Event) or not isinstance(events, Iterable):
        raise InputError(
            "E-ARGUMENT-TYPE",
            "replay takes a list of events, not {events}",
            "write replay([event])",
            events=shown(events),
        )
    return events


#: An event that would be admitted so often costs nothing.
_EVER = 1 << 4096
#: Of how many events the costs are remembered.
_MOST_REMEMBERED = 1024


class PrivacyFilter(ABC):
    """A budget that admits events one by one, each chosen after seeing all earlier results.

    The next event *and its parameters* may depend on everything released so far, and so may the
    decision to stop: the whole of what was admitted keeps the ``guarantee`` all the same
    :cite:p:`rogers2016odometers`.  Decisions depend on the public parameters of events alone.
    Admitting the same events again gives the same filter, and so does its saved ``state``.

    Examples
    --------
    >>> from sfumato.privacy import PureDP, PureFilter, events
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
        self._saved: FilterState | None = None
        self._costs: dict[Event, Cost] = {}

    @property
    def guarantee(self) -> Guarantee:
        """What holds, at any time, for all that was admitted: the budget.

        Examples
        --------
        >>> from sfumato.privacy import PureDP, PureFilter
        >>> print(PureFilter(PureDP(epsilon=1)).guarantee)
        1-DP (add or remove one row)
        """
        return self._budget

    @property
    def relation(self) -> Relation:
        """Which tables are neighbours.

        Examples
        --------
        >>> from sfumato.privacy import PureDP, PureFilter
        >>> print(PureFilter(PureDP(epsilon=1)).relation)
        add or remove one row
        """
        return self._budget.relation

    @property
    def admitted(self) -> tuple[Event, ...]:
        """The events that were admitted, in order; after ``resume``, those since then.

        Examples
        --------
        >>> from sfumato.privacy import PureDP, PureFilter, events
        >>> budget = PureFilter(PureDP(epsilon=1))
        >>> budget.admit(events.Laplace(scale=10))
        >>> budget.admitted
        (Laplace(scale=10, sensitivity=1),)
        """
        return tuple(self._admitted)

    @cached_property
    def basis(self) -> str:
        """How amounts are added up; what one filter has saved, another of this basis continues.

        Examples
        --------
        >>> from sfumato.privacy import PureDP, PureFilter
        >>> PureFilter(PureDP(epsilon=1)).basis
        'pure ε; add or remove one row'
        """
        return f"{self._measured()}; {self.relation}"

    @property
    def state(self) -> FilterState:
        """What was spent so far, to be saved and resumed.

        Examples
        --------
        >>> from sfumato.privacy import PureDP, PureFilter, events
        >>> budget = PureFilter(PureDP(epsilon=1))
        >>> budget.admit(events.Laplace(scale=10))
        >>> budget.state.amounts
        (<Amount of 1/10>,)
        """
        if self._saved is None or self._saved.amounts is not self._spent:
            self._saved = FilterState.added_up(self.basis, self._spent)
        return self._saved

    def resume(self, state: FilterState) -> None:
        """Go on from a saved state, which replaces what was spent; ``admitted`` begins anew.

        Parameters
        ----------
        state
            That of a filter with the same ``basis``; it has to fit the budget.

        Examples
        --------
        >>> from sfumato.privacy import FilterState, PureDP, PureFilter, events
        >>> first, second = PureFilter(PureDP(epsilon=1)), PureFilter(PureDP(epsilon=1))
        >>> first.admit(events.Laplace(scale=10))
        >>> second.resume(FilterState.from_text(first.state.to_text()))
        >>> print(second.remaining(), second.admitted)
        0.9-DP (add or remove one row) ()
        """
        if self._saved is None or state is not self._saved:
            check_continues(state, self.basis, len(self._spent))
            if not self._fits(state.amounts):
                raise BudgetError(
                    "E-FILTER-STATE",
                    "the saved state does not fit {budget}",
                    "the filter stays as it was",
                    budget=self._budget,
                )
        self._spent, self._admitted, self._saved = state.amounts, [], state

    def would_admit(self, event: Event | HasEvent) -> bool:
        """Tell whether an event fits what is left; one that is composed fits as a whole.

        Examples
        --------
        >>> from sfumato.privacy import PureDP, PureFilter, events
        >>> budget = PureFilter(PureDP(epsilon=1))
        >>> query = events.Laplace(scale=10)
        >>> [budget.would_admit(events.Repeated(query, count=n)) for n in (10, 11)]
        [True, False]
        """
        cost = self._cost(charged(event, self.relation, "would_admit"))
        return self._fits(added(self._spent, cost))

    def admit(self, event: Event | HasEvent) -> None:
        """Charge an event before it is run, or refuse it and stay as it was.

        A mechanism may be given as it is; its relation must then be that of the budget.

        Examples
        --------
        >>> from sfumato.privacy import PureDP, PureFilter, events
        >>> budget = PureFilter(PureDP(epsilon=1))
        >>> budget.admit(events.Laplace(scale=0.5))
        Traceback (most recent call last):
            ...
        sfumato.errors.BudgetError: Laplace noise of scale 0.5 on sensitivity 1 exceeds what \
is left of the privacy budget 1-DP (add or remove one row); nothing was spent
        """
        step = charged(event, self.relation, "admit")
        self._charge([step], added(self._spent, self._cost(step)))

    def replay(self, events: Iterable[Event | HasEvent]) -> None:
        """Admit a record of events, or refuse all of it and stay as it was.

        The state is the one that admitting them in turn leads to.  It is compared with the budget
        once: amounts only grow, so if the last sum fits, each did when its turn came.

        Examples
        --------
        >>> from sfumato.privacy import PureDP, PureFilter, events
        >>> budget = PureFilter(PureDP(epsilon=1))
        >>> budget.replay([events.Laplace(scale=10)] * 9)
        >>> print(budget.spent())
        0.9-DP (add or remove one row)
        """
        steps = [charged(each, self.relation, "replay") for each in listed(events)]
        spent, costs = self._spent, dict[Event, Cost]()
        for step in steps:
            spent = added(spent, costs.get(step) or costs.setdefault(step, self._cost(step)))
        self._charge(steps, spent)

    def remaining_count(self, event: Event | HasEvent) -> int | None:
        """Return how often an event would still be admitted; None if it costs nothing.

        Examples
        --------
        >>> from sfumato.privacy import PureDP, PureFilter, events
        >>> budget = PureFilter(PureDP(epsilon=1))
        >>> budget.remaining_count(events.Laplace(scale=10))
        10
        """
        cost = self._cost(charged(event, self.relation, "remaining_count"))

        def fits(count: int) -> bool:
            return self._fits(added(self._spent, scaled(cost, count)))

        return None if fits(_EVER) else _last(fits)

    @abstractmethod
    def used(self) -> Fraction:
        """Return which share of the budget is used, from 0 to 1, rounded up.

        Examples
        --------
        >>> from sfumato.privacy import PureDP, PureFilter, events
        >>> budget = PureFilter(PureDP(epsilon=1))
        >>> budget.admit(events.Laplace(scale=10))
        >>> budget.used()
        Fraction(1, 10)
        """

    @abstractmethod
    def spent(self) -> Guarantee:
        """Return what was admitted so far, added up: a reading, where the guarantee is the budget.

        Examples
        --------
        >>> from sfumato.privacy import PureDP, PureFilter, events
        >>> budget = PureFilter(PureDP(epsilon=1))
        >>> budget.admit(events.Repeated(events.Laplace(scale=10), count=3))
        >>> print(budget.spent())
        0.3-DP (add or remove one row)
        """

    @abstractmethod
    def remaining(self) -> Guarantee:
        """Return a guarantee such that one more step with that guarantee would be admitted.

        Examples
        --------
        >>> from sfumato.privacy import PureDP, PureFilter
        >>> print(PureFilter(PureDP(epsilon=1)).remaining())
        1-DP (add or remove one row)
        """

    def __str__(self) -> str:
        return f"a budget of {self._budget}, {len(self._admitted):,} admitted"

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self._budget!r}, {len(self._admitted):,} admitted>"

    def _cost(self, event: Event) -> Cost:
        """Return what an event adds, remembered for those that were asked for lately."""
        known = self._costs.get(event)
        if known is not None:
            return known
        check_relation(event, self.relation)
        cost = total_cost(event, self._step_cost)
        if len(self._costs) >= _MOST_REMEMBERED:
            self._costs.clear()
        self._costs[event] = cost
        return cost

    def _charge(self, steps: list[Event], spent: Cost) -> None:
        if not self._fits(spent):
            several = text("a record of {count:,} events", count=len(steps))
            raise BudgetError(
                "E-BUDGET-EXCEEDED",
                "{what} exceeds what is left of the privacy budget {budget}",
                "nothing was spent",
                what=steps[0] if len(steps) == 1 else several,
                budget=self._budget,
            )
        self._spent = spent
        self._admitted += steps

    def _known(self, amount: Amount | None, step: Event) -> Amount:
        """Return what a step adds if that is known, and refuse the step otherwise."""
        if amount is None:
            raise InputError(
                "E-BUDGET-KIND",
                "{step} has no {currency}, which is what {kind} adds up",
                "{instead}",
                step=step,
                currency=self.currency,
                kind=type(self).__name__,
                instead=self.instead,
            )
        return amount

    @abstractmethod
    def _measured(self) -> str:
        """Return what the amounts are, with every parameter that decides what they mean."""

    @abstractmethod
    def _step_cost(self, step: Event) -> Cost:
        """Return what a single step adds, or refuse it in one sentence."""

    @abstractmethod
    def _fits(self, spent: Cost) -> bool:
        """Tell whether so much may be spent in all."""


def _last(fits: Callable[[int], bool]) -> int:
    """Return the last count that fits, given that some count does not."""
    low, high = 0, 1
    while fits(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return low


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
