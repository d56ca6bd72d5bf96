"""A charge: asked for, made once, durable before anything is computed, and settled once."""

from __future__ import annotations

import secrets
import time
from dataclasses import dataclass, field, fields, is_dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from sfumato.errors import BudgetError, InputError, InternalError, PendingError, RefusedError
from sfumato.ledger.chain import Chain, Draft, Place
from sfumato.ledger.entry import Entry, canonical, digest_of, event_document
from sfumato.ledger.receipt import Receipt
from sfumato.ledger.storage.statements import REQUESTED, SETTLING, Row, content_of, first_row
from sfumato.ledger.validate import (
    MOST_DIGITS,
    is_of_sane_size,
    read_content,
    read_name,
    read_words,
)
from sfumato.privacy.events import check_relation, to_json, walk
from sfumato.privacy.filters import charged
from sfumato.refusal import Argument

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sfumato.ledger.admission import Admission
    from sfumato.ledger.storage.store import Store
    from sfumato.privacy import Relation
    from sfumato.privacy.events import Event

#: How long to wait before looking again for an answer that somebody else computes, in seconds.
_PAUSE = 0.02


@dataclass(frozen=True)
class Request:
    """What somebody asks to be charged for.

    Attributes
    ----------
    event
        What is to be done.
    analyst
        Who asks.
    purpose
        Why: the query in words.
    key
        What tells a repeated request from a new one; None if it may not be repeated.
    """

    event: Event
    analyst: str
    purpose: str
    key: str | None

    def details(self) -> dict[str, Any]:
        """Return the request as fields of an entry."""
        return {
            "event": event_document(self.event),
            "analyst": self.analyst,
            "purpose": self.purpose,
            "request": self.key,
        }

    def is_the_same_as(self, body: dict[str, Any]) -> bool:
        """Tell whether an entry was written for the same request."""
        own = self.details()
        return canonical(own) == canonical({name: body.get(name) for name in own})


def read_request(event: Any, analyst: Any, purpose: Any, key: Any, relation: Relation) -> Request:
    """Return a request whose parts can be written into a ledger."""
    whole = charged(event, relation, "spend")
    _check(whole, relation)
    return Request(
        event=whole,
        analyst=read_name(analyst, "analyst"),
        purpose=read_words(purpose, "purpose"),
        key=None if key is None else read_name(key, "key"),
    )


