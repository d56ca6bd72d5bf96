"""The aggregates of a query."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

from sfumato.tables.expressions import (
    Case,
    Cast,
    Column,
    Expression,
    FunctionCall,
    Literal,
    type_of,
)
from sfumato.tables.sql.dialect import kind, literal, only, refusal, refused_node, shortened, spelt
from sfumato.tables.sql.expressions import row_expression
from sfumato.tables.tree import constructors
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from sqlglot.expressions import Expr

    from sfumato.errors import InputError
    from sfumato.tables.sql.names import Names
    from sfumato.tables.tree.aggregates import Aggregate


def bounds_said(of: Expression, names: Names, condition: Expression | None) -> Any:
    """Return the bounds that the text says, or those declared of a column that is filtered."""
    if condition is not None and isinstance(of, Column):
        return names.bounds.get(of.name)
    return _clipped(of) or _written(of, names)


def _clipped(of: Expression) -> tuple[float, float] | None:
    """Return the bounds that ``CLIP(x, low, high)`` says in SQL, where it clips to two numbers."""
    match of:
        case FunctionCall(
            function="clip",
            arguments=(
                _,
                Literal(value=int() | float() as low),
                Literal(value=int() | float() as high),
            ),
        ):
            return (low, high) if low < high else None
    return None


def _written(of: Expression, names: Names) -> tuple[float, float] | None:
    """Return the least and the greatest of the numbers that a choice is among; one is from 0."""
    numbers = set(_numbers(of, names) or ()) if isinstance(of, (Case, Cast)) else set()
    ends = numbers | {0} if len(numbers) == 1 else numbers
    return (min(ends), max(ends)) if len(ends) > 1 else None


def _numbers(of: Expression, names: Names) -> list[float] | None:
    """Return the numbers that an expression can be; None where it can be others."""
    match of:
        case Literal(value=None):
            return []
        case Literal(value=int() | float() as number) if not isinstance(number, bool):
            return [number]
        case Cast(argument=inner, type="integer" | "number"):
            return [0, 1] if type_of(inner, names.schema) == "boolean" else None
        case Case(branches=branches, otherwise=otherwise):
            each = [
                _numbers(value, names) for value in (*(then for _, then in branches), otherwise)
            ]
            known = [numbers for numbers in each if numbers is not None]
            return list(chain.from_iterable(known)) if len(known) == len(each) else None
    return None


Reader = Callable[[Any, "Names", Expression | None], "Aggregate"]

#: Aggregates of which FILTER cannot be said by a CASE inside.
_UNFILTERED = {"Filter", "Mode"}


def is_aggregate(node: Expr) -> bool:
    """Return whether a node is an aggregate that can be asked."""
    if kind(node) == "Filter":
        return is_aggregate(node.this)
    return _reader(node) is not None


def read_aggregate(node: Expr, names: Names) -> Aggregate:
    """Return the aggregate that a node asks for."""
    condition = None
    if kind(node) == "Filter":
        node, condition = _filtered(node, names)
    read = _reader(node)
    if read is None:
        raise refused_node(node)
    return read(node, names, condition)


def default_name(aggregate: Aggregate) -> str:
    """Return what an aggregate is called that is given no name."""
    word, _, _ = str(aggregate).partition("(")
    parts = aggregate.operands
    columns = [each.name for each in parts if isinstance(each, Column)]
    return "_".join([word, *(columns if len(columns) == len(parts) else ())])


def _reader(node: Expr) -> Reader | None:
    if kind(node) == "Anonymous":
        return _NAMED.get(str(node.this).lower())
    return _READERS.get(kind(node))


def _filtered(node: Expr, names: Names) -> tuple[Expr, Expression]:
    """Return the aggregate that a FILTER is of, and its condition."""
    this, where = only(node, "this", "expression")
    inside = this.this if kind(this) == "WithinGroup" else this
    if kind(inside) in _UNFILTERED or kind(inside.this) == "Distinct":
        raise refusal(
            of=tr("{inside} with FILTER", inside=spelt(inside)),
            write=mark("WHERE, in a query of its own"),
        )
    return this, row_expression(only(where, "this")[0], names)


def _of(
    ask: Callable[..., Aggregate], *slots: str, bounds: Sequence[str] = ("bounds", "other_bounds")
) -> Reader:
    """Return what reads an aggregate of the columns in some arguments."""

    def read(node: Expr, names: Names, condition: Expression | None) -> Aggregate:
        of = [_operand(node, each, names) for each in only(node, *slots)]
        ends = {
            name: bounds_said(each, names, condition)
            for name, each in zip(bounds, of, strict=False)
        }
        return ask(*(_where(condition, each) for each in of), **ends)

    return read


def _where(condition: Expression | None, of: Expression) -> Expression:
    """Return a value where a condition is true, and null elsewhere."""
    return of if condition is None else Case(((condition, of),), Literal(None))


def _operand(aggregate: Expr, node: Expr | None, names: Names) -> Expression:
    if node is None:
        raise refusal(
            of=tr("{aggregate} of nothing", aggregate=spelt(aggregate)),
            write=mark("what it is of in the brackets"),
        )
    found = row_expression(node, names)
    type_of(found, names.schema)
    return found


def _count(node: Expr, names: Names, condition: Expression | None) -> Aggregate:
    this, _ = only(node, "this", "big_int")
    if this is None or (kind(this) == "Star" and not only(this)):
        return _counted(Literal(1), condition)
    if kind(this) == "Distinct":
        (counted,) = only(this, "expressions")
        return _people(counted or (), names)
    return _counted(_operand(node, this, names), condition)


def _counted(of: Expression, condition: Expression | None) -> Aggregate:
    every_row = isinstance(of, Literal) and of.value is not None
    if every_row and condition is None:
        return constructors.count()
    return constructors.count(_where(condition, of))


def _count_if(node: Expr, names: Names, condition: Expression | None) -> Aggregate:
    (this,) = only(node, "this")
    found = row_expression(this, names)
    return _counted(Literal(1), found if condition is None else condition & found)


def _approximate_people(node: Expr, names: Names, condition: Expression | None) -> Aggregate:
    if condition is not None:
        raise refusal(of=mark("APPROX_COUNT_DISTINCT with FILTER"), write="WHERE")
    return _people(only(node, "this"), names)


def _people(counted: Sequence[Expr], names: Names) -> Aggregate:
    columns = [row_expression(each, names) for each in counted]
    if names.person is not None and [str(each) for each in columns] == [str(Column(names.person))]:
        return constructors.people()
    people = [] if names.person is None else [tr("COUNT(DISTINCT {person})", person=names.person)]
    values = [tr("COUNT(*) and GROUP BY {each}", each=shortened(str(each))) for each in columns[:1]]
    raise refusal(
        of=mark("COUNT(DISTINCT ...) of anything but the person's column"),
        write=", or ".join([*people, *values]) or "COUNT(*)",
    )


def _quantile(slot: str) -> Reader:
    """Return what reads a quantile of ``this``, whose rank is in another argument."""

    def read(node: Expr, names: Names, condition: Expression | None) -> Aggregate:
        this, share = only(node, "this", slot)
        return _ranked(_operand(node, this, names), share, names, condition)

    return read


def _spark_quantile(node: Expr, names: Names, condition: Expression | None) -> Aggregate:
    """Return what PERCENTILE asks in Spark; elsewhere the same node is one of the values."""
    if names.dialect != "spark":
        raise refused_node(node)
    return _quantile("quantile")(node, names, condition)


def _named_quantile(node: Expr, names: Names, condition: Expression | None) -> Aggregate:
    (given,) = only(node, "expressions", "this")[:1]
    if given is None or len(given) != 2:
        raise _not_one_rank()
    return _ranked(_operand(node, given[0], names), given[1], names, condition)


def _named_mean(node: Expr, names: Names, condition: Expression | None) -> Aggregate:
    (given,) = only(node, "expressions", "this")[:1]
    if given is None or len(given) != 1:
        raise refusal(of=mark("MEAN of anything but one value"), write="AVG(x)")
    of = _operand(node, given[0], names)
    return constructors.mean(_where(condition, of), bounds=bounds_said(of, names, condition))


def _ranked(
    of: Expression, share: Expr | None, names: Names, condition: Expression | None
) -> Aggregate:
    bounds = bounds_said(of, names, condition)
    return constructors.quantile(_where(condition, of), _share(share), bounds=bounds)


def _within_group(node: Expr, names: Names, condition: Expression | None) -> Aggregate:
    function, order = only(node, "this", "expression")
    of = _operand(node, _ordered_by(order), names)
    if kind(function) == "Mode":
        only(function)
        return constructors.mode(of)
    if kind(function) != "PercentileCont":
        raise refused_node(function)
    (share,) = only(function, "this")
    return _ranked(of, share, names, condition)


def _ordered_by(order: Expr | None) -> Expr:
    columns = [] if order is None else only(order, "expressions")[0]
    if len(columns) != 1:
        raise refusal(
            of=mark("WITHIN GROUP without one column"), write=mark("WITHIN GROUP (ORDER BY x)")
        )
    found, descending, _ = only(columns[0], "this", "desc", "nulls_first")
    if descending:
        raise refusal(
            of=mark("WITHIN GROUP with ORDER BY x DESC"),
            write=mark("ORDER BY x, and the rank from below"),
        )
    ordered: Expr = found
    return ordered


def _share(node: Expr | None) -> float:
    found = literal(node) if node is not None and kind(node) == "Literal" else None
    if not isinstance(found, (int, float)):
        raise _not_one_rank()
    return found


def _not_one_rank() -> InputError:
    return refusal(
        of=mark("a quantile that is not written as one number"),
        write=mark("PERCENTILE_CONT(0.9) WITHIN GROUP (ORDER BY x)"),
    )


_READERS: dict[str, Reader] = {
    "Count": _count,
    "CountIf": _count_if,
    "ApproxDistinct": _approximate_people,
    "Sum": _of(constructors.sum, "this"),
    "Avg": _of(constructors.mean, "this"),
    "Variance": _of(constructors.variance, "this"),
    "VariancePop": _of(constructors.variance, "this"),
    "Stddev": _of(constructors.std, "this"),
    "StddevPop": _of(constructors.std, "this"),
    "CovarPop": _of(constructors.covariance, "this", "expression"),
    "Median": _of(constructors.median, "this"),
    "Min": _of(constructors.minimum, "this"),
    "Max": _of(constructors.maximum, "this"),
    "Mode": _of(constructors.mode, "this", bounds=()),
    "PercentileCont": _quantile("expression"),
    "ApproxQuantile": _quantile("quantile"),
    "Quantile": _spark_quantile,
    "WithinGroup": _within_group,
}
#: Aggregates that the parser does not know in every dialect.
_NAMED: dict[str, Reader] = {
    "approx_percentile": _named_quantile,
    "mean": _named_mean,
    "percentile_approx": _named_quantile,
    "quantile_cont": _named_quantile,
}
