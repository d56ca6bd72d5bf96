"""Entries of a book: what was written, in one canonical text, chained by hashes."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NoReturn

from sfumato.errors import InputError
from sfumato.ledger.fields import (
    FIELDS,
    PLACE,
    SEE_VERIFY,
    Fields,
    is_of_type,
    parsed,
    read_fields,
)
from sfumato.ledger.moments import is_written
from sfumato.privacy import events
from sfumato.refusal import text
from sfumato.translation import mark

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
_NOT_AS_WRITTEN = mark("the entry is not in the form in which sfumato writes it")


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

    def __post_init__(self) -> None:
        if self.signature is not None and not isinstance(self.signature, str):
            raise InputError(
                "E-LEDGER-DAMAGED",
                "the signature of an entry must be text, or None",
                "{see_verify}",
                see_verify=SEE_VERIFY,
            )

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
        """The fields of the entry, read anew each time.

        Examples
        --------
        >>> from sfumato.ledger.entries import Entry
        >>> Entry('{"kind":"closing","settles":2}').body["settles"]
        2
        """
        return read_fields(self.text)

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
        try:
            return self._event
        except InputError as error:
            raise self._fields.damage(
                text("its event cannot be read ({error})", error=error)
            ) from None

    @property
    def dataset(self) -> str:
        """The book that the entry is in.

        Examples
        --------
        >>> from sfumato.ledger.entries import Entry
        >>> Entry('{"dataset":"patients"}').dataset
        'patients'
        """
        return str(self._fields["dataset"])

    @property
    def ledger(self) -> str:
        """The ledger that the book is in, by its id.

        Examples
        --------
        >>> from sfumato.ledger.entries import Entry
        >>> Entry('{"ledger":"4f6c"}').ledger
        '4f6c'
        """
        return str(self._fields["ledger"])

    @property
    def kind(self) -> str:
        """Whether it is an opening, a charge, a spending, a release or a closing.

        Examples
        --------
        >>> from sfumato.ledger.entries import Entry
        >>> Entry('{"kind":"closing"}').kind
        'closing'
        """
        return str(self._fields["kind"])

    @property
    def sequence(self) -> int:
        """The place in the book, from 1.

        Examples
        --------
        >>> from sfumato.ledger.entries import Entry
        >>> Entry('{"sequence":3}').sequence
        3
        """
        return int(self._fields["sequence"])

    @property
    def previous(self) -> str:
        """The hash of the entry before.

        Examples
        --------
        >>> from sfumato.ledger.entries import Entry
        >>> Entry('{"previous":"00"}').previous
        '00'
        """
        return str(self._fields["previous"])

    @property
    def when(self) -> str:
        """The moment, in UTC.

        Examples
        --------
        >>> from sfumato.ledger.entries import Entry
        >>> Entry('{"when":"2026-11-15T09:00:00.000000Z"}').when
        '2026-11-15T09:00:00.000000Z'
        """
        return str(self._fields["when"])

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
        fields = _checked(parsed(self.text))
        has_all = set(fields) == set(FIELDS[fields["kind"]]) and fields.get("rules") != []
        if not (has_all and _rewritten(fields) == self.text and is_written(fields["when"])):
            raise InputError("E-LEDGER-DAMAGED", _NOT_AS_WRITTEN)
        _ = self._event

    @property
    def _fields(self) -> Fields:
        """The fields, read once: for looking at, where ``body`` may be changed by who gets it."""
        known: Fields | None = self.__dict__.get("_known")
        if known is None:
            known = read_fields(self.text)
            object.__setattr__(self, "_known", known)
        return known

    @property
    def _event(self) -> Event | None:
        document = self._fields.get("event")
        return None if document is None else _event(canonical(document))


def canonical(document: Any) -> str:
    """Return a document as the one text that is hashed."""
    return _ENCODER.encode(document)


def digest_of(content: bytes) -> str:
    """Return the SHA-256 of what was released."""
    return sha256(content).hexdigest()


def _odd(value: Any) -> NoReturn:
    raise InputError(
        "E-LEDGER-DAMAGED",
        "an entry cannot hold {kind}: the ledger is damaged",
        "{see_verify}",
        kind=type(value).__name__,
        see_verify=SEE_VERIFY,
    )


_ENCODER = json.JSONEncoder(
    sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False, default=_odd
)


@lru_cache(maxsize=1024)
def event_document(event: Event) -> Any:
    """Return an event as a document with a version."""
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
        raise InputError(
            "E-CHARGE-SEVERAL",
            "a charge is for one event, not {count:,}",
            "compose them into one",
            count=len(found),
        )
    return found[0]


def _checked(fields: Fields | None) -> Fields:
    """Return the fields of an entry of a known version and kind, each of the right type."""
    if fields is None:
        raise InputError(
            "E-LEDGER-DAMAGED", "the entry is not a JSON object", "it was not written by sfumato"
        )
    version = fields.get("version")
    if type(version) is int and version > VERSION:
        raise InputError(
            "E-FORMAT-VERSION",
            "the entry is of a newer version than {version}, which this program reads",
            "install a newer sfumato",
            version=VERSION,
        )
    for name, wanted in FIELDS.get(str(fields.get("kind")), PLACE).items():
        said = fields.get(name, ...)
        if type(said) is not wanted and not is_of_type(said, wanted):
            raise InputError(
                "E-LEDGER-DAMAGED",
                "the field {name!r} of an entry is missing, or not as sfumato writes it",
                name=name,
            )
    if fields["kind"] not in FIELDS or fields["version"] < 1:
        raise InputError("E-LEDGER-DAMAGED", _NOT_AS_WRITTEN)
    return fields
