"""Requests that may be repeated: charged once, answered with the same bytes each time."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from sfumato.errors import InputError, InternalError, PendingError, RefusedError
from sfumato.ledger.entries import Entry
from sfumato.ledger.receipts.receipt import Receipt
from sfumato.ledger.settled import Settled
from sfumato.ledger.storage.statements import REQUESTED, SETTLING, content_of, first

if TYPE_CHECKING:
    from sfumato.ledger.charging import Request
    from sfumato.ledger.storage.statements import Row
    from sfumato.ledger.storage.store import Store

__all__ = ["Requests", "receipt_of"]

#: How long to wait before looking again for an answer that somebody else computes, in seconds.
_PAUSE = 0.02


class Requests:
    """Finds what was charged and released for requests with an idempotency key.

    Parameters
    ----------
    store
        Where the rows are.
    book
        The number of the book.
    """

    def __init__(self, store: Store, book: int) -> None:
        self._store, self._book = store, book

    def charged(self, request: Request, kind: str) -> Row | None:
        """Return the charge of the same request, if there is one; refuse another's key."""
        if request.key is None:
            return None
        with self._store.reading() as connection:
            row = first(
                connection,
                REQUESTED,
                number=self._book,
                who=request.analyst,
                key=request.key,
            )
        if row is not None and not (
            row["kind"] == kind and request.is_the_same_as(Entry(row["body"]).body)
        ):
            raise InputError(
                "E-KEY-REUSED",
                "the idempotency key {key!r} was used for another request",
                "give each request a key of its own",
                key=request.key,
            )
        return row

    def settled(self, charge: Row, *, wait: float) -> Settled:
        """Return what was released for a charge, waiting for somebody who still computes it."""
        deadline = time.monotonic() + wait
        while True:
            found = self._settled(charge)
            if found is not None:
                return found
            if time.monotonic() >= deadline:
                raise _pending(charge)
            time.sleep(_PAUSE)

    def check_settled(self, sequence: int) -> None:
        """See that a charge was settled, which is why it is not settled again."""
        with self._store.reading() as connection:
            if first(connection, SETTLING, number=self._book, place=sequence) is None:
                raise InternalError(
                    "E-LEDGER-NOT-STORED",
                    "the store did not take what settles a charge that is open",
                )

    def _settled(self, charge: Row) -> Settled | None:
        with self._store.reading() as connection:
            row = first(connection, SETTLING, number=self._book, place=charge["sequence"])
            if row is None:
                return None
            content = content_of(connection, self._book, row["sequence"])
        if row["kind"] == "closing":
            raise RefusedError(
                "E-KEY-CLOSED",
                "the request with the key {charge!r} was charged and closed without an answer",
                "ask again with another key",
                charge=charge["request"],
            )
        if content is None:
            raise InternalError(
                "E-LEDGER-NOT-STORED", "a release with an idempotency key was not kept"
            )
        return Settled(content, receipt_of(charge, row), repeated=True)


def receipt_of(*rows: Row) -> Receipt:
    """Return the receipt of rows, the last of which is signed."""
    entries = tuple(Entry(row["body"]) for row in rows)
    return Receipt(entries, entries[-1].body["signer"], rows[-1]["signature"])


def _pending(charge: Row) -> PendingError:
    when = Entry(charge["body"]).when
    return PendingError(
        "E-CHARGE-PENDING",
        "the request with the key {key!r} was charged at {when}, and its answer is not recorded: "
        "it is being computed, or the program crashed",
        "see sfumato ledger recover",
        key=charge["request"],
        when=when,
    )
