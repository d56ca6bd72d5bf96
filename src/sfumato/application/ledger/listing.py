"""All books of a ledger: what is guaranteed for each dataset, and what is left of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sfumato.application.ledger.render import STEPS, moment, spent_in_words, standing_figures
from sfumato.ledger import Ledger, budgeted, left, percent
from sfumato.printing import Printed, counted, table, wrapped
from sfumato.privacy import AddRemove
from sfumato.refusal import Command
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sfumato.ledger import Book, Standing


def books_of(ledger: Ledger, dataset: str | None = None) -> tuple[Book, ...]:
    """Return all books of a ledger, or the one of a dataset."""
    names = ledger.books() if dataset is None else (dataset,)
    return tuple(ledger.book(name) for name in names)


_HEADER = (
    mark("dataset"),
    mark("budget"),
    mark("spent"),
    mark("left"),
    mark("used"),
    mark("entries"),
    mark("last entry (UTC)"),
    mark("neighbours"),
)
_NUMBERS = {"used", "entries"}
#: What is left out first where the table is too wide.
_DISPENSABLE = (mark("spent"), mark("entries"), mark("last entry (UTC)"))


@dataclass(frozen=True, kw_only=True)
class BookLine:
    """One book, in short.

    Attributes
    ----------
    dataset
        What the book is about.
    standing
        Where each budget over everyone stands.
    entries
        How many entries there are.
    last
        When the last one was written.
    """

    dataset: str
    standing: tuple[Standing, ...]
    entries: int
    last: str

    def rows(self) -> Iterator[tuple[str, ...]]:
        """Yield the cells of the book, a row for each budget over everyone."""
        book: tuple[str, ...] = (self.dataset, f"{self.entries:,}", moment(self.last))
        for each in self.standing:
            often = (
                tr("per {name}", name=each.rule.period.noun) if each.rule.period else tr("in all")
            )
            budget = f"{budgeted(each.rule.budget)} {often}"
            rest = left(each.rule.budget, each.remaining)
            figures = (spent_in_words(each), rest, percent(each.used))
            yield (book[0], budget, *figures, *book[1:], str(each.rule.budget.relation))
            book = ("", "", "")

    def as_dict(self) -> dict[str, Any]:
        """Return the book ready for JSON."""
        return {
            "dataset": self.dataset,
            "budgets": [standing_figures(each) for each in self.standing],
            "entries": self.entries,
            "last_entry": self.last,
        }


@dataclass(frozen=True, kw_only=True)
class BooksReport(Printed):
    """The books of a ledger.

    Attributes
    ----------
    place
        Where the ledger is, without a password.
    books
        A line for each.
    """

    place: str
    books: tuple[BookLine, ...]

    def lines(self, *, width: int = 120) -> list[str]:
        """Return the books as a table.

        Parameters
        ----------
        width
            How wide a line may be; columns are left out to fit.
        """
        if not self.books:
            start = tr(
                "open one with: {command}", command=Command("ledger init DATASET --epsilon 1")
            )
            return [tr("no books in {place}; {start}", place=self.place, start=start)]
        rows = [_HEADER, *(row for book in self.books for row in book.rows())]
        headline = tr(
            "{books} in {place}", books=counted(len(self.books), "book"), place=self.place
        )
        note = wrapped(tr(STEPS), width) if any("≤" in row[3] for row in rows) else []
        shown = table(self._told_apart(rows), width, numbers=_NUMBERS, dispensable=_DISPENSABLE)
        return [headline, *shown, *note]

    def as_dict(self) -> dict[str, Any]:
        """Return the books ready for JSON."""
        return {"ledger": self.place, "books": [each.as_dict() for each in self.books]}

    def _told_apart(self, rows: Sequence[Sequence[str]]) -> Sequence[Sequence[str]]:
        """Leave out the neighbours where all are of the usual kind."""
        found = {each.rule.budget.relation for book in self.books for each in book.standing}
        return [row[:-1] for row in rows] if found <= {AddRemove()} else rows


def list_books(place: str | None = None) -> BooksReport:
    """Return all books of a ledger."""
    with Ledger.open(place) as ledger:
        books = tuple(_line(book) for book in books_of(ledger))
        return BooksReport(place=ledger.place, books=books)


def _line(book: Book) -> BookLine:
    count = book.count()
    last = next(book.entries(after=count - 1))
    return BookLine(dataset=book.name, standing=book.standing(), entries=count, last=last.when)
