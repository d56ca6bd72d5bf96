"""Noisy cells and where centres start: only what was released has a say."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from scipy import stats

import sfumato as sf
from sfumato.learning.kmeans import synopsis
from sfumato.learning.kmeans.lloyd import centres_of_cells, cost_told, far_apart, residual
from sfumato.learning.kmeans.plan import Synopsis, TableChange
from sfumato.learning.kmeans.points.arrays import ArrayPoints
from sfumato.learning.kmeans.points.grid import person_weights
from sfumato.learning.kmeans.space import GridBox
from sfumato.learning.kmeans.synopsis import SynopsisCells, noisy_cells
from sfumato.sampling import SeededSource
from tests.learning.plain import box, points_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

PLENTY = Fraction(10**6)
ALARM = 1e-6
ONE = TableChange(sf.privacy.AddRemove())


def found(values: Any, plan: Synopsis, dimensions: int = 2, seed: int = 1) -> SynopsisCells:
    space = box(dimensions)
    points = ArrayPoints(space, space.whole(values))
    return noisy_cells(points, plan, ONE, SeededSource(seed))


def crowd(many: int = 3000) -> NDArray[np.float64]:
    random = np.random.default_rng(1)
    near = random.normal([0.5, 0.5], 0.05, (many, 2))
    return np.concatenate([near, random.uniform(-1, 1, (many // 10, 2))])


PLANS = {
    "grid": Synopsis(counts=PLENTY, level=6),
    "tree": Synopsis(counts=PLENTY, tree=Fraction(1)),
    "both": Synopsis(counts=PLENTY, level=3, tree=Fraction(1)),
}


# --- Cells ------------------------------------------------------------------------------------


@pytest.mark.parametrize("plan", PLANS.values(), ids=PLANS)
def test_cells_are_the_whole_box_and_count_every_point_once(plan: Synopsis) -> None:
    values = crowd()
    cells = found(values, plan)
    areas = (2 * cells.halves).prod(axis=1)
    assert areas.sum() == (2 * box(2).unit) ** 2
    assert cells.counts.sum() == len(values)
    steps = box(2).whole(values)
    for middle, half, count in zip(cells.middles, cells.halves, cells.counts, strict=True):
        low, high = middle - half, middle + half
        last = high == box(2).unit
        inside = (steps >= low) & ((steps < high) | (last & (steps == high)))
        assert inside.all(axis=1).sum() == count


def test_a_tree_is_fine_where_points_are_many() -> None:
    cells = found(crowd(), PLANS["tree"])
    smallest = cells.middles[cells.halves.prod(axis=1).argmin()] / box(2).unit
    assert np.linalg.norm(smallest - 0.5) < 0.3


def test_the_number_of_cells_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    """So is the time: by the cells that were released so far, and by nothing else."""
    monkeypatch.setattr(synopsis, "_MOST_CELLS", 64)
    values = np.random.default_rng(2).uniform(-1, 1, (200_000, 2))
    assert 32 <= len(found(values, PLANS["tree"]).counts) <= 64


def test_noise_is_as_wide_as_it_says() -> None:
    """Counts of empty cells are discrete Laplace noise; a false alarm has probability 1e-6."""
    cells = found(np.empty((0, 2)), Synopsis(counts=Fraction(1, 4), level=12))
    assert cells.scale == 4
    distribution = stats.dlaplace(1 / 4)
    edges = np.arange(-12, 13)
    expected = np.diff([0, *distribution.cdf(edges), 1]) * 4096
    seen = np.diff([0, *((cells.counts[None] <= edges[:, None]).sum(axis=1)), 4096])
    assert stats.chisquare(seen, expected).pvalue > ALARM
    halved = np.diff([0, *((cells.counts[None] / 2 <= edges[:, None]).sum(axis=1)), 4096])
    assert stats.chisquare(halved, expected).pvalue < ALARM


# --- The distribution of a tree -------------------------------------------------------------------


def tree_distribution(counts: list[int], tree: Any) -> dict[Any, float]:
    distribution = tree.distribution(counts)
    return {each: distribution.probability(each).upper for each in distribution.outcomes}


def grown(values: list[float], many: int) -> Counter[Any]:
    """How often each tree of four cells grows over the points of one coordinate."""
    space = GridBox(-np.ones(1), np.ones(1), bits=1)
    points = ArrayPoints(space, space.whole(np.array(values)[:, None]))
    plan, source = Synopsis(counts=PLENTY, tree=Fraction(1)), SeededSource(3)
    seen: Counter[Any] = Counter()
    for _ in range(many):
        cells = noisy_cells(points, plan, ONE, source)
        sides = zip(cells.middles.ravel(), cells.halves.ravel(), strict=True)
        seen[tuple(sorted((middle - half, half) for middle, half in sides))] += 1
    return seen


def test_a_tree_over_points_has_the_distribution_of_the_mechanism() -> None:
    """A false alarm has probability 1e-6; the distribution of another table is told apart."""
    many = 1500
    seen = grown([-0.9, -0.9, -0.9, -0.4, 0.3, 0.8], many)
    tree = Synopsis(counts=PLENTY, tree=Fraction(1)).splitting(ONE, 2)
    for counts, same in (([3, 1, 1, 1], True), ([0, 1, 1, 1], False)):
        distribution = tree_distribution(counts, tree)
        expected = {
            tuple(
                sorted((place * 4.0 / 2**level - 2, 2.0 / 2**level) for level, place in leaves)
            ): p
            for leaves, p in distribution.items()
        }
        shapes = sorted(expected, key=str)
        observed = [seen[each] for each in shapes]
        assert sum(observed) == many
        chances = np.array([expected[each] for each in shapes])
        p_value = stats.chisquare(observed, chances / chances.sum() * many).pvalue
        assert (p_value > ALARM) == same


def weighed(mine: list[float]) -> tuple[list[int], list[int]]:
    """Counts of four cells with and without a person, who has four points that weigh 1 each."""
    space, tables = GridBox(-np.ones(1), np.ones(1), bits=1), []
    for rows in ([-0.9, -0.9, 0.3, *mine], [-0.9, -0.9, 0.3]):
        people = np.array([*range(3), *[9] * 4])[: len(rows)]
        weights = np.floor(person_weights(people, 2) / 512)
        points = ArrayPoints(space, space.whole(np.array(rows)[:, None]), weights)
        cells = points.cells(2, inside=np.zeros(1, dtype=np.int64), above=0)
        counts = dict(zip(cells.names.tolist(), cells.counts.tolist(), strict=True))
        tables.append([counts.get(name, 0) for name in range(4)])
    return tables[0], tables[1]


@pytest.mark.parametrize("mine", [[-0.9, -0.4, 0.3, 0.8], [-0.9] * 4, [-0.9, -0.4] * 2])
def test_a_person_in_many_cells_costs_no_more(mine: list[float]) -> None:
    """The tree's distribution with and without a person; as if they had one point, it fails."""
    plan, pairs = Synopsis(counts=PLENTY, tree=Fraction(1)), [weighed(mine)]
    assert sf.verify(
        plan.splitting(TableChange(sf.privacy.AddRemove(), 2, 2), 2), epsilon=1, neighbours=pairs
    )
    assert not sf.verify(plan.splitting(ONE, 2), epsilon=1, neighbours=pairs)


