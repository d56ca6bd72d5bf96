"""What a book says: where its budgets stand, its entries, who was charged, what is open."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.ledger.admission import Admission
from sfumato.ledger.charging import read_place_after
from sfumato.ledger.entries import Entry
from sfumato.ledger.moments import read_moment
from sfumato.ledger.names import read_name
from sfumato.ledger.standing import Standing
from sfumato.ledger.storage.rows import analysts_of, last_row, next_rows, unsettled
from sfumato.printing.plotting import drawn

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from sfumato.ledger.chain import Chain
    from sfumato.ledger.rules.rule import Rule
    from sfumato.ledger.storage.rows import Row
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

    Examples
    --------
    >>> import tempfile
    >>> import sfumato as sf
    >>> from sfumato.ledger import Ledger
    >>> with tempfile.TemporaryDirectory() as folder, Ledger.create(
    ...     f"{folder}/ledger.db", key=f"{folder}/key.pem"
    ... ) as ledger:
    ...     ledger.add_book("patients", sf.PureDP(epsilon=1))
    <the book of 'patients': 1-DP (add or remove one row)>
    """

    def __init__(self, store: Store, chain: Chain, name: str, *, rules: tuple[Rule, ...]) -> None:
        self.name, self.rules = name, rules
        self._store, self._chain = store, chain
        self._admission = Admission(rules, self._events_under)

    @property
    def relation(self) -> Relation:
        """Which tables are neighbours, the same for all budgets of the book.

        Examples
        --------
        >>> import tempfile
        >>> import sfumato as sf
        >>> from sfumato.ledger import Ledger
        >>> with tempfile.TemporaryDirectory() as folder, Ledger.create(
        ...     f"{folder}/ledger.db", key=f"{folder}/key.pem"
        ... ) as ledger:
        ...     print(ledger.add_book("patients", sf.PureDP(epsilon=1)).relation)
        add or remove one row
        """
        return self.rules[0].budget.relation

    def standing(self, analyst: str | None = None) -> tuple[Standing, ...]:
        """Return where each budget stands now: those over everyone, and an analyst's own.

        Examples
        --------
        >>> import tempfile
        >>> import sfumato as sf
        >>> from sfumato.ledger import Ledger
        >>> with tempfile.TemporaryDirectory() as folder, Ledger.create(
        ...     f"{folder}/ledger.db", key=f"{folder}/key.pem"
        ... ) as ledger:
        ...     book = ledger.add_book(
        ...         "patients", sf.PureDP(epsilon=1), each_analyst=sf.PureDP(epsilon=0.5)
        ...     )
        ...     for each in book.standing("ada"):
        ...         print(each.rule.scope, each.remaining)
        everyone together 1-DP (add or remove one row)
        each analyst 0.5-DP (add or remove one row)
        """
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

        Examples
        --------
        >>> import tempfile
        >>> import sfumato as sf
        >>> from sfumato.ledger import Ledger
        >>> with tempfile.TemporaryDirectory() as folder, Ledger.create(
        ...     f"{folder}/ledger.db", key=f"{folder}/key.pem"
        ... ) as ledger:
        ...     chart = ledger.add_book("patients", sf.PureDP(epsilon=1)).plot()
        >>> chart.to_dict()["title"]["text"]
        ['nothing of 1-DP is spent']
        """
        return drawn("budget", self, to=to, analyst=analyst)

    def entries(self, *, after: int = 0) -> Iterator[Entry]:
        """Yield the entries of the book in order, those after a place in it.

        Examples
        --------
        >>> import tempfile
        >>> import sfumato as sf
        >>> from sfumato.ledger import Ledger
        >>> with tempfile.TemporaryDirectory() as folder, Ledger.create(
        ...     f"{folder}/ledger.db", key=f"{folder}/key.pem"
        ... ) as ledger:
        ...     book = ledger.add_book("patients", sf.PureDP(epsilon=1))
        ...     [entry.kind for entry in book.entries()]
        ['opening']
        """
        return self._entries(read_place_after(after))

    def count(self) -> int:
        """Return how many entries the book has.

        Examples
        --------
        >>> import tempfile
        >>> import sfumato as sf
        >>> from sfumato.ledger import Ledger
        >>> with tempfile.TemporaryDirectory() as folder, Ledger.create(
        ...     f"{folder}/ledger.db", key=f"{folder}/key.pem"
        ... ) as ledger:
        ...     ledger.add_book("patients", sf.PureDP(epsilon=1)).count()
        1
        """
        with self._store.reading() as connection:
            last = last_row(connection, self._chain.number)
        return 0 if last is None else int(last["sequence"])

    def analysts(self) -> tuple[str, ...]:
        """Return everybody who was charged so far, in alphabetical order.

        Examples
        --------
        >>> import tempfile
        >>> import sfumato as sf
        >>> from sfumato.ledger import Ledger
        >>> with tempfile.TemporaryDirectory() as folder, Ledger.create(
        ...     f"{folder}/ledger.db", key=f"{folder}/key.pem"
        ... ) as ledger:
        ...     book = ledger.add_book("patients", sf.PureDP(epsilon=1))
        ...     receipt = book.spend(sf.events.Laplace(scale=4), analyst="ada", purpose="by sex")
        ...     book.analysts()
        ('ada',)
        """
        with self._store.reading() as connection:
            return tuple(analysts_of(connection, self._chain.number))

    def orphans(self) -> tuple[Entry, ...]:
        """Return the charges for which nothing was recorded: they run, or they crashed.

        Examples
        --------
        >>> import tempfile
        >>> import sfumato as sf
        >>> from sfumato.ledger import Ledger
        >>> with tempfile.TemporaryDirectory() as folder, Ledger.create(
        ...     f"{folder}/ledger.db", key=f"{folder}/key.pem"
        ... ) as ledger:
        ...     book = ledger.add_book("patients", sf.PureDP(epsilon=1))
        ...     charge = book.reserve(sf.events.Laplace(scale=4), analyst="ada", purpose="by sex")
        ...     [orphan.sequence for orphan in book.orphans()]
        [2]
        """
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
