"""Sensitive values of several tables as texts that are equal where the values could be.

Where types differ, a value that one of them cannot hold may have been changed on its way there.
Nobody may be said to have another value for that: such a cell counts as empty, and may be anything.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.errors import InputError
from sfumato.refusal import all_of
from sfumato.risk.attacks.written import true_or_false, written

if TYPE_CHECKING:
    from collections.abc import Sequence

    import ibis.expr.datatypes as dt
    import ibis.expr.types as ir

__all__ = ["written_alike"]

_DIGITS = r"([0-9]{1,38}[.]?[0-9]{0,38}|[.][0-9]{1,38})"
_PLAIN = rf"^[-+]?{_DIGITS}$"
_NUMBER = rf"^[-+]?{_DIGITS}([eE][-+]?[0-9]{{1,2}})?$"
# No plus, no zeros in front or behind the point, a digit before it, no minus before zero.
_ONE_WAY_TO_WRITE = (
    (r"^[+]", ""),
    (r"^(-?)[.]", r"\10."),
    (r"^(-?)0+([0-9])", r"\1\2"),
    (r"([.][0-9]*[1-9])0+$", r"\1"),
    (r"[.]0*$", ""),
    (r"^-0$", "0"),
)
#: How many digits a number may have that is never another one as a float.
_DIGITS_KEPT = {"float64": 15, "float32": 6, "float16": 3}
#: Greater ones do not fit the smallest type.
_GREATEST = {"float64": 1e300, "float32": 1e38, "float16": 6e4}
_DAY = r"^([0-9]{4}-[0-9]{2}-[0-9]{2})([ T]00:00(:00([.]0+)?)?)?$"
_SECOND = r"^([0-9]{4}-[0-9]{2}-[0-9]{2} [0-9:]{8})([.]0+)?([-+][0-9:]+)?$"


def written_alike(column: ir.Value, columns: Sequence[ir.Value], name: str) -> ir.Value:
    """Return a column as text that is equal to that of other columns where the values may be.

    Parameters
    ----------
    column
        The column.
    columns
        Those that it is compared with, itself among them.
    name
        What it is called.
    """
    types = [each.type() for each in columns]
    if len({each.copy(nullable=True) for each in types}) == 1:
        return written(column)
    if any(each.is_boolean() for each in types):
        truth = true_or_false(column, columns)
        return _only(truth, truth.isin(["true", "false"]))
    if any(each.is_temporal() for each in types):
        return _moment(column, types, name)
    if any(each.is_numeric() for each in types):
        return _number(column, types)
    return written(column)


def _only(text: ir.Value, condition: ir.BooleanValue) -> ir.Value:
    """Return text where a condition holds, and null elsewhere."""
    import ibis

    return ibis.ifelse(condition, text, ibis.null("string"))


def _moment(column: ir.Value, types: Sequence[dt.DataType], name: str) -> ir.Value:
    """Return days, or seconds where all columns have moments; null where it is not so whole."""
    moments = [each for each in types if each.is_timestamp()]
    texts = [each for each in types if each.is_string()]
    known = [*moments, *texts, *(each for each in types if each.is_date())]
    zones = {each.timezone is not None for each in moments}
    if len(known) < len(types) or len(zones) > 1 or (True in zones and len(moments) < len(types)):
        shown = all_of(sorted({str(each) for each in types}))
        raise InputError(
            "E-COLUMN-TYPE",
            "the cells of {name!r} are of types that cannot be compared ({shown})",
            "give dates, moments or text in all tables alike",
            name=name,
            shown=shown,
        )
    text = written(column)
    pattern = _SECOND if len(moments) == len(types) else _DAY
    return _only(text.re_replace(pattern, r"\1"), text.re_search(pattern))


def _number(column: ir.Value, types: Sequence[dt.DataType]) -> ir.Value:
    """Return numbers written in one way; null where there is none, or it has too many digits."""
    floats = [each for each in types if each.is_floating()]
    text = written(column)
    if not floats:
        return _only(_one_way(text), text.re_search(_PLAIN))
    return _as_float(text, min(floats, key=lambda each: each.nbytes))


def _as_float(text: ir.Value, smallest: dt.DataType) -> ir.Value:
    kind = str(smallest.copy(nullable=True))
    number = _only(text, text.re_search(_NUMBER)).cast("float64")
    held = _within(number, _GREATEST[kind]).cast(kind)
    rounded, plain = _one_way(written(held)), _one_way(text)
    few = _significant(text).length() <= _DIGITS_KEPT[kind]
    return _only(rounded, few | (rounded == plain))


def _within(number: ir.Value, greatest: float) -> ir.Value:
    import ibis

    return ibis.ifelse(number.abs() < greatest, number, ibis.null("float64"))


def _significant(text: ir.Value) -> ir.Value:
    """Return the digits of a number between the zeros."""
    digits = text.re_replace(r"[eE].*$", "").re_replace(r"[^0-9]", "")
    return digits.re_replace(r"^0+", "").re_replace(r"0+$", "")


def _one_way(text: ir.Value) -> ir.Value:
    """Return text in which a number without an exponent is written in one way."""
    number = text
    for pattern, replacement in _ONE_WAY_TO_WRITE:
        number = number.re_replace(pattern, replacement)
    return text.re_search(_PLAIN).ifelse(number, text)
