"""Whether what rows say was spent is the sum of what was charged."""

from __future__ import annotations

from collections import Counter
from math import isclose
from typing import TYPE_CHECKING, Any

from sfumato.errors import BudgetError, InputError
from sfumato.ledger.admission import NOTHING, Accounts, Admission
from sfumato.ledger.moments import read_moment
from sfumato.ledger.names import read_name
from sfumato.ledger.storage.schema import FULL
from sfumato.translation import tr

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sfumato.ledger.entries import Entry
    from sfumato.ledger.rules.rule import Rule
    from sfumato.ledger.storage.statements import Row
    from sfumato.privacy.events import Event
    from sfumato.privacy.filters import FilterState

__all__ = ["Sums"]

_CHARGES = ("charge", "spending")
#: How far sums may differ, as a share of them: some amounts are bounds that were computed in
#: floating point, which is not the same to the last digit on every machine.
_SLACK = 1e-9


class Sums:
    """Charges once more what the entries of a book charged, and compares the sums.

    Parameters
    ----------
    rules
        The budgets of the book.

    Attributes
    ----------
    uncompared
        How many rows say sums that were added up in another way than today's.
    charged
        What was charged, by event and how often: for every budget by the number of its rule, its
        period, and the analyst where it is an analyst's own.
    """

    def __init__(self, rules: tuple[Rule, ...]) -> None:
        self.uncompared = 0
        self.charged: dict[tuple[int, str, str], Counter[Event]] = {}
        self._admission = Admission(rules)
        self._shared, self._own = NOTHING, dict[str, Accounts]()

    def problems(self, row: Row, entry: Entry) -> Iterator[str]:
        """Add up the next entry and yield what is wrong with the sums of its row."""
        own = NOTHING
        if entry.kind in _CHARGES:
            try:
                own = self._charge(entry)
            except BudgetError as error:
                yield tr("it should have been refused: {error}", error=error)
            except InputError as error:
                yield tr("it is no charge: {error}", error=error)
        everyone = _is_said(row["shared"], self._shared)
        analyst = _is_said(row["own"], own) if own.listed else row["own"] is None
        if everyone is False:
            yield tr("what it says was spent by everyone is not the sum of the charges")
        if analyst is False:
            yield tr("what it says was spent by the analyst is not the sum of the charges")
        if None in (everyone, analyst):
            self.uncompared += 1
        elif not _is_near(row["used"], max(self._shared.used, own.used)):
            yield tr("the share of the budget that it says is used is not that of the charges")

    def _charge(self, entry: Entry) -> Accounts:
        """Charge once more what an entry charged; return the accounts of the analyst."""
        event, when = entry.event, read_moment(entry.when)
        who = read_name(entry.body["analyst"], "analyst")
        if event is None:
            raise InputError("E-LEDGER-DAMAGED", "it does not say what was done")
        charged = self._admission.charged
        self._shared = charged(self._shared, event, who, when, shared=True)
        own = charged(self._own.get(who, NOTHING), event, who, when, shared=False)
        self._count(self._shared, "", event)
        self._count(own, who, event)
        self._own[who] = own
        return own

    def _count(self, accounts: Accounts, who: str, event: Event) -> None:
        for each in accounts.listed:
            self.charged.setdefault((each.rule, each.window, who), Counter())[event] += 1


def _is_said(said: Any, found: Accounts) -> bool | None:
    """Tell whether a text says accounts as they were found; None if not in today's way."""
    if said == found.to_text():
        return True
    if found.is_said_otherwise(said):
        return None
    try:
        listed = Accounts.from_text(said).listed
    except InputError:
        return False
    return len(listed) == len(found.listed) and all(
        (one.rule, one.window) == (other.rule, other.window)
        and _are_near(one.state, other.state)
        and _is_near(one.used, other.used)
        for one, other in zip(listed, found.listed, strict=True)
    )


def _are_near(said: FilterState, found: FilterState) -> bool:
    pairs = zip(said.amounts, found.amounts, strict=False)
    return (said.basis, len(said.amounts)) == (found.basis, len(found.amounts)) and all(
        one == other or isclose(float(one), float(other), rel_tol=_SLACK) for one, other in pairs
    )


def _is_near(said: Any, found: int) -> bool:
    return type(said) is int and abs(said - found) <= _SLACK * FULL
