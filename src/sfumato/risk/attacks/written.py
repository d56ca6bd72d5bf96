"""Cells as text: empty ones as unknown, and truth alike whatever its type."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.data.formulas import as_they_were

if TYPE_CHECKING:
    from collections.abc import Sequence

    import ibis.expr.types as ir

__all__ = ["true_or_false", "written"]

_TRUTH = {"1": "true", "1.0": "true", "0": "false", "0.0": "false"}


def written(column: ir.Value) -> ir.Value:
    """Return the cells of a column as text, without blanks around it; null where one is empty.

    Empty are null, what is no number in a column of numbers, and blank text.  A cell that a file
    has an apostrophe before, lest it be a formula, is what it was.
    """
    import ibis

    if column.type().is_floating():
        number = ibis.ifelse(column == 0, 0.0, column)
        column = ibis.ifelse(column.isnan(), ibis.null(column.type()), number)
    text = as_they_were(column) if column.type().is_string() else column.cast("string")
    return text.strip().nullif("")


def true_or_false(column: ir.Value, columns: Sequence[ir.Value]) -> ir.Value:
    """Return a column as text, in which truth is written alike if one of the columns has it."""
    text = written(column)
    if not any(each.type().is_boolean() for each in columns):
        return text
    return text.lower().substitute(_TRUTH)
