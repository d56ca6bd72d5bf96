"""What a column of an answer may be compared with: values of its own type."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError
from sfumato.tables.column import check_ordered, declaring
from sfumato.tables.expressions import lit, type_of
from sfumato.tables.expressions.collation import meant_by
from sfumato.tables.expressions.values import value_type
from sfumato.tables.tree.aggregates import TopK
from sfumato.translation import mark

if TYPE_CHECKING:
    from sfumato.tables.tree.rows import Question


_ORDERS = {"<", "<=", ">", ">="}
_NUMBERS = {"integer", "number"}
#: What is written beside a column of each type.
_WRITE = {
    **dict.fromkeys(_NUMBERS, mark("a number, such as 100")),
    "text": mark("a text, such as 'a'"),
    "boolean": mark("true or false"),
    "date": mark("a date, such as 2024-01-31"),
    "timestamp": mark("a timestamp, such as 2024-01-31 12:00:00"),
}


def answer_type(query: Question, name: str) -> str:
    """Return the type of a column of the answer: that of a key or a chosen value, or a number."""
    chosen = {
        column: each.of
        for asked, each in query.aggregates
        if isinstance(each, TopK)
        for column in each.answer_columns(asked)
    }
    if name not in query.keys and name not in chosen:
        return "number"
    schema = query.steps.types
    return schema[name] if name in query.keys else type_of(chosen[name], schema)


def check_aggregates_ordered(query: Question) -> None:
    """Refuse aggregates of what puts texts in order beside what looks like a number or a date."""
    check_ordered((of for _, each in query.aggregates for of in each.operands), query.steps.known)


def check_letters(query: Question, name: str, sign: str, value: Any) -> None:
    """Refuse to put texts of the answer in order beside what looks like a number or a date."""
    meant = meant_by(value) if sign in _ORDERS and isinstance(value, str) else None
    if meant is None:
        return
    column = query.steps.known.get(name)
    declare = None if column is None or name not in query.keys else declaring(column, meant)
    raise InputError(
        "E-COMPARISON-TYPE",
        "{name:.60} {sign} {value!r:.60} would compare letter by letter, since {name:.60} is text",
        "{declare}cast it to {meant} before it is asked for, or compare after the answer "
        "where letters are meant",
        name=name,
        sign=sign,
        value=value,
        declare=declare or "",
        meant=meant,
    )


def read_compared(value: Any, name: str, kind: str) -> Any:
    """Return a value that a column of a type can be compared with, or say what to write."""
    plain = lit(value).value
    given = value_type(plain)
    if kind in _WRITE and given != kind and not {given, kind} <= _NUMBERS:
        raise InputError(
            "E-COMPARISON-TYPE",
            "{name!r:.60} in the answer is of type {kind} and is compared with a value of "
            "type {given}",
            "write {write}",
            name=name,
            kind=kind,
            given=given,
            write=_WRITE[kind],
        )
    return plain
