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
    """Tell whether a spreadsheet would take a cell for a formula, or for one that was marked.

    Examples
    --------
    >>> from sfumato.data.formulas import is_formula
    >>> [is_formula(cell) for cell in ("=1+1", "-2.5", "'=1+1", "ada")]
    [True, False, True, False]
    """
    return bool(_FORMULA.match(cell)) and not _AS_NUMBER.fullmatch(cell)


def harmless(cell: str) -> str:
    """Return a cell that no spreadsheet takes for a formula; plain numbers stay as they are.

    Examples
    --------
    >>> from sfumato.data.formulas import harmless
    >>> [harmless(cell) for cell in ("=1+1", "-2.5", "'=1+1", "ada")]
    ["'=1+1", '-2.5', "''=1+1", 'ada']
    """
    return f"'{cell}" if is_formula(cell) else cell


def as_it_was(cell: str) -> str:
    """Return the cell that was made harmless.

    Examples
    --------
    >>> from sfumato.data.formulas import as_it_was, harmless
    >>> [as_it_was(harmless(cell)) for cell in ("=1+1", "-2.5", "'=1+1", "'s Gravenhage")]
    ['=1+1', '-2.5', "'=1+1", "'s Gravenhage"]
    """
    return re.sub(_MARKED, r"\1", cell)


def harmless_texts(cells: pa.Array | pa.ChunkedArray) -> pa.Array | pa.ChunkedArray:
    """Return a column of texts, each made harmless; a missing one stays so.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from sfumato.data.formulas import harmless_texts
    >>> harmless_texts(pa.array(["=1+1", "-2.5", None])).to_pylist()
    ["'=1+1", '-2.5', None]
    """
    import pyarrow.compute as pc

    begins = pc.match_substring_regex(cells, f"^'*{_SIGN}")
    number = pc.match_substring_regex(cells, rf"^{_NUMBER}\z")
    marked = pc.binary_join_element_wise("'", cells, "")
    return pc.if_else(pc.and_not(begins, number), marked, cells)


def as_they_were(column: ir.StringValue) -> ir.StringValue:
    """Return a column of texts as they were before they were made harmless.

    Examples
    --------
    >>> import pandas as pd
    >>> from sfumato.data import open_source
    >>> from sfumato.data.formulas import as_they_were
    >>> source = open_source(pd.DataFrame({"band": ["'-10 to 0", "0-10"]}))
    >>> source.fetch(source.table.select(band=as_they_were(source.table.band)))["band"].to_pylist()
    ['-10 to 0', '0-10']
    """
    return column.re_replace(_MARKED, r"\1")
