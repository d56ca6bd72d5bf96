"""A policy file as TOML: its tables and entries, before anything is made of them."""

from __future__ import annotations

import re
from contextlib import contextmanager
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sfumato.data.files import has_table_name, quoted
from sfumato.data.policy.render import refusal
from sfumato.documents import check_known, read_text, read_toml
from sfumato.errors import InputError, at
from sfumato.translation import mark

if TYPE_CHECKING:
    from collections.abc import Iterator

#: The first character whose code does not fit the short escape.
_LONG = 0x10000
_MOST_BYTES = 4_000_000
_NUMBER = re.compile(r"(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_BARE = re.compile(r"[A-Za-z0-9_-]+")


def toml_key(name: str) -> str:
    """Return the name of a column as a key, in quotes where it needs them."""
    return name if _BARE.fullmatch(name) else toml_text(name)


def toml_text(text: str) -> str:
    """Return text in quotes, on one line whatever is in it."""
    return f'"{"".join(map(_escaped, text))}"'


def toml_number(text: str) -> str:
    """Return a number as TOML has it; one that TOML cannot write becomes text."""
    return text if _NUMBER.fullmatch(text) else toml_text(text)


def _escaped(character: str) -> str:
    if character in '"\\':
        return f"\\{character}"
    if character.isprintable():
        return character
    code = ord(character)
    return f"\\u{code:04X}" if code < _LONG else f"\\U{code:08X}"


#: What may stand in each table of the file.
_ENTRIES = {
    "table": ("source", "table", "unit", "relation"),
    "limits": ("rows", "groups", "rows_per_group"),
    "columns": ("type", "bounds", "values", "keys_from", "complete"),
    "derived": ("bounds", "values", "keys_from"),
    "keysets": ("columns", "rows", "source"),
    "budget": ("epsilon", "delta", "rho"),
    "ledger": ("path", "book", "analyst"),
    "public": ("source", "table", "columns", "types"),
}
#: Entries that name a table, and tables of tables in which they stand.
_FILES = ("source", "keys_from")
_PARTS = ("columns", "derived", "keysets", "public")


@dataclass(frozen=True)
class PolicyFile:
    """The tables of a policy file.

    Attributes
    ----------
    name
        What errors call the file.
    folder
        Where it lies.
    tables
        What stands in it.
    """

    name: str
    folder: Path
    tables: dict[str, Any] = field(repr=False)

    def place(self, *names: str) -> str:
        """Return what errors call a table of the file."""
        return f"{self.name} [{'.'.join(toml_key(each) for each in names)}]"

    def names(self, table: str) -> list[str]:
        """Return the names of the tables in a table."""
        return list(_as_table(self.tables.get(table, {}), self.name, table))

    def entries(self, table: str, *names: str) -> dict[str, Any]:
        """Return the entries of a table that are not left blank."""
        found = _as_table(self.tables.get(table, {}), self.name, table)
        for depth, each in enumerate(names):
            found = _as_table(found[each], self.name, table, *names[: depth + 1])
        check_known(found, _ENTRIES[table], "entry", self.place(table, *names))
        return {name: value for name, value in found.items() if value != ""}

    @contextmanager
    def opened(self, table: str, *names: str) -> Iterator[dict[str, Any]]:
        """Give the block the entries of a table; what is wrong with them is said to be there."""
        entries = self.entries(table, *names)
        with at(self.place(table, *names), in_file=True):
            yield entries

    def files(self) -> list[Path]:
        """Return every table and list of keys that is named, except in a database."""
        parts = [(table, name) for table in _PARTS for name in self.names(table)]
        tables = [self.entries(*place) for place in (("table",), *parts)]
        named = [str(each[entry]) for each in tables for entry in _FILES if entry in each]
        return [self.folder / each for each in named if "://" not in each]


def read_policy_file(path: str | PathLike[str]) -> PolicyFile:
    """Return the tables of a policy file."""
    if not isinstance(path, (str, PathLike)):
        raise refusal(
            path,
            what=mark("the policy"),
            allowed=mark("the path of a TOML file"),
            write='"patients.toml"',
        )
    file = Path(path)
    name = quoted(file)
    if has_table_name(file):
        raise InputError(
            "E-POLICY-FILE",
            "{name} is a table, not a policy",
            "write sf.table({name}, unit=…) to open it",
            name=name,
        )
    content = read_text(file, name, most=_MOST_BYTES, mend=mark("check the path"))
    if len(content.encode()) > _MOST_BYTES:
        raise InputError(
            "E-TOO-LARGE",
            "{name} has more than {most_bytes:,} bytes",
            "put long lists in files of keys",
            name=name,
            most_bytes=_MOST_BYTES,
        )
    tables = read_toml(content, name)
    check_known(tables, _ENTRIES, "table", name)
    return PolicyFile(name, file.parent, tables)


def _as_table(value: Any, name: str, *names: str) -> dict[str, Any]:
    if isinstance(value, dict):
        return value
    key = ".".join(toml_key(each) for each in names)
    with at(name, in_file=True):
        raise refusal(value, what=key, allowed=mark("a table"), write=f"[{key}]")
