"""The textbook's algorithm to the letter (M-LLOYD-1), and rounds from the old centres."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from scipy import stats

import sfumato as sf
from sfumato.learning.kmeans.lloyd import noise_of_sums, noisy_rounds, printed_rounds
from sfumato.learning.kmeans.model import Centres
from sfumato.learning.kmeans.plan import Rounds, TableChange, TextbookRounds
from sfumato.learning.kmeans.points.arrays import ArrayPoints
from sfumato.learning.kmeans.space import uniform_in_ball
from sfumato.sampling import SeededSource
from tests.learning.plain import box

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Reals = NDArray[np.float64]

#: An ε with which noise cannot be seen: of a count it is about 1e-5.
PLENTY = Fraction(10**6)
SUBSTITUTE = TableChange(sf.privacy.Substitute())
#: The chance of a false alarm in each test of a distribution.
ALARM = 1e-6


def blobs(middles: Any, many: int = 60, *, seed: int = 1) -> Reals:
    """Points around some middles, all between -1 and 1."""
    random = np.random.default_rng(seed)
    near = np.repeat(np.array(middles, dtype=np.float64), many, axis=0)
    found: Reals = np.clip(near + random.normal(scale=0.05, size=near.shape), -1, 1)
    return found


def in_ball(values: Reals) -> Reals:
    """Points between -1 and 1, scaled into the L1 unit ball."""
    found: Reals = values / values.shape[1]
    return found


def textbook(values: Reals, clusters: int, rounds: int, random: Any) -> tuple[Reals, int]:
    """Lloyd's algorithm in the ball without noise, and how often a centre was drawn again."""
    points, dimensions, redrawn = in_ball(values), values.shape[1], 0
    centres = uniform_in_ball(clusters, dimensions, random)
    for _ in range(rounds):
        distances = ((points[:, None] - centres[None]) ** 2).sum(axis=2)
        labels = distances.argmin(axis=1)
        drawn = uniform_in_ball(clusters, dimensions, random)
        for place in range(clusters):
            mine = points[labels == place]
            centres[place] = mine.mean(axis=0) if len(mine) else drawn[place]
            redrawn += not len(mine)
    return centres, redrawn


def ours(
    values: Reals, clusters: int, rounds: int, random: Any, plan: Any = None
) -> tuple[Centres, float]:
    """What the algorithm finds with hardly any noise, and how many steps the ball is wide."""
    dimensions = values.shape[1]
    space = box(dimensions, reach=4 * dimensions)
    points = ArrayPoints(space, space.whole(values))
    planned = plan or TextbookRounds(rounds, PLENTY / (2 * rounds))
    found = printed_rounds(points, clusters, planned, SUBSTITUTE, SeededSource(5), random)
    return found, float(dimensions * space.unit)


# --- Without noise ----------------------------------------------------------------------------


@pytest.mark.parametrize("rounds", [1, 2, 5, 9])
@pytest.mark.parametrize("dimensions", [1, 2, 4])
def test_without_noise_it_is_lloyds_algorithm(rounds: int, dimensions: int) -> None:
    """M-LLOYD-1: the limit of great ε, from the same start, whatever is drawn again."""
    middles = np.random.default_rng(7).uniform(-0.8, 0.8, (4, dimensions))
    values = blobs(middles)
    wanted, _ = textbook(values, 5, rounds, np.random.default_rng(3))
    found, radius = ours(values, 5, rounds, np.random.default_rng(3))
    assert np.allclose(found.places / radius, wanted, atol=1e-4)


def test_some_centres_were_drawn_again_there() -> None:
    values = blobs(np.random.default_rng(7).uniform(-0.8, 0.8, (4, 2)))
    assert textbook(values, 5, 5, np.random.default_rng(3))[1] > 0


def test_without_noise_it_is_scikit_learns() -> None:
    """M-LLOYD-1: the centres of its KMeans from the same start, to the precision of the grid."""
    from sklearn.cluster import KMeans

    values, rounds = blobs([[-0.7, -0.5], [0.6, 0.6], [0.5, -0.6]]), 4
    seed = next(
        each
        for each in range(100)
        if textbook(values, 3, rounds, np.random.default_rng(each))[1] == 0
    )
    start = uniform_in_ball(3, 2, np.random.default_rng(seed))
    theirs = KMeans(3, init=start, n_init=1, max_iter=rounds, tol=0).fit(in_ball(values))
    found, radius = ours(values, 3, rounds, np.random.default_rng(seed))
    assert np.allclose(found.places / radius, theirs.cluster_centers_, atol=1e-5)
    assert np.allclose(np.sort(found.counts), np.sort(np.bincount(theirs.labels_)), atol=1e-2)


# --- Drawn again ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Told:
    """A plan whose noise is told beforehand: what is added to every count, and nothing to sums."""

    added: float
    number: int = 1

    def noise(self, change: TableChange, radius: int = 1) -> Any:
        more = self.added if radius == 1 else 0.0
        return SimpleNamespace(
            scale=Fraction(1),
            release=lambda value, source: SimpleNamespace(value=np.asarray(value) + more),
        )


