"""Points in an engine are added up as points in memory are, to the last bit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato import table as private_table
from sfumato.learning import L1Ball
from sfumato.learning.kmeans.points.arrays import ArrayPoints
from sfumato.learning.kmeans.points.grid import person_weights
from sfumato.learning.kmeans.points.rows import RowPoints
from sfumato.learning.kmeans.space import Ball, space_of
from tests.engines import ENGINES
from tests.refusing import raises_code

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from sfumato.learning.kmeans.space import GridBox
    from sfumato.tables import PrivateTable
    from tests.engines import Engines

LOW, HIGH = -1.1, 0.9
ODD = [np.nan, np.inf, -np.inf, LOW, HIGH, 5.0, -1e300, 5e-324, -0.0]


@dataclass(frozen=True)
class Both:
    """The same points in memory and in an engine."""

    arrays: ArrayPoints
    rows: RowPoints
    space: GridBox

    def check_totals(self, centres: NDArray[np.float64], ball: Ball | None) -> None:
        held = self.space.held(centres * self.space.unit)
        ours, theirs = (each.totals(held, ball=ball) for each in (self.rows, self.arrays))
        assert ours.counts.tolist() == theirs.counts.tolist()
        assert ours.sums.tolist() == theirs.sums.tolist()

    def check_cells(self, level: int, inside: NDArray[np.int64], above: int) -> None:
        ours, theirs = (
            each.cells(level, inside=inside, above=above) for each in (self.rows, self.arrays)
        )
        assert ours.names.tolist() == theirs.names.tolist()
        assert ours.counts.tolist() == theirs.counts.tolist()


def both(
    held: Callable[..., PrivateTable],
    values: NDArray[np.float64],
    people: NDArray[np.int64] | None = None,
    limit: int | None = None,
    domain: L1Ball | None = None,
) -> Both:
    """Hold points in an engine, every other missing value as null, and in memory."""
    low, high = (np.full(values.shape[1], each) for each in (LOW, HIGH))
    if domain is not None:
        low, high = domain.ends(values.shape[1])
    space = space_of(low, high, domain=domain)
    names = [f"c{place}" for place in range(values.shape[1])]
    columns: dict[str, Any] = {name: _nulled(values[:, i]) for i, name in enumerate(names)}
    declared: dict[str, Any] = {"unit": "row", "bounds": dict.fromkeys(names, (LOW, HIGH))}
    weights = None
    if people is not None:
        columns["id"] = pa.array(people)
        declared |= {"unit": "id", "limits": {"rows": limit} if limit else None}
        weights = person_weights(people, limit or 1)
    rows = RowPoints(space, held(pa.table(columns), **declared).numbers(names))
    return Both(ArrayPoints(space, space.whole(values), weights), rows, space)


def _nulled(column: NDArray[np.float64]) -> pa.Array:
    missing = np.isnan(column) & (np.arange(len(column)) % 2 == 0)
    return pa.array(column, mask=missing)


def odd_points(rows: int, dimensions: int) -> NDArray[np.float64]:
    """Points of which many are missing, infinite, on a bound, or as near to two centres."""
    random = np.random.default_rng(10)
    values = np.round(random.normal(size=(rows, dimensions)) * 4) / 8
    fine = random.random(values.shape) < 0.5
    values[fine] += random.normal(size=fine.sum()) / 7
    odd = random.random(values.shape) < 0.2
    values[odd] = random.choice(ODD, odd.sum())
    return values


def some_centres(count: int, dimensions: int) -> NDArray[np.float64]:
    """Centres of which two are the same, and two lie the same way off the middle."""
    centres = np.random.default_rng(11).uniform(-1, 1, (count, dimensions))
    centres[-1] = centres[0]
    centres[1] = -centres[0]
    return centres


BALLS = [None, Ball(1 << 21), Ball(1 << 21, "l2")]


@pytest.mark.parametrize("engine", ENGINES)
def test_points_in_an_engine_are_added_up_as_in_memory(engine: str, engines: Engines) -> None:
    people = np.random.default_rng(12).integers(0, 60, 200)
    found = both(
        lambda rows, **declared: engines.held(engine, rows, **declared),
        odd_points(200, 3),
        people,
        limit=2,
    )
    found.rows.check(32, BALLS[2])
    for ball in BALLS[2 if engine == "spark" else 0 :]:
        found.check_totals(some_centres(4, 3), ball)
    found.check_cells(7, np.array([0, 3, 5]), 4)


@pytest.mark.parametrize("engine", ENGINES)
def test_points_in_an_engine_are_brought_into_a_ball_as_in_memory(
    engine: str, engines: Engines
) -> None:
    values = odd_points(200, 3)
    found = both(
        lambda rows, **declared: engines.held(engine, rows, **declared),
        values,
        domain=L1Ball(radius=0.7, center=-0.1),
    )
    assert (np.abs(found.space.whole(values)).sum(axis=1) <= found.space.radius).all()
    for ball in BALLS[2 if engine == "spark" else 0 :]:
        found.check_totals(some_centres(4, 3), ball)
    found.check_cells(7, np.array([0, 3, 5]), 4)


def test_where_each_row_is_somebody_elses_all_weigh_the_same() -> None:
    found = both(private_table, odd_points(300, 2))
    assert found.rows.fine == found.arrays.fine == 1
    for ball in BALLS:
        found.check_totals(some_centres(5, 2), ball)
    found.check_cells(9, np.arange(0, 64, 2), 6)


def test_many_cells_to_look_into_are_handed_over_as_a_table() -> None:
    found = both(private_table, odd_points(400, 2))
    found.check_cells(14, np.arange(0, 1 << 10, 3), 10)


def test_no_cells_to_look_into_hold_nothing() -> None:
    found = both(private_table, odd_points(40, 2))
    found.check_cells(5, np.array([], dtype=np.int64), 2)


def test_no_rows_add_up_to_nothing() -> None:
    found = both(private_table, np.zeros((0, 2)))
    ours = found.rows.totals(np.zeros((3, 2), dtype=np.int64), ball=BALLS[1])
    assert not ours.counts.any()
    assert not ours.sums.any()


@pytest.mark.full
@pytest.mark.parametrize("ball", [None, Ball(1 << 22)])
def test_many_centres_of_many_coordinates_still_run(ball: Ball | None) -> None:
    people = np.random.default_rng(13).integers(0, 30, 60)
    both(private_table, odd_points(60, 16), people).check_totals(some_centres(32, 16), ball)


def test_a_single_centre_has_all_points() -> None:
    both(private_table, odd_points(50, 2)).check_totals(np.array([[0.25, -0.5]]), BALLS[1])


def test_too_many_centres_are_refused_before_a_row_is_read() -> None:
    found = both(private_table, odd_points(5, 1))
    with raises_code("E-TOO-LARGE", match="at most 1,024"):
        found.rows.totals(np.zeros((1025, 1), dtype=np.int64), ball=None)
    with raises_code("E-TOO-LARGE", match="at most 1,024"):
        found.rows.check(1025, None)


@pytest.mark.parametrize("width", [2.0**-52, 1.0])
def test_bounds_so_near_that_the_middle_is_rounded(width: float) -> None:
    low, high = np.array([1.0]), np.array([1.0 + width])
    space = space_of(low, high)
    values = np.array([[1.0], [1.0 + width], [7.0], [-7.0], [np.nan]])
    held = private_table(
        pa.table({"x": values[:, 0]}), unit="row", bounds={"x": (1.0, 1.0 + width)}
    )
    found = Both(ArrayPoints(space, space.whole(values)), RowPoints(space, held.numbers()), space)
    found.check_totals(np.array([[-1.0], [1.0]]), None)


points = st.lists(
    st.tuples(*[st.floats(-2, 2, width=32) | st.sampled_from(ODD)] * 2, st.integers(0, 4)),
    min_size=1,
    max_size=20,
)
near = st.lists(st.tuples(*[st.floats(-1, 1, width=16)] * 2), min_size=1, max_size=5)


@settings(max_examples=settings().max_examples // 2)
@given(points, near, st.sampled_from(BALLS), st.integers(1, 4))
def test_any_points_are_added_up_alike(
    rows: list[tuple[float, float, int]],
    centres: list[tuple[float, float]],
    ball: Ball | None,
    limit: int,
) -> None:
    values = np.array([each[:2] for each in rows])
    people = np.array([each[2] for each in rows])
    both(private_table, values, people, limit).check_totals(np.array(centres), ball)


@given(st.lists(st.integers(0, 5), min_size=1, max_size=5000), st.integers(1, 5))
def test_the_rows_of_a_person_weigh_at_most_the_limit(people: list[int], limit: int) -> None:
    weights = person_weights(np.array(people), limit)
    together = np.bincount(people, weights)
    assert together.max() <= limit * 1024
    assert weights.max() <= 1024
    few = np.bincount(people)[people] <= limit
    assert (weights[few] == 1024).all()


def test_nobody_in_particular_is_one_person() -> None:
    rows = pa.table({"id": [None, None, 1], "x": [0.5, 0.5, -0.5]})
    held = private_table(rows, unit="id", bounds={"x": (-1, 1)})
    space = space_of(np.array([-1.0]), np.array([1.0]))
    found = RowPoints(space, held.numbers()).cells(1, inside=np.array([0]), above=0)
    assert found.counts.tolist() == [1024, 1024]


def test_cells_of_text_are_numbers_or_missing(tmp_path: Any) -> None:
    path = tmp_path / "people.csv"
    path.write_text("x,y\n0.25,a\nnone,b\n1e999,c\n,d\n-7,e\n")
    held = private_table(path, unit="row", bounds={"x": (-1, 1)})
    space = space_of(np.array([-1.0]), np.array([1.0]))
    values = np.array([[0.25], [np.nan], [np.nan], [np.nan], [-7.0]])
    found = Both(ArrayPoints(space, space.whole(values)), RowPoints(space, held.numbers()), space)
    found.check_totals(np.array([[-1.0], [1.0]]), None)
    found.check_cells(3, np.array([0]), 0)
