"""Answers on a narrow terminal: sentences are wrapped, and rows of tables stay whole."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sfumato.printing.layout import fitted, printable, wrapped

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["fitted_lines", "wrapped"]

#: A row of a table has so many columns at least; its first cell may be so many blanks, or more.
_COLUMNS, _ROW, _BLANK = re.compile(r" {2,}"), 3, 8


def fitted_lines(lines: Iterable[str], width: int) -> list[str]:
    """Return lines with the sentences wrapped that are too wide; a row of a table stays one."""
    return [
        part
        for line in lines
        for part in ([printable(line)] if _is_row(line) else fitted([line], width))
    ]


def _is_row(line: str) -> bool:
    cells = len(_COLUMNS.split(line.strip())) + line.startswith(" " * _BLANK)
    return cells >= _ROW
