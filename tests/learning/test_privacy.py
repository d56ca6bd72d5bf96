"""The guarantee of k-means, by mathematics and by experiment (M-LLOYD-1, M-LLOYD-2).

Each audit accuses a right release with probability at most 1e-6; what it must catch is shown by
twins that do something wrong.  Seeds are fixed.  The full size is

    SFUMATO_TEST_PROFILE=sweep python -m pytest tests/learning/test_privacy.py
"""

from __future__ import annotations

import os
import warnings
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import sfumato as sf
from sfumato.learning.kmeans.budget import chosen_plan
from sfumato.learning.kmeans.plan import KMeansRequest, TableChange
from sfumato.learning.kmeans.space import GridBox, uniform_in_ball
from tests.learning.plain import box, points_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

pytestmark = pytest.mark.full

SWEEP = os.environ.get("SFUMATO_TEST_PROFILE") == "sweep"
#: At 100 draws, half of which choose what to look at, an event that always tells the tables
#: apart proves an ε of 0.8.
DRAWS = 4_000 if SWEEP else 100
EPSILON = Fraction(1, 4)
METHODS = ["lloyd", "rounds", "grid", "tree"]


# --- By the exact distribution --------------------------------------------------------------------

ROWS = [[-1.0], [0.25], [1.0]]
REPLACED = [(ROWS, [[-1.0], [0.25], [-1.0]]), (ROWS, [[-1.0], [0.25], [np.inf]])]
REMOVED = [(ROWS, ROWS[:2]), (ROWS, ROWS[1:]), (ROWS[:1], [])]


def least(mechanism: Any, one: Any, other: Any) -> float:
    """The least ε that the exact distributions of numbers keep; 0 where they are equal."""
    apart = [
        sf.verify(mechanism, epsilon=mechanism.guarantee.exact_epsilon, neighbours=[pair])
        for pair in zip(np.ravel(one).tolist(), np.ravel(other).tolist(), strict=True)
        if pair[0] != pair[1]
    ]
    assert all(apart)
    return sum(each.epsilon.bounds.upper for each in apart)


def of_round(tables: Any, relation: Any, centres: list[int]) -> float:
    """The least ε of one round of the textbook's, for two tables of one coordinate."""
    change, space = TableChange(relation), box(1, reach=4)
    plan = chosen_plan(KMeansRequest(1, 1, EPSILON, method="lloyd", rounds=1), change).printed
    assert plan is not None
    one, other = (
        points_of(rows, space).totals(np.array(centres)[:, None] * space.unit, ball=None)
        for rows in tables
    )
    counts = least(plan.noise(change), one.counts, other.counts)
    return counts + least(plan.noise(change, space.unit), one.sums, other.sums)


@pytest.mark.parametrize("tables", REMOVED)
def test_the_distribution_of_a_round_keeps_its_guarantee_for_one_row_more(tables: Any) -> None:
    """M-LLOYD-1, k = d = T = 1: counts and sums have Laplace noise of their own; ε in all."""
    assert of_round(tables, sf.privacy.AddRemove(), [0]) == pytest.approx(float(EPSILON))


@pytest.mark.parametrize("tables", REPLACED)
def test_the_distribution_of_a_round_keeps_its_guarantee_for_another_row(tables: Any) -> None:
    """M-LLOYD-1, with two centres, so that another row takes one count and gives to the other."""
    found = of_round(tables, sf.privacy.Substitute(), [-1, 1])
    assert found <= float(EPSILON) * (1 + 1e-9)
    moves = not np.isinf(tables[1][2][0])
    assert found == pytest.approx(float(EPSILON) if moves else 0.0)


# --- By experiment ----------------------------------------------------------------------------

FAR, FEW = 1e6, "an outlier among few"
CROWD = np.zeros((300, 1))
#: What the tables are, between which bounds, and how many centres are asked for.
PAIRS: dict[str, tuple[Any, Any, Any, int]] = {
    "an outlier": (CROWD, np.vstack([CROWD, [[1e9]]]), (0, 1), 1),
    FEW: (CROWD[:6], np.vstack([CROWD[:6], [[1e9]]]), (0, 1), 2),
    "duplicates": (np.full((5, 1), 0.5), np.full((6, 1), 0.5), (0, 1), 1),
    "more centres than rows": (np.zeros((1, 2)), np.zeros((2, 2)), (-1, 0), 4),
    "all the same": (np.ones((9, 1)), np.ones((8, 1)), (0, 1), 2),
    "nobody": (np.empty((0, 1)), np.ones((1, 1)), (0, 1), 1),
    "far from zero": (CROWD + FAR + 1, np.full((301, 1), FAR + 1), (FAR, FAR + 1), 1),
}
TRIED = [
    (method, pair)
    for pair in PAIRS
    for method in METHODS
    if SWEEP or method in ("lloyd", "rounds") or pair == FEW
]


