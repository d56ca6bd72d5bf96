"""Texts are not put in order beside what looks like a number or a date: it would be by letters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.errors import InputError
from sfumato.refusal import Declaration, Either, Part, text
from sfumato.tables.expressions import Column
from sfumato.tables.expressions.lettered import orderings
from sfumato.tables.expressions.printing import written_name
from sfumato.tables.expressions.signatures import shortened
from sfumato.tables.known import types

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from sfumato.tables.expressions import Expression
    from sfumato.tables.expressions.lettered import Ordering
    from sfumato.tables.known import KnownColumn

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


def check_ordered(expressions: Iterable[Expression], known: Mapping[str, KnownColumn]) -> None:
    """Refuse to put texts in order beside what looks like a number or a date."""
    schema = types(known)
    for each in expressions:
        for found in orderings(each, schema):
            if found.meant is not None:
                raise _refusal(found, found.meant, known)


def declaring(known: KnownColumn, meant: str) -> Part | None:
    """Return how the type of a column is declared, None of one that is in no file."""
    if known.own_name is None:
        return None
    types = Declaration("types", known.own_name, meant, whose="public" if known.is_public else "")
    if known.is_public:
        return text("declare {types}, if it is a CSV file, or ", types=types)
    return text("declare {types} where a CSV file is the table, or ", types=types)


def _refusal(found: Ordering, meant: str, known: Mapping[str, KnownColumn]) -> InputError:
    asked = found.text
    declare = declaring(known[asked.name], meant) if isinstance(asked, Column) else None
    said = {"call": shortened(found.call), "text": shortened(asked, most=60)}
    if declare is None:
        return InputError(
            "E-COMPARISON-TYPE",
            "{call} would compare letter by letter, since {text} is text",
            "cast it, as in {cast}, or to text where letters are meant",
            cast=_cast(asked, meant),
            **said,
        )
    return InputError(
        "E-COMPARISON-TYPE",
        "{call} would compare letter by letter, since {text} is text",
        "{declare}cast it to {meant}, or to text where letters are meant",
        declare=declare,
        meant=meant,
        **said,
    )


def _cast(asked: Expression, meant: str) -> Either:
    """Return how a text is cast and compared."""
    named = asked.name if isinstance(asked, Column) else None
    return Either(
        _PYTHON[meant].format("(…)" if named is None else f"sf.col({named!r})"),
        _SQL[meant].format("…" if named is None else written_name(named)),
    )
