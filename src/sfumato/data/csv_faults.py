"""The first line of a CSV file that breaks a rule, and which rule; what is in it is not told."""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from typing import TYPE_CHECKING, NamedTuple

from sfumato.data.csv_text import LONGEST, of_cells, of_plain_lines, of_whole_cells, quoted_part
from sfumato.data.files import quoted, unpacked
from sfumato.errors import InputError
from sfumato.refusal import text
from sfumato.translation import mark

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import BinaryIO

    from sfumato.data.csv_text import Header


_TOO_LONG = mark(
    "line {line} has more than {longest:,} bytes, the most that a line may have; shorten its "
    "cells, or leave their column out"
)
_OPEN = mark(
    "a quote in line {line} opens a cell and is not closed within {longest:,} bytes, the most "
    "that a line may have; write a quote in a cell twice, and put quotes around the cell"
)
_QUOTE = mark(
    "a quote in line {line} opens a cell and does not end it; write a quote in a cell twice, and "
    "put quotes around the cell"
)
_END = mark(
    "line {line} does not end as the header does; all lines should end alike, with "
    '"quotes" around a cell that contains a line break'
)
_SHORT = mark(
    "line {line} has fewer cells than the header, which has {cells}; each line should have as "
    "many, and nothing between two delimiters is an empty one"
)
_LONG = mark(
    "line {line} has more cells than the header, which has {cells}; each line should have as "
    'many, with "quotes" around a cell that contains the delimiter'
)

_PART = 2 * LONGEST
_BREAK = re.compile(rb"\r\n|\r|\n")


class _Line(NamedTuple):
    number: int
    text: bytes
    end: bytes


def count_rows(path: Path, header: Header) -> int:
    """Return how many rows a CSV file in UTF-8 has; refuse it by the first line that is wrong.

    It takes longer than an engine does, and so is for files that one cannot read.
    """
    rules = _Rules(header)
    rows = -1
    with unpacked(path) as file:
        for line in rules.lines(file):
            fault = rules.broken(line)
            if fault is not None:
                raise InputError(
                    "E-FILE-FORM",
                    "{path} cannot be read as CSV",
                    "{said}",
                    path=quoted(path),
                    said=text(fault, line=line.number, cells=len(header.names), longest=LONGEST),
                )
            rows += line.text != b""
    return rows + rules.plain


class _Rules:
    """What every line of a file has to keep to, by its header."""

    def __init__(self, header: Header) -> None:
        delimiter, newline = header.delimiter, header.newline
        self._delimiter = delimiter.encode()
        self._newline = newline.encode()
        self._cells = len(header.names)
        self._line = re.compile(of_cells(delimiter).encode())
        self._whole = re.compile(of_whole_cells(delimiter).encode())
        self._quoted = re.compile(quoted_part(delimiter).encode())
        self._plain = re.compile(of_plain_lines(delimiter, newline, self._cells).encode())
        #: How many lines were plainly right, and not yielded.
        self.plain = 0

    def lines(self, file: BinaryIO) -> Iterator[_Line]:
        """Yield the lines that need a closer look; one that is too long may be cut.

        A line break in quotes does not end a line.
        """
        number, place, part = 1, 0, file.read(_PART).removeprefix(BOM_UTF8)
        while place < len(part):
            place, passed = self._pass(part, place)
            number += passed
            end = _end(self._line, part, place)
            is_near = end + len(b"\r\n") >= len(part) and len(part) - place < _PART
            if is_near and (more := file.read(_PART)):
                place, part = 0, part[place:] + more
                continue
            stop = _end(_BREAK, part, end)
            yield _Line(number, part[place:end], part[end:stop])
            number += 1 + len(_BREAK.findall(part, place, end))
            place = stop

    def _pass(self, part: bytes, place: int) -> tuple[int, int]:
        """Return where lines end that are plainly right, and how many they are."""
        end = _end(self._plain, part, place)
        lines = part[place:end].split(self._newline)
        if max(map(len, lines)) > LONGEST:
            return place, 0
        passed = len(lines) - 1
        self.plain += passed
        return end, passed

    def broken(self, line: _Line) -> str | None:
        """Return the sentence of the rule that a line breaks, if it breaks one."""
        is_whole = self._whole.fullmatch(line.text) is not None
        if len(line.text) > LONGEST:
            return _TOO_LONG if is_whole else _OPEN
        if not is_whole:
            return _QUOTE
        if line.end not in (b"", self._newline):
            return _END
        return self._miscounted(line.text) if line.text else None

    def _miscounted(self, text: bytes) -> str | None:
        """Return what is wrong with the number of cells; empty ones at the end may be too many."""
        cells = self._quoted.sub(_without_delimiters, text).split(self._delimiter)
        if len(cells) < self._cells:
            return _SHORT
        return _LONG if any(cells[self._cells :]) else None


def _end(pattern: re.Pattern[bytes], part: bytes, place: int) -> int:
    found = pattern.match(part, place)
    return found.end() if found else place


def _without_delimiters(quoted_cell: re.Match[bytes]) -> bytes:
    return b"" if quoted_cell[0].strip() == b'""' else b"cell"
