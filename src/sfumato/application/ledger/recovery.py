"""Charges without a recorded answer: still being computed, or cut off by a crash."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sfumato.application.ledger.books import books_of
from sfumato.application.ledger.wording import age, moment, told
from sfumato.application.printed import Printed
from sfumato.application.wording import counted
from sfumato.errors import InputError
from sfumato.ledger import Ledger
from sfumato.ledger.moments import now, read_moment

if TYPE_CHECKING:
    from datetime import datetime

    from sfumato.ledger import Entry

__all__ = ["ClosingReport", "OrphansReport", "close_orphan", "list_orphans"]

_CLOSE = "sfumato ledger recover --close RECEIPT --reason TEXT"


@dataclass(frozen=True, kw_only=True)
class OrphansReport(Printed):
    """The charges for which nothing was recorded as released.

    Attributes
    ----------
    orphans
        Their entries.
    when
        The moment at which they were looked for.

    Examples
    --------
    >>> from datetime import UTC, datetime
    >>> from sfumato.application.ledger.recovery import OrphansReport
    >>> print(OrphansReport(orphans=(), when=datetime(2026, 11, 15, tzinfo=UTC)))
    every charge is settled; there is nothing to recover
    """

    orphans: tuple[Entry, ...]
    when: datetime

    def lines(self) -> list[str]:
        """Return what is known of each charge, in plain words.

        Examples
        --------
        >>> from datetime import UTC, datetime
        >>> from sfumato.application.ledger.recovery import OrphansReport
        >>> len(OrphansReport(orphans=(), when=datetime(2026, 11, 15, tzinfo=UTC)).lines())
        1
        """
        if not self.orphans:
            return ["every charge is settled; there is nothing to recover"]
        number, has = len(self.orphans), "has" if len(self.orphans) == 1 else "have"
        return [
            f"{counted(number, 'charge')} {has} no recorded answer",
            "the program that charged is still computing, or it crashed; it is spent either way",
            *(line for orphan in self.orphans for line in self._told(orphan)),
            f"once its program is gone, close one with: {_CLOSE}",
        ]

    def as_dict(self) -> dict[str, Any]:
        """Return the charges ready for JSON.

        Examples
        --------
        >>> from datetime import UTC, datetime
        >>> from sfumato.application.ledger.recovery import OrphansReport
        >>> OrphansReport(orphans=(), when=datetime(2026, 11, 15, tzinfo=UTC)).as_dict()
        {'orphans': []}
        """
        return {"orphans": [self._figures(orphan) for orphan in self.orphans]}

    def _told(self, orphan: Entry) -> list[str]:
        who, what, why = told(orphan)
        body, ago = orphan.body, age(self.when - read_moment(orphan.when))
        return [
            f"entry {orphan.sequence:,} of {orphan.dataset}",
            f"  when     {moment(orphan.when)} UTC, {ago}",
            f"  who      {who}",
            f"  what     {what}",
            f"  why      {why}",
            f"  receipt  {body['receipt']}",
            *([] if body["request"] is None else [f"  key      {body['request']}"]),
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

    Examples
    --------
    >>> from sfumato.application.ledger.recovery import ClosingReport
    >>> print(ClosingReport(dataset="patients", sequence=2, receipt="0f0f"))
    entry 2 of patients is closed: it stays spent, and nothing is released for it
    """

    dataset: str
    sequence: int
    receipt: str

    def lines(self) -> list[str]:
        """Return what was done.

        Examples
        --------
        >>> from sfumato.application.ledger.recovery import ClosingReport
        >>> len(ClosingReport(dataset="patients", sequence=2, receipt="0f0f").lines())
        1
        """
        entry = f"entry {self.sequence:,} of {self.dataset}"
        return [f"{entry} is closed: it stays spent, and nothing is released for it"]

    def as_dict(self) -> dict[str, Any]:
        """Return what was done, ready for JSON.

        Examples
        --------
        >>> from sfumato.application.ledger.recovery import ClosingReport
        >>> ClosingReport(dataset="patients", sequence=2, receipt="0f0f").as_dict()
        {'closed': {'dataset': 'patients', 'sequence': 2, 'receipt': '0f0f'}}
        """
        known = {"dataset": self.dataset, "sequence": self.sequence, "receipt": self.receipt}
        return {"closed": known}


def list_orphans(dataset: str | None = None, *, place: str | None = None) -> OrphansReport:
    """Return the charges of a book, or of all, for which nothing was recorded.

    Examples
    --------
    >>> import tempfile
    >>> from sfumato.application.ledger.recovery import list_orphans
    >>> from sfumato.ledger import Ledger
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     Ledger.create(f"{folder}/ledger.db").close()
    ...     list_orphans(place=f"{folder}/ledger.db").orphans
    ()
    """
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
        The name of the charge.
    reason
        Why, in words.
    dataset
        The book; None to look in all.
    place
        The ledger; None for the default.

    Examples
    --------
    >>> import tempfile
    >>> from sfumato.application.ledger.recovery import close_orphan
    >>> from sfumato.ledger import Ledger
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     Ledger.create(f"{folder}/ledger.db").close()
    ...     close_orphan("0f0f", reason="it crashed", place=f"{folder}/ledger.db")
    Traceback (most recent call last):
        ...
    sfumato.errors.InputError: there is no open charge '0f0f'; sfumato ledger recover lists those \
there are
    """
    with Ledger.open(place) as ledger:
        for book in books_of(ledger, dataset):
            for orphan in book.orphans():
                if orphan.body["receipt"] == receipt:
                    book.close_orphan(receipt, reason=reason)
                    return ClosingReport(
                        dataset=book.name, sequence=orphan.sequence, receipt=receipt
                    )
    message = (
        f"there is no open charge {receipt!r:.60}; sfumato ledger recover lists those there are"
    )
    raise InputError(message)