# --- Centres of cells -------------------------------------------------------------------------


def cells_of(middles: Any, counts: Any) -> SynopsisCells:
    places = np.array(middles, dtype=np.float64)
    return SynopsisCells(
        places, np.full(places.shape, 8.0), np.array(counts, dtype=np.float64), 1.0
    )


def test_the_cost_is_that_of_the_noisy_cells() -> None:
    space = box(1)
    cells = cells_of([[-100.0], [-80.0], [50.0], [70.0]], [30, 10, 20, 1])
    start = centres_of_cells(cells, 2, 2.0, space, np.random.default_rng(1))
    assert sorted(start.places.ravel()) == pytest.approx([-95, 50])
    assert sorted(start.counts.tolist()) == [20, 40]
    spread = (30 * 25 + 10 * 225) / 60 + 64 / 3
    told = cost_told(cells, start.places, 2.0, space)
    assert told * space.unit**2 == pytest.approx(spread)


def test_no_cost_is_told_where_cells_are_too_wide_to_tell_it() -> None:
    cells = cells_of([[-95.0], [50.0]], [40, 20])
    assert np.isnan(cost_told(cells, cells.middles, 2.0, box(1)))
    assert np.isnan(cost_told(cells, cells.middles, 99.0, box(1)))


@pytest.mark.parametrize("counts", [[0, 0, 0], [-5, -9, 1], [50, 60, 70]])
@pytest.mark.parametrize("clusters", [1, 3, 8])
def test_there_are_always_as_many_centres_as_asked_for(counts: list[int], clusters: int) -> None:
    space = box(2)
    cells = cells_of([[0, 0], [100, 0], [0, 100]], counts)
    start = centres_of_cells(cells, clusters, 2.0, space, np.random.default_rng(1))
    assert start.places.shape == start.noise.shape == (clusters, 2)
    assert np.isfinite(start.places).all()
    assert (np.abs(start.places) <= space.unit).all()
    assert residual(cells, start.places, 2.0, "l1") > 0


@pytest.mark.parametrize(("clusters", "dimensions"), [(1, 1), (2, 1), (7, 2), (20, 5)])
def test_a_start_without_cells_is_spread_out(clusters: int, dimensions: int) -> None:
    start = far_apart(clusters, box(dimensions), np.random.default_rng(1)) / box(dimensions).unit
    uniform = np.random.default_rng(2).uniform(-1, 1, (100, clusters, dimensions))
    assert (np.abs(start) < 1).all()
    assert nearest_pair(start) >= np.quantile([nearest_pair(each) for each in uniform], 0.6)


def nearest_pair(places: NDArray[np.float64]) -> float:
    """How near the nearest two are."""
    distances = np.linalg.norm(places[:, None] - places[None], axis=2)
    return float((distances + 9 * np.eye(len(places))).min())


def test_points_of_a_person_count_by_their_weights() -> None:
    points = points_of([[0.5, 0.5]] * 4 + [[-0.5, 0.5]], box(2), ["u"] * 4 + ["v"])
    change = TableChange(sf.privacy.AddRemove(), 1, points.fine)
    cells = noisy_cells(points, Synopsis(counts=PLENTY, level=2), change, SeededSource(1))
    assert sorted(cells.counts.round(6).tolist()) == [0, 0, 1, 1]
    assert cells.scale == pytest.approx(1e-6)
