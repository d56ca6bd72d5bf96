"""What is added up of points: exactly, and one change of the table moves it by what is said."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import InputError
from sfumato.learning.kmeans.plan import TableChange
from sfumato.learning.kmeans.points import arrays
from sfumato.learning.kmeans.points.arrays import ArrayPoints
from sfumato.learning.kmeans.points.grid import (
    cells_at,
    inside_of,
    most_levels,
    names_of,
    person_weights,
    places_of,
)
from sfumato.learning.kmeans.source import people_of
from sfumato.learning.kmeans.space import Ball, pulled_in, space_of
from sfumato.privacy import AddRemove, Substitute
from tests.learning.plain import VALUES, box, cell_of, points_of, pulled, totals
from tests.refusing import raises_code

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.learning.kmeans.space import GridBox

    Table = list[tuple[int, list[float]]]

ALL = np.zeros(1, dtype=np.int64)
RADII = st.sampled_from([1, 2, 1000, 2**20, 2**22, 2**23 + 1, 2**30])
NORMS = st.sampled_from(["l1", "l2"])


def rows_of(dimensions: int) -> st.SearchStrategy[list[float]]:
    values = st.sampled_from(VALUES) | st.floats(-2, 2)
    return st.lists(values, min_size=dimensions, max_size=dimensions)


@st.composite
def settings_of(draw: st.DrawFn) -> tuple[GridBox, Any, Ball | None]:
    """A box, centres in it, many of them as near to a point as others, and how far points count."""
    space = box(draw(st.integers(1, 3)), reach=draw(st.sampled_from([1, 8])))
    coarse = st.lists(st.integers(-4, 4), min_size=space.dimensions, max_size=space.dimensions)
    centres = np.array(draw(st.lists(coarse, min_size=1, max_size=4))) / 4 * space.unit
    ball = Ball(draw(RADII), draw(NORMS)) if draw(st.booleans()) else None
    return space, space.held(centres), ball


# --- Steps ------------------------------------------------------------------------------------


@given(st.floats(allow_nan=True, allow_infinity=True), st.sampled_from([(0, 1), (1e6, 1e6 + 1)]))
def test_every_value_is_a_step_in_the_box(value: float, bounds: tuple[float, float]) -> None:
    space = space_of(*(np.array([each]) for each in bounds))
    (step,) = space.whole(np.array([[value]]))[0]
    assert step == round(step)
    assert abs(step) <= space.unit
    if np.isnan(value):
        assert step == 0
    elif bounds[0] <= value <= bounds[1]:
        exact = (Fraction(value) - Fraction(sum(bounds)) / 2) * 2 * space.unit
        assert abs(Fraction(step) - exact) <= Fraction(3, 4)
    else:
        assert step == (space.unit if value > bounds[1] else -space.unit)


@pytest.mark.parametrize("bounds", [(1.0, 1 + 2**-52), (0.1, 0.3), (-1e270, 1e270)])
def test_the_bounds_themselves_are_a_unit_from_the_middle_or_less(bounds: Any) -> None:
    """Where the box is hardly wider than a float is fine, steps are few, and none is outside."""
    low, high = (np.array([each]) for each in bounds)
    steps = space_of(low, high).whole(np.array([[bounds[0]], [bounds[1]]]))
    assert (np.abs(steps) <= 2**22).all()


@pytest.mark.parametrize("dimensions", [1, 2, 5, 100, 4000])
@pytest.mark.parametrize("reach", [1, 4])
def test_products_of_steps_stay_exact(dimensions: int, reach: int) -> None:
    space = space_of(np.zeros(dimensions), np.ones(dimensions), reach=reach * dimensions)
    most = space.reach * space.unit
    assert dimensions * (2 * space.unit * most + most**2) <= 2**53


def test_too_many_coordinates_are_refused() -> None:
    with raises_code("E-TOO-LARGE", match="coordinates are too many to add points up exactly"):
        space_of(np.zeros(90_000), np.ones(90_000), reach=360_000)


# --- Totals and cells, by brute force ---------------------------------------------------------


@given(settings_of(), st.data())
def test_totals_are_those_of_plain_python(asked: Any, data: st.DataObject) -> None:
    space, centres, ball = asked
    rows = data.draw(st.lists(rows_of(space.dimensions), max_size=6))
    people = data.draw(st.none() | st.lists(st.integers(0, 2), min_size=6, max_size=6))
    points = points_of(rows, space, None if people is None else people[: len(rows)], limit=2)
    found = points.totals(centres, ball=ball)
    assert (found.counts.tolist(), found.sums.tolist()) == totals(points, centres, ball)


@given(st.integers(1, 3), st.integers(0, 12), st.data())
def test_cells_are_halves_of_halves(dimensions: int, level: int, data: st.DataObject) -> None:
    space = box(dimensions)
    rows = data.draw(st.lists(rows_of(dimensions), max_size=8))
    steps = space.whole(np.array(rows, dtype=np.float64).reshape(-1, dimensions))
    inside = np.minimum(steps, space.unit - 1).astype(np.int64).tolist()
    cells = [cell_of(each, level, space) for each in inside]
    found = ArrayPoints(space, steps).cells(level, inside=ALL, above=0)
    assert sorted(found.counts.tolist()) == sorted(cells.count(each) for each in set(cells))
    names = names_of(cells_at(steps, level, space), level)
    told = {(tuple(cell), int(name)) for cell, name in zip(cells, names, strict=True)}
    assert len({cell for cell, _ in told}) == len({name for _, name in told}) == len(told)
    assert names_of(places_of(names, level, dimensions), level).tolist() == names.tolist()


@given(st.integers(1, 3), st.data())
def test_cells_within_others_are_the_same_cells(dimensions: int, data: st.DataObject) -> None:
    space = box(dimensions)
    level = data.draw(st.integers(0, most_levels(space)))
    above = data.draw(st.integers(0, level))
    rows = data.draw(st.lists(rows_of(dimensions), min_size=1, max_size=8))
    points = points_of(rows, space)
    everything = points.cells(level, inside=ALL, above=0)
    outer = points.cells(above, inside=ALL, above=0).names[:2]
    kept = inside_of(everything.names, level, outer, above, dimensions)
    found = points.cells(level, inside=outer, above=above)
    assert found.names.tolist() == everything.names[kept].tolist()
    assert found.counts.tolist() == everything.counts[kept].tolist()


def test_blocks_and_threads_change_nothing() -> None:
    space, random = box(3), np.random.default_rng(1)
    steps = space.whole(random.normal(size=(40_000, 3)) / 2)
    weights = random.integers(0, 1025, 40_000).astype(np.float64)
    centres = space.held(random.uniform(-1, 1, (5, 3)) * space.unit)
    for ball in (None, Ball(2**20), Ball(2**20, "l2")):
        found = ArrayPoints(space, steps, weights).totals(centres, ball=ball)
        parts = [
            ArrayPoints(space, steps[at::7], weights[at::7]).totals(centres, ball=ball)
            for at in range(7)
        ]
        assert np.array_equal(found.counts, sum(each.counts for each in parts))
        assert np.array_equal(found.sums, sum(each.sums for each in parts))


@given(st.lists(st.integers(-(2**23), 2**23), min_size=1, max_size=5), RADII, NORMS)
def test_a_distance_is_pulled_into_the_ball(distance: list[int], radius: int, norm: str) -> None:
    ball = Ball(radius, norm)
    (found,) = pulled_in(np.array([distance], dtype=np.float64), ball).astype(np.int64).tolist()
    assert found == pulled(distance, ball)
    assert length(found, norm) <= radius
    assert all(abs(new) <= abs(old) for new, old in zip(found, distance, strict=True))


# --- One change -------------------------------------------------------------------------------


def length(numbers: Sequence[int], norm: str) -> float:
    """A length, a little short where it is no whole number."""
    if norm == "l1":
        return sum(map(abs, numbers))
    return float(np.sqrt(float(sum(each**2 for each in numbers)))) * (1 - 2**-40)


@st.composite
def neighbours(draw: st.DrawFn, dimensions: int) -> tuple[TableChange, Table, Table]:
    """Two tables of people and their points, one change apart; rows are one person's each."""
    own = draw(st.booleans())
    limit = draw(st.integers(1, 3))
    many = st.lists(rows_of(dimensions), min_size=1, max_size=1 if own else 5)
    others = draw(st.lists(many, max_size=3))
    table = [(who, row) for who, rows in enumerate(others) for row in rows]
    one, other = ([(-1, row) for row in draw(many)] for _ in range(2))
    replaced = draw(st.booleans())
    relation = Substitute() if replaced else AddRemove()
    change = TableChange(relation) if own else TableChange(relation, limit, 1024)
    return change, table + one, table + (other if replaced else [])


