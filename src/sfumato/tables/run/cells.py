"""Releasing quantiles, histograms and favourites of the cells of each group."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.data import floor, whole_numbers
from sfumato.mechanisms import ExponentialQuantile
from sfumato.tables.expressions.guards import is_one_of
from sfumato.tables.plan.cells import GridTally, ValueTally
from sfumato.tables.plan.histograms import Bins, Favourites
from sfumato.tables.plan.quantiles import PARTS, Extreme, Ranks
from sfumato.tables.run.contribution_bounding import added_and_lost, key_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import ibis.expr.types as ir
    import pyarrow as pa
    from numpy.typing import NDArray

    from sfumato.mechanisms import Mechanism
    from sfumato.tables.plan.cells import AnyTally, LookAtCells
    from sfumato.tables.plan.measurements import ChosenLimit, Contribution
    from sfumato.tables.plan.partition_selection import Keys
    from sfumato.tables.run.rows import EngineRows

    CellCounts = NDArray[np.int64]
    Choose = Callable[[Mechanism[Any, Any], Any], Any]

_CELL = "cell"


def edges_reached(value: ir.Value, edges: Sequence[Fraction | float], before: int = 0) -> ir.Value:
    """Return how many edges a value has reached, and as many as were before; by bisection."""
    import ibis

    if not edges:
        return ibis.literal(before, "int64")
    middle = len(edges) // 2
    reached = value >= ibis.literal(float(edges[middle]), "float64")
    above = edges_reached(value, edges[middle + 1 :], before + middle + 1)
    return ibis.ifelse(reached, above, edges_reached(value, edges[:middle], before))


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


def look_at_cells(
    rows: EngineRows,
    keys: Keys,
    steps: Sequence[LookAtCells],
    contribution: Contribution,
    limits: Mapping[str, ChosenLimit],
    source: Any,
) -> list[list[int]]:
    """Return what steps release of the cells that rows fall into, each group by group."""

    def choose(mechanism: Mechanism[Any, Any], value: Any) -> Any:
        return mechanism.release(value, source=source).value

    exact: dict[AnyTally, CellCounts] = {}
    found = []
    for step in steps:
        tally, chosen = step.look.tally, limits.get(step.limited_by)
        if tally not in exact:
            exact[tally] = exact_cells(rows, keys, tally, contribution)
        left_out = 0.0 if chosen is None else chosen.left_out
        found.append(release_cells(step, exact[tally], contribution, choose, left_out=left_out))
    return found


def release_cells(
    step: LookAtCells,
    cells: CellCounts,
    contribution: Contribution,
    choose: Choose,
    *,
    left_out: float = 0.0,
) -> list[int]:
    """Return what a step releases of the cells of all groups, group by group.

    Parameters
    ----------
    cells
        One row a group, in fine steps.
    contribution
        With the limits that were chosen.
    choose
        Returns what a mechanism releases for a value.
    left_out
        The share of rows that a limit chosen before is expected to leave out.
    """
    look = step.look
    if isinstance(look, Bins):
        noise = look.mechanism(step, contribution, len(cells))
        return [int(each) for each in choose(noise, cells.ravel().astype(object))]
    if isinstance(look, Ranks):
        chosen = _ranks(look, step, contribution, choose, left_out)
    elif isinstance(look, Favourites):
        favourite = look.mechanism(step, contribution)
        chosen = partial(_favourites, count=look.count, mechanism=favourite, choose=choose)
    elif isinstance(look, Extreme):
        extreme = look.mechanism(step, contribution)
        chosen = lambda group: [choose(extreme, group)]  # noqa: E731
    return [cell for group in cells for cell in chosen(group)]


def _ranks(
    look: Ranks, step: LookAtCells, contribution: Contribution, choose: Choose, left_out: float
) -> Callable[[CellCounts], list[int]]:
    """Return what chooses the quantiles of a group, then their lower and their upper bars."""
    tree = QuantileTree(
        look.ranks,
        look.level_epsilon(step),
        step.sensitivity(contribution),
        contribution.relation,
    )
    sides = (-1, 1) if look.bars else ()
    bars = [
        look.bar(step, contribution, rank, side=side, left_out=left_out)
        for side in sides
        for rank in look.ranks
    ]
    return lambda group: [*tree.chosen(group, choose), *(choose(bar, group) for bar in bars)]


@dataclass(frozen=True)
class QuantileTree:
    """Several quantiles of the same cells, the middle one first; see ``Ranks``.

    Parameters
    ----------
    ranks
        In order.
    epsilon
        Of each level.
    sensitivity
        Of the cells.
    relation
        Which tables are neighbours.
    """

    ranks: tuple[Fraction, ...]
    epsilon: Fraction
    sensitivity: Fraction
    relation: Any

    def chosen(self, cells: CellCounts, choose: Choose) -> list[int]:
        """Return the cell of each quantile."""
        parts = 1 if len(self.ranks) == 1 else PARTS
        points = self._inside(
            np.repeat(cells, parts), self.ranks, (Fraction(0), Fraction(1)), choose
        )
        return [point // parts for point in points]

    def _inside(
        self,
        cells: CellCounts,
        ranks: Sequence[Fraction],
        ends: tuple[Fraction, Fraction],
        choose: Choose,
    ) -> list[int]:
        """Return quantiles of the cells between two ranks, among them and what they begin after."""
        if not ranks:
            return []
        (low, high), place = ends, len(ranks) // 2
        middle = ranks[place]
        found = choose(self.mechanism((middle - low) / (high - low)), cells)
        left = self._inside(cells[: found + 1], ranks[:place], (low, middle), choose)
        beyond = np.concatenate(([0], cells[found + 1 :]))
        right = self._inside(beyond, ranks[place + 1 :], (middle, high), choose)
        return [*left, found, *(found + each for each in right)]

    def mechanism(self, rank: Fraction) -> ExponentialQuantile:
        """Return what chooses at a rank relative to the rows of a side."""
        parts = 1 if len(self.ranks) == 1 else PARTS
        return ExponentialQuantile(
            epsilon=self.epsilon,
            rank=rank,
            sensitivity=self.sensitivity * parts,
            relation=self.relation,
        )


def _favourites(
    cells: CellCounts, *, count: int, mechanism: Mechanism[Any, Any], choose: Choose
) -> list[int]:
    """Return the cells that are chosen one after the other, each among those left."""
    left = dict(enumerate(cells.tolist()))
    found = []
    for _ in range(count):
        found.append(choose(mechanism, left))
        del left[found[-1]]
    return found
