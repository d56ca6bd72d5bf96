"""What may be charged: one event with numbers of a sane size, by somebody, for a reason."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError
from sfumato.ledger.entries import canonical, event_document
from sfumato.ledger.names import read_name
from sfumato.ledger.sizes import MOST_DIGITS, is_of_sane_size
from sfumato.privacy.events import check_relation
from sfumato.privacy.events.base import walk
from sfumato.privacy.filters.charges import charged
from sfumato.refusal import Argument
from sfumato.translation import mark

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sfumato.privacy import Relation
    from sfumato.privacy.events import Event

__all__ = ["Request", "read_content", "read_place_after", "read_request", "read_wait", "read_words"]

_MOST_WORDS = 10_000
_MOST_BYTES = 64 * 2**20
_MOST_WAIT = 86_400
#: What no store can write: halves of characters, and the end of a string in C.
_IMPROPER = re.compile("[\ud800-\udfff\0]")


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
    return Request(
        event=_read_event(event, relation),
        analyst=read_name(analyst, "analyst"),
        purpose=read_words(purpose, "purpose"),
        key=None if key is None else read_name(key, "key"),
    )


def read_content(content: Any) -> bytes:
    """Return what is released, as bytes that can be kept."""
    if not isinstance(content, bytes):
        raise InputError(
            "E-ARGUMENT-TYPE",
            "what is released must be bytes, not {kind}",
            "write json.dumps(answer).encode()",
            kind=type(content).__name__,
        )
    if len(content) > _MOST_BYTES:
        raise InputError(
            "E-TOO-LARGE",
            "what is released has {count:,} bytes, and a ledger keeps at most {most_bytes:,}",
            "release less at a time",
            count=len(content),
            most_bytes=_MOST_BYTES,
        )
    return content


def read_words(words: Any, name: str) -> str:
    """Return a text that says something, and is not endless."""
    if not isinstance(words, str) or not words.strip():
        given = mark("an empty text") if isinstance(words, str) else type(words).__name__
        raise InputError(
            "E-TEXT-FORM",
            "{name} must be words, not {given}",
            "write 'patients by sex', say",
            name=Argument(name),
            given=given,
        )
    if len(words) > _MOST_WORDS:
        raise InputError(
            "E-TOO-LARGE",
            "{name} must be text of at most {most_words:,} characters, not {count:,}",
            "write it shorter",
            name=Argument(name),
            most_words=_MOST_WORDS,
            count=len(words),
        )
    if improper := _IMPROPER.search(words):
        raise InputError(
            "E-TEXT-FORM",
            "{name} must be proper text, and its character {improper:,}, {letter!r}, is not",
            "leave it out",
            name=Argument(name),
            improper=improper.end(),
            letter=improper[0],
        )
    return words


def read_wait(wait: Any) -> float:
    """Return for how many seconds to wait: 0 or more, and not for ever."""
    if isinstance(wait, bool) or not isinstance(wait, (int, float)) or not 0 <= wait <= _MOST_WAIT:
        raise InputError(
            "E-ARGUMENT-RANGE",
            "wait must be a number of seconds from 0 to {most_wait:,}",
            "write wait=30, say",
            most_wait=_MOST_WAIT,
        )
    return float(wait)


def read_place_after(after: Any) -> int:
    """Return the place in a book after which to read: 0 or more."""
    if isinstance(after, bool) or not isinstance(after, int) or not 0 <= after < 2**63:
        raise InputError(
            "E-ARGUMENT-RANGE",
            "after must be the number of an entry, or 0 for all",
            "write after=10, say",
        )
    return after


def _read_event(given: Any, relation: Relation) -> Event:
    event = charged(given, relation, "spend")
    _check(event, relation)
    return event


@lru_cache(maxsize=1024)
def _check(event: Event, relation: Relation) -> None:
    """Refuse an event that cannot be charged; one that can is remembered."""
    check_relation(event, relation)
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
                else:
                    yield name, Fraction(getattr(found, "argument", found))
