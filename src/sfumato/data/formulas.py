"""Cells of a CSV file that a spreadsheet would take for a formula, and how they are written.

A cell that begins with one of ``= + - @``, their wide forms, a tab or the end of a line is a
formula to spreadsheets, unless it is a number.  It gets an apostrophe in front, and so does one
that has such apostrophes already: two different cells are never written alike.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import ibis.expr.types as ir
    import pyarrow as pa

__all__ = ["as_it_was", "as_they_were", "harmless", "harmless_texts", "is_formula"]

# The minus stands last, where a class of characters has no range of it.
_SIGN = "[=+@\t\r\n＝＋－＠-]"
_NUMBER = r"[+-]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|inf|nan)"
_MARKED = rf"^'('*{_SIGN})"
_FORMULA = re.compile(rf"'*{_SIGN}")
_AS_NUMBER = re.compile(_NUMBER)


def is_formula(cell: str) -> bool:
    """Tell whether a spreadsheet would take a cell for a formula, or for one that was marked."""
    return bool(_FORMULA.match(cell)) and not _AS_NUMBER.fullmatch(cell)


def harmless(cell: str) -> str:
    """Return a cell that no spreadsheet takes for a formula; plain numbers stay as they are."""
    return f"'{cell}" if is_formula(cell) else cell


def as_it_was(cell: str) -> str:
    """Return the cell that was made harmless."""
    return re.sub(_MARKED, r"\1", cell)


def harmless_texts(cells: pa.Array | pa.ChunkedArray) -> pa.Array | pa.ChunkedArray:
    """Return a column of texts, each made harmless; a missing one stays so."""
    import pyarrow.compute as pc

    begins = pc.match_substring_regex(cells, f"^'*{_SIGN}")
    number = pc.match_substring_regex(cells, rf"^{_NUMBER}\z")
    marked = pc.binary_join_element_wise("'", cells, "")
    return pc.if_else(pc.and_not(begins, number), marked, cells)


def as_they_were(column: ir.StringValue) -> ir.StringValue:
    """Return a column of texts as they were before they were made harmless."""
    return column.re_replace(_MARKED, r"\1")
