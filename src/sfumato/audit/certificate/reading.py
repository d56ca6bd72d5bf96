"""A certificate's text, read strictly: one form, no field twice, none unknown, no NaN."""

from __future__ import annotations

import json
from typing import Any, NoReturn

from sfumato.errors import InputError
from sfumato.privacy.certified import KIND, VERSION, certificate_text

__all__ = ["MOST_CHARACTERS", "loaded", "read_document"]

#: The longest text that is read as a certificate.
MOST_CHARACTERS = 20_000_000

_MOST_DEPTH = 300
_MOST_DIGITS = 400
_WANTED = "give what --certificate or certificate.save wrote"
_TOO_DEEP = f"the certificate is nested deeper than {_MOST_DEPTH} levels"


def read_document(text: Any) -> dict[str, Any]:
    """Return the document of a certificate's text; a text in any other form is refused.

    Examples
    --------
    >>> from sfumato.audit.certificate.reading import read_document
    >>> read_document("[]")
    Traceback (most recent call last):
        ...
    sfumato.errors.InputError: the text is not a certificate of sfumato; give what --certificate \
or certificate.save wrote
    """
    if not isinstance(text, str) or len(text) > MOST_CHARACTERS:
        message = f"a certificate is text of at most {MOST_CHARACTERS:,} characters; {_WANTED}"
        raise InputError(message)
    document = loaded(text)
    if not isinstance(document, dict) or document.get("kind") != KIND:
        message = f"the text is not a certificate of sfumato; {_WANTED}"
        raise InputError(message)
    if document.get("version") != VERSION or type(document["version"]) is not int:
        message = (
            f"the certificate is of another version than {VERSION}, which this program reads; "
            "install a newer sfumato"
        )
        raise InputError(message)
    if _rewritten(document) != text:
        message = f"the certificate is not in the form in which sfumato writes it; {_WANTED}"
        raise InputError(message)
    return document


def loaded(text: str) -> Any:
    """Return what a JSON text says, within bounds.

    Examples
    --------
    >>> from sfumato.audit.certificate.reading import loaded
    >>> loaded('{"n": 1, "n": 2}')
    Traceback (most recent call last):
        ...
    sfumato.errors.InputError: the field 'n' stands twice in the certificate
    """
    try:
        document = json.loads(
            text, object_pairs_hook=_once, parse_constant=_no_number, parse_int=_whole
        )
    except RecursionError:
        raise InputError(_TOO_DEEP) from None
    except json.JSONDecodeError as error:
        message = f"the certificate is not JSON ({error}); {_WANTED}"
        raise InputError(message) from None
    _check_depth(document)
    return document


def _rewritten(document: dict[str, Any]) -> str | None:
    """Return the one text of a document; None if a number in it is too great for a float."""
    try:
        return certificate_text(document)
    except ValueError:
        return None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        message = f"the field {twice!r:.60} stands twice in the certificate"
        raise InputError(message)
    return found


def _no_number(constant: str) -> NoReturn:
    message = f"a number in the certificate is {constant}, which is none"
    raise InputError(message)


def _whole(digits: str) -> int:
    if len(digits) > _MOST_DIGITS:
        message = f"a number in the certificate has more than {_MOST_DIGITS} digits"
        raise InputError(message)
    return int(digits)


def _check_depth(document: Any) -> None:
    level = [document]
    for _ in range(_MOST_DEPTH):
        if not level:
            return
        level = [inner for each in level for inner in _inside(each)]
    if level:
        raise InputError(_TOO_DEEP)


def _inside(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []
