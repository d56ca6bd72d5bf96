"""Documents of events, from a file or a stream: one sentence for whatever is wrong with one."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sfumato.data.files import quoted
from sfumato.errors import InputError
from sfumato.numeric import shown
from sfumato.privacy.events import from_json
from sfumato.privacy.events.parsing import MOST_CHARACTERS
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
    text = _text(source, name)
    try:
        events = from_json(text)
    except InputError as error:
        error.refusal = error.refusal.at(name)
        raise
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


def _text(source: Any, name: str) -> Any:
    """Return the text, or as much of it as shows that it is too long."""
    try:
        if hasattr(source, "read"):
            return source.read(MOST_CHARACTERS + 1)
        with Path(source).open(encoding="utf-8-sig") as file:
            return file.read(MOST_CHARACTERS + 1)
    except FileNotFoundError:
        failure = InputError(
            "E-FILE-MISSING",
            "there is no file {name}",
            "check the spelling and the folder",
            name=name,
        )
    except UnicodeDecodeError:
        failure = InputError(
            "E-FILE-ENCODING",
            "{name} is not text in UTF-8",
            "write what to_json returns",
            name=name,
        )
    except OSError as error:
        failure = InputError(
            "E-FILE-UNREADABLE",
            "{name} cannot be read ({reason})",
            "name a JSON file of events",
            name=name,
            reason=error.strerror,
        )
    except ValueError:
        failure = InputError(
            "E-FILE-NAME",
            "{name} cannot be the name of a file",
            "name a JSON file of events",
            name=name,
        )
    raise failure
