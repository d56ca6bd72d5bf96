"""Points in an engine: each look at them is one query, and only sums come out of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.data.measured import PERSON
from sfumato.errors import InputError
from sfumato.learning.kmeans.cells import halvings
from sfumato.learning.kmeans.points.base import WEIGHT_BITS, CellCounts, Totals
from sfumato.learning.kmeans.points.pulling import PULL

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import ibis.expr.types as ir
    import pyarrow as pa
    from numpy.typing import NDArray

    from sfumato.data.measured import Measured
    from sfumato.learning.kmeans.points.base import Ball
    from sfumato.learning.kmeans.space import Space

    Whole = NDArray[np.int64]

__all__ = ["RowPoints"]

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

    Examples
    --------
    >>> import numpy as np
    >>> import pandas as pd
    >>> import sfumato as sf
    >>> from sfumato.learning.kmeans.points.rows import RowPoints
    >>> from sfumato.learning.kmeans.space import space_of
    >>> table = sf.table(pd.DataFrame({"x": [-0.5, 0.25, 0.5]}), unit="row", bounds={"x": (-1, 1)})
    >>> space = space_of(np.array([-1.0]), np.array([1.0]))
    >>> points = RowPoints(space, table.numbers())
    >>> found = points.totals(space.held(np.array([[-1.0], [1.0]]) * space.unit), ball=None)
    >>> found.counts.tolist(), (found.sums / space.unit).tolist()
    ([1, 2], [[-0.5], [0.75]])
    """

    space: Space
    measured: Measured

    @property
    def fine(self) -> int:
        """What one whole point weighs.

        Examples
        --------
        >>> import numpy as np
        >>> import pandas as pd
        >>> import sfumato as sf
        >>> from sfumato.learning.kmeans.points.rows import RowPoints
        >>> from sfumato.learning.kmeans.space import space_of
        >>> rows = pd.DataFrame({"id": [7, 7], "x": [0.5, 0.25]})
        >>> table = sf.table(rows, unit="id", bounds={"x": (-1, 1)})
        >>> RowPoints(space_of(np.array([-1.0]), np.array([1.0])), table.numbers()).fine
        1024
        """
        return 1 << WEIGHT_BITS if self.measured.has_people else 1

    def cells(self, level: int, *, inside: Whole, above: int) -> CellCounts:
        """Count the points by the cells of a level, only within some cells of a level above.

        Examples
        --------
        >>> import numpy as np
        >>> import pandas as pd
        >>> import sfumato as sf
        >>> from sfumato.learning.kmeans.points.rows import RowPoints
        >>> from sfumato.learning.kmeans.space import space_of
        >>> table = sf.table(pd.DataFrame({"x": [0.25, 0.5]}), unit="row", bounds={"x": (-1, 1)})
        >>> points = RowPoints(space_of(np.array([-1.0]), np.array([1.0])), table.numbers())
        >>> found = points.cells(1, inside=np.array([0]), above=0)
        >>> found.names.tolist(), found.counts.tolist()
        ([1], [2])
        """
        rows = self._steps()
        if above:
            rows = _within(rows.mutate(around=self._cell(rows, above)), inside)
        named = rows.select(*self._weight, cell=self._cell(rows, level))
        found = self._sums(named, "cell", ())
        order = np.argsort(found["cell"])
        return CellCounts(found["cell"][order], found["weight"][order])

    def totals(self, centres: Whole, *, ball: Ball | None) -> Totals:
        """Add points up by the nearest centre; of two as near, the first.

        Examples
        --------
        >>> import numpy as np
        >>> import pandas as pd
        >>> import sfumato as sf
        >>> from sfumato.learning.kmeans.points.base import Ball
        >>> from sfumato.learning.kmeans.points.rows import RowPoints
        >>> from sfumato.learning.kmeans.space import space_of
        >>> rows = pd.DataFrame({"x": [-0.5, 0.25, 1.0]})
        >>> space = space_of(np.array([-1.0]), np.array([1.0]))
        >>> points = RowPoints(space, sf.table(rows, unit="row", bounds={"x": (-1, 1)}).numbers())
        >>> centres = space.held(np.array([[-1.0], [0.5]]) * space.unit)
        >>> (points.totals(centres, ball=Ball(space.unit // 4)).sums / space.unit).tolist()
        [[0.25], [0.0]]
        """
        _check_few(len(centres))
        rows = self._steps()
        labelled = rows.mutate(label=_nearest(self._columns(rows), centres))
        if ball is not None:
            labelled = _pulled(labelled, centres, ball, self._weight)
        found = self._sums(labelled, "label", range(self.space.dimensions))
        totals = Totals(
            np.zeros(len(centres), dtype=np.int64), np.zeros(centres.shape, dtype=np.int64)
        )
        totals.counts[found["label"]] = found["weight"]
        for place in range(self.space.dimensions):
            totals.sums[found["label"], place] = found[f"sum{place}"]
        return totals

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
        chosen = self.measured.source.engine.name == "duckdb"
        steps = {
            f"s{place}": _whole(rows[f"x{place}"], self.space, place, chosen=chosen)
            for place in range(self.space.dimensions)
        }
        return rows.select(**steps, **weight)

    def _cell(self, rows: ir.Table, level: int) -> ir.Value:
        """Return the name of the cell of a level that each point lies in."""
        import ibis

        name: Any = ibis.literal(0, "int64")
        for column, bits in zip(
            self._columns(rows), halvings(level, self.space.dimensions), strict=True
        ):
            last = ibis.literal(2 * self.space.unit - 1, "int64")
            side = 2 * self.space.unit >> bits
            place = ibis.least(column + self.space.unit, last) // side
            name = name * (1 << bits) + place
        return name

    def _sums(self, rows: ir.Table, by: str, places: Iterable[int]) -> dict[str, Whole]:
        """Add up what rows weigh, and their steps times that, by a column."""
        weight = rows["weight"] if self._weight else None
        each = {f"sum{place}": rows[f"s{place}"] for place in places}
        added = {
            name: (value if weight is None else value * weight).sum()
            for name, value in each.items()
        }
        added["weight"] = rows.count() if weight is None else weight.sum()
        wide = {name: value.cast(_WIDE) for name, value in added.items()}
        return _as_whole(self.measured.source.fetch(rows.group_by(by).agg(**wide)))


