"""Entries of a book: what was written, in one canonical text, chained by hashes."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError
from sfumato.ledger.moments import is_written
from sfumato.privacy import events

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.privacy.events import Event

__all__ = [
    "BEFORE_THE_FIRST",
    "VERSION",
    "Entry",
    "canonical",
    "digest_of",
    "event_document",
]

#: What stands for the hash of the entry before the first one.
BEFORE_THE_FIRST = "0" * 64
#: The form of the entries that this program writes, and the newest that it reads.
VERSION = 1

_SALT = b"sfumato ledger entry\n"
#: What every entry says, what each kind says besides, and the type of each.
PLACE: dict[str, Any] = {
    "dataset": str,
    "kind": str,
    "ledger": str,
    "previous": str,
    "sequence": int,
    "version": int,
    "when": str,
}
_CHARGE = {"analyst": str, "event": dict, "purpose": str, "receipt": str, "request": str | None}
_SETTLING = {"charge": str, "receipt": str, "settles": int}
FIELDS: Mapping[str, Mapping[str, Any]] = {
    "opening": PLACE | {"rules": list, "signer": str},
    "charge": PLACE | _CHARGE,
    "spending": PLACE | _CHARGE | {"signer": str},
    "release": PLACE | _SETTLING | {"digest": str, "signer": str, "size": int},
    "closing": PLACE | _SETTLING | {"reason": str},
}


@dataclass(frozen=True)
class Entry:
    """One entry of a book, as the text that was written and is hashed.

    Attributes
    ----------
    text
        The entry as canonical JSON: keys sorted, no spaces.
    signature
        That of its signer, who is named in the text; None where nobody is.

    Examples
    --------
    >>> from sfumato.ledger.entries import Entry
    >>> entry = Entry.placed(
    ...     {"kind": "closing", "settles": 2},
    ...     ledger="4f6c", dataset="patients", sequence=3, previous="0" * 64,
    ...     when="2026-11-15T09:00:00.000000Z",
    ... )
    >>> entry.sequence, entry.kind, len(entry.hash)
    (3, 'closing', 64)
    """

    text: str
    signature: str | None = None

    @classmethod
    def placed(
        cls,
        details: Mapping[str, Any],
        *,
        ledger: str,
        dataset: str,
        sequence: int,
        previous: str,
        when: str,
    ) -> Entry:
        """Return an entry at its place in the chain.

        Examples
        --------
        >>> from sfumato.ledger.entries import Entry
        >>> Entry.placed({"kind": "closing"}, ledger="4f6c", dataset="patients", sequence=1,
        ...              previous="0" * 64, when="2026-11-15T09:00:00.000000Z").dataset
        'patients'
        """
        place = {
            "version": VERSION,
            "ledger": ledger,
            "dataset": dataset,
            "sequence": sequence,
            "previous": previous,
            "when": when,
        }
        return cls(canonical({**details, **place}))

    @property
    def body(self) -> dict[str, Any]:
        """The fields of the entry.

        Examples
        --------
        >>> from sfumato.ledger.entries import Entry
        >>> Entry('{"kind":"closing","settles":2}').body["settles"]
        2
        """
        return dict(_parsed(self.text))

    @property
    def hash(self) -> str:
        """The SHA-256 of the text, which the next entry carries.

        Examples
        --------
        >>> from sfumato.ledger.entries import Entry
        >>> Entry('{"kind":"closing"}').hash[:8]
        'cb1b7e7f'
        """
        return sha256(_SALT + self.text.encode()).hexdigest()

    @property
    def event(self) -> Event | None:
        """What was done, in a charge; None in an entry of another kind.

        Examples
        --------
        >>> from sfumato.ledger.entries import Entry
        >>> Entry('{"kind":"closing"}').event is None
        True
        """
        document = _parsed(self.text).get("event")
        return None if document is None else _event(canonical(document))

    @property
    def dataset(self) -> str:
        """The book that the entry is in.

        Examples
        --------
        >>> from sfumato.ledger.entries import Entry
        >>> Entry('{"dataset":"patients"}').dataset
        'patients'
        """
        return str(_parsed(self.text)["dataset"])

    @property
    def ledger(self) -> str:
        """The ledger that the book is in, by its id.

        Examples
        --------
        >>> from sfumato.ledger.entries import Entry
        >>> Entry('{"ledger":"4f6c"}').ledger
        '4f6c'
        """
        return str(_parsed(self.text)["ledger"])

    @property
    def kind(self) -> str:
        """Whether it is an opening, a charge, a spending, a release or a closing.

        Examples
        --------
        >>> from sfumato.ledger.entries import Entry
        >>> Entry('{"kind":"closing"}').kind
        'closing'
        """
        return str(_parsed(self.text)["kind"])

    @property
    def sequence(self) -> int:
        """The place in the book, from 1.

        Examples
        --------
        >>> from sfumato.ledger.entries import Entry
        >>> Entry('{"sequence":3}').sequence
        3
        """
        return int(_parsed(self.text)["sequence"])

    @property
    def previous(self) -> str:
        """The hash of the entry before.

        Examples
        --------
        >>> from sfumato.ledger.entries import Entry
        >>> Entry('{"previous":"00"}').previous
        '00'
        """
        return str(_parsed(self.text)["previous"])

    @property
    def when(self) -> str:
        """The moment, in UTC.

        Examples
        --------
        >>> from sfumato.ledger.entries import Entry
        >>> Entry('{"when":"2026-11-15T09:00:00.000000Z"}').when
        '2026-11-15T09:00:00.000000Z'
        """
        return str(_parsed(self.text)["when"])

    def check(self) -> None:
        """Refuse a text that is no entry, or of a form that this program does not know.

        Examples
        --------
        >>> from sfumato.ledger.entries import Entry
        >>> Entry('{"kind":"closing"}').check()
        Traceback (most recent call last):
            ...
        sfumato.errors.InputError: the field 'dataset' of an entry is missing, or not as sfumato \
