"""Exact numbers of rows in the cells of a tally, in which nobody counts for more than the limit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.data.arrow import whole_numbers
from sfumato.data.doubles import floor
from sfumato.tables.expressions.forms import is_one_of
from sfumato.tables.plan.selecting.tallies import GridTally, ValueTally
from sfumato.tables.run.bounding import added_and_lost, key_rows
from sfumato.tables.run.edges import edges_reached

if TYPE_CHECKING:
    import ibis.expr.types as ir
    import pyarrow as pa
    from numpy.typing import NDArray

    from sfumato.tables.plan.contribution import Contribution
    from sfumato.tables.plan.keys import Keys
    from sfumato.tables.plan.selecting.tallies import AnyTally
    from sfumato.tables.run.rows import EngineRows

_CELL = "cell"


def exact_cells(
    rows: EngineRows, keys: Keys, tally: AnyTally, contribution: Contribution
) -> NDArray[np.int64]:
    """Return how many rows are in each cell of each group, in fine steps.

    As for sums, all rows are counted, and what the rows of people over the limit count too much
    is taken away.
    """
    table, parts = added_and_lost(
        rows, keys, _in_cells(rows, keys, tally), [tally.rows], contribution, once=False
    )
    sums = {name: each.sum().cast("int64") for name, each in parts.items()}
    answer = rows.source.fetch(table.group_by([*keys.columns, _CELL]).agg(**sums))
    found = whole_numbers(answer["add0"]) * contribution.fine
    if "less0" in parts:
        found -= whole_numbers(answer["less0"])
    return _in_order(keys, tally, answer, found)


def _in_cells(rows: EngineRows, keys: Keys, tally: AnyTally) -> ir.Table:
    """Return the rows in the groups, each with its cell and with 1 if it counts, else 0."""
    table = rows.grouped(keys, [tally.rows], **{_CELL: _cell(rows, tally)})
    if isinstance(tally, ValueTally):
        return table.filter(is_one_of(table[_CELL], tally.values))
    return table


def _cell(rows: EngineRows, tally: AnyTally) -> ir.Value:
    if isinstance(tally, GridTally):
        return _nearest(rows.clipped(tally.column), tally)
    if isinstance(tally, ValueTally):
        return rows.value(tally.of)
    return edges_reached(rows.clipped(tally.column), tally.edges[1:-1])


def _nearest(value: ir.Value, tally: GridTally) -> ir.Value:
    """Return the number of the nearest point, the upper one of two."""
    import ibis

    grid = tally.grid
    place = value * float(1 / grid.step) - float(grid.low)
    last = ibis.literal(float(tally.size - 1), "float64")
    within = ibis.greatest(ibis.literal(0.0, "float64"), ibis.least(last, place))
    return floor(within + 0.5)


def _in_order(
    keys: Keys, tally: AnyTally, answer: pa.Table, found: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return what was found, by group and cell."""
    groups = {row: place for place, row in enumerate(keys.rows or ())}
    group = np.array(
        [groups.get(row, -1) for row in key_rows(answer, keys.columns)], dtype=np.int64
    )
    cell = np.array(_places(tally, answer[_CELL].to_pylist()), dtype=np.int64)
    known = (group >= 0) & (cell >= 0)
    ordered = np.zeros((len(groups), tally.size), dtype=np.int64)
    ordered[group[known], cell[known]] = found[known]
    return ordered


def _places(tally: AnyTally, cells: list[Any]) -> list[int]:
    """Return the numbers of cells, where they are told by their values; -1 for any other value."""
    if not isinstance(tally, ValueTally):
        return cells
    places = {value: place for place, value in enumerate(tally.values)}
    return [places.get(each, -1) for each in cells]
