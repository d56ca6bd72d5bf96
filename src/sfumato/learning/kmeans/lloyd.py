"""Rounds of Lloyd's algorithm with noise: from the old centres, or as the textbook has it."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

import numpy as np

from sfumato.learning.kmeans.model import Centres
from sfumato.learning.kmeans.points.base import Ball
from sfumato.mechanisms import DiscreteGaussian, DiscreteLaplace

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from sfumato.learning.kmeans.plan.change import Change
    from sfumato.learning.kmeans.plan.parts import Printed, Rounds
    from sfumato.learning.kmeans.points.base import Points
    from sfumato.sampling import BitSource

    Reals = NDArray[np.float64]

__all__ = ["noise_of_sums", "noisy_rounds", "printed_rounds", "uniform_in_ball"]

#: A centre moves only if its noisy count is above so many noise scales.
_SEEN = 2.0


def noisy_rounds(
    points: Points,
    start: Centres,
    radii: Iterable[float],
    plan: Rounds,
    change: Change,
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
    points: Points, old: Centres, ball: Ball, plan: Rounds, change: Change, source: BitSource
) -> Centres:
    places = points.space.held(old.places)
    totals = points.totals(places, ball=ball)
    counting = plan.counting(change)
    adding = noise_of_sums(plan, change, ball.radius, totals.sums.size)
    counts = np.asarray(counting.release(totals.counts, source=source).value, dtype=np.float64)
    sums = np.asarray(adding.release(totals.sums, source=source).value, dtype=np.float64)
    seen = counts > _SEEN * float(counting.scale)
    divisor = np.where(seen, counts, 1.0)[:, None]
    moved = np.clip(places + sums / divisor, -points.space.unit, points.space.unit)
    noise = np.broadcast_to(_deviation(adding) / divisor, moved.shape)
    return Centres(
        np.where(seen[:, None], moved, places),
        counts / points.fine,
        np.where(seen[:, None], noise, points.space.unit),
    )


def noise_of_sums(
    plan: Rounds, change: Change, radius: int, numbers: int
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
    points: Points,
    clusters: int,
    plan: Printed,
    change: Change,
    source: BitSource,
    random: np.random.Generator,
) -> Centres:
    """Run the textbook's algorithm.

    The L1 unit ball is so great that the box just fits: a coordinate of a point is at most 1/d.
    Counts and sums get Lap(2/ε'), and a centre whose noisy count is below 1 is drawn again,
    uniformly from the ball.

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
    radius = space.dimensions * space.unit
    counting, adding = plan.noise(change), plan.noise(change, radius)
    places = uniform_in_ball(clusters, space.dimensions, random) * radius
    counts = np.zeros(clusters)
    for _ in range(plan.number):
        totals = points.totals(space.held(places), ball=None)
        counts = np.asarray(counting.release(totals.counts, source=source).value) / points.fine
        sums = np.asarray(adding.release(totals.sums, source=source).value) / points.fine
        drawn = uniform_in_ball(clusters, space.dimensions, random) * radius
        enough = counts >= 1
        places = np.where(enough[:, None], sums / np.where(enough, counts, 1.0)[:, None], drawn)
    deviation = 2**0.5 * float(adding.scale) / points.fine / np.maximum(counts, 1.0)
    noise = np.repeat(deviation[:, None], space.dimensions, axis=1)
    return Centres(places, counts, noise)


def uniform_in_ball(points: int, dimensions: int, random: np.random.Generator) -> Reals:
    """Return points that are uniform in the L1 unit ball.

    Exponential variables, divided by the sum of one more of them, are uniform below the simplex
    :cite:p:`devroye1986`; signs are tossed.
    """
    drawn = random.standard_exponential((points, dimensions + 1))
    signs = random.choice([-1.0, 1.0], (points, dimensions))
    found: Reals = signs * drawn[:, :-1] / drawn.sum(axis=1, keepdims=True)
    return found
