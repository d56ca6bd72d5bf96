"""How cells stand in a line of CSV: between delimiters, some of them in quotes."""

from __future__ import annotations

import re

__all__ = ["LONGEST", "cells_of", "of_cells", "of_plain_lines", "of_whole_cells", "quoted_part"]

#: The most bytes of a line; a line break in quotes does not end one.
LONGEST = 2_000_000

# A quote opens only where a cell begins, perhaps after a space, and one in quotes is written twice.
_INSIDE = r'(?:[^"]++|"")*+'
_QUOTED = rf' ?"{_INSIDE}(?:"|\Z)'
_UNQUOTED = r'(?! ?")'


def quoted_part(delimiters: str) -> str:
    """Return the pattern of what is in quotes, with these; where they never close, all of it."""
    return rf"(?<![^{delimiters}]){_QUOTED}"


def of_cells(delimiters: str) -> str:
    """Return the pattern of a line, whatever is in its cells."""
    return _row(rf"(?:{_QUOTED})?+[^{delimiters}\r\n]*+", delimiters)


def of_whole_cells(delimiters: str) -> str:
    """Return the pattern of a line in which what opens with a quote ends with one."""
    return _row(rf'(?: ?"{_INSIDE}" *+|{_UNQUOTED}[^{delimiters}\r\n]*+)', delimiters)


def of_plain_lines(delimiter: str, newline: str, cells: int) -> str:
    """Return the pattern of lines of so many cells without quotes; not all such lines match."""
    first, further = (
        f'[^"{delimiter}\\r\\n]{times}+' for times in ("*" if cells > 1 else "+", "*")
    )
    return rf"(?:{first}(?:[{delimiter}]{further}){{{cells - 1}}}{newline})*+"


def cells_of(line: str, delimiter: str) -> list[str]:
    """Return the cells of a line in which all are whole."""
    cell = rf'(?: ?"(?P<quoted>{_INSIDE})"|{_UNQUOTED}(?P<plain>[^{delimiter}]*+))'
    return [
        found["plain"] if found["quoted"] is None else found["quoted"].replace('""', '"')
        for found in re.finditer(rf"(?:\A|[{delimiter}]){cell}", line)
    ]


def _row(cell: str, delimiters: str) -> str:
    return rf"{cell}(?:[{delimiters}]{cell})*+"