@pytest.fixture(autouse=True)
def _light(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Plan once, and say nothing of seeds."""
    monkeypatch.setattr("sfumato.learning.kmeans.estimator.chosen_plan", cache(chosen_plan))
    with warnings.catch_warnings(action="ignore", category=UserWarning):
        yield


def numbers(model: Any) -> list[float]:
    """All that is released of a table."""
    parts = (model.cluster_centers_, model.counts_, model.noise_, [np.nan_to_num(model.cost_)])
    return [float(each) for part in parts for each in np.ravel(part)]


def first_sum(told: Any, bounds: Any, counts_at: int) -> float:
    """The first coordinate of the sum of the points next to the first centre, from the middle."""
    return float((told[0] - sum(bounds) / 2) * told[counts_at])


def accused(method: str, pair: str, **more: Any) -> bool:
    """Whether fits of two tables, in one round, are told apart better than is guaranteed."""
    one, other, bounds, clusters = PAIRS[pair]
    given = {
        "epsilon": EPSILON,
        "relation": sf.privacy.AddRemove(),
        "rounds": 1,
        "size": 20,
        **more,
    }
    random = np.random.RandomState(7)
    model = sf.KMeans(clusters, bounds=bounds, method=method, random_state=random, **given)
    report = sf.audit(
        lambda table, n: np.array([numbers(model.fit(table)) for _ in range(n)]),
        *(one, other),
        epsilon=EPSILON,
        delta=more.get("delta", 0),
        samples=DRAWS,
        alpha=1e-6,
        features=[lambda told: first_sum(told, bounds, clusters * one.shape[1])],
    )
    return bool(report.violated)


@pytest.mark.parametrize(("method", "pair"), TRIED)
def test_what_is_released_keeps_the_guarantee(method: str, pair: str) -> None:
    assert not accused(method, pair)


def test_gaussian_sums_keep_the_guarantee() -> None:
    assert not accused("rounds", "an outlier", delta=1e-6, noise="gaussian")


@pytest.mark.parametrize("method", METHODS)
def test_far_too_little_noise_is_seen(method: str) -> None:
    """The twin that spends 64 times what it says."""
    assert accused(method, FEW, epsilon=64 * EPSILON)


@pytest.mark.parametrize("method", ["lloyd", "rounds"])
def test_sums_that_are_not_bounded_are_seen(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The twin that takes an outlier as it is."""

    def unbounded(self: GridBox, values: Any) -> Any:
        return np.floor((values - self.middle) * self.scale)

    monkeypatch.setattr(GridBox, "whole", unbounded)
    monkeypatch.setattr(
        "sfumato.learning.kmeans.points.arrays.pulled_in", lambda distances, ball: distances
    )
    assert accused(method, "an outlier")


def test_noise_for_the_range_and_not_the_magnitude_is_seen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The twin with bounds far from zero whose sums are of the values themselves."""
    monkeypatch.setattr(GridBox, "whole", lambda self, values: np.floor(values * self.scale))
    assert accused("lloyd", "far from zero")


# --- Useful all the same ----------------------------------------------------------------------


#: The textbook's own, in which it is compared.
UNIT_BALL = sf.learning.L1Ball(radius=1)


def cloud(seed: int) -> NDArray[np.float64]:
    """Points around five middles in the unit ball."""
    random = np.random.default_rng(seed)
    middles = 0.9 * uniform_in_ball(5, 2, random)
    return np.repeat(middles, 1000, axis=0) + 0.1 * uniform_in_ball(5000, 2, random)


def cost(centres: NDArray[np.float64], values: NDArray[np.float64]) -> float:
    return float(((values[:, None] - centres[None]) ** 2).sum(axis=2).min(axis=1).mean())


def fitted(values: Any, method: str, epsilon: Any, seed: int) -> NDArray[np.float64]:
    model = sf.KMeans(5, epsilon=epsilon, domain=UNIT_BALL, method=method, random_state=seed)
    found: NDArray[np.float64] = model.fit(values).cluster_centers_
    return found


@pytest.mark.parametrize("epsilon", ["0.1", "1"])
def test_auto_costs_less_than_the_textbooks(epsilon: str) -> None:
    """M-LLOYD-2, in the textbook's own domain: for each of 20 clouds; were it no better, the chance
    of that is 2^-20.
    """
    for seed in range(20):
        values = cloud(seed)
        better, printed = (
            cost(fitted(values, method, epsilon, seed), values) for method in ("auto", "lloyd")
        )
        assert better < printed


@pytest.mark.parametrize("method", ["auto", "grid", "tree"])
def test_without_noise_the_cost_is_scikit_learns(method: str) -> None:
    from sklearn.cluster import KMeans

    values = cloud(1)
    theirs = KMeans(5, n_init=10, random_state=1).fit(values).inertia_ / len(values)
    assert cost(fitted(values, method, 10**6, seed=1), values) < 1.01 * theirs
