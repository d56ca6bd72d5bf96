"""One row of all the rows of a person, in the engine: see ``tables.person``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from sfumato.data.doubles import floor
from sfumato.tables.person import bounds_in, grid_of
from sfumato.tables.tree.aggregates import Count, Mean
from sfumato.tables.tree.selections import Extremum, Minimum

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import ibis.expr.types as ir

    from sfumato.tables.expressions import Expression
    from sfumato.tables.known import KnownColumn
    from sfumato.tables.tree.aggregates import Aggregate, OfColumn
    from sfumato.tables.tree.steps import PerPerson

    Value = Callable[[Expression], ir.Value]

_WIDE = "decimal(38, 0)"
_LEAST, _GREATEST = -(2**63), 2**63 - 1


def per_person(
    rows: ir.Table, step: PerPerson, columns: Mapping[str, KnownColumn], value: Value
) -> ir.Table:
    """Return the rows with one for each person.

    Parameters
    ----------
    rows
        The rows before.
    step
        What is computed.
    columns
        What is known of the columns before.
    value
        Gives an expression as the engine has it.
    """
    of = {name: getattr(each, "of", None) for name, each in step.columns}
    operands = {name: value(each) for name, each in of.items() if each is not None}
    held = rows.select(**{step.person: rows[step.person]}, **operands)
    computed = {name: _computed(held, name, each, columns) for name, each in step.columns}
    return held.group_by(step.person).agg(**computed)


def _computed(
    rows: ir.Table, name: str, asked: Aggregate, columns: Mapping[str, KnownColumn]
) -> ir.Value:
    """Return an aggregate of what it is of, a column of its name."""
    if isinstance(asked, Count):
        counted = rows.count() if asked.of is None else rows[name].count()
        return counted.cast("int64")
    given = rows[name]
    bounds = bounds_in(cast("OfColumn", asked), columns)
    if isinstance(asked, Extremum):
        return _extremum(_clipped(given, bounds), least=isinstance(asked, Minimum))
    if given.type().is_integer() and all(each.denominator == 1 for each in bounds or ()):
        return _added(_clipped(given, bounds), None, is_mean=isinstance(asked, Mean))
    step = grid_of(bounds)
    steps = _clipped(given.cast("float64"), bounds) * float(1 / step)
    return _added(floor(steps + 0.5), step, is_mean=isinstance(asked, Mean))


def _clipped(value: ir.Value, bounds: Any) -> ir.Value:
    """Return numbers between bounds, and what is missing missing; dates as they are."""
    import ibis

    if bounds is None or not value.type().is_numeric():
        return value
    low, high = (_literal(each, value.type()) for each in bounds)
    return ibis.cases((value.notnull(), ibis.greatest(low, ibis.least(high, value))))


def _literal(end: Any, kind: Any) -> ir.Value:
    import ibis

    if kind.is_integer():
        return ibis.literal(min(max(int(end), _LEAST), _GREATEST), "int64").cast("int64")
    return ibis.literal(float(end), "float64")


def _extremum(value: ir.Value, *, least: bool) -> ir.Value:
    """Return the least or the greatest; of two zeros always the one without a sign."""
    import ibis

    found = value.min() if least else value.max()
    if not value.type().is_floating():
        return found
    return ibis.cases((found == 0.0, ibis.literal(0.0, "float64")), else_=found)


def _added(values: ir.Value, step: Any, *, is_mean: bool) -> ir.Value:
    """Return the sum of whole numbers, or their mean; in steps of a grid where there is one.

    The sum itself is exact; a sum of whole numbers that 64 bits do not hold is the last they do.
    """
    import ibis

    total = values.cast(_WIDE).sum().cast(_WIDE)
    if is_mean:
        mean = total.cast("float64") / values.count().nullif(0).cast("float64")
        return mean if step is None else mean * float(step)
    if step is not None:
        return total.cast("float64") * float(step)
    ends = [ibis.literal(each, _WIDE) for each in (_LEAST, _GREATEST)]
    held = ibis.greatest(ends[0], ibis.least(ends[1], total))
    return ibis.cases((total.notnull(), held)).cast("int64")
