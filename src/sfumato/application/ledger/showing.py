"""One book: where its budgets stand, and what was written last."""

from __future__ import annotations

import shlex
from collections import deque
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from sfumato.application.ledger.wording import (
    aligned,
    amount,
    bar,
    cut,
    moment,
    percent,
    places,
    printable,
    standing_figures,
    told,
)
from sfumato.application.printed import Printed
from sfumato.application.wording import counted
from sfumato.ledger import Ledger
from sfumato.ledger.names import read_name
from sfumato.ledger.rules.scopes import OneAnalyst

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.ledger import Book, Entry, Rule, Standing

__all__ = ["BookReport", "show_book"]

_HEADER = ("entry", "when (UTC)", "who", "what", "why")
_LEAST_WIDTH, _OTHER_COLUMNS, _MOST_OF_A_NAME = 24, 44, 20
#: What was done ends with its numbers, which are kept where it is cut.
_END = 10


@dataclass(frozen=True, kw_only=True)
class BookReport(Printed):
    """Where a book stands.

    Attributes
    ----------
    place
        Where the ledger is, without a password.
    dataset
        What the book is about.
    rules
        Its budgets.
    shared
        Where each budget over everyone stands.
    own
        Where the budgets of analysts stand, by name.
    count
        How many entries the book has.
    entries
        The last of them, or of those that charge one analyst.
    orphans
        How many charges have no recorded answer.

    Examples
    --------
    >>> from sfumato.application.ledger.showing import BookReport
    >>> BookReport.__name__
    'BookReport'
    """

    place: str
    dataset: str
    rules: tuple[Rule, ...]
    shared: tuple[Standing, ...]
    own: Mapping[str, tuple[Standing, ...]]
    count: int
    entries: tuple[Entry, ...]
    orphans: int

    def lines(self, *, width: int = 120) -> list[str]:
        """Return the book as sentences and tables.

        Parameters
        ----------
        width
            How wide a line may be; what was done and why are cut to fit.

        Examples
        --------
        >>> import sfumato as sf
        >>> from sfumato.application.ledger.showing import BookReport
        >>> from sfumato.ledger import Rule, Standing
        >>> rule = Rule(sf.PureDP(epsilon=1))
        >>> print(BookReport(
        ...     place="/books/ledger.db", dataset="patients", rules=(rule,), own={}, count=1,
        ...     shared=(Standing.of(rule, "", rule.filter()),), entries=(), orphans=0,
        ... ))
        patients: 0 % of the budget is spent
        everyone together: 1-DP (add or remove one row) for all answers ever given
          [....................] 0 % used: 0-DP spent, 1-DP left
        1 entry in /books/ledger.db
        """
        most = max((each.used for each in self.shared), default=Fraction(0))
        return [
            f"{self.dataset}: {percent(most)} of the budget is spent",
            *(line for each in self.shared for line in _standing(each)),
            *(rule.sentence() for rule in self.rules if not rule.is_shared),
            *self._analysts(),
            *self._last(width),
            *self._hint(),
        ]

    def as_dict(self) -> dict[str, Any]:
        """Return the book ready for JSON; entries are as they were written.

        Examples
        --------
        >>> from sfumato.application.ledger.showing import BookReport
        >>> report = BookReport(place="ledger.db", dataset="patients", rules=(), shared=(), own={},
        ...                     count=1, entries=(), orphans=0)
        >>> report.as_dict()["count"]
        1
        """
        own = {name: [standing_figures(each) for each in found] for name, found in self.own.items()}
        return {
            "ledger": self.place,
            "dataset": self.dataset,
            "rules": [rule.document() for rule in self.rules],
            "budgets": [standing_figures(each) for each in self.shared],
            "analysts": own,
            "count": self.count,
            "entries": [entry.body for entry in self.entries],
            "orphans": self.orphans,
        }

    def _analysts(self) -> list[str]:
        rows = [(name, *_cells(each)) for name, found in self.own.items() for each in found]
        if not rows:
            return []
        header = ("analyst", "budget", "spent", "left", "used", "")
        return aligned([header, *rows], right={4}, indent="  ")

    def _last(self, width: int) -> list[str]:
        total = f"{self.count:,} {'entry' if self.count == 1 else 'entries'} in {self.place}"
        if not self.entries:
            return [total]
        rooms = _rooms([told(entry) for entry in self.entries], width - _OTHER_COLUMNS)
        rows = [_row(entry, *rooms) for entry in self.entries]
        shown = "" if len(rows) == self.count else f", {len(rows):,} of them shown"
        return [f"{total}{shown}:", *aligned([_HEADER, *rows], right={0}, indent="  ")]

    def _hint(self) -> list[str]:
        if not self.orphans:
            return []
        has = "has" if self.orphans == 1 else "have"
        charges = f"{counted(self.orphans, 'charge')} {has} no recorded answer"
        return [f"{charges}: sfumato ledger recover {shlex.quote(self.dataset)}"]


