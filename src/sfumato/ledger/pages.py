"""What a book says: where its budgets stand, its entries, who was charged, what is open."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.ledger.admission import Admission
from sfumato.ledger.charging import read_place_after
from sfumato.ledger.entries import Entry
from sfumato.ledger.moments import read_moment
from sfumato.ledger.names import read_name
from sfumato.ledger.standing import Standing
from sfumato.ledger.storage.statements import LAST, analysts_of, first, next_rows, unsettled
from sfumato.printing.plotting import drawn

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from sfumato.ledger.chain import Chain
    from sfumato.ledger.rules.rule import Rule
    from sfumato.ledger.storage.statements import Row
    from sfumato.ledger.storage.store import Store
    from sfumato.printing.plotting import Chart
    from sfumato.privacy import Relation
    from sfumato.privacy.events import Event

__all__ = ["Pages"]


class Pages:
    """What can be read in the book of one dataset; ``Book`` also charges.

    Attributes
    ----------
    name
        The dataset.
    rules
        The budgets that every charge has to fit.
    """

    def __init__(self, store: Store, chain: Chain, name: str, *, rules: tuple[Rule, ...]) -> None:
        self.name, self.rules = name, rules
        self._store, self._chain = store, chain
        self._admission = Admission(rules, self._events_under)

    @property
    def relation(self) -> Relation:
        """Which tables are neighbours, the same for all budgets of the book."""
        return self.rules[0].budget.relation

    def standing(self, analyst: str | None = None) -> tuple[Standing, ...]:
        """Return where each budget stands now: those over everyone, and an analyst's own."""
        who = None if analyst is None else read_name(analyst, "analyst")
        place = self._chain.look(who)
        found = []
        for number, rule in enumerate(self.rules):
            if rule.is_shared or (who is not None and rule.covers(who)):
                accounts = place.shared if rule.is_shared else place.own(who or "")
                kept = self._admission.standing(accounts, number, place.when, who or "")
                found.append(Standing.of(rule, rule.window(place.when), kept))
        return tuple(found)

    def plot(self, *, analyst: str | None = None, to: str | Path | None = None) -> Chart:
        """Draw what was spent by each charge, up to the budget; needs ``sfumato[plots]``.

        Parameters
        ----------
        analyst
            Draw this analyst beside everyone together; None for those who were charged most often.
        to
            Also write it into a file ending in ``.html``, ``.png`` or ``.svg``.
        """
        return drawn("budget", self, to=to, analyst=analyst)

    def entries(self, *, after: int = 0) -> Iterator[Entry]:
        """Yield the entries of the book in order, those after a place in it."""
        return self._entries(read_place_after(after))

    def count(self) -> int:
        """Return how many entries the book has."""
        with self._store.reading() as connection:
            last = first(connection, LAST, number=self._chain.number, seen=0)
        return 0 if last is None else int(last["sequence"])

    def analysts(self) -> tuple[str, ...]:
        """Return everybody who was charged so far, in alphabetical order."""
        with self._store.reading() as connection:
            return tuple(analysts_of(connection, self._chain.number))

    def orphans(self) -> tuple[Entry, ...]:
        """Return the charges for which nothing was recorded: they run, or they crashed."""
        with self._store.reading() as connection:
            rows = unsettled(connection, self._chain.number)
        return tuple(Entry(row["body"]) for row in rows)

    def __repr__(self) -> str:
        return f"<the book of {self.name!r}: {self.rules[0].budget}>"

    def _entries(self, after: int) -> Iterator[Entry]:
        """Yield entries; who stops in the middle of them holds no connection."""
        while found := self._next_rows(after):
            for row in found:
                yield Entry(row["body"], row["signature"])
            after = found[-1]["sequence"]

    def _next_rows(self, after: int) -> Sequence[Row]:
        with self._store.reading() as connection:
            return next_rows(connection, self._chain.number, after=after)

    def _events_under(self, rule: Rule, window: str, analyst: str) -> Iterator[Event]:
        """Yield what was charged under a rule in a period, in order."""
        for entry in self.entries():
            if entry.event is not None and rule.window(read_moment(entry.when)) == window:
                who = str(entry.body["analyst"])
                if rule.covers(who) and (rule.is_shared or who == analyst):
                    yield entry.event
