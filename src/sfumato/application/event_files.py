"""Documents of events, from a file or a stream: one sentence for whatever is wrong with one."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sfumato.data.files import quoted
from sfumato.documents import read_text
from sfumato.errors import InputError, at
from sfumato.numeric import shown
from sfumato.privacy.events import from_json
from sfumato.translation import mark

if TYPE_CHECKING:
    from sfumato.privacy.events import Event

__all__ = ["read_events"]


def read_events(source: Any) -> tuple[Event, ...]:
    """Return the events of a JSON document, of which there is at least one.

    Parameters
    ----------
    source
        A path, or an open text file such as standard input.
    """
    name = _name(source)
    text = read_text(source, name, mend=mark("name a JSON file of events"))
    with at(name):
        events = from_json(text)
    if not events:
        raise InputError(
            "E-ARGUMENT-EMPTY", "{name} lists no events", "write at least one", name=name
        )
    return events


def _name(source: Any) -> str:
    if isinstance(source, (str, PathLike)):
        return quoted(Path(source))
    if not hasattr(source, "read"):
        raise InputError(
            "E-ARGUMENT-TYPE",
            "events are read from a path or an open text file, not from {source}",
            source=shown(source),
        )
    is_piped = getattr(source, "name", "") == "<stdin>"
    return mark("standard input") if is_piped else mark("the document")
