"""Questions that have no plan: each mistake in a sentence, before anything is computed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.errors import InputError, UnknownNameError
from sfumato.privacy import Person
from sfumato.tables.tree.aggregates import People

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.tables.columns import Known
    from sfumato.tables.tree.question import Question

__all__ = ["check_question"]

_MOST_AGGREGATES = 100
#: An engine nests one query in another for each.
_MOST_STEPS = 50


def check_question(query: Question, columns: Mapping[str, Known]) -> None:
    """Refuse a question that cannot be answered, whatever it may cost."""
    _check_steps(query)
    _check_keys(query, columns)
    _check_people(query)
    _check_public_rows(query)
    _check_columns(query)


def _check_steps(query: Question) -> None:
    """Refuse more steps than an engine can nest."""
    if len(query.steps) > _MOST_STEPS:
        message = (
            f"the question has {len(query.steps):,} steps before its aggregates, of which "
            f"{_MOST_STEPS} are allowed; join filters by &, and derive several columns at once"
        )
        raise InputError(message)


def _check_keys(query: Question, columns: Mapping[str, Known]) -> None:
    unit = query.table.relation.unit
    for name in query.keys:
        if name not in columns:
            raise UnknownNameError(
                kind="column", name=name, known=columns, where=query.table.source.name
            )
        if isinstance(unit, Person) and name == unit.column:
            message = (
                f"rows cannot be grouped by {name!r}: each group would be one person; group by "
                "another column"
            )
            raise InputError(message)
        if columns[name].type == "other":
            message = f"rows cannot be grouped by {name!r}, which is of a type without an order"
            raise InputError(message)


def _check_people(query: Question) -> None:
    asked = [name for name, each in query.aggregates if isinstance(each, People)]
    if asked and not isinstance(query.table.relation.unit, Person):
        message = (
            f"{asked[0]!r} counts people, and it is not declared whose a row is; write sf.count() "
            "for rows, or declare the column of the person's id, as in unit='patient_id'"
        )
        raise InputError(message)


def _check_public_rows(query: Question) -> None:
    """Refuse a public number of rows for groups, and where a person's rows may count in part."""
    asked = [name for name, each in query.aggregates if getattr(each, "rows", None) is not None]
    if asked and (query.keys or isinstance(query.table.relation.unit, Person)):
        message = (
            f"{asked[0]!r} is a mean over a public number of rows, which is for a table without "
            "groups that protects rows (unit='row'); leave rows out, and they are counted privately"
        )
        raise InputError(message)


def _check_columns(query: Question) -> None:
    """Refuse two columns of one name, and more aggregates than anybody would read."""
    if len(query.aggregates) > _MOST_AGGREGATES:
        message = (
            f"the query has {len(query.aggregates):,} aggregates, of which {_MOST_AGGREGATES} "
            "are allowed; ask several queries"
        )
        raise InputError(message)
    names = [*query.keys]
    for name, aggregate in query.aggregates:
        for column in aggregate.answer_columns(name):
            names += [column, f"{column}_low", f"{column}_high"]
    for name in names:
        if names.count(name) > 1:
            message = f"the answer would have two columns {name!r}; rename an aggregate"
            raise InputError(message)
