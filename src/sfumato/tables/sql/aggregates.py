"""The aggregates of a query."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from sfumato.tables.expressions import Call, Column, Expression, Literal, type_of
from sfumato.tables.sql.refusals import refusal, refused_node, spelt
from sfumato.tables.sql.rows import row_expression
from sfumato.tables.sql.shapes import kind, only
from sfumato.tables.sql.values import literal
from sfumato.tables.tree import asking, selecting

if TYPE_CHECKING:
    from sqlglot.expressions import Expr

    from sfumato.tables.sql.names import Names
    from sfumato.tables.tree.aggregates import Aggregate

__all__ = ["default_name", "is_aggregate", "read_aggregate"]

Reader = Callable[[Any, "Names"], "Aggregate"]


def is_aggregate(node: Expr) -> bool:
    """Return whether a node is an aggregate that can be asked.

    Examples
    --------
    >>> import sqlglot
    >>> from sfumato.tables.sql.aggregates import is_aggregate
    >>> [is_aggregate(sqlglot.parse_one(each)) for each in ("AVG(age)", "ABS(age)")]
    [True, False]
    """
    return kind(node) in _READERS


def read_aggregate(node: Expr, names: Names) -> Aggregate:
    """Return the aggregate that a node asks for.

    Examples
    --------
    >>> import sqlglot
    >>> from sfumato.tables.sql.aggregates import read_aggregate
    >>> from sfumato.tables.sql.names import Names
    >>> names = Names({"age": "integer"}, tables=("p",), person=None, where="the table")
    >>> print(read_aggregate(sqlglot.parse_one("AVG(age + 1)"), names))
    mean(age + 1)
    """
    return _READERS[kind(node)](node, names)


def default_name(aggregate: Aggregate) -> str:
    """Return what an aggregate is called that is given no name.

    Examples
    --------
    >>> import sfumato as sf
    >>> from sfumato.tables.sql.aggregates import default_name
    >>> default_name(sf.mean("age")), default_name(sf.count())
    ('mean_age', 'count')
    """
    word, _, _ = str(aggregate).partition("(")
    parts = aggregate.operands
    columns = [each.name for each in parts if isinstance(each, Column)]
    return "_".join([word, *(columns if len(columns) == len(parts) else ())])


def _of(
    ask: Callable[..., Aggregate], *slots: str, bounds: Sequence[str] = ("bounds", "other_bounds")
) -> Reader:
    """Return what reads an aggregate of the columns in some arguments."""

    def read(node: Expr, names: Names) -> Aggregate:
        of = [_operand(node, each, names) for each in only(node, *slots)]
        ends = {name: _clipped(each) for name, each in zip(bounds, of, strict=False)}
        return ask(*of, **ends)

    return read


def _clipped(of: Expression) -> tuple[float, float] | None:
    """Return the bounds that ``CLIP(x, low, high)`` says in SQL, where it clips to two numbers."""
    match of:
        case Call(
            function="clip",
            arguments=(
                _,
                Literal(value=int() | float() as low),
                Literal(value=int() | float() as high),
            ),
        ):
            return (low, high) if low < high else None
    return None


def _operand(aggregate: Expr, node: Expr | None, names: Names) -> Expression:
    if node is None:
        raise refusal(of=f"{spelt(aggregate)} of nothing", write="what it is of in the brackets")
    found = row_expression(node, names)
    type_of(found, names.schema)
    return found


def _count(node: Expr, names: Names) -> Aggregate:
    this, _ = only(node, "this", "big_int")
    if this is None or (kind(this) == "Star" and not only(this)):
        return asking.count()
    if kind(this) == "Distinct":
        return _people(this, names)
    found = _operand(node, this, names)
    every_row = isinstance(found, Literal) and found.value is not None
    return asking.count() if every_row else asking.count(found)


def _people(node: Expr, names: Names) -> Aggregate:
    (counted,) = only(node, "expressions")
    columns = [row_expression(each, names) for each in counted or ()]
    if names.person is not None and [str(each) for each in columns] == [str(Column(names.person))]:
        return asking.people()
    person = "*" if names.person is None else f"DISTINCT {names.person}"
    raise refusal(
        of="COUNT(DISTINCT ...) of anything but the person's column", write=f"COUNT({person})"
    )


def _quantile(node: Expr, names: Names) -> Aggregate:
    this, share = only(node, "this", "expression")
    of = _operand(node, this, names)
    return selecting.quantile(of, _share(share), bounds=_clipped(of))


def _within_group(node: Expr, names: Names) -> Aggregate:
    function, order = only(node, "this", "expression")
    of = _operand(node, _ordered_by(order), names)
    if kind(function) == "Mode":
        only(function)
        return selecting.mode(of)
    if kind(function) != "PercentileCont":
        raise refused_node(function)
    (share,) = only(function, "this")
    return selecting.quantile(of, _share(share), bounds=_clipped(of))


def _ordered_by(order: Expr | None) -> Expr:
    columns = [] if order is None else only(order, "expressions")[0]
    if len(columns) != 1:
        raise refusal(of="WITHIN GROUP without one column", write="WITHIN GROUP (ORDER BY x)")
    found: Expr = only(columns[0], "this")[0]
    return found


def _share(node: Expr | None) -> float:
    found = literal(node) if node is not None and kind(node) == "Literal" else None
    if not isinstance(found, (int, float)):
        raise refusal(
            of="a quantile that is not written as one number", write="QUANTILE_CONT(x, 0.9)"
        )
    return found


_READERS: dict[str, Reader] = {
    "Count": _count,
    "Sum": _of(asking.sum, "this"),
    "Avg": _of(asking.mean, "this"),
    "Variance": _of(asking.variance, "this"),
    "VariancePop": _of(asking.variance, "this"),
    "Stddev": _of(asking.std, "this"),
    "StddevPop": _of(asking.std, "this"),
    "CovarPop": _of(asking.covariance, "this", "expression"),
    "Median": _of(selecting.median, "this"),
    "Min": _of(selecting.minimum, "this"),
    "Max": _of(selecting.maximum, "this"),
    "Mode": _of(selecting.mode, "this", bounds=()),
    "PercentileCont": _quantile,
    "WithinGroup": _within_group,
}
