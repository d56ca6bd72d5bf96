"""Events as JSON documents whose meaning never changes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from sfumato.documents import (
    MOST_CHARACTERS,
    check_depth,
    check_fields,
    check_known,
    check_version,
    read_json,
)
from sfumato.errors import InputError, at
from sfumato.numeric import shown
from sfumato.privacy.events.base import Event, fold, kinds_within, own_fields
from sfumato.privacy.events.fields import as_number, stored
from sfumato.privacy.events.labelled import Approximate, Pure, Renyi, ZeroConcentrated
from sfumato.privacy.events.mechanisms import (
    DiscreteGaussian,
    DiscreteLaplace,
    Exponential,
    Gaussian,
    Laplace,
    PermuteAndFlip,
    RandomizedResponse,
    SparseVector,
)
from sfumato.privacy.events.pair import Pair, read_side, stored_side
from sfumato.privacy.events.structure import (
    Composed,
    EventGroup,
    FixedSizeSubsampled,
    Parallel,
    Repeated,
    Shuffled,
    Structure,
    Subsampled,
    checked,
)
from sfumato.translation import mark

if TYPE_CHECKING:
    from collections.abc import Sequence


#: The latest version; a document is of the first that can say what is in it.
_VERSION = 2
_FORM = '{"version": 1, "events": [...]}'

_KINDS: dict[str, type[Event]] = {
    kind.name: kind
    for kind in (
        *(Laplace, DiscreteLaplace, Gaussian, DiscreteGaussian),
        *(RandomizedResponse, Exponential, PermuteAndFlip, SparseVector),
        *(Pure, Approximate, ZeroConcentrated, Renyi, Pair),
        *(Subsampled, FixedSizeSubsampled, Shuffled),
        *(Composed, Repeated, Parallel),
    )
}
#: Kinds that later versions can say, and the first that can.
_SINCE: dict[type[Event], int] = {Pair: 2}


def to_json(*events: Event) -> str:
    """Return events as the text of a JSON document, numbers exactly.

    Parameters
    ----------
    events
        Any number of them, in order.

    Examples
    --------
    >>> from sfumato.privacy.events import Laplace, to_json
    >>> to_json(Laplace(scale=10))
    '{"version": 1, "events": [{"event": "laplace", "scale": "10", "sensitivity": "1"}]}'
    """
    entries = [fold(checked(each, "to_json"), _entry) for each in events]
    kinds = set().union(*map(kinds_within, events))
    version = max((_SINCE.get(kind, 1) for kind in kinds), default=1)
    document = {"version": version, "events": entries}
    check_depth(document)
    text = json.dumps(document)
    if len(text) > MOST_CHARACTERS:
        raise InputError(
            "E-TOO-LARGE",
            "the document would be longer than {most_characters:,} characters",
            "write several",
            most_characters=MOST_CHARACTERS,
        )
    return text


def from_json(text: str) -> tuple[Event, ...]:
    """Return the events of a JSON document, in order.

    Parameters
    ----------
    text
        What ``to_json`` wrote, or a person in the same form; a JSON number is read as the decimal
        that was written, and ``"count": 1000`` in any event repeats it.

    Examples
    --------
    >>> from sfumato.privacy.events import from_json
    >>> from_json('{"version": 1, "events": [{"event": "pure", "epsilon": 0.1, "count": 3}]}')
    (Repeated(Pure(epsilon=0.1), count=3),)
    """
    document = read_json(text)
    check_version(document, _VERSION, _FORM)
    check_fields(document, ("version", "events"), mark("the document"))
    if not isinstance(document["events"], list):
        raise InputError(
            "E-DOCUMENT-FORM",
            "events must be a list, not {document}",
            "write {form}",
            document=shown(document["events"]),
            form=_FORM,
        )
    found = _read_all(document["events"], "event ")
    for kind in set().union(*map(kinds_within, found)):
        if document["version"] < (since := _SINCE.get(kind, 1)):
            raise InputError(
                "E-FORMAT-VERSION",
                "a document of version {version} has no {kind}",
                'write "version": {since}',
                version=document["version"],
                kind=kind.name,
                since=since,
            )
    return found


def _entry(event: Event, inner: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return one event as a JSON object, given those of the events inside."""
    entry: dict[str, Any] = {"event": event.name}
    keep = stored_side if isinstance(event, Pair) else stored
    entry |= {name: keep(value) for name, value in event.parameters.items()}
    if isinstance(event, Structure):
        entry["of"] = list(inner) if isinstance(event, EventGroup) else inner[0]
    return entry


def _read_all(entries: list[Any], place: str) -> tuple[Event, ...]:
    return tuple(_read(each, f"{place}{number}") for number, each in enumerate(entries, 1))


def _read(entry: Any, place: str) -> Event:
    """Return one event, with the events inside it."""
    kind = _kind(entry, place)
    named = f"{place} ({kind.name})"
    own, of = own_fields(kind), ("of",) if issubclass(kind, Structure) else ()
    check_fields(entry, ("event", *own, *of), named, optional=("count",))
    inner = _read_inner(entry["of"], kind, place) if of else ()
    with at(named):
        read = read_side if kind is Pair else as_number
        event = kind(*inner, **{name: read(entry[name], name) for name in own})
        repeats = "count" in entry and "count" not in own
        return Repeated(event, count=entry["count"]) if repeats else event


def _read_inner(given: Any, kind: type[Event], place: str) -> tuple[Event, ...]:
    if not issubclass(kind, EventGroup):
        return _read_all([given], f"{place}.")
    if not isinstance(given, list):
        raise InputError(
            "E-DOCUMENT-FORM",
            "{place} ({kind}): of must be a list, not {given}",
            "write [...]",
            place=place,
            kind=kind.name,
            given=shown(given),
        )
    return _read_all(given, f"{place}.")


def _kind(entry: Any, place: str) -> type[Event]:
    if not isinstance(entry, dict) or not isinstance(entry.get("event"), str):
        raise InputError(
            "E-DOCUMENT-FORM",
            "{place} must be an object that says which event it is, not {entry}",
            'write {{"event": "pure", "epsilon": "1"}}, say',
            place=place,
            entry=shown(entry),
        )
    check_known([entry["event"]], _KINDS, "event", place)
    return _KINDS[entry["event"]]
