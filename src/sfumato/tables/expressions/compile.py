"""What an expression is on a table: its type, found without a row, and its value in the engine.

The value is one of Ibis that cannot fail on any row.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from sfumato.data import number_or
from sfumato.data.policy import column_type
from sfumato.errors import InputError, UnknownNameError
from sfumato.refusal import any_of
from sfumato.tables.expressions.functions import FUNCTIONS, common_type, fitting, shortened
from sfumato.tables.expressions.guards import (
    CASTS,
    constant,
    dated,
    exactly,
    finite,
    finite_from,
    held,
    nulls,
    short,
)
from sfumato.tables.expressions.nodes import Case, Cast, Column, Expression, FunctionCall, Literal
from sfumato.tables.expressions.values import TYPES, fold, value_type

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import ibis.expr.types as ir

_SMALLEST = 5e-324
_LARGEST_QUERY = 10_000


def column_types(schema: Mapping[str, Any]) -> dict[str, str]:
    """Return the type of each column of an Ibis schema, and "other" for what has none.

    Integers of more than 64 bits and decimals are numbers, that is doubles; so are unsigned ones
    of 64 bits.
    """
    return {name: column_type(kind) for name, kind in schema.items()}


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
        if given not in {"boolean", "null"}:
            raise InputError(
                "E-CONDITION-TYPE",
                "the condition {expression} is of type {given}",
                "write one that is true or false, such as a comparison",
                expression=shortened(condition),
                given=given,
            )
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


def _timestamp(column: ir.Column) -> ir.Value:
    """Return a moment as its date and time in UTC, whatever zone the session is in."""
    if column.type().timezone is None:
        return dated(column.try_cast("timestamp"), "timestamp")
    since_1970, moment = _clock()
    return dated(moment(since_1970(column)), "timestamp")


@functools.cache
def _clock() -> tuple[Any, Any]:
    """Return the engine's functions from a moment to microseconds, and to a timestamp from them."""
    import ibis

    def epoch_us(moment: Any) -> Any: ...

    def make_timestamp(microseconds: Any) -> Any: ...

    builtin = ibis.udf.scalar.builtin
    return (
        builtin(epoch_us, signature=(("timestamp('UTC')",), "int64")),
        builtin(make_timestamp, signature=(("int64",), "timestamp")),
    )


#: How a column of each type becomes a value, its odd cells null.
_LEAVES: dict[str, Callable[[ir.Column], ir.Value]] = {
    "integer": lambda column: exactly(column, "integer"),
    "number": lambda column: number_or(exactly(column, "number")),
    "text": lambda column: exactly(column, "text"),
    "boolean": lambda column: column,
    "date": lambda column: dated(column, "date"),
    "timestamp": _timestamp,
}


@dataclass(frozen=True)
class Compiled:
    """A value in the engine.

    Attributes
    ----------
    value
        What it is.
    type
        One of the six types, or "null".
    raw
        The same, except that a double which is not finite may stand for null, and so may a text
        that is too long: a chain of sums, of products or of texts is judged once, at its end, and
        not repeated at every step.
    """

    value: ir.Value
    type: str
    raw: ir.Value

    @classmethod
    def plain(cls, value: ir.Value, kind: str) -> Compiled:
        """Return a value that is what it is."""
        return cls(value, kind, value)

    @classmethod
    def judged(cls, raw: ir.Value) -> Compiled:
        """Return a double that is null unless it is finite."""
        return cls(finite(raw), "number", raw)

    @classmethod
    def joined(cls, raw: ir.Value) -> Compiled:
        """Return a text that is null if it is too long."""
        return cls(short(raw), "text", raw)

    def cast(self, to: str) -> Compiled:
        """Return it as another type."""
        if self.type == "null":
            return Compiled.plain(nulls(to), to)
        if self.type == to:
            return self
        made = CASTS[self.type, to](self.raw if self.type == "number" else self.value)
        may_be_infinite = (self.type, to) == ("text", "number")
        return Compiled.judged(made) if may_be_infinite else Compiled.plain(made, to)

    def given_as(self, parameter: str) -> ir.Value:
        """Return it as a parameter takes it: a type, or a kind of double."""
        if parameter == "piece":
            return self.cast("text").raw
        guard = _GUARDS.get(parameter)
        if guard is None:
            return self.cast(parameter).value
        return guard(self.cast("number").raw)


