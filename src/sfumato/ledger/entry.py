"""Entries of a book: what was written, in one canonical text, chained by hashes."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from hashlib import sha256
from types import NoneType
from typing import TYPE_CHECKING, Any, NoReturn

from sfumato.errors import InputError
from sfumato.privacy import events
from sfumato.refusal import Given, text
from sfumato.translation import mark

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.privacy.events import Event

#: What stands for the hash of the entry before the first one.
BEFORE_THE_FIRST = "0" * 64
#: The form of the entries that this program writes, and the newest that it reads.
VERSION = 1

_SALT = b"sfumato ledger entry\n"
_NOT_AS_WRITTEN = mark("the entry is not in the form in which sfumato writes it")
#: What to do about a ledger that does not hold what was written.
SEE_VERIFY = mark("see what sfumato ledger verify says")
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
_CHARGE = {
    "analyst": str,
    "event": dict,
    "purpose": str,
    "receipt": str,
    "request": (str, NoneType),
}
_SETTLING = {"charge": str, "receipt": str, "settles": int}
FIELDS: Mapping[str, Mapping[str, Any]] = {
    "opening": PLACE | {"rules": list, "signer": str},
    "charge": PLACE | _CHARGE,
    "spending": PLACE | _CHARGE | {"signer": str},
    "release": PLACE | _SETTLING | {"digest": str, "signer": str, "size": int},
    "closing": PLACE | _SETTLING | {"reason": str},
}
_TYPES = {name: wanted for fields in FIELDS.values() for name, wanted in fields.items()}


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
    >>> from sfumato.ledger import Entry
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
        >>> from sfumato.ledger import Entry
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
        >>> from sfumato.ledger import Entry
        >>> Entry('{"kind":"closing","settles":2}').body["settles"]
        2
        """
        return read_fields(self.text)

    @property
    def hash(self) -> str:
        """The SHA-256 of the text, which the next entry carries.

        Examples
        --------
        >>> from sfumato.ledger import Entry
        >>> Entry('{"kind":"closing"}').hash[:8]
        'cb1b7e7f'
        """
        return sha256(_SALT + self.text.encode()).hexdigest()

    @property
    def event(self) -> Event | None:
        """What was done, in a charge; None in an entry of another kind.

        Examples
        --------
        >>> from sfumato.ledger import Entry
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
        >>> from sfumato.ledger import Entry
        >>> Entry('{"dataset":"patients"}').dataset
        'patients'
        """
        return str(self._fields["dataset"])

    @property
    def ledger(self) -> str:
        """The ledger that the book is in, by its id.

        Examples
        --------
        >>> from sfumato.ledger import Entry
        >>> Entry('{"ledger":"4f6c"}').ledger
        '4f6c'
        """
        return str(self._fields["ledger"])

    @property
    def kind(self) -> str:
        """Whether it is an opening, a charge, a spending, a release or a closing.

        Examples
        --------
        >>> from sfumato.ledger import Entry
        >>> Entry('{"kind":"closing"}').kind
        'closing'
        """
        return str(self._fields["kind"])

    @property
    def sequence(self) -> int:
        """The place in the book, from 1.

        Examples
        --------
        >>> from sfumato.ledger import Entry
        >>> Entry('{"sequence":3}').sequence
        3
        """
        return int(self._fields["sequence"])

    @property
    def previous(self) -> str:
        """The hash of the entry before.

        Examples
        --------
        >>> from sfumato.ledger import Entry
        >>> Entry('{"previous":"00"}').previous
        '00'
        """
        return str(self._fields["previous"])

    @property
    def when(self) -> str:
        """The moment, in UTC.

        Examples
        --------
        >>> from sfumato.ledger import Entry
        >>> Entry('{"when":"2026-11-15T09:00:00.000000Z"}').when
        '2026-11-15T09:00:00.000000Z'
        """
        return str(self._fields["when"])

    def check(self) -> None:
        """Refuse a text that is no entry, or of a form that this program does not know.

        Examples
        --------
        >>> from sfumato.ledger import Entry
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


class Fields(dict[str, Any]):
    """The fields of one entry; one that is missing or odd says that the ledger is damaged."""

    def __getitem__(self, name: str) -> Any:
        said, wanted = self.get(name, ...), _TYPES.get(name, object)
        if type(said) is not wanted and not is_of_type(said, wanted):
            raise self.damage(
                text("its field {name!r} is missing, or not as sfumato writes it", name=name)
            )
        return said

    def damage(self, what: Given) -> InputError:
        """Return the error about an entry with something wrong, and what to do."""
        sequence, dataset = self.get("sequence"), self.get("dataset")
        is_placed = is_of_type(sequence, int) and isinstance(dataset, str)
        which: Given = mark("an entry")
        if is_placed:
            which = text("entry {sequence} of {dataset!r:.80}", sequence=sequence, dataset=dataset)
        return InputError(
            "E-LEDGER-DAMAGED",
            "{which} is damaged: {what}",
            "{see_verify}",
            which=which,
            what=what,
            see_verify=SEE_VERIFY,
        )


def is_of_type(said: Any, wanted: Any) -> bool:
    """Tell whether the value of a field is of a type; true and false are no numbers."""
    return said is not ... and isinstance(said, wanted) and not isinstance(said, bool)


def read_fields(text: Any) -> Fields:
    """Return the fields that the text of an entry says; refuse one that says none."""
    fields = parsed(text)
    if fields is None:
        raise Fields().damage(mark("it is not a JSON object"))
    return fields


def parsed(text: Any) -> Fields | None:
    """Return the fields that a text says; None if it is not a JSON object."""
    if not isinstance(text, str):
        raise InputError(
            "E-ARGUMENT-TYPE",
            "an entry is text, not {kind}",
            "give what a ledger wrote",
            kind=type(text).__name__,
        )
    try:
        body = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return Fields(body) if isinstance(body, dict) else None


def now() -> datetime:
    """Return this moment."""
    return datetime.now(UTC)


def written_moment(moment: datetime) -> str:
    """Return a moment as a text whose order is that of time."""
    return f"{moment.astimezone(UTC).replace(tzinfo=None).isoformat(timespec='microseconds')}Z"


def checked_moment(moment: Any) -> datetime:
    """Return what a clock said, if it is a moment that means the same everywhere."""
    if not isinstance(moment, datetime) or moment.tzinfo is None:
        raise InputError(
            "E-MOMENT-FORM",
            "clock must say the time with its time zone",
            "write lambda: datetime.now(UTC)",
        )
    return moment


def is_written(text: str) -> bool:
    """Tell whether a text says a moment in the one form in which they are written."""
    try:
        return written_moment(read_moment(text)) == text
    except (ValueError, OverflowError):
        return False


def read_moment(text: str) -> datetime:
    """Return the moment that the text of an entry says; refuse one without a time zone."""
    with suppress(ValueError, TypeError):
        moment = datetime.fromisoformat(text)
        if moment.tzinfo is not None:
            return moment
    raise InputError(
        "E-LEDGER-DAMAGED",
        "the moment {text!r:.40} is not as sfumato writes it",
        "{see_verify}",
        text=text,
        see_verify=SEE_VERIFY,
    )
