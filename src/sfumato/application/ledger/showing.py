"""One book: where its budgets stand, what was written last, and a picture of it."""

from __future__ import annotations

import shlex
from collections import deque
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from sfumato.application.ledger.render import (
    STEPS,
    bar,
    charged,
    cost,
    guarantees,
    moment,
    spent_in_words,
    standing_figures,
    told,
    unanswered,
)
from sfumato.ledger import Ledger, OneAnalyst, budgeted, left, left_in_words, percent, read_name
from sfumato.printing import (
    Printed,
    aligned,
    counted,
    cut,
    listed,
    places,
    printable,
    table,
    wrapped,
)
from sfumato.refusal import Command
from sfumato.translation import mark, tr, tr_n

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.ledger import Book, Entry, Rule, Standing
    from sfumato.printing import Chart


_HEADER = ("entry", "when (UTC)", "analyst", "cost", "purpose")
_INDENT, _GAP = "  ", 2
_MOST_OF_A_NAME = 20
#: What has no room at the end of its line stands below it, beside the number of the entry.
_BELOW = " " * 9


def entry_table(entries: Sequence[Entry], *, width: int, rules: Sequence[Rule] = ()) -> list[str]:
    """Return a line for each entry, below a header; what is long has lines of its own.

    Parameters
    ----------
    entries
        The entries, in their order.
    width
        How wide a line may be.
    rules
        The budgets of the book; the cost of a charge is that of the first it was charged to.
    """
    rows = [(_start(each, rules), _what_for(each)) for each in entries]
    starts = [_HEADER[:-1], *(start for start, _ in rows)]
    taken = [
        max(places(printable(cell)) for cell in column) for column in zip(*starts, strict=True)
    ]
    room = width - len(_INDENT) - sum(taken) - _GAP * len(taken)
    below = [_lines_below(what, room, width) for _, what in rows]
    cells = [
        (*start, "" if under else what) for (start, what), under in zip(rows, below, strict=True)
    ]
    header, *lines = aligned([_HEADER, *cells], right={0}, indent=_INDENT)
    table = zip(lines, below, strict=True)
    return [header, *(each for line, under in table for each in (line, *under))]


def _start(entry: Entry, rules: Sequence[Rule]) -> tuple[str, ...]:
    who, _, _ = told(entry)
    rule = next((each for each in rules if each.covers(who)), None)
    price = "" if entry.event is None else cost(entry.event, rule)
    return f"{entry.sequence:,}", moment(entry.when), cut(who, _MOST_OF_A_NAME), price


def _what_for(entry: Entry) -> str:
    _, what, why = told(entry)
    match entry.kind:
        case "release":
            size = counted(entry.body["size"], "byte")
            return tr("answer to entry {body}, {size}", body=entry.body["settles"], size=size)
        case "closing":
            return tr("entry {body} closed: {why}", body=entry.body["settles"], why=why)
    return what if entry.event is None else why or charged(entry.event)


def _lines_below(text: str, room: int, width: int) -> list[str]:
    """Return a text in lines of its own, if there is no room for it beside the rest."""
    line = printable(text)
    if places(line) <= room:
        return []
    return [cut(each, width) for each in wrapped(_BELOW + line, width, later=_BELOW)]


_STANDING_HEADER = (
    mark("analyst"),
    mark("budget"),
    mark("spent"),
    mark("left"),
    mark("used"),
    mark("period"),
)
#: What is left out first where the table is too wide.
_DISPENSABLE = (mark("spent"), mark("period"))
_MOST_NAMES = 12


