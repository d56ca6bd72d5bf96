"""Where budgets stand: the accounts as a store keeps them, and what is spent and left of each."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.errors import InputError
from sfumato.ledger.entry import canonical
from sfumato.ledger.render import percent
from sfumato.privacy.filters import FilterState
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from fractions import Fraction

    from sfumato.ledger.rules import Rule
    from sfumato.privacy import Guarantee, PrivacyFilter

_DAMAGED = (
    mark("the standing of the book is damaged"),
    mark("see what sfumato ledger verify says"),
)


@dataclass(frozen=True)
class Account:
    """What was spent under one rule of a book, in one period.

    Attributes
    ----------
    rule
        The number of the rule in the book, from 0.
    window
        The period, such as 2026; empty for a rule without one.
    state
        What was spent, as the rule's filter adds it up.
    used
        The share of the budget that is spent, in units of 10^-18, rounded up.
    """

    rule: int
    window: str
    state: FilterState
    used: int


@dataclass(frozen=True)
class Accounts:
    """The accounts that an entry says the standing of: a text in the store, exact."""

    listed: tuple[Account, ...] = ()

    def to_text(self) -> str:
        """Return the accounts as a text."""
        return canonical(
            [[each.rule, each.window, each.used, each.state.to_text()] for each in self.listed]
        )

    @classmethod
    def from_text(cls, text: str) -> Accounts:
        """Return the accounts that a text says."""
        try:
            listed = json.loads(text)
            accounts = tuple(
                Account(rule, window, FilterState.from_text(state), used)
                for rule, window, used, state in listed
            )
        except (ValueError, TypeError, RecursionError):
            raise InputError("E-LEDGER-DAMAGED", *_DAMAGED) from None
        if not isinstance(listed, list):
            raise InputError("E-LEDGER-DAMAGED", *_DAMAGED)
        return cls(accounts)

    def of(self, rule: int, window: str) -> Account | None:
        """Return the account of a rule in a period, if anything was spent there."""
        found = (each for each in self.listed if (each.rule, each.window) == (rule, window))
        return next(found, None)

    def is_said_otherwise(self, text: str | None) -> bool:
        """Tell whether a text is of the same accounts, added up in a way that is not today's.

        Its sums cannot be compared then; the events that it adds up can be added up anew.
        """
        try:
            said = Accounts.from_text(str(text)).listed
        except InputError:
            return False
        places = [[(each.rule, each.window) for each in some] for some in (said, self.listed)]
        pairs = zip(said, self.listed, strict=False)
        differ = [one.state.basis != other.state.basis for one, other in pairs]
        return places[0] == places[1] and any(differ)

    @property
    def used(self) -> int:
        """The greatest share that is used of any budget, in units of 10^-18."""
        return max((each.used for each in self.listed), default=0)


#: Where nothing was spent yet.
NOTHING = Accounts()


@dataclass(frozen=True)
class Standing:
    """Where one budget of a book stands.

    Attributes
    ----------
    rule
        The budget, over whom it is, and how often it is given.
    window
        The period, such as 2026; empty for a budget without one.
    spent
        What was admitted so far, added up as the budget's filter does; rounded up.
    remaining
        One more step with that guarantee would be admitted; rounded down.
    used
        The share of the budget that is spent, from 0 to 1; rounded up.

    Examples
    --------
    >>> import sfumato as sf
    >>> from sfumato.ledger import Rule, Standing
    >>> rule = Rule(sf.PureDP(epsilon=1))
    >>> kept = rule.filter()
    >>> kept.admit(sf.privacy.events.Laplace(scale=4))
    >>> print(Standing.of(rule, "", kept))
    everyone together: 25 % of 1-DP (add or remove one row) is spent
    """

    rule: Rule
    window: str
    spent: Guarantee
    remaining: Guarantee
    used: Fraction

    @classmethod
    def of(cls, rule: Rule, window: str, kept: PrivacyFilter) -> Standing:
        """Return where a budget stands by its filter.

        Examples
        --------
        >>> import sfumato as sf
        >>> from sfumato.ledger import Rule, Standing
        >>> rule = Rule(sf.PureDP(epsilon=1))
        >>> Standing.of(rule, "", rule.filter()).used
        Fraction(0, 1)
        """
        return cls(rule, window, kept.spent(), kept.remaining(), kept.used())

    def __str__(self) -> str:
        period = tr(" in {window}", window=self.window) if self.window else ""
        return tr(
            "{scope}: {used} of {budget} is spent{period}",
            scope=self.rule.scope,
            used=percent(self.used),
            budget=self.rule.budget,
            period=period,
        )
