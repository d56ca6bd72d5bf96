"""JSON text to plain values, within bounds: one sentence for whatever is wrong with the text."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any, NoReturn

from sfumato.errors import InputError
from sfumato.numeric import shown
from sfumato.translation import mark

__all__ = ["MOST_CHARACTERS", "Object", "check_depth", "parsed"]

#: The longest text that is read or written.
MOST_CHARACTERS = 10_000_000

_MOST_DEPTH = 100
_MOST_DIGITS = 1000
_TOO_DEEP = (
    f"the document is nested deeper than {_MOST_DEPTH} levels",
    mark("list events side by side"),
)


class Object(dict[str, Any]):
    """A JSON object that remembers a field which stood twice."""

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        names = [name for name, _ in pairs]
        repeated = len(self) < len(names)
        self.twice = Counter(names).most_common(1)[0][0] if repeated else None


def parsed(text: Any, *, writer: str = "to_json") -> Any:
    """Return what a JSON text says: numbers with a point stay the text they were written as.

    Parameters
    ----------
    text
        What a document says.
    writer
        What writes such documents, for the sentence about one that is no JSON.
    """
    if not isinstance(text, str):
        raise InputError(
            "E-ARGUMENT-TYPE",
            "a document must be text, not {text}",
            "write from_json(path.read_text())",
            text=shown(text),
        )
    if len(text) > MOST_CHARACTERS:
        raise InputError(
            "E-TOO-LARGE",
            "the document is longer than {most_characters:,} characters",
            "write several",
            most_characters=MOST_CHARACTERS,
        )
    document = _loaded(text, writer)
    check_depth(document)
    return document


def check_depth(document: Any) -> None:
    """Refuse a document whose brackets are nested too deep."""
    level = [document]
    for _ in range(_MOST_DEPTH):
        if not level:
            return
        level = [inner for each in level for inner in _inside(each)]
    if any(isinstance(each, (dict, list)) for each in level):
        raise InputError("E-DOCUMENT-FORM", *_TOO_DEEP)


def _inside(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []


def _loaded(text: str, writer: str) -> Any:
    try:
        return json.loads(
            text,
            parse_float=str,
            parse_int=_whole,
            parse_constant=_no_number,
            object_pairs_hook=Object,
        )
    except RecursionError:
        raise InputError("E-DOCUMENT-FORM", *_TOO_DEEP) from None
    except json.JSONDecodeError as error:
        raise InputError(
            "E-DOCUMENT-FORM",
            "the document is not JSON ({error})",
            "write what {writer} returns",
            error=error,
            writer=writer,
        ) from None


def _whole(digits: str) -> int:
    if len(digits) > _MOST_DIGITS:
        raise InputError(
            "E-NUMBER-FORM",
            "a number has more than {most_digits:,} digits",
            "write a shorter one",
            most_digits=_MOST_DIGITS,
        )
    return int(digits)


def _no_number(constant: str) -> NoReturn:
    raise InputError(
        "E-NUMBER-NOT-FINITE",
        "a number must be finite, not {constant}",
        "write the number itself",
        constant=constant,
    )
