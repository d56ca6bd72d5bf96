"""Points in an engine: each look at them is one query, and only sums come out of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.data import PERSON, floor, in_memory, number_or
from sfumato.errors import InputError
from sfumato.learning.kmeans.points.grid import (
    WEIGHT_BITS,
    CellCounts,
    Totals,
    halvings,
)
from sfumato.learning.kmeans.space import PULL

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import ibis.expr.types as ir
    import pyarrow as pa
    from numpy.typing import NDArray

    from sfumato.data import Measured
    from sfumato.learning.kmeans.space import Ball, GridBox

    Whole = NDArray[np.int64]


def whole_steps(value: ir.Value, space: GridBox, place: int) -> ir.Value:
    """Return a column in whole steps from the middle, as ``Space.whole`` does.

    Where the ends are so near each other that the middle is rounded, steps are held once more.

    Parameters
    ----------
    value
        The column, as doubles.
    space, place
        The box, and which of its coordinates it is.
    """
    low, high, middle, scale = (
        float(each[place]) for each in (space.low, space.high, space.middle, space.scale)
    )
    between = _clipped(number_or(value, _exact(middle)), low, high)
    steps = (between - _exact(middle)) * _exact(scale)
    if max(high - middle, middle - low) * scale >= space.unit + 0.5:
        steps = _clipped(steps, -space.unit, space.unit)
    return floor(steps + _exact(0.5))


def _clipped(value: ir.Value, low: float, high: float) -> ir.Value:
    import ibis

    return ibis.greatest(_exact(low), ibis.least(_exact(high), value))


def _exact(number: float) -> ir.Value:
    """Return a double to the last bit; written as a number, an engine might round it twice."""
    import ibis

    return ibis.literal(repr(float(number))).cast("float64")


def nearest_centre(point: Sequence[ir.Value], centres: Whole) -> ir.Value:
    """Return the number of the nearest centre: it has the highest 2x·c - |c|².

    The number is written behind the score, the first centre's as the highest: of scores that are
    the same, the greatest of all is then the first's.
    """
    import ibis

    places = 1 << (len(centres) - 1).bit_length()
    scores = []
    for place, centre in enumerate(centres.tolist()):
        alone = places - 1 - place - places * sum(each * each for each in centre)
        parts = (x * (2 * places * each) for x, each in zip(point, centre, strict=True) if each)
        scores.append(reduce(add, parts, ibis.literal(alone, "int64")))
    if len(scores) == 1:
        return ibis.literal(0, "int64").name("label")
    return ((places - 1) - (ibis.greatest(*scores) & (places - 1))).name("label")


def pulled_rows(rows: ir.Table, centres: Whole, ball: Ball, kept: Sequence[str]) -> ir.Table:
    """Return rows with their distances from the nearest centre, pulled into a ball.

    Parameters
    ----------
    rows
        Points in steps, s0, s1, …, and the number of the nearest centre, label.
    centres, ball
        As in ``Points.totals``.
    kept
        Which other columns to keep.
    """
    held = {f"c{place}": each for place, each in enumerate(centres.T.tolist())}
    known = {"centre": list(range(len(centres))), **held}
    next_to = in_memory(known, dict.fromkeys(known, "int64"))
    both = rows.join(next_to, rows["label"] == next_to["centre"])
    names = [f"s{place}" for place in range(centres.shape[1])]
    away = {name: both[name] - both[f"c{place}"] for place, name in enumerate(names)}
    return pulled(both.select("label", *kept, **away), names, ball)


def pulled(rows: ir.Table, names: Sequence[str], ball: Ball) -> ir.Table:
    """Return rows with the distances in some columns pulled into a ball."""
    rows = rows.mutate(far=_far([rows[name] for name in names], ball))
    return rows.mutate(**{name: _shorter(rows[name], rows["far"]) for name in names})


def _far(distances: Sequence[ir.Value], ball: Ball) -> ir.Value:
    """Return by how many 1/65536 distances are pulled in; by all of them within the ball."""
    import ibis

    sizes = [each.abs() for each in distances]
    norm = reduce(add, sizes)
    if ball.norm != "l1":
        square = reduce(add, (each * each for each in sizes))
        norm = floor(square.cast("float64").sqrt()) + 1
    return (ball.radius * PULL) // ibis.greatest(norm, ball.radius)


def _shorter(distance: ir.Value, far: ir.Value) -> ir.Value:
    """Return a distance pulled in, rounded towards the centre."""
    import ibis

    return (distance * far + ibis.ifelse(distance < 0, PULL - 1, 0)) // PULL


#: A score and the number of its centre are one whole number of 64 bits: 53 for the score.
_MOST_CENTRES = 1 << 10
#: More cells than so many are handed to the engine as a table.
_MOST_LISTED = 200
_WIDE = "decimal(38, 0)"
_ENDS = np.iinfo(np.int64)


@dataclass(frozen=True, eq=False)
class RowPoints:
    """Points that are rows of a private table, wherever its engine has them.

    All is computed in the whole numbers of ``ArrayPoints``, so that the answers are the same.

    Parameters
    ----------
    space
        The box they lie in.
    measured
        The rows.
    """

    space: GridBox
    measured: Measured

    @property
    def fine(self) -> int:
        """What one whole point weighs."""
        return 1 << WEIGHT_BITS if self.measured.has_people else 1

    def cells(self, level: int, *, inside: Whole, above: int) -> CellCounts:
        """Count the points by the cells of a level, only within some cells of a level above."""
        found = self._fetched(self._by_cell(level, inside, above))
        order = np.argsort(found["cell"])
        return CellCounts(found["cell"][order], found["weight"][order])

    def totals(self, centres: Whole, *, ball: Ball | None) -> Totals:
        """Add points up by the nearest centre; of two as near, the first."""
        found = self._fetched(self._by_centre(centres, ball))
        totals = Totals(
            np.zeros(len(centres), dtype=np.int64), np.zeros(centres.shape, dtype=np.int64)
        )
        totals.counts[found["label"]] = found["weight"]
        for place in range(self.space.dimensions):
            totals.sums[found["label"], place] = found[f"sum{place}"]
        return totals

    def check(self, centres: int, ball: Ball | None, *, level: int | None = None) -> None:
        """Refuse so many centres if the engine has no way to add up by them; no row is read.

        Parameters
        ----------
        centres
            How many there will be.
        ball
            Where distances will be pulled into a ball, any ball of that norm.
        level
            Where points will be counted by cells, the last level of them.
        """
        corners = np.full((centres, self.space.dimensions), self.space.unit, dtype=np.int64)
        self.measured.source.engine.check(self._by_centre(corners, ball))
        if level is not None:
            first = np.zeros(1, dtype=np.int64)
            self.measured.source.engine.check(self._by_cell(level, first, level - 1))

    @property
    def _weight(self) -> tuple[str, ...]:
        return ("weight",) if self.measured.has_people else ()

    def _columns(self, rows: ir.Table) -> list[ir.Value]:
        return [rows[f"s{place}"] for place in range(self.space.dimensions)]

    def _steps(self) -> ir.Table:
        """Return the points in whole steps, s0, s1, …, and what each weighs where they differ."""
        rows = self.measured.table
        weight = {}
        if self.measured.has_people:
            rows, weight["weight"] = _weighed(rows, self.measured.limit or 1)
        steps = {
            f"s{place}": whole_steps(rows[f"x{place}"], self.space, place)
            for place in range(self.space.dimensions)
        }
        held = rows.select(**steps, **weight)
        return held if self.space.ball is None else pulled(held, list(steps), self.space.ball)

    def _cell(self, rows: ir.Table, level: int) -> ir.Value:
        """Return the name of the cell of a level that each point lies in."""
        import ibis

        name: Any = ibis.literal(0, "int64")
        for column, bits in zip(
            self._columns(rows), halvings(level, self.space.dimensions), strict=True
        ):
            if not bits:
                break
            last = ibis.literal(2 * self.space.unit - 1, "int64")
            side = 2 * self.space.unit >> bits
            place = ibis.least(column + self.space.unit, last) // side
            name = name * (1 << bits) + place
        return name

    def _by_cell(self, level: int, inside: Whole, above: int) -> ir.Table:
        rows = self._steps()
        if above:
            rows = _within(rows.mutate(around=self._cell(rows, above)), inside)
        return self._sums(rows.select(*self._weight, cell=self._cell(rows, level)), "cell", ())

    def _by_centre(self, centres: Whole, ball: Ball | None) -> ir.Table:
        _check_few(len(centres))
        rows = self._steps()
        labelled = rows.mutate(nearest_centre(self._columns(rows), centres))
        if ball is not None:
            labelled = pulled_rows(labelled, centres, ball, self._weight)
        return self._sums(labelled, "label", range(self.space.dimensions))

    def _sums(self, rows: ir.Table, by: str, places: Iterable[int]) -> ir.Table:
        """Add up what rows weigh, and their steps times that, by a column."""
        weight = rows["weight"] if self._weight else None
        each = {f"sum{place}": rows[f"s{place}"] for place in places}
        wide = {
            name: (value if weight is None else value * weight).sum().cast(_WIDE)
            for name, value in each.items()
        }
        weights = rows.count() if weight is None else weight.sum()
        return rows.group_by(by).agg(weight=weights.cast("int64"), **wide)

    def _fetched(self, query: ir.Table) -> dict[str, Whole]:
        answer = self.measured.source.fetch(query)
        return {name: _as_whole(answer[name]) for name in answer.column_names}


def _as_whole(column: pa.ChunkedArray) -> Whole:
    """Return a column as whole numbers; a sum that 64 bits do not hold is the last they do."""
    import pyarrow as pa

    if column.type == pa.int64():
        return np.asarray(column)
    held = (min(max(int(each), _ENDS.min), _ENDS.max) for each in column.to_pylist())
    return np.fromiter(held, dtype=np.int64)


def _weighed(rows: ir.Table, limit: int) -> tuple[ir.Table, ir.Value]:
    """Return rows and what each weighs: those of one person at most the limit together."""
    import ibis

    fine = ibis.literal(1 << WEIGHT_BITS, "int64")
    people = rows.group_by(PERSON).agg(rows=rows.count())
    over = people.filter(people["rows"] > limit)
    lighter = over.select(whose=over[PERSON], weight=(limit << WEIGHT_BITS) // over["rows"])
    both = rows.left_join(lighter, rows[PERSON].identical_to(lighter["whose"]))
    return both, ibis.coalesce(both["weight"], fine)


def _within(rows: ir.Table, cells: Whole) -> ir.Table:
    """Return the rows in some cells."""
    if len(cells) <= _MOST_LISTED:
        return rows.filter(rows["around"].isin(cells.tolist()))
    known = in_memory({"known": cells.tolist()}, {"known": "int64"})
    return rows.semi_join(known, rows["around"] == known["known"])


def _check_few(centres: int) -> None:
    if centres > _MOST_CENTRES:
        raise InputError(
            "E-TOO-LARGE",
            "{centres:,} clusters of a table are too many for an engine",
            "ask for at most {most_centres:,}, or give the points in an array",
            centres=centres,
            most_centres=_MOST_CENTRES,
        )