@dataclass(frozen=True, repr=False)
class Charge:
    """A charge that is durably in the ledger, for something that may now be computed.

    It is spent, whatever happens next.  ``commit`` it with what is to be released, and release
    that only when ``commit`` has returned; a charge that nobody commits is an orphan.

    Parameters
    ----------
    row
        The row of the charge.
    charges
        The charges of its book.

    Examples
    --------
    >>> import tempfile
    >>> import sfumato as sf
    >>> from sfumato.ledger import Ledger
    >>> with tempfile.TemporaryDirectory() as folder, Ledger.create(
    ...     f"{folder}/ledger.db", key=f"{folder}/key.pem"
    ... ) as ledger:
    ...     book = ledger.add_book("patients", sf.PureDP(epsilon=1))
    ...     query = sf.mechanisms.Laplace(epsilon=0.1, sensitivity=1)
    ...     charge = book.reserve(query, analyst="ada", purpose="number of patients")
    ...     settled = charge.commit(str(query.release(42).value).encode())
    ...     settled.receipt.digest is not None
    True
    """

    row: Row
    charges: Charges

    @property
    def entry(self) -> Entry:
        """The entry in the book.

        Examples
        --------
        >>> import tempfile
        >>> import sfumato as sf
        >>> from sfumato.privacy import events
        >>> from sfumato.ledger import Ledger
        >>> with tempfile.TemporaryDirectory() as folder, Ledger.create(
        ...     f"{folder}/ledger.db", key=f"{folder}/key.pem"
        ... ) as ledger:
        ...     book = ledger.add_book("patients", sf.PureDP(epsilon=1))
        ...     charge = book.reserve(events.Laplace(scale=4), analyst="ada", purpose="by sex")
        ...     charge.entry.kind
        'charge'
        """
        return Entry(self.row["body"])

    @property
    def receipt_id(self) -> str:
        """What the charge is called in the book and on its receipt.

        Examples
        --------
        >>> import tempfile
        >>> import sfumato as sf
        >>> from sfumato.privacy import events
        >>> from sfumato.ledger import Ledger
        >>> with tempfile.TemporaryDirectory() as folder, Ledger.create(
        ...     f"{folder}/ledger.db", key=f"{folder}/key.pem"
        ... ) as ledger:
        ...     book = ledger.add_book("patients", sf.PureDP(epsilon=1))
        ...     charge = book.reserve(events.Laplace(scale=4), analyst="ada", purpose="by sex")
        ...     len(charge.receipt_id)
        32
        """
        return str(self.entry.body["receipt"])

    def commit(self, content: bytes) -> Settled:
        """Record durably what is to be released; release it when this has returned.

        Examples
        --------
        >>> import tempfile
        >>> import sfumato as sf
        >>> from sfumato.privacy import events
        >>> from sfumato.ledger import Ledger
        >>> with tempfile.TemporaryDirectory() as folder, Ledger.create(
        ...     f"{folder}/ledger.db", key=f"{folder}/key.pem"
        ... ) as ledger:
        ...     book = ledger.add_book("patients", sf.PureDP(epsilon=1))
        ...     charge = book.reserve(events.Laplace(scale=4), analyst="ada", purpose="by sex")
        ...     charge.commit(b"41").content
        b'41'
        """
        return self.charges.settle(self.row, read_content(content))


@dataclass(frozen=True)
class Settled:
    """What was released, with the receipt of its charge.

    Attributes
    ----------
    content
        The bytes that were released.
    receipt
        The signed receipt.
    repeated
        Whether it was charged and released before, and is given again.

    Examples
    --------
    >>> import tempfile
    >>> import sfumato as sf
    >>> from sfumato.ledger import Ledger
    >>> with tempfile.TemporaryDirectory() as folder, Ledger.create(
    ...     f"{folder}/ledger.db", key=f"{folder}/key.pem"
    ... ) as ledger:
    ...     book = ledger.add_book("patients", sf.PureDP(epsilon=1))
    ...     query = sf.privacy.events.Laplace(scale=4)
    ...     book.release(query, lambda: b"41", analyst="ada", purpose="by sex").content
    b'41'
    """

    content: bytes = field(repr=False)
    receipt: Receipt
    repeated: bool = False


