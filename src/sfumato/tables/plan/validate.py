"""Questions that have no plan: each mistake in a sentence, before anything is computed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.errors import InputError, UnknownNameError
from sfumato.privacy import Person
from sfumato.refusal import Argument, Call
from sfumato.tables.tree.aggregates import People

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.tables.column import KnownColumn
    from sfumato.tables.tree.rows import Question


_MOST_AGGREGATES = 100
#: An engine nests one query in another for each.
_MOST_STEPS = 50


def check_question(query: Question, columns: Mapping[str, KnownColumn]) -> None:
    """Refuse a question that cannot be answered, whatever it may cost."""
    _check_steps(query)
    _check_keys(query, columns)
    _check_people(query)
    _check_public_rows(query)
    _check_columns(query)


def _check_steps(query: Question) -> None:
    """Refuse more steps than an engine can nest."""
    if len(query.steps) > _MOST_STEPS:
        raise InputError(
            "E-QUESTION-TOO-LARGE",
            "the query has {count:,} steps before its aggregates, of which {most_steps} "
            "are allowed",
            "join filters by &, and derive several columns at once",
            count=len(query.steps),
            most_steps=_MOST_STEPS,
        )


def _check_keys(query: Question, columns: Mapping[str, KnownColumn]) -> None:
    unit = query.table.relation.unit
    for name in query.keys:
        if name not in columns:
            raise UnknownNameError(
                kind="column", name=name, known=columns, where=query.table.source.name
            )
        if isinstance(unit, Person) and name == unit.column:
            raise InputError(
                "E-COLUMN-IS-UNIT",
                "rows are not grouped by the privacy unit {name!r}: each group would be one person",
                "group by another column",
                name=name,
            )
        if columns[name].type == "other":
            raise InputError(
                "E-COLUMN-TYPE",
                "rows cannot be grouped by {name!r}, which is of a type without an order",
                name=name,
            )


def _check_people(query: Question) -> None:
    asked = [name for name, each in query.aggregates if isinstance(each, People)]
    if asked and not isinstance(query.table.relation.unit, Person):
        raise InputError(
            "E-UNIT-IS-ROW",
            "{asked!r} counts people, and the privacy unit is the row",
            "write {call} for rows, or declare the column of the person's id, as in {unit}",
            asked=asked[0],
            unit=Argument("unit", "patient_id"),
            call=Call("count"),
        )


def _check_public_rows(query: Question) -> None:
    """Refuse a public number of rows for groups, and where a person's rows may count in part."""
    asked = [name for name, each in query.aggregates if getattr(each, "rows", None) is not None]
    if asked and (query.keys or isinstance(query.table.relation.unit, Person)):
        raise InputError(
            "E-AGGREGATE-NOT-HERE",
            "{asked!r} is a mean over a public number of rows, which is for a table without "
            "groups in which the row is the privacy unit ({unit})",
            "leave rows out, and they are counted privately",
            asked=asked[0],
            unit=Argument("unit", "row"),
        )


def _check_columns(query: Question) -> None:
    """Refuse two columns of one name, and more aggregates than anybody would read."""
    if len(query.aggregates) > _MOST_AGGREGATES:
        raise InputError(
            "E-QUESTION-TOO-LARGE",
            "the query has {count:,} aggregates, of which {most_aggregates} are allowed",
            "ask several queries",
            count=len(query.aggregates),
            most_aggregates=_MOST_AGGREGATES,
        )
    names = [*query.keys]
    for name, aggregate in query.aggregates:
        for column in aggregate.answer_columns(name):
            names += [column, f"{column}_low", f"{column}_high"]
    for name in names:
        if names.count(name) > 1:
            raise InputError(
                "E-COLUMN-TWICE",
                "the answer would have two columns {name!r}",
                "rename an aggregate",
                name=name,
            )
