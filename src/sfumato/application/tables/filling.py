"""Filling in the blanks of a policy's draft, line by line: its comments stay."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sfumato.data.policy.toml import toml_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["Entries", "filled", "toml_number"]

#: What to write in a table of the file, by the names of the table and of the entry.
Entries = dict[tuple[str, str], str]

_HEAD = re.compile(r"\[(?P<table>[^\]]+)\]")
_ENTRY = re.compile(r'(# )?(?P<name>\w+) = (?P<value>"(\\.|[^"\\])*"|[^\s#]+)\s*(?P<comment>.*)')
_NUMBER = re.compile(r"(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")


def filled(draft: str, entries: Mapping[tuple[str, str], str]) -> str:
    """Return a draft with some entries filled in: where they are blank, else below their table."""
    lines = list(_in_tables(draft))
    written = {place for place, _ in lines}
    new = {place: each for place, each in entries.items() if place not in written}
    found = []
    for (table, name), line in lines:
        value = entries.get((table, name))
        found.append(line if value is None else _with_value(line, value))
        if _HEAD.match(line):
            found += [f"{each} = {value}" for (where, each), value in new.items() if where == table]
    return "\n".join(found) + "\n"


def toml_number(text: str) -> str:
    """Return a number as TOML has it; one that TOML cannot write becomes text."""
    return text if _NUMBER.fullmatch(text) else toml_text(text)


def _in_tables(draft: str) -> Iterator[tuple[tuple[str, str], str]]:
    """Yield each line with the table that it is in, and the name of the entry if it is one."""
    table = ""
    for line in draft.splitlines():
        head, entry = _HEAD.match(line), _ENTRY.fullmatch(line)
        table = head["table"] if head else table
        yield (table, entry["name"] if entry else ""), line


def _with_value(line: str, value: str) -> str:
    """Return an entry with another value; the comment behind it stays where it was."""
    entry = _ENTRY.fullmatch(line)
    if entry is None:
        return line
    said = f"{entry['name']} = {value} ".ljust(entry.start("comment"))
    return f"{said}{entry['comment']}".rstrip()