def opened(table: Table, space: GridBox, change: TableChange) -> ArrayPoints:
    people = None if change.fine == 1 else [who for who, _ in table]
    return points_of([row for _, row in table], space, people, change.weight)


def moved(
    one: ArrayPoints, other: ArrayPoints, centres: Any, ball: Ball | None
) -> tuple[float, float]:
    """By how much counts and sums differ, each in its norm."""
    first, second = (each.totals(centres, ball=ball) for each in (one, other))
    counts = (first.counts - second.counts).tolist()
    sums = (first.sums - second.sums).ravel().tolist()
    return length(counts, "l1"), length(sums, "l1" if ball is None else ball.norm)


@given(settings_of(), st.data())
def test_one_change_moves_totals_by_what_is_said(asked: Any, data: st.DataObject) -> None:
    """M-LLOYD-1, M-LLOYD-2: the sensitivities that noise is scaled by, by brute force."""
    space, centres, ball = asked
    change, *tables = data.draw(neighbours(space.dimensions))
    one, other = (opened(each, space, change) for each in tables)
    counts, sums = moved(one, other, centres, ball)
    assert counts <= change.counts
    assert sums <= change.sums(space.dimensions * space.unit if ball is None else ball.radius)


@given(st.integers(1, 3), st.integers(0, 20), st.data())
def test_one_change_moves_cells_by_what_is_said(
    dimensions: int, level: int, data: st.DataObject
) -> None:
    space = box(dimensions)
    change, *tables = data.draw(neighbours(dimensions))
    apart: dict[int, int] = {}
    for sign, table in zip((1, -1), tables, strict=True):
        found = opened(table, space, change).cells(level, inside=ALL, above=0)
        for name, count in zip(found.names.tolist(), found.counts.tolist(), strict=True):
            apart[name] = apart.get(name, 0) + sign * count
    assert length(list(apart.values()), "l1") <= change.counts


