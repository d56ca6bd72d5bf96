"""The Gaussian mechanism for reals (M-GAUSS-1)."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import pytest
from flint import arb
from hypothesis import given
from hypothesis import strategies as st

from sfumato.mechanisms.noise.gaussian import Gaussian
from sfumato.numeric import Ln, as_ball, working_precision
from sfumato.privacy import ApproxDP, GaussianDP, Substitute, compose, events
from sfumato.sampling import SeededSource, grid
from tests.mechanisms.noise_checks import (
    FALSE_ALARM,
    NO_POSITIVE_NUMBERS,
    fit,
    missed,
    refuses,
    residues,
)


def test_classical_and_analytic_figures() -> None:
    """M-GAUSS-1 and R8."""
    classical = Gaussian(epsilon=0.5, delta=1e-5, sensitivity=1, method="classical")
    analytic = Gaussian(epsilon=0.5, delta=1e-5, sensitivity=1)
    assert float(classical.sigma) == pytest.approx(9.689610525, abs=5e-10)
    assert float(analytic.sigma) == pytest.approx(7.0318266755825, rel=1e-11)
    assert analytic.sigma < classical.sigma


@pytest.mark.parametrize(
    ("epsilon", "delta", "figure"),
    [
        (0.1, 1e-5, 30.749566131977),
        (1, 1e-6, 4.2246788893268),
        (5, 1e-9, 1.2117124661346),
        (10, 1e-9, 0.65024691895866),
    ],
)
def test_analytic_noise_is_the_least(epsilon: float, delta: float, figure: float) -> None:
    mechanism = Gaussian(epsilon=epsilon, delta=delta, sensitivity=1)
    assert float(mechanism.sigma) == pytest.approx(figure, rel=1e-11)
    assert compose(mechanism.event).delta(epsilon=epsilon) <= delta
    less = events.Gaussian(sigma=mechanism.sigma * Fraction(9999, 10000))
    assert compose(less).delta(epsilon=epsilon) > delta


def test_classical_noise_is_refused_from_one_on() -> None:
    for epsilon in (1, 8.5, Ln(3)):
        build = partial(Gaussian, epsilon=epsilon, delta=1e-5, sensitivity=1, method="classical")
        assert "method='analytic'" in refuses(build)


def test_guarantees_at_every_distance() -> None:
    asked = Gaussian(epsilon=1, delta=1e-6, sensitivity=2, relation=Substitute())
    assert asked.guarantee == ApproxDP(epsilon=1, delta=1e-6, relation=Substitute())
    assert asked.guarantee_at(3) == GaussianDP(mu=6 / asked.sigma, relation=Substitute(3))
    given_noise = Gaussian(sigma=4, sensitivity=2)
    assert given_noise.guarantee == GaussianDP(mu=0.5)
    assert given_noise.event_at(3) == events.Gaussian(sigma=4, sensitivity=6)
    whole = compose(given_noise.event_at(3)).epsilon(delta=1e-6)
    assert given_noise.guarantee_at(3).epsilon(delta=1e-6) >= whole * (1 - 1e-12)


def excess(sigma: Fraction, epsilon: Fraction, shift: Fraction) -> arb:
    """What an output distribution has above e^ε times its neighbour's, over half-lines."""
    mechanism = Gaussian(sigma=sigma, sensitivity=shift)
    one, other = mechanism.distribution(shift), mechanism.distribution(0)
    step = grid(sigma)
    edge = math.floor((epsilon * sigma**2 / shift + shift / 2) / step)
    with working_precision(192):
        factor = as_ball(epsilon).exp()
        return max(
            (1 - one.cumulative(at * step)) - factor * (1 - other.cumulative(at * step))
            for at in range(edge - 3, edge + 4)
        )


def test_the_distribution_keeps_the_guarantee() -> None:
    """The likelihood ratio is monotone, so half-lines are the worst events; less noise fails."""
    epsilon, delta, shift = Fraction(1), Fraction(1, 10**6), Fraction(3, 2)
    mechanism = Gaussian(epsilon=epsilon, delta=delta, sensitivity=shift)
    assert excess(mechanism.sigma, epsilon, shift) <= as_ball(delta)
    assert excess(mechanism.sigma * Fraction(999, 1000), epsilon, shift) > as_ball(delta)