def _as_whole(answer: pa.Table) -> dict[str, Whole]:
    """Return the columns of an answer; a sum that 64 bits do not hold is the last they do."""
    return {
        name: np.array(
            [min(max(int(each), _ENDS.min), _ENDS.max) for each in answer[name].to_pylist()],
            dtype=np.int64,
        )
        for name in answer.column_names
    }


def _whole(value: ir.Value, space: Space, place: int, *, chosen: bool) -> ir.Value:
    """Return a column in whole steps from the middle, as ``Space.whole`` does.

    Where the ends are so near each other that the middle is rounded, steps are held once more.
    """
    import ibis

    low, high, middle, scale = (
        float(each[place]) for each in (space.low, space.high, space.middle, space.scale)
    )
    known = ibis.coalesce(ibis.ifelse(value.isnan(), _exact(middle), value), _exact(middle))
    between = _chosen(known, low, high) if chosen else _clipped(known, low, high)
    steps = (between - _exact(middle)) * _exact(scale)
    if max(high - middle, middle - low) * scale >= space.unit + 0.5:
        steps = _clipped(steps, -space.unit, space.unit)
    return (steps + _exact(0.5)).floor().cast("int64")


def _clipped(value: ir.Value, low: float, high: float) -> ir.Value:
    import ibis

    return ibis.greatest(_exact(low), ibis.least(_exact(high), value))


def _chosen(value: ir.Value, low: float, high: float) -> ir.Value:
    """Return a value between ends by comparing, in more words than clipping has.

    DuckDB knows from a file between what its numbers lie, follows that through a choice, and then
    need not look for overflow when it multiplies: the whole query takes less than half as long.
    """
    import ibis

    return ibis.cases(
        (value >= _exact(high), _exact(high)), (value > _exact(low), value), else_=_exact(low)
    )


def _exact(number: float) -> ir.Value:
    """Return a double to the last bit; written as a number, an engine might round it twice."""
    import ibis

    return ibis.literal(repr(float(number))).cast("float64")


def _weighed(rows: ir.Table, limit: int) -> tuple[ir.Table, ir.Value]:
    """Return rows and what each weighs: those of one person at most the limit together."""
    import ibis

    fine = ibis.literal(1 << WEIGHT_BITS, "int64")
    people = rows.group_by(PERSON).agg(rows=rows.count())
    over = people.filter(people["rows"] > limit)
    lighter = over.select(whose=over[PERSON], weight=(limit << WEIGHT_BITS) // over["rows"])
    both = rows.left_join(lighter, rows[PERSON].identical_to(lighter["whose"]))
    return both, ibis.coalesce(both["weight"], fine)


def _nearest(point: Sequence[ir.Value], centres: Whole) -> ir.Value:
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
        return ibis.literal(0, "int64")
    return (places - 1) - (ibis.greatest(*scores) & (places - 1))


def _pulled(rows: ir.Table, centres: Whole, ball: Ball, kept: Sequence[str]) -> ir.Table:
    """Return distances from the nearest centre, those beyond the ball pulled in."""
    import ibis

    held = {f"c{place}": each for place, each in enumerate(centres.T.tolist())}
    known = {"centre": list(range(len(centres))), **held}
    next_to = ibis.memtable(known, schema=dict.fromkeys(known, "int64"))
    both = rows.join(next_to, rows["label"] == next_to["centre"])
    names = [f"s{place}" for place in range(centres.shape[1])]
    away = {name: both[name] - both[f"c{place}"] for place, name in enumerate(names)}
    rows = both.select("label", *kept, **away)
    rows = rows.mutate(far=_far([rows[name] for name in names], ball))
    return rows.mutate(**{name: _shorter(rows[name], rows["far"]) for name in names})


def _far(distances: Sequence[ir.Value], ball: Ball) -> ir.Value:
    """Return by how many 1/65536 distances are pulled in; by all of them within the ball."""
    import ibis

    sizes = [each.abs() for each in distances]
    norm = reduce(add, sizes)
    if ball.norm != "l1":
        square = reduce(add, (each * each for each in sizes))
        norm = square.cast("float64").sqrt().floor().cast("int64") + 1
    return (ball.radius * PULL) // ibis.greatest(norm, ball.radius)


def _shorter(distance: ir.Value, far: ir.Value) -> ir.Value:
    """Return a distance pulled in, rounded towards the centre."""
    import ibis

    return (distance * far + ibis.ifelse(distance < 0, PULL - 1, 0)) // PULL


def _within(rows: ir.Table, cells: Whole) -> ir.Table:
    """Return the rows in some cells."""
    import ibis

    if len(cells) <= _MOST_LISTED:
        return rows.filter(rows["around"].isin(cells.tolist()))
    known = ibis.memtable({"known": cells.tolist()}, schema={"known": "int64"})
    return rows.semi_join(known, rows["around"] == known["known"])


def _check_few(centres: int) -> None:
    if centres > _MOST_CENTRES:
        message = (
            f"{centres:,} clusters of a table are too many for an engine; ask for at most "
            f"{_MOST_CENTRES:,}, or give the points in an array"
        )
        raise InputError(message)
