"""A certificate's text, read strictly, its parts with their places in it, and what was released."""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NoReturn, Protocol

from sfumato.errors import InputError
from sfumato.privacy import KIND, MOST_CHARACTERS, VERSION, certificate_pieces
from sfumato.privacy.events import Event, from_json, plain, to_json
from sfumato.translation import mark

if TYPE_CHECKING:
    from collections.abc import Callable


_MOST_DEPTH = 300
_MOST_DIGITS = 400
_WANTED = "give what --certificate or certificate.save wrote"
_TOO_DEEP = "the certificate is nested deeper than {most_depth} levels"
_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?(e[+-]?[0-9]{1,3})?(/[0-9]+)?")
_LONGEST = 1000
_FIELDS = ("version", "keys", "sums", "limits", "bounds", "sampled", "cells", "seeded")
_LONGEST_NUMBER = 4000
#: Without an exponent, which could stand for more digits than there is memory.
_FRACTION = re.compile(r"-?[0-9]+(/[1-9][0-9]*)?")


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
        raise InputError("E-CERTIFICATE-FORM", "the text is not a certificate of sfumato", _WANTED)
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
            "E-CERTIFICATE-FORM", "the certificate is not JSON ({error})", _WANTED, error=error
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


class Named(Protocol):
    """What a sentence is about."""

    @property
    def name(self) -> str:
        """What it is called in sentences."""


def refute(sentence: str, /, about: Named | None = None, **given: Any) -> NoReturn:
    """Say what does not hold; what it is about gives the sentence its name."""
    if about is not None:
        given["name"] = about.name
    raise InputError("E-CERTIFICATE-REFUTED", sentence, **given)


@dataclass(frozen=True)
class DocumentPart:
    """A value in a document, and where it stands.

    Parameters
    ----------
    value
        What JSON says.
    name
        Where it stands.
    """

    value: Any
    name: str

    def record(self, *fields: str, optional: tuple[str, ...] = ()) -> DocumentPart:
        """Return the part if it is an object with these fields, and no others."""
        given = set(self._of(dict, mark("an object")))
        for wrong in sorted(given - {*fields, *optional}):
            refute("{name} has a field {wrong!r:.60} that is not known", self, wrong=wrong)
        for missing in sorted({*fields} - given):
            refute("{name} has no field {missing!r}", self, missing=missing)
        return self

    def __getitem__(self, field: str) -> DocumentPart:
        if field not in self._of(dict, mark("an object")):
            refute("{name} has no field {field!r:.60}", self, field=field)
        return DocumentPart(self.value[field], f"{self.name}.{field}"[:120])

    def get(self, field: str) -> DocumentPart | None:
        """Return a part of an object; None where it is not there, or null."""
        found = self._of(dict, mark("an object")).get(field)
        return None if found is None else self[field]

    def items(self) -> list[tuple[str, DocumentPart]]:
        """Return the fields of an object with what stands in them."""
        return [(field, self[field]) for field in self._of(dict, mark("an object"))]

    def list(self) -> list[DocumentPart]:
        """Return the parts of a list."""
        given = self._of(list, mark("a list"))
        return [
            DocumentPart(each, f"{self.name}[{place}]"[:120]) for place, each in enumerate(given)
        ]

    def text(self, *words: str) -> str:
        """Return a text; one of these words, where there are any."""
        found: str = self._of(str, mark("text"))
        if words and found not in words:
            refute(
                "{name} is {found!r:.60}, and not one of {words}",
                self,
                found=found,
                words=", ".join(words),
            )
        return found

    def whole(self, least: int = 0) -> int:
        """Return a whole number, not below another."""
        if type(self.value) is not int or self.value < least:
            refute("{name} is not a whole number of {least} or more", self, least=least)
        return int(self.value)

    def flag(self) -> bool:
        """Return whether something is so."""
        return bool(self._of(bool, mark("true or false")))

    def fraction(self) -> Fraction:
        """Return a number that is written exactly, in the one way to write it."""
        text = self._of(str, mark("a number in quotes"))
        if len(text) <= _LONGEST and _NUMBER.fullmatch(text):
            try:
                found = Fraction(text)
            except (ValueError, ZeroDivisionError):
                refute("{name} is no number", self)
            if plain(found) == text:
                return found
        refute("{name} is not a number as sfumato writes it", self)

    def event(self) -> Event:
        """Return an event that is written in the one way to write it."""
        (found,) = from_json(json.dumps({"version": 1, "events": [self.value]}))
        if json.loads(to_json(found))["events"] != [self.value]:
            refute("{name} is not an event as sfumato writes it", self)
        return found

    def expression(self) -> str:
        """Return an expression as the one text that tells it from others."""
        return json.dumps(self.value, sort_keys=True)

    def _of(self, kind: type, what: str) -> Any:
        if type(self.value) is not kind:
            refute("{name} is not {what}", self, what=what)
        return self.value