writes it
        """
        body = _parsed(self.text)
        if type(body.get("version")) is int and body["version"] > VERSION:
            message = (
                f"the entry is of a newer version than {VERSION}, which this program reads; "
                "install a newer sfumato"
            )
            raise InputError(message)
        fields = FIELDS.get(str(body.get("kind")), PLACE)
        for name, wanted in fields.items():
            said = body.get(name, ...)
            if not isinstance(said, wanted) or isinstance(said, bool):
                message = f"the field {name!r} of an entry is missing, or not as sfumato writes it"
                raise InputError(message)
        as_written = body["kind"] in FIELDS and set(body) == set(fields)
        if not as_written or _rewritten(body) != self.text or not is_written(body["when"]):
            message = "the entry is not in the form in which sfumato writes it"
            raise InputError(message)
        _ = self.event


def canonical(document: Any) -> str:
    """Return a document as the one text that is hashed.

    Examples
    --------
    >>> from sfumato.ledger.entries import canonical
    >>> canonical({"b": 1, "a": "ε"})
    '{"a":"ε","b":1}'
    """
    return json.dumps(
        document, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    )


def digest_of(content: bytes) -> str:
    """Return the SHA-256 of what was released.

    Examples
    --------
    >>> from sfumato.ledger.entries import digest_of
    >>> digest_of(b"42")[:8]
    '73475cb4'
    """
    return sha256(content).hexdigest()


@lru_cache(maxsize=1024)
def event_document(event: Event) -> Any:
    """Return an event as a document with a version.

    Examples
    --------
    >>> import sfumato as sf
    >>> from sfumato.ledger.entries import event_document
    >>> event_document(sf.events.Pure(epsilon=0.1))
    {'version': 1, 'events': [{'event': 'pure', 'epsilon': '0.1'}]}
    """
    return json.loads(events.to_json(event))


def _rewritten(body: Mapping[str, Any]) -> str | None:
    """Return the fields of an entry as they are written; None if they never are."""
    try:
        text = canonical(body)
        text.encode()
    except ValueError:
        return None
    return text


@lru_cache(maxsize=1024)
def _event(text: str) -> Event:
    found = events.from_json(text)
    if len(found) != 1:
        message = f"a charge is for one event, not {len(found):,}; compose them into one"
        raise InputError(message)
    return found[0]


def _parsed(text: str) -> Mapping[str, Any]:
    if not isinstance(text, str):
        message = f"an entry is text, not {type(text).__name__}; give what a ledger wrote"
        raise InputError(message)
    return _loaded(text)


@lru_cache(maxsize=256)
def _loaded(text: str) -> Mapping[str, Any]:
    try:
        body = json.loads(text)
    except (ValueError, RecursionError):
        body = None
    if not isinstance(body, dict):
        message = "the entry is not a JSON object; it was not written by sfumato"
        raise InputError(message)
    return body