@pytest.mark.parametrize(("added", "again"), [(0.0, False), (-0.25, True), (2.0, False)])
def test_a_centre_is_drawn_again_if_its_noisy_count_is_below_one(
    added: float, *, again: bool
) -> None:
    """M-LLOYD-1: at a count of exactly 1 it is the mean, below it a fresh point of the ball."""
    random = np.random.default_rng(2)
    found, radius = ours(np.array([[0.5, 0.25]]), 1, 1, random, Told(added))
    random = np.random.default_rng(2)
    _, drawn = uniform_in_ball(1, 2, random), uniform_in_ball(1, 2, random)
    wanted = drawn if again else in_ball(np.array([[0.5, 0.25]])) / (1 + added)
    assert np.allclose(found.places / radius, wanted, atol=1e-5)


def odd_ones(drawn: Reals) -> float:
    """How likely points uniform in the L1 ball look at most so regular; one for each fact."""
    sizes, dimensions = np.abs(drawn), drawn.shape[1]
    radii = sizes.sum(axis=1)
    first = sizes[:, 0] / radii
    found = (
        stats.kstest(radii**dimensions, "uniform").pvalue,
        stats.kstest(1 - (1 - first) ** (dimensions - 1), "uniform").pvalue,
        stats.binomtest(int((drawn > 0).sum()), drawn.size).pvalue,
        stats.binomtest(int((drawn[:, 0] * drawn[:, 1] > 0).sum()), len(drawn)).pvalue,
    )
    return min(map(float, found))


def test_what_is_drawn_again_is_uniform_in_the_ball() -> None:
    """M-LLOYD-1: of no points at all every centre is drawn again.  The four distributions together
    raise a false alarm with probability 1e-6 at most.
    """
    found, radius = ours(np.empty((0, 3)), 3000, 1, np.random.default_rng(4))
    assert (found.counts < 1).all()
    assert (np.abs(found.places).sum(axis=1) <= radius).all()
    assert odd_ones(found.places / radius) > ALARM / 4


@pytest.mark.parametrize("wrong", ["cube", "sphere", "surface", "corner"])
def test_other_distributions_would_be_seen(wrong: str) -> None:
    random = np.random.default_rng(4)
    cube = random.uniform(-1, 1, (3000, 3))
    drawn = {
        "cube": cube / 3,
        "sphere": cube / np.linalg.norm(cube, axis=1, keepdims=True) * random.random((3000, 1)),
        "surface": cube / np.abs(cube).sum(axis=1, keepdims=True),
        "corner": np.abs(uniform_in_ball(3000, 3, random)),
    }[wrong]
    assert odd_ones(drawn) < ALARM / 4


# --- Rounds from the old centres --------------------------------------------------------------


def moved(values: Reals, start: Any, radii: list[float], plan: Rounds) -> Reals:
    space = box(values.shape[1])
    points = ArrayPoints(space, space.whole(values))
    places = np.array(start, dtype=np.float64) * space.unit
    begun = Centres(places, np.zeros(len(places)), np.zeros(places.shape))
    steps = (each * space.unit for each in radii)
    found = noisy_rounds(
        points, begun, steps, plan, TableChange(sf.privacy.AddRemove()), SeededSource(1)
    )
    return found.places / space.unit


@pytest.mark.parametrize(
    "plan", [Rounds(3, PLENTY, sums=PLENTY), Rounds(3, PLENTY, rho=PLENTY)], ids=["l1", "l2"]
)
def test_rounds_without_noise_are_lloyds(plan: Rounds) -> None:
    """M-LLOYD-2: in a ball that holds everything, the mean of the points next to each centre."""
    from sklearn.cluster import KMeans

    values = blobs([[-0.7, -0.5], [0.6, 0.6], [0.5, -0.6]])
    start = np.array([[-0.2, 0.0], [0.2, 0.3], [0.1, -0.4]])
    theirs = KMeans(3, init=start, n_init=1, max_iter=3, tol=0).fit(values)
    found = moved(values, start, [4.0] * 3, plan)
    assert np.allclose(found, theirs.cluster_centers_, atol=1e-4)


@pytest.mark.parametrize("rho", [Fraction(1, 10**6), Fraction(3, 7), Fraction(8)])
@pytest.mark.parametrize(
    "change", [SUBSTITUTE, TableChange(sf.privacy.AddRemove(), weight=3, fine=2**16)]
)
def test_gaussian_sums_cost_what_the_plan_says(rho: Fraction, change: TableChange) -> None:
    """No more, and hardly less where a step of the noise is small beside it."""
    noise = noise_of_sums(Rounds(1, Fraction(1), rho=rho), change, 1000, 6)
    assert isinstance(noise, sf.mechanisms.DiscreteGaussian)
    assert noise.sensitivity == change.sums(1000)
    spent = (change.sums(1000) / Fraction(noise.sigma)) ** 2 / 2
    assert rho * Fraction(99, 100) < spent <= rho


def test_far_points_pull_a_centre_no_further_than_the_ball() -> None:
    plan = Rounds(1, PLENTY, sums=PLENTY)
    found = moved(np.full((50, 1), 1.0), [[0.0]], [0.25], plan)
    assert found[0, 0] == pytest.approx(0.25, abs=1e-4)


def test_a_centre_that_nobody_is_seen_next_to_stays() -> None:
    plan = Rounds(1, PLENTY, sums=PLENTY)
    found = moved(np.full((50, 1), -1.0), [[-0.5], [0.5]], [2.0], plan)
    assert found.ravel().tolist() == pytest.approx([-1.0, 0.5], abs=1e-4)