@dataclass(frozen=True)
class StatedContent:
    """What was released, and nothing else.

    Parameters
    ----------
    keys
        The groups.
    sums
        What was measured, with noise, in fine steps: one column a measurement, one number a group.
    cells
        What was chosen or counted in cells, group by group.
    limits, bounds
        What was chosen and found privately, by name.
    sampled
        The answers of functions, by name.
    seeded
        Whether the noise came from a seed.
    """

    keys: tuple[tuple[Any, ...], ...]
    sums: tuple[tuple[int, ...], ...]
    cells: tuple[tuple[int, ...], ...]
    limits: dict[str, int]
    bounds: dict[str, tuple[Fraction, Fraction]]
    sampled: dict[str, float]
    seeded: bool


def read_content(text: str) -> StatedContent:
    """Return what was released; a text in any other form is refused."""
    document = loaded(text)
    part = DocumentPart(document, "content").record(*_FIELDS)
    if json.dumps(document, sort_keys=True, separators=(",", ":")) != text:
        refute("content is not in the form in which sfumato writes it")
    if part["version"].whole() != 1:
        refute("content is of another version than this program reads")
    return StatedContent(
        keys=tuple(tuple(map(plain_value, row.list())) for row in part["keys"].list()),
        sums=_columns(part["sums"]),
        cells=_columns(part["cells"]),
        limits={name: _limit(each) for name, each in part["limits"].items()},
        bounds={name: _bounds(each) for name, each in part["bounds"].items()},
        sampled={name: _number(each) for name, each in part["sampled"].items()},
        seeded=part["seeded"].flag(),
    )


def plain_value(part: DocumentPart) -> Any:
    """Return a value of an answer; a date with the word for it, so that it is no text."""
    if isinstance(part.value, dict):
        kind = "date" if "date" in part.value else "timestamp"
        return kind, part.record(kind)[kind].text()
    if isinstance(part.value, list):
        refute("{name} is no value", part)
    return part.value


def declared_value(value: Any, kind: Any) -> Any:
    """Return a value of a column of a type as an answer has it."""
    return (kind, value) if kind in ("date", "timestamp") else value


def _columns(part: DocumentPart) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(map(_whole_number, column.list())) for column in part.list())


def _whole_number(part: DocumentPart) -> int:
    text = part.text()
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(text) < _LONGEST_NUMBER):
        refute("{name} is not a whole number", part)
    if str(int(text)) != text:
        refute("{name} is not a whole number as sfumato writes it", part)
    return int(text)


def _limit(part: DocumentPart) -> int:
    most, left_out, at_most = _several(part, 3)
    if not 0 <= _number(left_out) <= _number(at_most) <= 1:
        refute("{name} leaves out what is no share", part)
    return most.whole(1)


def _bounds(part: DocumentPart) -> tuple[Fraction, Fraction]:
    low, high, left_out, at_most, seen = _several(part, 5)
    seen.flag()
    if not (0 <= _number(left_out) <= 1 and 0 <= _number(at_most) <= 1):
        refute("{name} leaves out what is no share", part)
    ends = _fraction(low), _fraction(high)
    if not ends[0] < ends[1]:
        refute("{name} is not two numbers, the lower one first", part)
    return ends


def _fraction(part: DocumentPart) -> Fraction:
    text = part.text()
    if len(text) > _LONGEST_NUMBER or not _FRACTION.fullmatch(text):
        refute("{name} is no number", part)
    found = Fraction(text)
    if str(found) != text:
        refute("{name} is not a number as sfumato writes it", part)
    return found


def _number(part: DocumentPart) -> float:
    if type(part.value) not in (int, float) or not math.isfinite(part.value):
        refute("{name} is no number", part)
    return float(part.value)


def _several(part: DocumentPart, count: int) -> list[DocumentPart]:
    found = part.list()
    if len(found) != count:
        refute(
            "{name} has {count} parts, and not {expected}", part, count=len(found), expected=count
        )
    return found
