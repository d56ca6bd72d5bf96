"""Which cells of a text are read as values of other types: those that cannot be are missing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.tables.columns import types
from sfumato.tables.expressions import Cast, Expression, type_of
from sfumato.tables.expressions.folding import fold
from sfumato.tables.expressions.signatures import shortened
from sfumato.tables.tree.steps import Derive, JoinPeople, PerPerson, expressions_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sfumato.tables.plan.outline import Outline

__all__ = ["said_of_readings"]

#: How a cell of each type is written, in the order in which they are said.
_WRITTEN = {
    "integer": "a whole number (12)",
    "number": "a number (12.5)",
    "boolean": "true or false (or yes, no, 1, 0)",
    "date": "a date (2025-01-31)",
    "timestamp": "a time (2025-01-31 12:00)",
}
#: What is said of columns; what is cast in a question is no column that could be inspected.
_COUNTED = " (sfumato inspect counts them)"


def said_of_readings(plan: Outline) -> Iterator[str]:
    """Return which cells are missing since they are not written as their type, in sentences."""
    read: dict[str, dict[str, bool]] = {}
    for what, kind, is_column in _readings(plan):
        if kind in _WRITTEN:
            read.setdefault(kind, {})[what] = is_column
    for kind in filter(read.__contains__, _WRITTEN):
        of = f" of {', '.join(read[kind])}" if len(read) > 1 else ""
        counted = _COUNTED if any(read[kind].values()) else ""
        yield f"a cell{of} that is not written as {_WRITTEN[kind]} is missing{counted}"


def _readings(plan: Outline) -> Iterator[tuple[str, str, bool]]:
    """Yield what is read as which type, and whether it is a column: those of a text file are."""
    table = plan.query.table
    schema = {**table.schema, **types(plan.columns)}
    for expression, own in _computed(plan):
        for name in sorted(expression.columns() & own) if table.source.is_text else ():
            yield name, table.schema[name], True
        for cast in _casts(expression):
            if _is_of_text(cast, schema):
                yield shortened(cast.argument, most=60), cast.type, False


def _computed(plan: Outline) -> Iterator[tuple[Expression, frozenset[str]]]:
    """Yield what is computed of rows, each with the columns that are still the table's own."""
    own = frozenset(plan.query.table.schema)
    for step in plan.query.steps:
        if isinstance(step, JoinPeople):
            continue
        yield from ((each, own) for each in expressions_of(step))
        if isinstance(step, Derive):
            own -= {name for name, _ in step}
        elif isinstance(step, PerPerson):
            own = frozenset()
    for _, asked in plan.query.aggregates:
        yield from ((each, own) for each in asked.operands)


def _casts(expression: Expression) -> tuple[Cast, ...]:
    found: tuple[Cast, ...] = fold(
        expression,
        lambda node: node.parts,
        lambda node, below: (
            *(each for part in below for each in part),
            *((node,) if isinstance(node, Cast) else ()),
        ),
    )
    return found


def _is_of_text(cast: Cast, schema: Mapping[str, str]) -> bool:
    used = cast.argument.columns()
    return bool(used) and used <= schema.keys() and type_of(cast.argument, schema) == "text"
