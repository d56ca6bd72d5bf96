"""Expressions of rows, and what is public of the columns of a question."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from sfumato.audit.certificate.document import DocumentPart, declared_value, refute

if TYPE_CHECKING:
    from collections.abc import Container, Mapping
    from fractions import Fraction


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


def read_expression(part: DocumentPart, columns: Container[str]) -> str:
    """Return an expression as the one text of it; one of other columns is refused."""
    waiting = [part]
    while waiting:
        waiting += _inside(waiting.pop(), columns)
    return part.expression()


def column_of(part: DocumentPart) -> str | None:
    """Return the column that an expression is, if it is nothing but one."""
    return part["column"].text() if "column" in part.value else None


def is_boolean(part: DocumentPart, columns: Mapping[str, KnownColumn]) -> bool:
    """Tell whether an expression is true or false, or missing, whatever the row is."""
    results = [each for each in _results(part) if each.value != {"value": None}]
    return bool(results) and all(_is_boolean(each, columns) for each in results)


def _results(part: DocumentPart) -> list[DocumentPart]:
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


def _is_boolean(part: DocumentPart, columns: Mapping[str, KnownColumn]) -> bool:
    given = part.value
    if "column" in given:
        return columns[given["column"]].type == "boolean"
    if "call" in given:
        return given["call"] in _BOOLEANS
    return given.get("type") == "boolean" or isinstance(given.get("value"), bool)


def _inside(part: DocumentPart, columns: Container[str]) -> list[DocumentPart]:
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


def _constant(part: DocumentPart, fields: set[str]) -> list[DocumentPart]:
    if fields in ({"date"}, {"timestamp"}):
        (name,) = fields
        part[name].text()
    elif fields != {"value"} or isinstance(part.value["value"], (dict, list)):
        refute("{name} is no expression", name=part.name)
    return []


TYPES = ("integer", "number", "text", "boolean", "date", "timestamp")
DATES = ("date", "timestamp")


@dataclass(frozen=True)
class KnownColumn:
    """What is public of a column.

    Parameters
    ----------
    type
        Its type, as it is stated.
    bounds
        Two numbers, "auto" where they are found privately, or None.
    values
        All that it can be, or None.
    complete
        Whether a missing value counts as the middle.
    declared
        Whether what was declared is about it, and not about a column of its name before.
    """

    type: str
    bounds: tuple[Fraction, Fraction] | str | None = None
    values: tuple[Any, ...] | None = None
    complete: bool = False
    declared: bool = True


def declared_columns(types: DocumentPart, policy: DocumentPart) -> dict[str, KnownColumn]:
    """Return what a policy says of the columns of a table."""
    found: dict[str, KnownColumn] = {}
    for name in policy["columns"].value:
        if name not in types.value:
            refute(
                "{name} declares the column {column!r:.60}, which is not there",
                name=policy.name,
                column=name,
            )
    for name, kind in types.items():
        part = policy["columns"].get(name)
        complete = part is not None and part.get("complete") is not None
        found[name] = replace(
            said(KnownColumn(kind.text(*TYPES, "other")), part), complete=complete
        )
    return found


def as_declared(name: str, column: KnownColumn, policy: DocumentPart) -> KnownColumn:
    """Return a column that was derived, with what is declared of it by that name."""
    derived = policy.get("derived")
    given = None if derived is None or column.type not in TYPES else derived.get(name)
    return column if given is None else replace(said(column, given), declared=True)


def said(column: KnownColumn, part: DocumentPart | None) -> KnownColumn:
    """Return what is known of a column once something was declared of it."""
    if part is None:
        return column
    part.record(optional=("type", "bounds", "values", "complete"))
    kind, values = part.value.get("type"), part.get("values")
    bounds = None if kind in DATES else read_bounds(part.get("bounds"))
    listed = None
    if values is not None:
        listed = tuple(declared_value(each.value, kind) for each in values.list())
    return replace(
        column,
        bounds=column.bounds if bounds is None else bounds,
        values=column.values if listed is None else listed,
    )


def read_bounds(part: DocumentPart | None) -> tuple[Fraction, Fraction] | str | None:
    """Return two numbers in order, "auto", or None."""
    if part is None:
        return None
    if part.value == "auto":
        return "auto"
    ends = [each.fraction() for each in part.list()]
    if len(ends) != 2 or not ends[0] < ends[1]:
        refute("{name} is not two numbers, the lower one first", name=part.name)
    return ends[0], ends[1]
