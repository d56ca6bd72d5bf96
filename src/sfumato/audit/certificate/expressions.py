"""Expressions of rows: whether they are well formed, and of which columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.audit.certificate.parts import Part, refute

if TYPE_CHECKING:
    from collections.abc import Container, Mapping

    from sfumato.audit.certificate.columns import Known

__all__ = ["CASTS", "FUNCTIONS", "column_of", "is_boolean", "read_expression"]

#: The functions that are true or false of a row.
_BOOLEANS = frozenset(
    (
        *("equal", "not_equal", "less", "less_equal", "greater", "greater_equal", "between"),
        *("is_in", "and", "or", "not", "is_null", "is_not_null"),
        *("starts_with", "ends_with", "contains", "like"),
    )
)
#: The functions whose value on a row depends on that row alone, on which every sensitivity rests.
FUNCTIONS = _BOOLEANS.union(
    ("add", "subtract", "multiply", "divide", "floor_divide", "modulo", "power", "negative"),
    ("abs", "sign", "clip", "round", "floor", "ceil", "sqrt", "ln", "log10", "exp"),
    ("coalesce", "least", "greatest"),
    ("lower", "upper", "strip", "length", "substring", "left", "right", "replace"),
    ("year", "quarter", "month", "day", "weekday", "day_of_year", "hour", "minute", "second"),
    ("date_trunc", "days_until", "add_days"),
)
#: What a value can be cast to.
CASTS = ("boolean", "date", "integer", "number", "text", "timestamp")


def read_expression(part: Part, columns: Container[str]) -> str:
    """Return an expression as the one text of it; one of other columns is refused."""
    waiting = [part]
    while waiting:
        waiting += _inside(waiting.pop(), columns)
    return part.expression()


def column_of(part: Part) -> str | None:
    """Return the column that an expression is, if it is nothing but one."""
    return part["column"].text() if "column" in part.value else None


def is_boolean(part: Part, columns: Mapping[str, Known]) -> bool:
    """Tell whether an expression is true or false, or missing, whatever the row is."""
    results = [each for each in _results(part) if each.value != {"value": None}]
    return bool(results) and all(_is_boolean(each, columns) for each in results)


def _results(part: Part) -> list[Part]:
    """Return what an expression may have the value of: one of several, or itself."""
    found, waiting = [], [part]
    while waiting:
        each = waiting.pop()
        if "case" in each.value:
            waiting += [each["otherwise"], *(pair.list()[1] for pair in each["case"].list())]
        elif each.value.get("call") == "coalesce":
            waiting += each["arguments"].list()
        else:
            found.append(each)
    return found


def _is_boolean(part: Part, columns: Mapping[str, Known]) -> bool:
    given = part.value
    if "column" in given:
        return columns[given["column"]].type == "boolean"
    if "call" in given:
        return given["call"] in _BOOLEANS
    return given.get("type") == "boolean" or isinstance(given.get("value"), bool)


def _inside(part: Part, columns: Container[str]) -> list[Part]:
    fields = set(part.value) if isinstance(part.value, dict) else set()
    if fields == {"column"}:
        if part["column"].text() not in columns:
            refute("{name} is of a column that is not there", name=part.name)
        return []
    if fields == {"call", "arguments"}:
        if part["call"].text() not in FUNCTIONS:
            refute(
                "{name} calls {call!r:.60}, which is no function of one row",
                name=part.name,
                call=part.value["call"],
            )
        return part["arguments"].list()
    if fields == {"case", "otherwise"}:
        pairs = [each.list() for each in part["case"].list()]
        return [inner for pair in pairs for inner in pair] + [part["otherwise"]]
    if fields == {"cast", "type"}:
        part["type"].text(*CASTS)
        return [part["cast"]]
    return _constant(part, fields)


def _constant(part: Part, fields: set[str]) -> list[Part]:
    if fields in ({"date"}, {"timestamp"}):
        (name,) = fields
        part[name].text()
    elif fields != {"value"} or isinstance(part.value["value"], (dict, list)):
        refute("{name} is no expression", name=part.name)
    return []
