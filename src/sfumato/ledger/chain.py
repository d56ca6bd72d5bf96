"""The chain of a book: entries are appended one after another, by many processes at once."""

from __future__ import annotations

import os
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple

from sfumato.errors import BudgetError, InputError, RolledBackError
from sfumato.ledger.entry import (
    BEFORE_THE_FIRST,
    Entry,
    checked_moment,
    read_moment,
    written_moment,
)
from sfumato.ledger.receipt import signed_message
from sfumato.ledger.standing import NOTHING, Accounts
from sfumato.ledger.storage.connections import abandon
from sfumato.ledger.storage.failures import LostConnectionError
from sfumato.ledger.storage.statements import (
    AT,
    LAST,
    LAST_OF_ANALYST,
    SAID_AGAIN,
    appended,
    first_row,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

    import sqlalchemy as sa

    from sfumato.ledger.signer import Signer
    from sfumato.ledger.storage.statements import Row
    from sfumato.ledger.storage.store import Store


class Place(NamedTuple):
    """When an entry would be written, and how the accounts stand there.

    Attributes
    ----------
    when
        The moment; never before that of the last entry.
    shared
        The accounts over everyone.
    own
        Gives the accounts of an analyst.
    """

    when: datetime
    shared: Accounts
    own: Callable[[str], Accounts]


class Draft(NamedTuple):
    """What is to be written at a place.

    Attributes
    ----------
    details
        The fields of the entry.
    shared
        The accounts over everyone afterwards; None if they stay as they are.
    own
        The accounts of the analyst afterwards, where there are any.
    content
        Bytes to keep beside the entry.
    """

    details: Mapping[str, Any]
    shared: Accounts | None = None
    own: Accounts | None = None
    content: bytes | None = None


class _End(NamedTuple):
    """The last entry of a book, and where the budgets over everyone stand after it."""

    sequence: int = 0
    hash: str = BEFORE_THE_FIRST
    when: str = ""
    shared: Accounts = NOTHING
    text: str = NOTHING.to_text()

    def followed(self, own_hash: str, when: str, shared: Accounts | None) -> _End:
        """Return the end after one more entry; None stands for accounts that stay as they are."""
        if shared is None:
            return self._replace(sequence=self.sequence + 1, hash=own_hash, when=when)
        return _End(self.sequence + 1, own_hash, when, shared, shared.to_text())


class _Written(NamedTuple):
    """A row, and the end of the book once it is there."""

    row: Row
    end: _End
    own: Accounts | None


class Chain:
    """Appends to one book, remembering its end so that a charge is a single statement.

    An entry is written only where the one before it is the one that was remembered; the store
    sees to that.  So what is decided from memory holds, and where another process was faster
    nothing is written, the end is looked up, and the decision is taken anew in its turn.  Where
    others write as well, the end is looked up first, which mostly spares the turn.

    Parameters
    ----------
    store
        Where the rows are.
    name
        The name of the book.
    number
        Its number in the store.
    clock
        Says what time it is.
    signer
        Gives the key that signs the entries that name a signer.
    """

    def __init__(
        self,
        store: Store,
        name: str,
        number: int,
        *,
        clock: Callable[[], datetime],
        signer: Callable[[], Signer],
    ) -> None:
        self.number, self.signer = number, signer
        self._store, self._name = store, name
        self._clock = clock
        self._end, self._others_write = _End(), False
        self._own: dict[str, Accounts] = {}
        self._lock, self._process = Lock(), os.getpid()

    def append(self, draft: Callable[[Place], Draft]) -> Row | None:
        """Append what is drafted for the end of the book, durably, and return its row.

        The draft may refuse.  None if the store has the like already: a request with the same
        key, or what settles the same charge.
        """
        with self._own_lock():
            written = self._from_memory(draft)
            if written is None:
                return self._in_turn(draft)
            try:
                is_taken = self._store.append(written.row, self._end.hash)
            except LostConnectionError:
                return self._in_turn(draft, perhaps=written)
            return self._advanced(written) if is_taken else self._in_turn(draft)

    def start(self, connection: sa.Connection, draft: Draft) -> None:
        """Write the first entry of a new book, in the transaction that is under way."""
        row = self._written(lambda _: draft, connection).row
        if not appended(connection, row, self._end.hash):
            self._store.check_form(connection)
            raise InputError(
                "E-LEDGER-DAMAGED",
                "the place of the book {name!r} holds entries of one that is not listed",
                "see what sfumato ledger verify says",
                name=self._name,
            )

    def look(self, analyst: str | None) -> Place:
        """Return how the accounts stand at the end of the book, at this moment."""
        with self._own_lock(), self._store.reading() as connection:
            self._look(connection)
            own = NOTHING if analyst is None else self._own_accounts(analyst, connection)
            return Place(self._moment(self._end), self._end.shared, lambda _: own)

    def _from_memory(self, draft: Callable[[Place], Draft]) -> _Written | None:
        """Return what to append to the end as it is remembered; None if that has to be in turn.

        Who wrote lately besides us is likely to have written again, so that is looked up.
        """
        if self._end.sequence == 0:
            return None
        try:
            if self._others_write:
                self._see(self._store.first(LAST, number=self.number, seen=self._end.sequence))
            return self._written(draft, None)
        except (BudgetError, LostConnectionError):
            return None

    def _in_turn(
        self, draft: Callable[[Place], Draft], perhaps: _Written | None = None
    ) -> Row | None:
        """Look the end up and append to it, while other writers wait.

        What was tried when a connection broke is perhaps written.
        """
        try:
            with self._store.writing(self.number) as connection:
                self._look(connection)
                if perhaps is not None and self._has(connection, perhaps):
                    return perhaps.row
                written = self._written(draft, connection)
                if not appended(connection, written.row, self._end.hash):
                    connection.rollback()
                    self._store.check_form(connection)
                    return None
        except BaseException:
            abandon()
            raise
        return self._advanced(written)

    def _has(self, connection: sa.Connection, written: _Written) -> bool:
        row = first_row(connection, AT, number=self.number, place=written.end.sequence)
        return row is not None and row["hash"] == written.end.hash

    def _written(
        self, draft: Callable[[Place], Draft], connection: sa.Connection | None
    ) -> _Written:
        end = self._end
        moment = self._moment(end)
        when = written_moment(moment)
        made = draft(Place(moment, end.shared, lambda who: self._own_accounts(who, connection)))
        entry = Entry.placed(
            made.details,
            ledger=self._store.id,
            dataset=self._name,
            sequence=end.sequence + 1,
            previous=end.hash,
            when=when,
        )
        after = end.followed(entry.hash, when, made.shared)
        said = {name: made.details.get(name) for name in SAID_AGAIN}
        row = {**said, **self._standing(made, after), "body": entry.text}
        return _Written(row, after, made.own)

    def _standing(self, made: Draft, after: _End) -> dict[str, Any]:
        """Return the columns that are not said by the entry itself."""
        own = made.own if made.own is not None and made.own.listed else None
        return {
            "book": self.number,
            "sequence": after.sequence,
            "hash": after.hash,
            "used": max(after.shared.used, 0 if own is None else own.used),
            "shared": after.text,
            "own": None if own is None else own.to_text(),
            "content": made.content,
            "signature": self._signature(after.hash) if "signer" in made.details else None,
        }

    def _signature(self, entry_hash: str) -> str:
        return self.signer().sign(signed_message(entry_hash))

    def _advanced(self, written: _Written) -> Row:
        """Remember what was written: the end last, so that an interrupt forgets no charge."""
        if written.own is not None:
            self._own[written.row["analyst"]] = written.own
        self._end = written.end
        return written.row

    def _look(self, connection: sa.Connection) -> None:
        """Look up the end of the book."""
        self._see(first_row(connection, LAST, number=self.number, seen=self._end.sequence))

    def _see(self, last: Row | None) -> None:
        """Take note of the end of the book; refuse one that lacks what was there before."""
        seen = self._end.sequence
        if last is None or (seen and last["hash_seen"] != self._end.hash):
            raise RolledBackError(
                "E-LEDGER-ROLLED-BACK",
                "the book {name!r} lacks entry {seen}, which was there before",
                "an older copy was put in its place, so nothing is charged or released",
                name=self._name,
                seen=seen,
            )
        self._others_write = 0 < seen < last["sequence"]
        if last["sequence"] != seen:
            text, when = last["shared"], Entry(last["body"]).when
            self._own.clear()
            self._end = _End(last["sequence"], last["hash"], when, Accounts.from_text(text), text)

    def _own_accounts(self, analyst: str, connection: sa.Connection | None = None) -> Accounts:
        if analyst not in self._own:
            look_up = self._store.first if connection is None else partial(first_row, connection)
            row = look_up(LAST_OF_ANALYST, number=self.number, who=analyst)
            self._own[analyst] = NOTHING if row is None else Accounts.from_text(row["own"])
        return self._own[analyst]

    def _moment(self, end: _End) -> datetime:
        """Return this moment, or that of the last entry where a clock was set back."""
        moment = checked_moment(self._clock())
        return moment if written_moment(moment) >= end.when else read_moment(end.when)

    def _own_lock(self) -> Lock:
        """Return what lets one thread at a time in; a forked process starts with nobody in."""
        if self._process != os.getpid():
            self._own.clear()
            self._lock, self._process = Lock(), os.getpid()
        return self._lock