def show_book(
    dataset: str, *, place: str | None = None, analyst: str | None = None, last: int = 10
) -> BookReport:
    """Return where a book stands, with its last entries.

    Parameters
    ----------
    dataset
        The book.
    place
        The ledger; None for the default.
    analyst
        Show the budgets of this analyst and what was charged to them; None for all.
    last
        How many entries to show.

    Examples
    --------
    >>> import tempfile
    >>> import sfumato as sf
    >>> from sfumato.application.ledger.showing import show_book
    >>> from sfumato.ledger import Ledger
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with Ledger.create(f"{folder}/ledger.db", key=f"{folder}/key.pem") as ledger:
    ...         book = ledger.add_book("patients", sf.PureDP(epsilon=1))
    ...     show_book("patients", place=f"{folder}/ledger.db").count
    1
    """
    with Ledger.open(place) as ledger:
        book = ledger.book(dataset)
        who = None if analyst is None else read_name(analyst, "analyst")
        count = book.count()
        return BookReport(
            place=ledger.place,
            dataset=book.name,
            rules=book.rules,
            shared=book.standing(),
            own=_own(book, who),
            count=count,
            entries=_last_entries(book, who, last, count),
            orphans=len(book.orphans()),
        )


def _own(book: Book, analyst: str | None) -> dict[str, tuple[Standing, ...]]:
    """Return where the budgets of analysts stand, of one or of all who have any."""
    if all(rule.is_shared for rule in book.rules):
        return {}
    names = _names(book) if analyst is None else [analyst]
    found = {
        name: [each for each in book.standing(name) if not each.rule.is_shared] for name in names
    }
    return {name: tuple(each) for name, each in found.items() if each}


def _names(book: Book) -> list[str]:
    """Return the analysts who were told anything, or have budgets by name."""
    named = {rule.scope.analyst for rule in book.rules if isinstance(rule.scope, OneAnalyst)}
    return sorted(named.union(book.analysts()))


def _last_entries(book: Book, analyst: str | None, last: int, count: int) -> tuple[Entry, ...]:
    if analyst is None:
        return tuple(book.entries(after=max(0, count - last)))
    found = (entry for entry in book.entries() if entry.body.get("analyst") == analyst)
    return tuple(deque(found, maxlen=last))


def _rooms(words: Sequence[tuple[str, str, str]], free: int) -> tuple[int, int]:
    """Return how wide what was done and why may be; one takes what the other does not need."""
    longest = max(places(printable(why)) for _, _, why in words)
    what = max(_LEAST_WIDTH, free - min(longest, free // 2))
    needed = max(places(done) for _, done, _ in words)
    return what, max(_LEAST_WIDTH, free - min(needed, what))


def _row(entry: Entry, most_of_what: int, most_of_why: int) -> tuple[str, ...]:
    who, what, why = told(entry)
    place = (f"{entry.sequence:,}", moment(entry.when), cut(who, _MOST_OF_A_NAME))
    return (*place, cut(what, most_of_what, end=_END), cut(why, most_of_why))


def _cells(standing: Standing) -> tuple[str, ...]:
    promises = (standing.rule.budget, standing.spent, standing.remaining)
    return (*map(amount, promises), percent(standing.used), standing.window)


def _standing(standing: Standing) -> list[str]:
    period, window = standing.rule.period, standing.window
    until = (
        "" if period is None else f" in {window}, the next begins on {period.next_starts(window)}"
    )
    spent = f"{amount(standing.spent)} spent, {amount(standing.remaining)} left"
    return [
        standing.rule.sentence(),
        f"  {bar(standing.used)} {percent(standing.used)} used{until}: {spent}",
    ]
