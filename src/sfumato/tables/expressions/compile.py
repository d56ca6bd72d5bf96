"""From an expression to a value of Ibis that cannot fail on any row."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from sfumato.data import number_or
from sfumato.data.policy import column_type
from sfumato.errors import InputError
from sfumato.tables.expressions.functions import FUNCTIONS, fitting, shortened
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
from sfumato.tables.expressions.nodes import Cast, Column, Expression, FunctionCall, Literal
from sfumato.tables.expressions.types import node_type
from sfumato.tables.expressions.values import fold

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import ibis.expr.types as ir

    from sfumato.tables.expressions.functions import Parameter, Signature


def column_types(schema: Mapping[str, Any]) -> dict[str, str]:
    """Return the type of each column of an Ibis schema, and "other" for what has none.

    Integers of more than 64 bits and decimals are numbers, that is doubles; so are unsigned ones
    of 64 bits.
    """
    return {name: column_type(kind) for name, kind in schema.items()}


def leaf(column: ir.Column) -> ir.Value:
    """Return a column as a value of its type, its odd values null."""
    return _LEAVES[column_type(column.type())](column)


def _number(column: ir.Column) -> ir.Value:
    return number_or(exactly(column, "number"))


def _timestamp(column: ir.Column) -> ir.Value:
    if column.type().timezone is not None:
        return dated(_in_utc(column), "timestamp")
    return dated(column.try_cast("timestamp"), "timestamp")


def _in_utc(column: ir.Column) -> ir.Value:
    """Return a moment as its date and time in UTC, whatever zone the session is in."""
    since_1970, moment = _clock()
    return moment(since_1970(column))


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


_LEAVES: dict[str, Callable[[ir.Column], ir.Value]] = {
    "integer": lambda column: exactly(column, "integer"),
    "number": _number,
    "text": lambda column: exactly(column, "text"),
    "boolean": lambda column: column,
    "date": lambda column: dated(column, "date"),
    "timestamp": _timestamp,
}


_SMALLEST = 5e-324


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

    @classmethod
    def of_column(cls, column: ir.Column) -> Compiled:
        """Return a column; its own infinity stays."""
        kind, value = column_type(column.type()), leaf(column)
        return cls(value, kind, exactly(column, "number") if kind == "number" else value)

    @classmethod
    def of_constant(cls, value: object, kind: str) -> Compiled:
        """Return a value that the query writes down."""
        return cls.plain(constant(value, "text" if kind == "null" else kind), kind)

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


_LARGEST_QUERY = 10_000


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
    if written_size(made.value) > _LARGEST_QUERY:
        raise InputError(
            "E-QUESTION-TOO-LARGE",
            "{expression} would be too long for an engine, since divisions, powers, casts "
            "and choices repeat what is inside them",
            "write it less nested",
            expression=shortened(expression),
        )
    return made.value


def written_size(value: ir.Value) -> int:
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
        return Compiled.of_constant(node.value, kind)
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
    return Compiled.of_column(column).cast(kind)


def _called(node: FunctionCall, below: Sequence[Compiled], kind: str) -> Compiled:
    form = fitting(node, FUNCTIONS[node.function], [each.type for each in below])
    if form.result == "kept":
        (given,) = below
        value, raw = form.make(given.given_as("number")), form.make(given.given_as("raw"))
        return Compiled(value, "number", raw)
    made = form.make(*_arguments(form, node, below))
    if form.result == "piece":
        return Compiled.joined(made)
    return Compiled.judged(made) if form.result == "raw" else Compiled.plain(made, kind)


def _arguments(form: Signature, node: FunctionCall, below: Sequence[Compiled]) -> list[Any]:
    parameters = form.parameters_for(len(below))
    return [_argument(*each) for each in zip(parameters, node.arguments, below, strict=True)]


def _argument(parameter: Parameter, node: Expression, given: Compiled) -> Any:
    if isinstance(parameter, str):
        return given.given_as(parameter)
    return cast("Literal", node).value


def _chosen(below: Sequence[Compiled], kind: str) -> Compiled:
    import ibis

    wanted = "text" if kind == "null" else kind
    conditions = [each.given_as("boolean") for each in below[0:-1:2]]
    *values, otherwise = [each.given_as(wanted) for each in (*below[1:-1:2], below[-1])]
    made = ibis.cases(*zip(conditions, values, strict=True), else_=otherwise)
    return Compiled.plain(made, kind)