@given(
    st.fractions(min_value=Fraction(1, 100), max_value=1000, max_denominator=100),
    st.floats(-1e6, 1e6),
)
def test_the_distribution_is_one_of_the_grid(sigma: Fraction, value: float) -> None:
    distribution, step = Gaussian(sigma=sigma, sensitivity=1).distribution(value), grid(sigma)
    centre = round(Fraction(value) / step)
    outcomes = [(centre + k) * step for k in range(-3, 4)]
    with working_precision(160):
        whole = distribution.cumulative(outcomes[-1]) - distribution.cumulative(outcomes[0])
        assert sum((distribution.ball(each) for each in outcomes[1:]), arb(0)).overlaps(whole)
        assert distribution.ball(outcomes[0] + step / 3) == 0
        assert distribution.cumulative(10**400) == 1
    assert distribution.probability(outcomes[3]).width < 1e-12 * float(step / sigma)


@pytest.mark.parametrize(("sigma", "value"), [(Fraction(7, 3), 0.1), (Fraction(10**9), -5.0)])
def test_releases_follow_the_distribution(sigma: Fraction, value: float) -> None:
    mechanism = Gaussian(sigma=sigma, sensitivity=1)
    draws = mechanism.release(np.full(200_000, value), source=SeededSource(4)).value
    edges = [value + float(sigma) * k / 4 for k in range(-10, 11)]
    assert fit(draws, mechanism.distribution(value), edges) > FALSE_ALARM
    wrong = Gaussian(sigma=sigma * Fraction(105, 100), sensitivity=1).distribution(value)
    assert fit(draws, wrong, edges) < FALSE_ALARM


def test_single_and_exact_releases_follow_the_distribution() -> None:
    mechanism, source = Gaussian(sigma=2, sensitivity=1), SeededSource(8)
    for value in (0.25, Fraction(1, 3)):
        draws = np.array([mechanism.release(value, source=source).value for _ in range(4000)])
        edges = [float(value) + k / 2 for k in range(-6, 7)]
        assert fit(draws, mechanism.distribution(value), edges) > FALSE_ALARM
        wrong = Gaussian(sigma=2.5, sensitivity=1).distribution(value)
        assert fit(draws, wrong, edges) < FALSE_ALARM


def test_low_bits_tell_nothing() -> None:
    """A million outputs on neighbours: all on one grid.  NumPy's noise shows the neighbour."""
    mechanism, size = Gaussian(sigma=1, sensitivity=1), 1_000_000
    step = float(grid(1))
    left, right = (
        mechanism.release(np.full(size, value), source=SeededSource(seed)).value
        for seed, value in ((1, 0.1), (2, 1.1))
    )
    assert residues(left, step) == residues(right, step) == {0.0}
    generator = np.random.default_rng(1)
    left, right = (value + generator.normal(size=size) for value in (0.1, 1.1))
    assert residues(left, step) != residues(right, step)


@pytest.mark.parametrize("confidence", [0.5, 0.95, 1 - 1e-9])
def test_error_covers_and_is_tight(confidence: float) -> None:
    sigma = Fraction(7, 3)
    mechanism = Gaussian(sigma=sigma, sensitivity=1)
    error, step = Fraction(mechanism.error(confidence=confidence)), grid(sigma)
    allowed = 1 - Fraction(repr(confidence))
    for value in (Fraction(0), Fraction(1, 10)):
        distribution = mechanism.distribution(value)
        assert missed(distribution, value, error) <= allowed
        assert missed(distribution, value, error - 2 * step) > allowed


@pytest.mark.parametrize("wrong", NO_POSITIVE_NUMBERS)
def test_wrong_parameters_are_refused(wrong: Any) -> None:
    if wrong is not None:
        refuses(lambda: Gaussian(epsilon=wrong, delta=1e-6, sensitivity=1))
        refuses(lambda: Gaussian(epsilon=1, delta=wrong, sensitivity=1))
        refuses(lambda: Gaussian(sigma=wrong, sensitivity=1))
    refuses(lambda: Gaussian(sigma=1, sensitivity=wrong))
    refuses(lambda: Gaussian(sigma=1, sensitivity=1, relation=wrong))
    refuses(lambda: Gaussian(sigma=1, sensitivity=1, method=wrong))
    refuses(lambda: Gaussian(sigma=1, sensitivity=1).error(confidence=wrong))
    refuses(lambda: Gaussian(sigma=1, sensitivity=1).guarantee_at(wrong))


def test_parameters_that_do_not_go_together_are_refused() -> None:
    for given_parameters in (
        {"sigma": 1, "epsilon": 1, "delta": 1e-6},
        {"sigma": 1, "delta": 1e-6},
        {"epsilon": 1},
        {"delta": 1e-6},
        {},
    ):
        parameters: dict[str, Any] = given_parameters
        assert "sigma alone" in refuses(partial(Gaussian, sensitivity=1, **parameters))
