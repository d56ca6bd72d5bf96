"""Rounds of Lloyd's algorithm with noise: from the old centres, or as the textbook has it."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

import numpy as np

from sfumato.learning.kmeans.model import Centres
from sfumato.learning.kmeans.points.arrays import nearest
from sfumato.learning.kmeans.space import Ball, uniform_in_ball
from sfumato.mechanisms import DiscreteGaussian, DiscreteLaplace

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from sfumato.learning.kmeans.plan import Rounds, TableChange, TextbookRounds
    from sfumato.learning.kmeans.points.grid import GridPoints
    from sfumato.learning.kmeans.space import GridBox
    from sfumato.learning.kmeans.synopsis import SynopsisCells
    from sfumato.mechanisms import Laplace
    from sfumato.sampling import BitSource

    Reals = NDArray[np.float64]
    Whole = NDArray[np.int64]


#: A centre moves only if its noisy count is above so many noise scales.
_SEEN = 2.0


def noisy_rounds(
    points: GridPoints,
    start: Centres,
    radii: Iterable[float],
    plan: Rounds,
    change: TableChange,
    source: BitSource,
) -> Centres:
    """Move centres towards the mean of their points, once for each radius.

    Parameters
    ----------
    points
        The points.
    start
        Where centres are.
    radii
        How far from its centre a point counts, in steps, for each round; one further out is
        pulled in.
    plan, change, source
        What each round spends, for which change, and where the noise comes from.
    """
    found = start
    for radius in radii:
        ball = Ball(max(ceil(radius), 1), plan.norm)
        found = _round(points, found, ball, plan, change, source)
    return found


def _round(
    points: GridPoints,
    old: Centres,
    ball: Ball,
    plan: Rounds,
    change: TableChange,
    source: BitSource,
) -> Centres:
    places = points.space.held(old.places)
    totals = points.totals(places, ball=ball)
    counting = plan.counting(change)
    adding = noise_of_sums(plan, change, ball.radius, totals.sums.size)
    counts = np.asarray(counting.release(totals.counts, source=source).value, dtype=np.float64)
    sums = np.asarray(adding.release(totals.sums, source=source).value, dtype=np.float64)
    seen = counts > _SEEN * float(counting.scale)
    divisor = np.where(seen, counts, 1.0)[:, None]
    moved = points.space.inside(places + sums / divisor)
    noise = np.broadcast_to(_deviation(adding) / divisor, moved.shape)
    return Centres(
        np.where(seen[:, None], moved, places),
        counts / points.fine,
        np.where(seen[:, None], noise, points.space.unit),
    )


def noise_of_sums(
    plan: Rounds, change: TableChange, radius: int, numbers: int
) -> DiscreteLaplace | DiscreteGaussian:
    """Return the noise of sums of points that lie within a ball."""
    most = change.sums(radius)
    if plan.rho is None:
        return DiscreteLaplace(epsilon=plan.sums, sensitivity=most, relation=change.relation)
    sigma = ceil(most / float(2 * plan.rho) ** 0.5 * (1 + 2.0**-40)) + 1
    return DiscreteGaussian(
        sigma=sigma, sensitivity=most, dimensions=max(numbers, 2), relation=change.relation
    )


def _deviation(noise: DiscreteLaplace | DiscreteGaussian) -> float:
    """Return a standard deviation of noise, at most a little too great."""
    if isinstance(noise, DiscreteGaussian):
        return float(noise.sigma)
    return 2**0.5 * float(noise.scale)


def printed_rounds(
    points: GridPoints,
    clusters: int,
    plan: TextbookRounds,
    change: TableChange,
    source: BitSource,
    random: np.random.Generator,
) -> Centres:
    """Run the textbook's algorithm.

    Its L1 unit ball is the one that is declared, or where bounds are, one so great that their box
    just fits: a coordinate of a point is then at most 1/d.  Counts and sums get Lap(2/ε'), the
    radius being 1, and a centre whose noisy count is below 1 is drawn again, uniformly from the
    ball.

    Parameters
    ----------
    points
        The points.
    clusters
        k, how many centres.
    plan, change, source
        What each round spends, for which change, and where the noise comes from.
    random
        Where centres are drawn from; no point is looked at for that.
    """
    space = points.space
    radius = space.radius
    counting, adding = plan.noise(change), plan.noise(change, radius)
    places = uniform_in_ball(clusters, space.dimensions, random) * radius
    counts, enough = np.zeros(clusters), np.zeros(clusters, dtype=np.bool_)
    for _ in range(plan.number):
        totals = points.totals(space.held(places), ball=None)
        counts = _noisy(totals.counts, counting, source) / points.fine
        sums = _noisy(totals.sums, adding, source) / points.fine
        drawn = uniform_in_ball(clusters, space.dimensions, random) * radius
        enough = counts >= 1
        places = np.where(enough[:, None], sums / np.where(enough, counts, 1.0)[:, None], drawn)
    scale = 0.0 if adding is None else float(adding.scale)
    deviation = 2**0.5 * scale / points.fine / np.maximum(counts, 1.0)
    deviation = np.where(enough, deviation, np.maximum(deviation, radius))
    noise = np.repeat(deviation[:, None], space.dimensions, axis=1)
    return Centres(places, counts, noise)


def _noisy(exact: Whole, noise: Laplace | None, source: BitSource) -> Reals:
    """Return numbers with noise, or as they are where none is asked for."""
    value = exact if noise is None else noise.release(exact, source=source).value
    return np.asarray(value, dtype=np.float64)


_STARTS = 8
_TRIES = 100
_BISECTIONS = 20
#: With more centres than so many there are fewer starts and tries: one run takes long, and its
#: start matters less.
_MANY = 200


def centres_of_cells(
    cells: SynopsisCells, clusters: int, kept: float, space: GridBox, random: np.random.Generator
) -> Centres:
    """Return centres by k-means on the middles of cells, weighed by their noisy counts.

    Only what was released is looked at.
    """
    weights = cells.above(kept)
    if np.count_nonzero(weights) < clusters:
        weights = cells.above(0.0)
    used = weights > 0
    places = _weighted(cells.middles[used], weights[used], clusters, space, random)
    return _described(places, cells, weights, space)


def _weighted(
    middles: Reals, weights: Reals, clusters: int, space: GridBox, random: np.random.Generator
) -> Reals:
    """Return the best of several runs of k-means; where cells are too few, others far apart."""
    from sklearn.cluster import KMeans

    if len(middles) <= clusters:
        others = far_apart(clusters - len(middles), space, random)
        return np.concatenate([middles, others])
    starts = max(_STARTS * _MANY // max(clusters, _MANY), 1)
    found = KMeans(clusters, n_init=starts, random_state=int(random.integers(2**31)))
    scaled = middles / space.unit
    centres: Reals = found.fit(scaled, sample_weight=weights).cluster_centers_ * space.unit
    return centres


def _described(places: Reals, cells: SynopsisCells, weights: Reals, space: GridBox) -> Centres:
    """Return centres with what the cells next to each tell of its points and its noise.

    Where in its cell the mean of a cell's points lies is not known, and counts as noise; a centre
    without cells may be anywhere.
    """
    used = weights > 0
    middles, heavy = cells.middles[used], weights[used]
    labels = nearest(middles, places)
    counts = np.bincount(labels, heavy, minlength=len(places)).astype(np.float64)
    apart = middles - places[labels]
    within = cells.halves[used] ** 2 / 3
    moved = 2 * cells.scale**2 * apart**2 + heavy[:, None] ** 2 * within
    spread = np.stack([np.bincount(labels, each, len(places)) for each in moved.T], axis=1)
    noise = np.sqrt(spread) / np.maximum(counts, 1.0)[:, None]
    noise[counts == 0] = space.unit
    return Centres(places, counts, noise)


def cost_told(cells: SynopsisCells, places: Reals, kept: float, space: GridBox) -> float:
    """Return the mean square distance of points from centres, estimated from noisy cells.

    In half widths of the box.  Points are taken to be anywhere in their cell; where that would be
    more than half of the answer, there is none: NaN.
    """
    weights = cells.above(kept)
    if not weights.any():
        return np.nan
    apart = cells.middles - places[nearest(cells.middles, places)]
    between, within = (
        float(np.average(each.sum(axis=1), weights=weights)) / space.unit**2
        for each in (apart**2, cells.halves**2 / 3)
    )
    return between + within if within <= between else np.nan


def residual(cells: SynopsisCells, places: Reals, kept: float, norm: str) -> float:
    """Return how far points count from their centre in a round, in steps: most of them fully."""
    weights = cells.above(kept)
    if not weights.any():
        weights = np.ones(len(weights))
    apart = cells.middles - places[nearest(cells.middles, places)]
    order = 1 if norm == "l1" else 2
    distance = np.linalg.norm(apart, ord=order, axis=1)
    size = np.linalg.norm(cells.halves, ord=order, axis=1)
    return float(np.average(1.2 * distance + 0.25 * size, weights=weights))


def far_apart(clusters: int, space: GridBox, random: np.random.Generator) -> Reals:
    """Return points in the space, as far from each other as is found, half as far from its border.

    The start of :cite:p:`su2016differentially`: no point of the data is looked at.
    """
    low, high = 0.0, 1.0
    best = space.drawn(clusters, random)
    for _ in range(_BISECTIONS):
        apart = (low + high) / 2
        found = _packed(clusters, space, apart, random)
        if found is None:
            high = apart
        else:
            low, best = apart, found
    return best * space.unit


def _packed(
    clusters: int, space: GridBox, apart: float, random: np.random.Generator
) -> Reals | None:
    """Return points twice so far apart, and so far from the border; None if none are found."""
    from scipy.spatial.distance import cdist

    found = np.empty((clusters, space.dimensions))
    tries = max(_TRIES * _MANY**2 // max(clusters, _MANY) ** 2, 1)
    for at in range(clusters):
        tried = space.drawn(tries, random, within=1 - apart)
        good = np.flatnonzero((cdist(tried, found[:at]) >= 2 * apart).all(axis=1))
        if not len(good):
            return None
        found[at] = tried[good[0]]
    return found
