"""A ledger with an entry of every kind, closed, for somebody to lay hands on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import sfumato as sf
from sfumato.ledger import Charge, Ledger
from tests.ledger.tables import drop_triggers

if TYPE_CHECKING:
    from pathlib import Path

    from sfumato.ledger import Book, Receipt

TENTH = sf.privacy.events.Pure(epsilon=0.1)
ASKED: dict[str, Any] = {"analyst": "ada", "purpose": "patients by sex"}

#: The places of entries in the book that `fill` writes.
OPENING, SPENDING, CHARGE, RELEASE, ORPHAN, CLOSING, OPEN, LAST = range(1, 9)


def fill(book: Book) -> list[Receipt]:
    """Write an entry of every kind."""
    spent = book.spend(TENTH, **ASKED)
    released = book.release(TENTH, lambda: b"41", **ASKED, key="monday")
    orphan = book.reserve(TENTH, **ASKED)
    assert isinstance(orphan, Charge)
    book.close_orphan(orphan.receipt_id, reason="the power failed")
    book.reserve(TENTH, **ASKED)
    last = book.spend(TENTH, analyst="grace", purpose="patients by age")
    return [spent, released.receipt, last]


@dataclass
class Kept:
    """A ledger with entries of all kinds, that nobody has open, without triggers."""

    place: str
    receipts: list[Receipt]

    def problems(self, *receipts: Receipt) -> tuple[str, ...]:
        with Ledger.open(self.place) as ledger:
            return ledger.verify(receipts).problems


def keep(place: str, key: Path | None = None) -> Kept:
    with Ledger.create(place, key=key) as ledger:
        each = sf.PureDP(epsilon=0.5)
        receipts = fill(ledger.add_book("patients", sf.PureDP(epsilon=1), each_analyst=each))
        ledger.add_book("visits", sf.PureDP(epsilon=5))
    drop_triggers(place)
    return Kept(place, receipts)
