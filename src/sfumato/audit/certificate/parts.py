"""Parts of a document, each with its place in it, for sentences about what is wrong."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NoReturn

from sfumato.errors import InputError
from sfumato.privacy.events import from_json, to_json
from sfumato.privacy.events.wording import plain
from sfumato.translation import mark

if TYPE_CHECKING:
    from sfumato.privacy.events import Event

__all__ = ["Part", "refute"]

_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?(e[+-]?[0-9]{1,3})?(/[0-9]+)?")
_LONGEST = 1000


def refute(sentence: str, /, **given: Any) -> NoReturn:
    """Say what does not hold."""
    raise InputError("E-CERTIFICATE-REFUTED", sentence, **given)


@dataclass(frozen=True)
class Part:
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

    def record(self, *fields: str, optional: tuple[str, ...] = ()) -> Part:
        """Return the part if it is an object with these fields, and no others."""
        given = set(self._of(dict, mark("an object")))
        for wrong in sorted(given - {*fields, *optional}):
            refute(
                "{name} has a field {wrong!r:.60} that is not known", name=self.name, wrong=wrong
            )
        for missing in sorted({*fields} - given):
            refute("{name} has no field {missing!r}", name=self.name, missing=missing)
        return self

    def __getitem__(self, field: str) -> Part:
        if field not in self._of(dict, mark("an object")):
            refute("{name} has no field {field!r:.60}", name=self.name, field=field)
        return Part(self.value[field], f"{self.name}.{field}"[:120])

    def get(self, field: str) -> Part | None:
        """Return a part of an object; None where it is not there, or null."""
        found = self._of(dict, mark("an object")).get(field)
        return None if found is None else self[field]

    def items(self) -> list[tuple[str, Part]]:
        """Return the fields of an object with what stands in them."""
        return [(field, self[field]) for field in self._of(dict, mark("an object"))]

    def list(self) -> list[Part]:
        """Return the parts of a list."""
        given = self._of(list, mark("a list"))
        return [Part(each, f"{self.name}[{place}]"[:120]) for place, each in enumerate(given)]

    def text(self, *words: str) -> str:
        """Return a text; one of these words, where there are any."""
        found: str = self._of(str, mark("text"))
        if words and found not in words:
            refute(
                "{name} is {found!r:.60}, and not one of {words}",
                name=self.name,
                found=found,
                words=", ".join(words),
            )
        return found

    def whole(self, least: int = 0) -> int:
        """Return a whole number, not below another."""
        if type(self.value) is not int or self.value < least:
            refute("{name} is not a whole number of {least} or more", name=self.name, least=least)
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
                refute("{name} is no number", name=self.name)
            if plain(found) == text:
                return found
        refute("{name} is not a number as sfumato writes it", name=self.name)

    def event(self) -> Event:
        """Return an event that is written in the one way to write it."""
        (found,) = from_json(json.dumps({"version": 1, "events": [self.value]}))
        if json.loads(to_json(found))["events"] != [self.value]:
            refute("{name} is not an event as sfumato writes it", name=self.name)
        return found

    def expression(self) -> str:
        """Return an expression as the one text that tells it from others."""
        return json.dumps(self.value, sort_keys=True)

    def _of(self, kind: type, what: str) -> Any:
        if type(self.value) is not kind:
            refute("{name} is not {what}", name=self.name, what=what)
        return self.value
