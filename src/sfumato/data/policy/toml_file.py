"""A policy file as TOML: its tables and entries, before anything is made of them."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field
from decimal import Decimal
from os import PathLike
from pathlib import Path
from typing import Any

from sfumato.data.files import has_table_name, quoted
from sfumato.data.policy.toml import toml_key
from sfumato.data.policy.wording import at, refusal
from sfumato.errors import InputError, UnknownNameError
from sfumato.refusal import text
from sfumato.translation import mark

__all__ = ["PolicyFile", "read_toml"]

_MOST_BYTES = 4_000_000

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
_WHERE = re.compile(r" \(at ([^()]*)\)$")


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
        known = _ENTRIES[table]
        for name in found:
            if name not in known:
                where = self.place(table, *names)
                raise UnknownNameError(kind="entry", name=name[:60], known=known, where=where)
        return {name: value for name, value in found.items() if value != ""}

    def files(self) -> list[Path]:
        """Return every table and list of keys that is named, except in a database."""
        parts = [(table, name) for table in _PARTS for name in self.names(table)]
        tables = [self.entries(*place) for place in (("table",), *parts)]
        named = [str(each[entry]) for each in tables for entry in _FILES if entry in each]
        return [self.folder / each for each in named if "://" not in each]


def read_toml(path: str | PathLike[str]) -> PolicyFile:
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
    tables = _parsed(_text(file, name), name)
    for each in tables:
        if each not in _ENTRIES:
            raise UnknownNameError(kind="table", name=each[:60], known=_ENTRIES, where=name)
    return PolicyFile(name, file.parent, tables)


def _text(file: Path, name: str) -> str:
    content = _content(file, name)
    if len(content) > _MOST_BYTES:
        raise InputError(
            "E-TOO-LARGE",
            "{name} has more than {most_bytes:,} bytes",
            "put long lists in files of keys",
            name=name,
            most_bytes=_MOST_BYTES,
        )
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(
            "E-FILE-ENCODING", "{name} is not text in UTF-8", "save it again as UTF-8", name=name
        ) from None


def _content(file: Path, name: str) -> bytes:
    try:
        with file.open("rb") as opened:
            return opened.read(_MOST_BYTES + 1)
    except FileNotFoundError:
        failure = InputError(
            "E-FILE-MISSING",
            "there is no file {name}",
            "check the spelling and the folder",
            name=name,
        )
    except IsADirectoryError:
        failure = InputError(
            "E-FILE-IS-FOLDER", "{name} is a folder", "name the policy file in it", name=name
        )
    except OSError as error:
        failure = InputError(
            "E-FILE-UNREADABLE",
            "{name} cannot be read ({reason})",
            "check the path",
            name=name,
            reason=error.strerror,
        )
    except ValueError:
        failure = InputError(
            "E-FILE-NAME", "{name} cannot be the name of a file", "check the path", name=name
        )
    raise failure


def _parsed(content: str, name: str) -> dict[str, Any]:
    try:
        return tomllib.loads(content, parse_float=Decimal)
    except tomllib.TOMLDecodeError as error:
        where = _WHERE.search(str(error))
        failure = InputError(
            "E-FILE-FORM",
            "{name} is not TOML{place}: {sub}",
            "correct it there",
            name=name,
            place=text(" at {where}", where=where[1]) if where else "",
            sub=_WHERE.sub("", str(error))[:100],
        )
    except (ValueError, ArithmeticError):
        failure = InputError(
            "E-NUMBER-FORM", "{name} has a number of too many digits", "write fewer", name=name
        )
    except RecursionError:
        failure = InputError(
            "E-FILE-FORM",
            "{name} has lists within lists, too deep to read",
            "write fewer",
            name=name,
        )
    raise failure


def _as_table(value: Any, name: str, *names: str) -> dict[str, Any]:
    if isinstance(value, dict):
        return value
    key = ".".join(toml_key(each) for each in names)
    with at(name, in_file=True):
        raise refusal(value, what=key, allowed=mark("a table"), write=f"[{key}]")
