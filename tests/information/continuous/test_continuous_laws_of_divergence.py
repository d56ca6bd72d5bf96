"""M-DIV-1..3: what every divergence obeys, for random pairs that have no formula."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from flint import acb, arb, ctx
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.information import kl_divergence as kl
from sfumato.information.continuous import (
    ContinuousDistribution,
    Exponential,
    Gaussian,
    Laplace,
    Logistic,
    Mixture,
    Uniform,
)
from sfumato.information.continuous.measures import (
    hockey_stick,
    maximum,
    renyi,
    statistical_distance,
)

FEW = settings(max_examples=10, deadline=None)

means = st.floats(-2, 2).map(lambda x: round(x, 2))
spreads = st.floats(0.5, 2).map(lambda x: round(x, 2))
symmetric = st.one_of(
    st.builds(Gaussian, means, spreads),
    st.builds(Laplace, means, spreads),
    st.builds(Logistic, means, spreads),
)
bounded = st.one_of(
    st.builds(Exponential, spreads, means),
    st.tuples(means, spreads).map(lambda t: Uniform(t[0], t[0] + t[1])),
)
mixtures = st.tuples(st.integers(1, 9), symmetric, symmetric).map(
    lambda t: Mixture([t[0], 10 - t[0]], [t[1], t[2]])
)
distributions = st.one_of(symmetric, bounded, mixtures)


@FEW
@given(distributions, distributions)
def test_statistical_distance_is_symmetric(
    p: ContinuousDistribution, q: ContinuousDistribution
) -> None:
    one, two = statistical_distance(p, q), statistical_distance(q, p)
    assert max(one.lower, two.lower) <= min(one.upper, two.upper)
    assert one.width < 1e-14


@FEW
@given(distributions, distributions)
def test_renyi_rises_with_the_order(p: ContinuousDistribution, q: ContinuousDistribution) -> None:
    found = [renyi(p, q, order=order, base=math.e) for order in (0.0, 0.5, 1.0, 2.0, math.inf)]
    assert all(a.lower <= b.upper for a, b in itertools.pairwise(found))
    assert all(each.lower >= 0 for each in found)


@FEW
@given(distributions, distributions, st.lists(st.floats(-4, 4), min_size=1, max_size=6))
def test_data_processing(
    p: ContinuousDistribution, q: ContinuousDistribution, cuts: list[float]
) -> None:
    """Telling only in which bin a value lies never raises a divergence."""
    ends = np.unique(cuts)
    below = [[float(distribution.cdf(arb(float(end)))) for end in ends] for distribution in (p, q)]
    binned = [np.diff([0.0, *each, 1.0]) for each in below]
    finite = (binned[0] > 1e-9) & (binned[1] > 1e-9)
    a, b = binned[0][finite], binned[1][finite]
    assert statistical_distance(p, q).upper >= float(np.abs(a - b).sum()) / 2 - 1e-6
    assert kl(p, q, base=math.e).upper >= float(np.sum(a * np.log(a / b))) - 1e-6
    assert maximum(p, q, delta=0, base=math.e).upper >= float(np.log(a / b).max()) - 1e-6


@FEW
@given(distributions, distributions, st.floats(-1, 2))
def test_hockey_stick_falls_and_stays_between_its_bounds(
    p: ContinuousDistribution, q: ContinuousDistribution, epsilon: float
) -> None:
    here, later = (hockey_stick(p, q, epsilon=each) for each in (epsilon, epsilon + 0.5))
    assert later.lower <= here.upper
    assert here.upper >= max(0.0, -math.expm1(epsilon))
    assert here.upper <= 1


@pytest.mark.full
@settings(max_examples=2, deadline=None)
@given(symmetric, mixtures, st.sampled_from([1e-6, 0.01, 0.3]))
def test_approximate_max_inverts_the_hockey_stick(
    p: ContinuousDistribution, q: ContinuousDistribution, delta: float
) -> None:
    level = maximum(p, q, delta=delta, base=math.e)
    assert hockey_stick(p, q, epsilon=level.upper).lower <= delta
    assert hockey_stick(p, q, epsilon=level.lower).upper >= delta
    assert level.width < 1e-10


@FEW
@given(distributions, distributions)
def test_pinsker(p: ContinuousDistribution, q: ContinuousDistribution) -> None:
    distance = statistical_distance(p, q)
    assert kl(p, q, base=math.e).upper >= 2 * distance.lower**2 - 1e-12


@pytest.mark.parametrize(
    "distribution", [Gaussian(0, 1), Mixture([1, 1], [Laplace(0, 1), Uniform(0, 1)])]
)
def test_a_distribution_does_not_differ_from_itself(distribution: Any) -> None:
    for order in (0.0, 0.5, 1.0, 2.0, math.inf):
        assert renyi(distribution, distribution, order=order, base=2.0).upper == 0
    assert statistical_distance(distribution, distribution).upper == 0
    assert hockey_stick(distribution, distribution, epsilon=-1).lower == pytest.approx(
        1 - math.exp(-1), rel=1e-14
    )


@FEW
@given(distributions)
def test_the_density_of_every_distribution_is_the_slope_of_its_cdf(
    distribution: ContinuousDistribution,
) -> None:
    """The formulas of each agree with each other: piece, slope, curvature, cdf and survival."""
    step = 2.0**-20
    with ctx.workprec(128):
        for x in (-2.125, -0.375, 0.625, 1.875):
            piece = distribution.piece(x)
            rise = float(
                (distribution.cdf(arb(x + step)) - distribution.cdf(arb(x - step))) / (2 * step)
            )
            density = 0.0 if piece is None else float(piece.log_density(acb(x)).real.exp())
            near = any(abs(float(point) - x) < 2 * step for point in distribution.breakpoints)
            assert near or rise == pytest.approx(density, abs=1e-9)
            assert (distribution.cdf(arb(x)) + distribution.survival(arb(x))).overlaps(arb(1))
            if piece is not None:
                log = [piece.log_density(acb(x + d)).real for d in (-step, step)]
                assert float(piece.slope(arb(x))) == pytest.approx(
                    float((log[1] - log[0]) / (2 * step)), abs=1e-9
                )
                slope = [piece.slope(arb(x + d)) for d in (-step, step)]
                assert float(piece.curvature(arb(x))) == pytest.approx(
                    float((slope[1] - slope[0]) / (2 * step)), abs=1e-9
                )
