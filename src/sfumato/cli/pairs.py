"""Options that say something of a name, such as ``age=0:110``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING, Literal, NoReturn

from sfumato.cli.arguments import read_names, read_number
from sfumato.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["Form", "Pair", "each_once", "read_pair", "read_pairs"]

_MOST_OF_A_NAME = 60
_MOST_DIGITS = 19


@dataclass(frozen=True)
class Form:
    """How an option is written.

    Parameters
    ----------
    option, example
        The option, and what follows it.
    of
        What it begins with: the name of a column, one of few words, or the name of a file's table.
    """

    option: str
    example: str
    of: Literal["column", "word", "file"] = "column"

    def refuse(self, text: str) -> NoReturn:
        """Refuse a text that is not written so, with what comes closest to it."""
        raise InputError(
            "E-OPTION-VALUE",
            "{option} takes {suited}, say",
            "{text!r} is not of this form",
            option=self.option,
            suited=self.suited(text),
            text=text[:60],
        )

    def suited(self, text: str) -> str:
        """Return the example, with what a text names in place of its own name."""
        own = text.partition("=")[0].strip()
        name, _, rest = self.example.partition("=")
        if text == own and "," in own and len(own) <= _MOST_OF_A_NAME:
            return f"{name}={own}"
        suffix = PurePath(rest).suffix
        if self.of == "word" or not own or len(own) > _MOST_OF_A_NAME:
            return self.example
        if self.of == "file":
            file = own if PurePath(own).suffix else f"{own}{suffix}"
            return f"{PurePath(file).stem}={file}"
        if suffix and PurePath(own).suffix == suffix:
            return f"{name}={own}"
        return f"{own}={rest}" if own[0].isalpha() or own[0] == "_" else self.example


@dataclass(frozen=True)
class Pair:
    """A name and what is said of it."""

    form: Form
    name: str
    value: str

    def ends(self) -> tuple[str, str] | str:
        """Return both bounds; a time of the day has colons of its own, as many on either side."""
        if self.value == "auto":
            return self.value
        parts = self.value.split(":")
        middle, odd = divmod(len(parts), 2)
        if odd or not all(parts):
            self.form.refuse(f"{self.name}={self.value}")
        return ":".join(parts[:middle]), ":".join(parts[middle:])

    def limit(self) -> int | str:
        """Return a whole number where one is written; the policy has a say on the rest."""
        from sfumato.application.numerals import whole

        number = whole(self.value) if len(self.value) <= _MOST_DIGITS else None
        return self.value if number is None else number

    def number(self) -> float:
        """Return a number, or refuse what is none."""
        return read_number(self.value, self.form.option, self.form.example, {})


def read_pairs(given: Iterable[str], form: Form) -> list[Pair]:
    """Return names and values, from comma lists; a name may hold an equals sign."""
    found = [read_pair(text, *text.rpartition("=")[::2], form) for text in read_names([*given])]
    return list(each_once(found))


def read_pair(text: str, name: str, value: str, form: Form) -> Pair:
    """Return a name and its value, or refuse a text that lacks one of them."""
    if not name.strip() or not value.strip():
        form.refuse(text)
    return Pair(form, name.strip(), value.strip())


def each_once(pairs: Iterable[Pair]) -> Iterator[Pair]:
    """Yield pairs, and refuse a name that comes twice."""
    seen = set()
    for pair in pairs:
        if pair.name in seen:
            raise InputError(
                "E-ARGUMENT-TWICE",
                "{option} names {pair!r} twice",
                "give each name once",
                option=pair.form.option,
                pair=pair.name[:60],
            )
        seen.add(pair.name)
        yield pair
