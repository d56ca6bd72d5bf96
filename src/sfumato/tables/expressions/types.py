"""What type an expression has, found without a row."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from sfumato.errors import InputError, UnknownNameError
from sfumato.refusal import any_of
from sfumato.tables.expressions.functions import FUNCTIONS, common_type, fitting, shortened
from sfumato.tables.expressions.guards import CASTS
from sfumato.tables.expressions.nodes import Case, Cast, Column, Expression, FunctionCall, Literal
from sfumato.tables.expressions.values import TYPES, fold, value_type

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def type_of(expression: Expression, schema: Mapping[str, str]) -> str:
    """Return the type of an expression over columns of given types.

    Parameters
    ----------
    expression
        What to type.
    schema
        The type of each column: "integer", "number", "text", "boolean", "date", "timestamp", or
        "other" for a column that expressions cannot use.

    Returns
    -------
    str
        One of the six types, or "null" for a bare None.
    """
    found: str = fold(
        expression, lambda node: node.parts, lambda node, below: node_type(node, below, schema)
    )
    return found


def node_type(node: Expression, below: Sequence[str], schema: Mapping[str, str]) -> str:
    """Return the type of a node from the types of its parts."""
    if isinstance(node, Column):
        return _column_type(node.name, schema)
    if isinstance(node, Literal):
        return value_type(node.value)
    if isinstance(node, FunctionCall):
        return fitting(node, FUNCTIONS[node.function], below).result_type(below)
    if isinstance(node, Cast):
        return _cast_type(node, below[0])
    return _case_type(cast("Case", node), below)


def check_boolean(expression: Expression, given: str) -> None:
    """Refuse a condition that is not a boolean."""
    if given not in {"boolean", "null"}:
        raise InputError(
            "E-CONDITION-TYPE",
            "the condition {expression} is of type {given}",
            "write one that is true or false, such as a comparison",
            expression=shortened(expression),
            given=given,
        )


def _column_type(name: str, schema: Mapping[str, str]) -> str:
    if name not in schema:
        kind = "column"
        raise UnknownNameError(kind, name, schema)
    if schema[name] not in TYPES:
        raise InputError(
            "E-COLUMN-TYPE",
            "the column {name!r} has a type that expressions cannot use",
            "use columns of numbers, texts, booleans, dates or timestamps (in a Parquet "
            "file, of microseconds)",
            name=name,
        )
    return schema[name]


def _cast_type(node: Cast, given: str) -> str:
    if given in {node.type, "null"} or (given, node.type) in CASTS:
        return node.type
    allowed = [to for start, to in CASTS if start == given]
    raise InputError(
        "E-EXPRESSION-TYPE",
        "{node} casts a value of type {given}, which can become {allowed} only",
        "cast to one of those",
        node=shortened(node),
        given=given,
        allowed=any_of(allowed),
    )


def _case_type(node: Case, below: Sequence[str]) -> str:
    for (condition, _), given in zip(node.branches, below[0:-1:2], strict=True):
        check_boolean(condition, given)
    values = [*below[1:-1:2], below[-1]]
    found = common_type(values)
    if found is None:
        raise InputError(
            "E-EXPRESSION-TYPE",
            "{node} has values of several types ({values})",
            "cast them to one type",
            node=shortened(node),
            values=", ".join(values),
        )
    return found