@dataclass(frozen=True, kw_only=True)
class LedgerBookReport(Printed):
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
    analyst
        Whose entries are shown; None for everybody's.
    charged
        All to whom anything was charged.
    """

    place: str
    dataset: str
    rules: tuple[Rule, ...]
    shared: tuple[Standing, ...]
    own: Mapping[str, tuple[Standing, ...]]
    count: int
    entries: tuple[Entry, ...]
    orphans: int
    analyst: str | None = None
    charged: tuple[str, ...] = ()

    def lines(self, *, width: int = 120) -> list[str]:
        """Return the book as sentences and tables.

        Parameters
        ----------
        width
            How wide a line may be; longer ones are wrapped.
        """
        most = max((each.used for each in self.shared), default=Fraction(0))
        return [
            tr(
                "{dataset}: {most} of the budget is spent", dataset=self.dataset, most=percent(most)
            ),
            *(line for each in self.shared for line in _standing(each, width)),
            *guarantees([rule for rule in self.rules if not rule.is_shared], width=width),
            *self._analysts(width),
            *self._nobody(width),
            *self._last(width),
            *self._hint(),
        ]

    def as_dict(self) -> dict[str, Any]:
        """Return the book ready for JSON; entries are as they were written."""
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

    def _analysts(self, width: int) -> list[str]:
        standings = [(name, each) for name, found in self.own.items() for each in found]
        if not standings:
            return []
        columns = len(_STANDING_HEADER) if any(each.window for _, each in standings) else -1
        rows = [_STANDING_HEADER, *((name, *_cells(each)) for name, each in standings)]
        note = wrapped(f"  {tr(STEPS)}", width) if any("≤" in row[3] for row in rows) else []
        cells = [row[:columns] for row in rows]
        shown = table(cells, width, numbers={"used"}, dispensable=_DISPENSABLE, indent="  ")
        return [*shown, *note]

    def _nobody(self, width: int) -> list[str]:
        """Return that nothing was charged to whom one asks for: their name may be mistyped."""
        if self.analyst is None or self.analyst in self.charged:
            return []
        names = [*self.charged[:_MOST_NAMES], *(["…"] if len(self.charged) > _MOST_NAMES else [])]
        known = (
            tr("; those charged so far are {names}", names=listed(names))
            if names
            else tr(", nor to anybody else")
        )
        return wrapped(
            printable(
                tr("nothing was charged to {analyst!r}{known}", analyst=self.analyst, known=known)
            ),
            width,
        )

    def _last(self, width: int) -> list[str]:
        total = tr_n(
            "{count:,} entry in {place}",
            "{count:,} entries in {place}",
            self.count,
            count=self.count,
            place=self.place,
        )
        if not self.entries:
            return [total]
        number = len(self.entries)
        shown = "" if number == self.count else tr(", {number:,} of them shown", number=number)
        return [f"{total}{shown}:", *entry_table(self.entries, width=width, rules=self.rules)]

    def _hint(self) -> list[str]:
        if not self.orphans:
            return []
        return [
            tr(
                "{charges}: {command}",
                charges=unanswered(self.orphans),
                command=Command(f"ledger recover {shlex.quote(self.dataset)}"),
            )
        ]


def show_book(
    dataset: str, *, place: str | None = None, analyst: str | None = None, last: int = 10
) -> LedgerBookReport:
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
    """
    with Ledger.open(place) as ledger:
        book = ledger.book(dataset)
        who = None if analyst is None else read_name(analyst, "analyst")
        count, charged = book.count(), tuple(book.analysts())
        return LedgerBookReport(
            place=ledger.place,
            dataset=book.name,
            rules=book.rules,
            shared=book.standing(),
            own=_own(book, who),
            count=count,
            entries=_last_entries(book, who, last, count),
            orphans=len(book.orphans()),
            analyst=who,
            charged=charged,
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
    """Return the analysts who got answers, or have budgets by name."""
    named = {rule.scope.analyst for rule in book.rules if isinstance(rule.scope, OneAnalyst)}
    return sorted(named.union(book.analysts()))


def _last_entries(book: Book, analyst: str | None, last: int, count: int) -> tuple[Entry, ...]:
    if analyst is None:
        return tuple(book.entries(after=max(0, count - last)))
    found = (entry for entry in book.entries() if entry.body.get("analyst") == analyst)
    return tuple(deque(found, maxlen=last))


def _cells(standing: Standing) -> tuple[str, ...]:
    budget = standing.rule.budget
    amounts = (budgeted(budget), spent_in_words(standing), left(budget, standing.remaining))
    return (*amounts, percent(standing.used), standing.window)


def _standing(standing: Standing, width: int) -> list[str]:
    period, window = standing.rule.period, standing.window
    share = percent(standing.used)
    used = (
        tr("{share} used", share=share)
        if period is None
        else tr(
            "{share} used in {window}, the next begins on {next}",
            share=share,
            window=window,
            next=period.next_starts(window),
        )
    )
    rest = left_in_words(standing.rule.budget, standing.remaining)
    sums = tr("{standing} is spent, {rest}", standing=spent_in_words(standing), rest=rest)
    line = tr("{used}: {sums}", used=f"  {bar(standing.used)} {used}", sums=sums)
    return [*guarantees([standing.rule], width=width), *wrapped(line, width)]


def draw_ledger(
    dataset: str | None = None, *, place: str | None = None, analyst: str | None = None
) -> Chart:
    """Draw what was spent of one book charge by charge, or of all books side by side.

    Parameters
    ----------
    dataset
        The book; None for all.
    place
        The ledger; None for the default.
    analyst
        Of one book: draw this analyst beside everyone together.
    """
    with Ledger.open(place) as ledger:
        return ledger.plot(dataset, analyst=analyst)
