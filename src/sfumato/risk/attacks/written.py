"""Cells as text: empty ones as unknown, and equal values alike whatever their types."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    import ibis.expr.types as ir

__all__ = ["true_or_false", "written", "written_alike"]

_NUMBER = r"^[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)$"
# No plus, no zeros in front or behind the point, a digit before it, no minus before zero.
_ONE_WAY_TO_WRITE = (
    (r"^[+]", ""),
    (r"^(-?)[.]", r"\10."),
    (r"^(-?)0+([0-9])", r"\1\2"),
    (r"([.][0-9]*[1-9])0+$", r"\1"),
    (r"[.]0*$", ""),
    (r"^-0$", "0"),
)
_TRUTH = {"1": "true", "1.0": "true", "0": "false", "0.0": "false"}


def written(column: ir.Value) -> ir.Value:
    """Return the cells of a column as text, without blanks around it; null where one is empty.

    Empty are null, what is no number in a column of numbers, and blank text.

    Examples
    --------
    >>> import pandas as pd
    >>> from sfumato.data import open_source
    >>> from sfumato.risk.attacks.written import written
    >>> source = open_source(pd.DataFrame({"ill": ["flu ", " ", None]}))
    >>> source.fetch(source.table.select(ill=written(source.table.ill)))["ill"].to_pylist()
    ['flu', None, None]
    """
    import ibis

    if column.type().is_floating():
        number = ibis.ifelse(column == 0, 0.0, column)
        column = ibis.ifelse(column.isnan(), ibis.null(column.type()), number)
    return column.cast("string").strip().nullif("")


def written_alike(column: ir.Value, columns: Sequence[ir.Value]) -> ir.Value:
    """Return a column as text that is equal to that of other columns where the values are equal.

    Parameters
    ----------
    column
        The column.
    columns
        Those that it is compared with, itself among them.

    Examples
    --------
    >>> import pandas as pd
    >>> from sfumato.data import open_sources
    >>> from sfumato.risk.attacks.written import written_alike
    >>> one, two = open_sources(pd.DataFrame({"code": [7]}), pd.DataFrame({"code": ["007"]}))
    >>> columns = [one.table.code, two.table.code]
    >>> two.fetch(two.table.select(code=written_alike(columns[1], columns)))["code"].to_pylist()
    ['7']
    """
    types = [each.type() for each in columns]
    if len(set(types)) == 1:
        return written(column)
    if any(each.is_boolean() for each in types):
        return true_or_false(column, columns)
    if all(each.is_numeric() for each in types) and any(each.is_floating() for each in types):
        return _number(written(column.cast("float64")))
    text = written(column)
    if any(each.is_temporal() for each in types):
        return text.re_replace(r"[ T]00:00:00([.]0+)?$", "")
    return _number(text) if any(each.is_numeric() for each in types) else text


def true_or_false(column: ir.Value, columns: Sequence[ir.Value]) -> ir.Value:
    """Return a column as text, in which truth is written alike if one of the columns has it.

    Examples
    --------
    >>> import pandas as pd
    >>> from sfumato.data import open_sources
    >>> from sfumato.risk.attacks.written import true_or_false
    >>> one, two = open_sources(pd.DataFrame({"old": [True]}), pd.DataFrame({"old": ["TRUE"]}))
    >>> columns = [one.table.old, two.table.old]
    >>> two.fetch(two.table.select(old=true_or_false(columns[1], columns)))["old"].to_pylist()
    ['true']
    """
    text = written(column)
    if not any(each.type().is_boolean() for each in columns):
        return text
    return text.lower().substitute(_TRUTH)


def _number(text: ir.Value) -> ir.Value:
    """Return text in which a number is written in one way, and anything else as it is."""
    number = text
    for pattern, replacement in _ONE_WAY_TO_WRITE:
        number = number.re_replace(pattern, replacement)
    return text.re_search(_NUMBER).ifelse(number, text)
