"""Texts are not put in order beside what looks like a number or a date: it would be by letters."""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

from sfumato.errors import InputError
from sfumato.tables.expressions import Column
from sfumato.tables.expressions.lettered import orderings
from sfumato.tables.expressions.printing import written_name
from sfumato.tables.expressions.signatures import shortened

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from sfumato.tables.expressions import Expression
    from sfumato.tables.expressions.lettered import Ordering
    from sfumato.tables.known import Known

__all__ = ["asked_in_sql", "check_ordered", "declaring"]

_IS_SQL: ContextVar[bool] = ContextVar("_IS_SQL", default=False)
#: A text that is cast and compared, in SQL and in Python.
_SQL = {
    "number": "CAST({} AS DOUBLE) < 50",
    "date": "CAST({} AS DATE) < '2025-01-31'",
    "timestamp": "CAST({} AS TIMESTAMP) < '2025-01-31 12:00'",
}
_PYTHON = {
    "number": "{}.cast('number') < 50",
    "date": "{}.cast('date') < datetime.date(2025, 1, 31)",
    "timestamp": "{}.cast('timestamp') < datetime.datetime(2025, 1, 31, 12)",
}


@contextmanager
def asked_in_sql() -> Iterator[None]:
    """Say what to write in the words of SQL while a question in SQL is read."""
    before = _IS_SQL.set(True)
    try:
        yield
    finally:
        _IS_SQL.reset(before)


def check_ordered(expressions: Iterable[Expression], known: Mapping[str, Known]) -> None:
    """Refuse to put texts in order beside what looks like a number or a date."""
    schema = {name: each.type for name, each in known.items()}
    for each in expressions:
        for found in orderings(each, schema):
            if found.meant is not None:
                raise InputError(_refusal(found, found.meant, known))


def declaring(known: Known, meant: str) -> str:
    """Return how the type of a column is declared, "" of one that is in no file."""
    if known.own_name is None:
        return ""
    whose = " of the public table, if it is a CSV file" if known.is_public else ""
    where = whose or " where a CSV file is the table"
    return f"declare types={{{known.own_name!r}: {meant!r}}}{where}, or "


def _refusal(found: Ordering, meant: str, known: Mapping[str, Known]) -> str:
    text = found.text
    declare = declaring(known[text.name], meant) if isinstance(text, Column) else ""
    cast = f"{declare}cast it to {meant}" if declare else f"cast it, as in {_cast(text, meant)}"
    return (
        f"{shortened(found.call)} would compare letter by letter, since {shortened(text, most=60)} "
        f"is text; {cast}, or to text where letters are meant"
    )


def _cast(text: Expression, meant: str) -> str:
    """Return how a text is cast and compared, in the words in which it was asked."""
    named = text.name if isinstance(text, Column) else None
    if _IS_SQL.get():
        return _SQL[meant].format("…" if named is None else written_name(named))
    return _PYTHON[meant].format("(…)" if named is None else f"sf.col({named!r})")
