"""Whether a charge fits: every budget of a book, with what was spent of it, has to admit it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.errors import BudgetError, InputError
from sfumato.ledger.render import left_in_words
from sfumato.ledger.standing import Account, Accounts
from sfumato.ledger.storage.schema import FULL
from sfumato.privacy import ApproxDP
from sfumato.translation import mark

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from datetime import datetime

    from sfumato.ledger.rules import Rule
    from sfumato.privacy import PrivacyFilter
    from sfumato.privacy.events import Event
    from sfumato.privacy.filters import FilterState

#: Which budget takes an event that this one does not, by whether this one has a δ.
_TAKES_IT = {
    False: mark(
        "a book with an (ε, δ) budget takes it, with a reserve if it has a delta of its own"
    ),
    True: mark(
        "a book that is opened with a reserve, such as 0.1, takes a step with a delta of its own"
    ),
}


class Admission:
    """Decides for a book which charges fit all of its rules.

    Parameters
    ----------
    rules
        The rules of the book; those over everyone come first.
    history
        Gives the events that were charged under a rule in a period, by an analyst or by everyone;
        asked only if the saved standing was added up in another way than today's.
    """

    def __init__(
        self,
        rules: tuple[Rule, ...],
        history: Callable[[Rule, str, str], Iterable[Event]] | None = None,
    ) -> None:
        self.rules = rules
        self._filters = tuple(rule.filter() for rule in rules)
        self._history = history

    def charged(
        self, accounts: Accounts, event: Event, analyst: str, when: datetime, *, shared: bool
    ) -> Accounts:
        """Return the accounts after a charge, or refuse it by the first rule it does not fit.

        Parameters
        ----------
        accounts
            The accounts before: those over everyone, or the analyst's own.
        event
            What is charged.
        analyst
            Who is charged.
        when
            The moment, which decides the period.
        shared
            Whether the accounts are those over everyone.
        """
        after = []
        for number, rule in enumerate(self.rules):
            if rule.is_shared == shared and rule.covers(analyst):
                own = self._filters[number]
                keeper = self._resumed(own, accounts, number, when, analyst)
                before = keeper.state
                _admit(keeper, rule, event)
                after.append(_account(number, rule.window(when), keeper, before, event))
        return Accounts(tuple(after))

    def standing(
        self, accounts: Accounts, number: int, when: datetime, analyst: str
    ) -> PrivacyFilter:
        """Return a filter of a rule as it stands in the period of a moment, to look at."""
        return self._resumed(self.rules[number].filter(), accounts, number, when, analyst)

    def _resumed(
        self, keeper: PrivacyFilter, accounts: Accounts, number: int, when: datetime, analyst: str
    ) -> PrivacyFilter:
        """Return a filter with what was spent in the period of a moment."""
        rule = self.rules[number]
        window = rule.window(when)
        account = accounts.of(number, window)
        if account is None:
            return rule.filter()
        if account.state.basis == keeper.basis:
            keeper.resume(account.state)
            return keeper
        fresh = rule.filter()
        fresh.replay(() if self._history is None else self._history(rule, window, analyst))
        return fresh


def _admit(keeper: PrivacyFilter, rule: Rule, event: Event) -> None:
    """Admit a charge by the filter of a rule, or say what the rule has against it."""
    try:
        keeper.admit(event)
    except BudgetError:
        raise BudgetError(
            "E-BUDGET-EXCEEDED",
            "{event} does not fit the privacy budget of {scope}, {budget}: {left_in_words}, and "
            "nothing was spent",
            event=event,
            scope=rule.scope,
            budget=rule.budget,
            left_in_words=left_in_words(rule.budget, keeper.remaining()),
        ) from None
    except InputError:
        raise InputError(
            "E-BUDGET-KIND",
            "{event} cannot be added up under the budget of {scope}, {budget}",
            "{takes_it}",
            event=event,
            scope=rule.scope,
            budget=rule.budget,
            takes_it=_TAKES_IT[isinstance(rule.budget, ApproxDP)],
        ) from None


def _account(
    number: int, window: str, keeper: PrivacyFilter, before: FilterState, event: Event
) -> Account:
    """Return the account after a charge; refuse one that charged nothing."""
    state = keeper.state
    if state == before:
        raise InputError(
            "E-CHARGE-NOTHING",
            "{event} costs nothing, so there is nothing to charge",
            "release it freely",
            event=event,
        )
    share = keeper.used()
    return Account(number, window, state, -(-share.numerator * FULL // share.denominator))
