"""A certificate's text, read strictly: one form, no field twice, none unknown, no NaN."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NoReturn

from sfumato.errors import InputError
from sfumato.privacy.certified import KIND, MOST_CHARACTERS, VERSION, certificate_pieces

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["loaded", "read_document"]

_MOST_DEPTH = 300
_MOST_DIGITS = 400
_WANTED = "give what --certificate or certificate.save wrote"
_TOO_DEEP = "the certificate is nested deeper than {most_depth} levels"


def read_document(text: Any) -> dict[str, Any]:
    """Return the document of a certificate's text; a text in any other form is refused."""
    if not isinstance(text, str) or len(text) > MOST_CHARACTERS:
        raise InputError(
            "E-TOO-LARGE",
            "a certificate is text of at most {most_characters:,} characters",
            _WANTED,
            most_characters=MOST_CHARACTERS,
        )
    document = loaded(text)
    if not isinstance(document, dict) or document.get("kind") != KIND:
        raise InputError(
            "E-CERTIFICATE-FORM",
            "the text is not a certificate of sfumato",
            _WANTED,
        )
    if document.get("version") != VERSION or type(document["version"]) is not int:
        raise InputError(
            "E-FORMAT-VERSION",
            "the certificate is of another version than {version}, which this program reads",
            "install a newer sfumato",
            version=VERSION,
        )
    if not _is_written_so(document, text):
        raise _otherwise(document, text)
    return document


def _otherwise(document: dict[str, Any], text: str) -> InputError:
    """Say that a text is not the one text of its document; in blanks alone is no sign of a lie."""
    if _is_written_so(document, _without_blanks(text), form=_without_blanks):
        return InputError(
            "E-CERTIFICATE-FORM",
            "the certificate is laid out otherwise than sfumato writes it: blanks or ends of lines "
            "were changed, as mail and editors do",
            "ask for the file itself, in an archive, say",
        )
    return InputError(
        "E-CERTIFICATE-FORM",
        "the certificate is not in the form in which sfumato writes it",
        _WANTED,
    )


def loaded(text: str) -> Any:
    """Return what a JSON text says, within bounds."""
    try:
        document = json.loads(
            text, object_pairs_hook=_once, parse_constant=_no_number, parse_int=_whole
        )
    except RecursionError:
        raise InputError("E-CERTIFICATE-FORM", _TOO_DEEP, most_depth=_MOST_DEPTH) from None
    except json.JSONDecodeError as error:
        raise InputError(
            "E-CERTIFICATE-FORM",
            "the certificate is not JSON ({error})",
            _WANTED,
            error=error,
        ) from None
    _check_depth(document)
    return document


def _without_blanks(text: str) -> str:
    return "".join(text.split())


def _is_written_so(
    document: dict[str, Any], text: str, *, form: Callable[[str], str] = str
) -> bool:
    """Tell whether a text is the one text of a document, up to the first place where it is not.

    Nested lists would be far longer in that text than they are in a hostile one.
    """
    place = 0
    try:
        for piece in map(form, certificate_pieces(document)):
            if not text.startswith(piece, place):
                return False
            place += len(piece)
    except ValueError:  # a number that is too great for a float
        return False
    return place == len(text)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise InputError(
                "E-CERTIFICATE-FORM",
                "the field {name!r:.60} stands twice in the certificate",
                name=name,
            )
        found[name] = value
    return found


def _no_number(constant: str) -> NoReturn:
    raise InputError(
        "E-CERTIFICATE-FORM",
        "a number in the certificate is {constant}, which is none",
        constant=constant,
    )


def _whole(digits: str) -> int:
    if len(digits) > _MOST_DIGITS:
        raise InputError(
            "E-CERTIFICATE-FORM",
            "a number in the certificate has more than {most_digits} digits",
            most_digits=_MOST_DIGITS,
        )
    return int(digits)


def _check_depth(document: Any) -> None:
    level = [document]
    for _ in range(_MOST_DEPTH):
        if not level:
            return
        level = [inner for each in level for inner in _inside(each)]
    if level:
        raise InputError("E-CERTIFICATE-FORM", _TOO_DEEP, most_depth=_MOST_DEPTH)


def _inside(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []
