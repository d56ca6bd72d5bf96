"""The rows of a private table as the engine will see them: person, keys, and what each adds."""

from __future__ import annotations

from functools import reduce
from itertools import pairwise
from math import prod
from operator import and_
from typing import TYPE_CHECKING, Any, cast

from sfumato.data import PERSON, floor, in_memory
from sfumato.tables.column import bounds_in, grid_of
from sfumato.tables.expressions import Column, compile_expression, type_of
from sfumato.tables.expressions.guards import exactly, is_one_of
from sfumato.tables.tree.aggregates import Count, Extremum, Mean, Minimum
from sfumato.tables.tree.rows import Derive, Filter, JoinPeople, JoinPublic, PerPerson

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping, Sequence

    import ibis.expr.types as ir

    from sfumato.tables.column import KnownColumn
    from sfumato.tables.expressions import Expression
    from sfumato.tables.plan.measurements import Factor, Measurement
    from sfumato.tables.plan.partition_selection import Keys
    from sfumato.tables.tree.aggregates import Aggregate, OfColumn
    from sfumato.tables.tree.rows import Held, Step, Steps

    Value = Callable[[Expression], ir.Value]

_WIDE = "decimal(38, 0)"
_LEAST, _GREATEST = -(2**63), 2**63 - 1
#: More keys than so many are handed to the engine as a table.
_MOST_LISTED = 200


def beside_public(rows: ir.Table, step: JoinPublic, value: Value) -> ir.Table:
    """Return the rows beside those of a public table; a missing value is like no other."""
    import ibis

    names = _names(step.other.columns, rows.columns)
    public = ibis.memtable(step.other.rows).rename({new: old for old, new in names.items()})
    alike = [value(Column(ours)) == public[names[theirs]] for ours, theirs in step.on]
    return _joined(rows, public, alike, step.how, {name: names[name] for name in step.taken})


def beside_people(rows: ir.Table, others: ir.Table, step: JoinPeople) -> ir.Table:
    """Return the rows beside those of the same person in another table.

    Ids are compared as both tables hold them, and so as people are told apart.
    """
    names = _names(others.columns, rows.columns)
    others = others.rename({new: old for old, new in names.items()})
    ours, theirs = step.on
    alike = [rows[ours] == others[names[theirs]]]
    return _joined(rows, others, alike, step.how, {k: v for k, v in names.items() if k != theirs})


def _names(columns: Sequence[str], taken: Sequence[str]) -> dict[str, str]:
    """Return names that no column of the rows beside has, whatever its case."""
    mark = "beside"
    while any(each.casefold().startswith(mark) for each in taken):
        mark += "_"
    return {name: f"{mark}{place}" for place, name in enumerate(columns)}


def _joined(
    rows: ir.Table, others: ir.Table, alike: list[ir.Value], how: str, taken: Mapping[str, str]
) -> ir.Table:
    both = rows.join(others, reduce(and_, alike), how=how)
    return both.select(*rows.columns, **{name: both[held] for name, held in taken.items()})


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


class EngineRows:
    """The rows that a query is about, after its filters and derived columns.

    Parameters
    ----------
    table
        The private table, after what is done to its rows.
    """

    def __init__(self, table: Held) -> None:
        self.source = table.source
        self._schema = table.steps.types
        self._table = _in_engine(table)
        unit = table.relation.unit
        self._person = getattr(unit, "column", None)
        #: Tables that the engine keeps until the rows are closed.
        self.kept: dict[Hashable, ir.Table] = {}

    def keep(self, name: Hashable, query: ir.Table) -> None:
        """Have the engine keep the answer to a query, so that it is computed once."""
        self.kept[name] = self.source.keep(query)

    def close(self) -> None:
        """Have the engine forget what it keeps."""
        while self.kept:
            self.source.forget(self.kept.popitem()[1])

    def grouped(
        self, keys: Keys, measurements: Sequence[Measurement], **beside: ir.Value
    ) -> ir.Table:
        """Return person, key0, key1, …, add0, add1, … and others of the rows in the groups."""
        import ibis

        table = self._table
        parts: dict[str, Any] = {}
        if self._person is not None:
            parts[PERSON] = table[self._person]
        parts |= {
            held: self._key(name) for held, name in zip(keys.columns, keys.names, strict=True)
        }
        for place, each in enumerate(measurements):
            parts[f"add{place}"] = self._added(each)
        parts |= beside
        chosen = table.select(**parts) if parts else table.select(all=ibis.literal(1))
        return within(chosen, keys)

    def numbers(self, names: Sequence[str]) -> ir.Table:
        """Return person, x0, x1, …: columns as doubles, null or NaN where there is no number."""
        parts: dict[str, Any] = {} if self._person is None else {PERSON: self._table[self._person]}
        parts |= {f"x{place}": self._double(name) for place, name in enumerate(names)}
        return self._table.select(**parts)

    def _double(self, name: str) -> ir.Value:
        """Return a column as doubles; those it holds as they are, so that sums are fast."""
        column = self._table[name]
        if self._schema[name] == "number" and column.type().is_floating():
            return exactly(column, "number")
        return self.value(Column(name)).cast("float64")

    def _key(self, name: str) -> ir.Value:
        """Return a column to group by; whole numbers as they are held, so that filters are fast."""
        column = self._table[name]
        as_held = self._schema[name] == "integer" and column.type().is_integer()
        return column if as_held else self.value(Column(name))

    def value(self, expression: Any) -> ir.Value:
        """Return a column or an expression of the rows."""
        return compile_expression(expression, self._table, self._schema)

    def _added(self, measurement: Measurement) -> ir.Value:
        """Return what each row adds, in steps of the measurement's grid."""
        import ibis

        one, nothing = ibis.literal(1, "int64"), ibis.literal(0, "int64")
        here = [self.value(each).notnull() for each in measurement.needed]
        if measurement.absent:
            return ibis.ifelse(reduce(and_, here), nothing, one)
        added = one
        if measurement.factors:
            added = _on_grid(self._product(measurement.factors), measurement)
        if measurement.turned:
            added = ibis.literal(measurement.most, "int64") - added
        return ibis.ifelse(reduce(and_, here), added, nothing) if here else added

    def _product(self, factors: Sequence[Factor]) -> ir.Value:
        values = [self.clipped(each) for each in factors]
        return values[0] if len(values) == 1 else values[0] * values[1]

    def clipped(self, factor: Factor) -> ir.Value:
        """Return the column between its bounds; a missing value becomes the middle first."""
        import ibis

        value = self.value(factor.of).cast("float64")
        low, high, middle = (
            ibis.literal(float(each), "float64")
            for each in (factor.low, factor.high, factor.middle)
        )
        known = ibis.coalesce(value, middle)
        return ibis.greatest(low, ibis.least(high, known)) - float(factor.shift)


def within(rows: ir.Table, keys: Keys) -> ir.Table:
    """Return the rows whose keys are public ones."""
    if keys.rows is None:
        allowed = [
            _is_one_of(rows[f"key{keys.names.index(name)}"], values)
            for name, values in keys.allowed
        ]
        return rows.filter(allowed) if allowed else rows
    if not keys.names:
        return rows
    if not keys.rows:
        return rows.limit(0)
    values = [tuple(dict.fromkeys(column)) for column in zip(*keys.rows, strict=True)]
    sizes = [len(each) for each in values]
    if max(sizes) > _MOST_LISTED or prod(sizes) != len(keys.rows):
        return _joined_rows(rows, keys)
    held = zip(keys.columns, values, strict=True)
    return rows.filter([_is_one_of(rows[name], each) for name, each in held])


def _is_one_of(column: ir.Value, values: Sequence[Any]) -> ir.Value:
    import ibis

    known = [each for each in values if each is not None]
    found = is_one_of(column, known) if known else ibis.literal(False)  # noqa: FBT003
    return found | column.isnull() if len(known) < len(values) else found


def _joined_rows(rows: ir.Table, keys: Keys) -> ir.Table:
    """Return the rows whose keys together are a public combination."""
    names = keys.columns
    types_of = {name: _wide(rows[name].type()) for name in names}
    columns = dict(zip(names, map(list, zip(*(keys.rows or ()), strict=True)), strict=True))
    public = in_memory(columns, types_of)
    matches = [rows[name].identical_to(public[name]) for name in names]
    return rows.semi_join(public, matches)


def _wide(kind: Any) -> Any:
    """Return the type that holds every public value of a key."""
    import ibis

    return ibis.dtype("int64") if kind.is_integer() else kind


def _on_grid(value: ir.Value, measurement: Measurement) -> ir.Value:
    import ibis

    steps = (value - float(measurement.centre)) * float(1 / measurement.step)
    most = ibis.literal(float(measurement.most), "float64")
    within = ibis.greatest(-most, ibis.least(most, steps))
    return floor(within + 0.5)


def _in_engine(table: Held) -> ir.Table:
    rows: ir.Table = table.source.table
    for before, after in pairwise(table.steps.stages):
        rows = _done(after[-1], rows, before)
    return rows


def _true_of(
    condition: Expression, value: Callable[[Expression], ir.Value], schema: Mapping[str, str]
) -> ir.Value:
    """Return a condition; what is nothing at all is true of no row."""
    import ibis

    return ibis.literal(False) if type_of(condition, schema) == "null" else value(condition)  # noqa: FBT003


def _done(step: Step, rows: ir.Table, before: Steps) -> ir.Table:
    def value(expression: Expression) -> ir.Value:
        return compile_expression(expression, rows, before.types)

    match step:
        case Filter():
            return rows.filter(_true_of(step.condition, value, before.types))
        case Derive():
            return rows.mutate(**{name: value(each) for name, each in step})
        case JoinPublic():
            return beside_public(rows, step, value)
        case JoinPeople():
            return beside_people(rows, _in_engine(step.other), step)
        case PerPerson():
            return per_person(rows, step, before.known, value)
    return rows
