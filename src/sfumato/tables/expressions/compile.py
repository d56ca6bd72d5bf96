"""From an expression to a value of Ibis that cannot fail on any row."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from sfumato.data.policy.engine_types import column_type
from sfumato.errors import InputError
from sfumato.tables.expressions.casting import CASTS
from sfumato.tables.expressions.compiled import Compiled
from sfumato.tables.expressions.folding import fold
from sfumato.tables.expressions.functions import FUNCTIONS
from sfumato.tables.expressions.nodes import Cast, Column, Expression, FunctionCall, Literal
from sfumato.tables.expressions.signatures import fitting, shortened
from sfumato.tables.expressions.types import node_type

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import ibis.expr.types as ir

    from sfumato.tables.expressions.signatures import Parameter, Signature

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