class Charges:
    """Charges requests against the budgets of a book, and settles each charge once.

    A request with an idempotency key is charged once, and answered with the same bytes each time.

    Parameters
    ----------
    store, chain
        Where the book is.
    admission
        Decides which charges fit.
    """

    def __init__(self, store: Store, chain: Chain, admission: Admission) -> None:
        self._store, self._chain, self._admission = store, chain, admission
        self._has_own_rules = any(not rule.is_shared for rule in admission.rules)

    def make(self, request: Request, kind: str) -> tuple[Row, bool]:
        """Return the charge of a request, and whether it was made just now.

        A request that carries a key is looked up first, and again where it was not admitted:
        somebody else may have charged the same one in the meantime.
        """
        row = self._known(request, kind)
        if row is not None:
            return row, False
        try:
            made = self._chain.append(self._drafted(request, kind))
        except BudgetError:
            row = self._known(request, kind)
            if row is None:
                raise
            return row, False
        if made is not None:
            return made, True
        row = self._known(request, kind)
        if row is None:
            raise InternalError(
                "E-LEDGER-NOT-STORED", "the store did not take a charge that follows the last one"
            )
        return row, False

    def wait_for(self, charge: Row, seconds: float) -> Settled:
        """Return what was released for a charge, waiting for somebody who still computes it."""
        deadline = time.monotonic() + seconds
        while True:
            found = self._released(charge)
            if found is not None:
                return found
            if time.monotonic() >= deadline:
                raise _pending(charge)
            time.sleep(_PAUSE)

    def settle(self, charge: Row, content: bytes) -> Settled:
        """Record durably what is released for a charge; refuse a second time."""
        details = {
            "kind": "release",
            **_reference(charge),
            "digest": digest_of(content),
            "size": len(content),
            "signer": self._chain.signer().public,
        }
        kept = content if charge["request"] is not None else None
        row = self._append(Draft(details, content=kept))
        return Settled(content, receipt_of(charge, row))

    def close(self, charge: Row, reason: str) -> None:
        """Record that nothing is released for a charge, which stays spent."""
        self._append(Draft({"kind": "closing", **_reference(charge), "reason": reason}))

    def _drafted(self, request: Request, kind: str) -> Callable[[Place], Draft]:
        details = {"kind": kind, "receipt": secrets.token_hex(16), **request.details()}
        if kind == "spending":
            details["signer"] = self._chain.signer().public
        event, analyst = request.event, request.analyst

        def draft(place: Place) -> Draft:
            when = place.when
            shared = self._admission.charged(place.shared, event, analyst, when, shared=True)
            own = None
            if self._has_own_rules:
                before = place.own(analyst)
                own = self._admission.charged(before, event, analyst, when, shared=False)
            return Draft(details, shared, own)

        return draft

    def _append(self, draft: Draft) -> Row:
        """Append what settles a charge; refuse a charge that was settled before."""
        row = self._chain.append(lambda _: draft)
        if row is not None:
            return row
        settled = draft.details["settles"]
        with self._store.reading() as connection:
            if first_row(connection, SETTLING, number=self._chain.number, place=settled) is None:
                raise InternalError(
                    "E-LEDGER-NOT-STORED",
                    "the store did not take what settles a charge that is open",
                )
        raise RefusedError(
            "E-CHARGE-SETTLED",
            "the charge {details} was settled before, and is settled only once",
            "nothing was released",
            details=draft.details["receipt"],
        )

    def _known(self, request: Request, kind: str) -> Row | None:
        """Return the charge of the same request, if there is one; refuse another's key."""
        if request.key is None:
            return None
        with self._store.reading() as connection:
            row = first_row(
                connection,
                REQUESTED,
                number=self._chain.number,
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

    def _released(self, charge: Row) -> Settled | None:
        with self._store.reading() as connection:
            row = first_row(
                connection, SETTLING, number=self._chain.number, place=charge["sequence"]
            )
            if row is None:
                return None
            content = content_of(connection, self._chain.number, row["sequence"])
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


@lru_cache(maxsize=1024)
def _check(event: Event, relation: Relation) -> None:
    """Refuse an event that cannot be written down or charged; one that can is remembered."""
    check_relation(event, relation)
    to_json(event)
    for name, number in _numbers(event):
        if number and not is_of_sane_size(number):
            raise InputError(
                "E-ARGUMENT-RANGE",
                "{name} must be between 1e-{most_digits} and 1e+{most_digits} to be charged",
                "write a number of that size",
                name=Argument(name),
                most_digits=MOST_DIGITS,
            )


def _numbers(event: Event) -> Iterator[tuple[str, Fraction]]:
    """Yield every number of an event by name; of a logarithm, the number it is taken of."""
    for each in walk(event):
        for name, value in each.parameters.items():
            waiting = [value]
            while waiting:
                found = waiting.pop()
                if isinstance(found, tuple):
                    waiting.extend(found)
                elif is_dataclass(found):
                    waiting.extend(getattr(found, part.name) for part in fields(found))
                else:
                    yield name, Fraction(found)


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


def _reference(charge: Row) -> dict[str, Any]:
    """Return the fields by which what settles a charge refers to it."""
    return {
        "settles": charge["sequence"],
        "charge": charge["hash"],
        "receipt": Entry(charge["body"]).body["receipt"],
    }
