"""Reading results back: the tables of a kept file, and one cell of them by its row and column."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING

from benchmarks.measure import RESULTS

if TYPE_CHECKING:
    from collections.abc import Iterator

NUMBER = re.compile(r"-?(?:\d[\d,]*/)?\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?")


@dataclass(frozen=True)
class Table:
    """A table of a result, with the heading and the paragraph above it."""

    heading: str
    paragraph: str
    header: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...]

    def is_named(self, name: str) -> bool:
        """Whether its heading, paragraph or header begins so."""
        return any(each.startswith(name) for each in (self.heading, self.paragraph, self.header[0]))


@dataclass(frozen=True)
class Result:
    """A kept result: its name, the command that made it, and its tables in order."""

    name: str
    command: str
    tables: tuple[Table, ...]


@dataclass(frozen=True)
class Cell:
    """Where a figure stands: the result, the column, and how its line begins.

    Where several tables have such a line, `table` says how the heading, the paragraph above or the
    header of the one that is meant begins; the first of those counts.
    """

    result: str
    column: str
    row: tuple[str, ...]
    table: str = ""

    @property
    def text(self) -> str:
        """What stands there."""
        for table in read(self.result).tables:
            if table.is_named(self.table) and self.column in table.header:
                for line in table.lines:
                    if line[: len(self.row)] == self.row:
                        return line[table.header.index(self.column)]
        message = f"{self.result}.md has no {self.column!r} of {', '.join(self.row)}"
        raise LookupError(message)

    @property
    def value(self) -> Fraction:
        """The number that it begins with."""
        return number(self.text)


def cell(result: str, column: str, *row: str, table: str = "") -> Cell:
    """Return where a figure stands."""
    return Cell(result, column, row, table)


@cache
def read(name: str) -> Result:
    """Return a kept result."""
    text = (RESULTS / f"{name}.md").read_text(encoding="utf-8")
    command = re.search(r"^Made by `(.*?)`\.", text, re.MULTILINE)
    if command is None:
        message = f"{name}.md does not say which command made it"
        raise LookupError(message)
    return Result(name, command[1], tuple(tables(text)))


def names() -> list[str]:
    """Return the names of all kept results."""
    return sorted(path.stem for path in RESULTS.glob("*.md"))


def number(text: str) -> Fraction:
    """Return the number that a cell begins with, as in 1,804 or 1/303 or 0.2 ± 0.1."""
    found = NUMBER.match(text)
    if found is None:
        message = f"{text!r} begins with no number"
        raise ValueError(message)
    return Fraction(found[0].replace(",", ""))


def tables(text: str) -> Iterator[Table]:
    """Go through the tables of a page."""
    heading = paragraph = ""
    for block in re.split(r"\n{2,}", text):
        if block.startswith("|"):
            header, _, *lines = (_cells(line) for line in block.strip().splitlines())
            yield Table(heading, paragraph, header, tuple(lines))
        elif block.startswith("#"):
            heading = block.lstrip("# ")
        else:
            paragraph = block


def _cells(line: str) -> tuple[str, ...]:
    return tuple(
        cell.strip() for cell in line.strip().removeprefix("|").removesuffix("|").split("|")
    )
