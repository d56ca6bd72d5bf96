"""Charges without a recorded answer: still being computed, or cut off by a crash."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sfumato.application.ledger.listing import books_of
from sfumato.application.ledger.render import age, moment, told, unanswered
from sfumato.errors import InputError
from sfumato.ledger import Ledger, now, read_moment
from sfumato.printing import Printed, aligned, fitted
from sfumato.refusal import Command, text
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sfumato.ledger import Book, Entry


_CLOSE = Command("ledger recover --close RECEIPT --reason TEXT")
_DIGITS, _LEAST_DIGITS = 32, 8


@dataclass(frozen=True, kw_only=True)
class OrphansReport(Printed):
    """The charges for which nothing was recorded as released.

    Attributes
    ----------
    orphans
        Their entries.
    when
        The moment at which they were looked for.
    """

    orphans: tuple[Entry, ...]
    when: datetime

    def lines(self, *, width: int = 120) -> list[str]:
        """Return what is known of each charge, in plain words.

        Parameters
        ----------
        width
            How wide a line may be; longer ones are wrapped.
        """
        if not self.orphans:
            return [tr("no charge is open; there is nothing to recover")]
        told = [
            unanswered(len(self.orphans)),
            tr(
                "the program that charged is still computing, or it crashed; it is spent either way"
            ),
            *(line for orphan in self.orphans for line in self._told(orphan)),
            tr("once its program is gone, close one with: {close}", close=_CLOSE),
        ]
        return fitted(told, width)

    def as_dict(self) -> dict[str, Any]:
        """Return the charges ready for JSON."""
        return {"orphans": [self._figures(orphan) for orphan in self.orphans]}

    def _told(self, orphan: Entry) -> list[str]:
        who, what, why = told(orphan)
        body, ago = orphan.body, age(self.when - read_moment(orphan.when))
        labelled = [
            (mark("when"), f"{moment(orphan.when)} UTC, {ago}"),
            (mark("analyst"), who),
            (mark("event"), what),
            (mark("purpose"), why),
            (mark("receipt"), str(body["receipt"])),
            *([] if body["request"] is None else [(mark("key"), str(body["request"]))]),
        ]
        return [
            tr("entry {number:,} of {dataset}", number=orphan.sequence, dataset=orphan.dataset),
            *(f"  {line}" for line in aligned([(tr(name), value) for name, value in labelled])),
        ]

    def _figures(self, orphan: Entry) -> dict[str, Any]:
        kept = ("dataset", "sequence", "when", "analyst", "purpose", "event", "receipt")
        body, what = orphan.body, told(orphan)[1]
        seconds = (self.when - read_moment(orphan.when)).total_seconds()
        known = {name: body[name] for name in kept}
        return {**known, "key": body["request"], "what": what, "seconds_ago": seconds}


@dataclass(frozen=True, kw_only=True)
class ClosingReport(Printed):
    """A charge that was closed: it stays spent, and nothing is released for it.

    Attributes
    ----------
    dataset
        The book.
    sequence
        The entry of the charge.
    receipt
        The name of the charge.
    """

    dataset: str
    sequence: int
    receipt: str

    def lines(self, *, width: int = 120) -> list[str]:
        """Return what was done.

        Parameters
        ----------
        width
            How wide a line may be; longer ones are wrapped.
        """
        entry = tr("entry {sequence:,} of {dataset}", sequence=self.sequence, dataset=self.dataset)
        return fitted(
            [tr("{entry} is closed: it stays spent, and nothing is released for it", entry=entry)],
            width,
        )

    def as_dict(self) -> dict[str, Any]:
        """Return what was done, ready for JSON."""
        known = {"dataset": self.dataset, "sequence": self.sequence, "receipt": self.receipt}
        return {"closed": known}


def list_orphans(dataset: str | None = None, *, place: str | None = None) -> OrphansReport:
    """Return the charges of a book, or of all, for which nothing was recorded."""
    with Ledger.open(place) as ledger:
        found = [orphan for book in books_of(ledger, dataset) for orphan in book.orphans()]
    return OrphansReport(orphans=tuple(found), when=now())


def close_orphan(
    receipt: str, *, reason: str, dataset: str | None = None, place: str | None = None
) -> ClosingReport:
    """Write that nothing will be released for a charge; it stays spent.

    Parameters
    ----------
    receipt
        The name of the charge, or at least the first eight digits of it.
    reason
        Why, in words.
    dataset
        The book; None to look in all.
    place
        The ledger; None for the default.
    """
    _check_name(receipt)
    with Ledger.open(place) as ledger:
        books = books_of(ledger, dataset)
        book, orphan = _the_only(receipt, books, dataset)
        whole = str(orphan.body["receipt"])
        book.close_orphan(whole, reason=reason)
        return ClosingReport(dataset=book.name, sequence=orphan.sequence, receipt=whole)


def _check_name(receipt: str) -> None:
    if not re.fullmatch(f"[0-9a-f]{{{_LEAST_DIGITS},{_DIGITS}}}", receipt):
        raise InputError(
            "E-RECEIPT-NAME",
            "a charge is named by its receipt's {digits} digits 0-9a-f, or by the first "
            "{least_digits} or more, not by {receipt!r:.60}",
            digits=_DIGITS,
            least_digits=_LEAST_DIGITS,
            receipt=receipt,
        )


def _the_only(receipt: str, books: Sequence[Book], dataset: str | None) -> tuple[Book, Entry]:
    """Return the open charge that a name, or its beginning, stands for."""
    orphans = [(book, orphan) for book in books for orphan in book.orphans()]
    found = [each for each in orphans if _is_named(each[1], receipt)]
    if len(found) == 1:
        return found[0]
    if found:
        raise InputError(
            "E-CHARGE-UNKNOWN",
            "{count} open charges begin with {receipt!r}",
            "write more of its digits",
            count=len(found),
            receipt=receipt,
        )
    known = [(book, each) for book in books for each in book.entries() if _is_named(each, receipt)]
    if known:
        raise _settled(*known[0])
    where = "" if dataset is None else text(" in {dataset}", dataset=dataset)
    raise InputError(
        "E-CHARGE-UNKNOWN",
        "there is no charge {receipt!r}{where}",
        "{known}",
        receipt=receipt,
        where=where,
        known=text("{command} lists those there are", command=Command("ledger recover"))
        if orphans
        else text("no charge is open{where}", where=where),
    )


def _settled(book: Book, charge: Entry) -> InputError:
    """Return the refusal of a charge that is not open, which says what came of it."""
    given = {"sequence": charge.sequence, "book": book.name}
    for entry in book.entries(after=charge.sequence):
        if entry.body.get("settles") == charge.sequence:
            return _settled_by(entry, given)
    return InputError(
        "E-CHARGE-UNKNOWN",
        "entry {sequence:,} of {book} is of a release that was made elsewhere, and waits for no "
        "answer",
        **given,
    )


def _settled_by(entry: Entry, given: dict[str, object]) -> InputError:
    if entry.kind == "closing":
        return InputError(
            "E-CHARGE-UNKNOWN",
            "entry {sequence:,} of {book} is closed ({reason!r:.60}) already, by entry {by:,}",
            **given,
            reason=entry.body["reason"],
            by=entry.sequence,
        )
    return InputError(
        "E-CHARGE-UNKNOWN",
        "entry {sequence:,} of {book} is answered already, by entry {by:,}",
        **given,
        by=entry.sequence,
    )


def _is_named(entry: Entry, receipt: str) -> bool:
    return entry.event is not None and str(entry.body["receipt"]).startswith(receipt)