_GUARDS: dict[str, Callable[[ir.Value], ir.Value]] = {
    "raw": lambda double: double,
    "kept": lambda double: double,
    "finite": finite,
    "divisor": lambda double: held(double != constant(0.0, "number"), finite(double)),
    "positive": lambda double: finite_from(double, _SMALLEST),
    "not_negative": lambda double: finite_from(double, 0.0),
}


def compile_expression(
    expression: Expression, table: ir.Table, schema: Mapping[str, str]
) -> ir.Value:
    """Return an expression as an Ibis value over a table.

    Parameters
    ----------
    expression
        What to compile.
    table
        The table whose columns it uses.
    schema
        The type of each column.  A column that the engine holds as another type is cast, as
        ``cast`` would: so the columns of a CSV file, which are texts, become what they should be.
    """
    made: Compiled = fold(
        expression,
        lambda node: node.parts,
        lambda node, below: _compiled(node, below, table, schema),
    )
    if _written_size(made.value) > _LARGEST_QUERY:
        raise InputError(
            "E-QUESTION-TOO-LARGE",
            "{expression} would be too long for an engine, since divisions, powers, casts "
            "and choices repeat what is inside them",
            "write it less nested",
            expression=shortened(expression),
        )
    return made.value


def _written_size(value: ir.Value) -> int:
    """Return how many operations a value has once it is written out, shared parts repeated."""
    import ibis.expr.operations as ops

    def size(operation: Any, sizes: Mapping[Any, int], **_: Any) -> int:
        times = 2 if isinstance(operation, ops.Substring) else 1
        return 1 + times * sum(sizes.get(each, 1) for each in operation.__children__)

    found: int = value.op().map(size, filter=ops.Value)[value.op()]
    return found


def _compiled(
    node: Expression, below: Sequence[Compiled], table: ir.Table, schema: Mapping[str, str]
) -> Compiled:
    kind = node_type(node, [each.type for each in below], schema)
    if isinstance(node, Column):
        return _column(table, node.name, kind)
    if isinstance(node, Literal):
        return Compiled.plain(constant(node.value, "text" if kind == "null" else kind), kind)
    if isinstance(node, Cast):
        return below[0].cast(kind)
    return _called(node, below, kind) if isinstance(node, FunctionCall) else _chosen(below, kind)


def _column(table: ir.Table, name: str, kind: str) -> Compiled:
    column = table[name]
    held = column_type(column.type())
    if held != kind and (held, kind) not in CASTS:
        raise InputError(
            "E-COLUMN-TYPE",
            "the column {name!r} is declared as {kind}, and the table holds it as {held}, "
            "which cannot become that",
            "declare another type",
            name=name,
            kind=kind,
            held=held,
        )
    value = _LEAVES[held](column)
    # A column's own infinity stays.
    raw = exactly(column, "number") if held == "number" else value
    return Compiled(value, held, raw).cast(kind)


def _called(node: FunctionCall, below: Sequence[Compiled], kind: str) -> Compiled:
    form = fitting(node, FUNCTIONS[node.function], [each.type for each in below])
    if form.result == "kept":
        (given,) = below
        value, raw = form.make(given.given_as("number")), form.make(given.given_as("raw"))
        return Compiled(value, "number", raw)
    parameters = zip(form.parameters_for(len(below)), node.arguments, below, strict=True)
    made = form.make(
        *(
            each.given_as(parameter)
            if isinstance(parameter, str)
            else cast("Literal", argument).value
            for parameter, argument, each in parameters
        )
    )
    if form.result == "piece":
        return Compiled.joined(made)
    return Compiled.judged(made) if form.result == "raw" else Compiled.plain(made, kind)


def _chosen(below: Sequence[Compiled], kind: str) -> Compiled:
    import ibis

    wanted = "text" if kind == "null" else kind
    conditions = [each.given_as("boolean") for each in below[0:-1:2]]
    *values, otherwise = [each.given_as(wanted) for each in (*below[1:-1:2], below[-1])]
    made = ibis.cases(*zip(conditions, values, strict=True), else_=otherwise)
    return Compiled.plain(made, kind)