@pytest.mark.parametrize("norm", ["l1", "l2"])
def test_the_bound_is_reached_and_without_pulling_in_it_is_broken(
    norm: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    space, change = box(2), TableChange(Substitute())
    one, other = (points_of([[end, end]], space) for end in (-1.0, 1.0))
    ball, centres = Ball(2**21, norm), np.zeros((1, 2), dtype=np.int64)
    assert 0.999 * change.sums(ball.radius) < moved(one, other, centres, ball)[1]
    monkeypatch.setattr(arrays, "pulled_in", lambda distances, ball: distances)
    assert moved(one, other, centres, ball)[1] > change.sums(ball.radius)


# --- People -----------------------------------------------------------------------------------


def test_ten_thousand_points_move_no_more_than_the_limit() -> None:
    """Three in a corner move as much as anybody may; ten thousand move no more."""
    space, change = box(2), TableChange(AddRemove(), 3, 1024)
    few, three = [(7, [0.5, 0.5])], [(8, [1.0, -1.0])] * 3
    middle = np.zeros((1, 2), dtype=np.int64)
    most = change.counts, change.sums(2 * space.unit)
    for added, reached in ((three, most), (three * 10_000, (0, 0)), (three * 300, None)):
        one, other = (opened(each, space, change) for each in (few, few + added))
        found = moved(one, other, middle, None)
        assert found <= most
        assert reached in (found, None)


@given(st.lists(st.integers(0, 3), min_size=1, max_size=20), st.integers(1, 5))
def test_weights_are_shared_out(people: list[int], limit: int) -> None:
    weights = person_weights(np.array(people), limit)
    wanted = [min(1024, limit * 1024 // people.count(each)) for each in people]
    assert weights.tolist() == wanted


def test_different_ids_are_different_people_and_missing_ones_one() -> None:
    import pandas as pd
    import polars as pl

    great = 2**53
    for ids in (
        [great, great + 1, None, float("nan"), pd.NA],
        [-1, 2**63 + 1, None, None, None],
        pd.array([great, great + 1, None, None, None], dtype="Int64"),
        pl.Series([great, great + 1, None, None, None]),
        [1, "1", None, None, None],
        np.array([0.5, 1.5, np.nan, np.nan, np.nan]),
        np.array(["2020-01-01", "2020-01-02", "NaT", "NaT", "NaT"], dtype="datetime64[D]"),
    ):
        assert people_of(ids, 5).tolist() == [0, 1, 2, 2, 2]


@pytest.mark.parametrize(
    "ids",
    [
        [1, 2],
        7,
        "abc",
        {1, 2, 3},
        {1: 2, 2: 3, 3: 4},
        [[1], [2], [3]],
        [{}, {}, {}],
        [object()] * 3,
    ],
)
def test_what_are_no_ids_is_refused(ids: Any) -> None:
    with pytest.raises(InputError, match=r"people.*; give "):
        people_of(ids, 3)
