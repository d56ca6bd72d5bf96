"""Points in whole steps as an engine computes them, in the numbers of ``ArrayPoints``."""

from __future__ import annotations

from functools import reduce
from operator import add
from typing import TYPE_CHECKING

from sfumato.data.arrow import in_memory
from sfumato.data.doubles import floor, number_or
from sfumato.learning.kmeans.points.pulling import PULL

if TYPE_CHECKING:
    from collections.abc import Sequence

    import ibis.expr.types as ir
    import numpy as np
    from numpy.typing import NDArray

    from sfumato.learning.kmeans.points.base import Ball
    from sfumato.learning.kmeans.space import Space

    Whole = NDArray[np.int64]

__all__ = ["nearest_centre", "pulled_rows", "whole_steps"]


def whole_steps(value: ir.Value, space: Space, place: int) -> ir.Value:
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
        norm = floor(square.cast("float64").sqrt()) + 1
    return (ball.radius * PULL) // ibis.greatest(norm, ball.radius)


def _shorter(distance: ir.Value, far: ir.Value) -> ir.Value:
    """Return a distance pulled in, rounded towards the centre."""
    import ibis

    return (distance * far + ibis.ifelse(distance < 0, PULL - 1, 0)) // PULL
