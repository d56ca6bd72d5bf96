"""The Laplace mechanism for reals (M-LAP-1)."""

from __future__ import annotations

import math
from copy import deepcopy
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from flint import arb
from hypothesis import given
from hypothesis import strategies as st

from sfumato.mechanisms.noise.laplace import Laplace
from sfumato.numeric import Ln, working_precision
from sfumato.privacy import PureDP, Substitute, compose, events
from sfumato.sampling import SeededSource, grid
from tests.mechanisms.noise_checks import (
    FALSE_ALARM,
    NO_POSITIVE_NUMBERS,
    fit,
    keeps,
    missed,
    refuses,
    residues,
    worst_ratio,
)

SCALES = st.fractions(min_value=Fraction(1, 100), max_value=1000, max_denominator=100)
VALUES = st.floats(-1e6, 1e6)


def around(value: Fraction, scale: Fraction) -> list[Fraction]:
    """Multiples of the grid on both sides of a value, near and far."""
    step = grid(scale)
    centre = round(value / step)
    offsets = (k * 2**power for k in (-1, 1) for power in range(0, 29, 4))
    return [centre * step, *((centre + offset) * step for offset in offsets)]


def test_a_thousand_releases_cost_what_they_should() -> None:
    """R3 of the reference figures."""
    mechanism = Laplace(epsilon=0.1, sensitivity=1)
    whole = compose(mechanism.event, count=1000)
    assert whole.epsilon(delta=1e-6) == pytest.approx(18.9502873675395582, rel=1e-12)


def test_variance_is_twice_the_squared_scale() -> None:
    """M-LAP-1, by draws: the mean square of 400,000, and of a wrong scale, in deviations."""
    mechanism, size = Laplace(scale=3, sensitivity=1), 400_000
    noise = mechanism.release(np.zeros(size), source=SeededSource(2)).value

    def deviations(scale: float) -> float:
        return abs(float(np.mean(noise**2)) / scale**2 - 2) / math.sqrt(20 / size)

    assert deviations(3) < 5
    assert deviations(3.15) > 10


@given(SCALES, VALUES, st.fractions(min_value=Fraction(1, 10), max_value=3, max_denominator=30))
def test_the_distribution_keeps_the_guarantee_exactly(
    scale: Fraction, value: float, sensitivity: Fraction
) -> None:
    """Theorem 5.2 on the distribution of the floats that are given out; half the noise fails."""
    exact = Fraction(value)
    mechanism = Laplace(scale=scale, sensitivity=sensitivity)
    one, other = mechanism.distribution(exact), mechanism.distribution(exact + sensitivity)
    outcomes = [each for each in around(exact, scale) if Fraction(float(each)) == each]
    assert keeps(one, other, outcomes, mechanism.epsilon)
    assert keeps(other, one, outcomes, mechanism.epsilon)
    half = Laplace(scale=scale / 2, sensitivity=sensitivity)
    same_grid = [each for each in outcomes if each <= exact]
    assert not keeps(
        half.distribution(exact),
        half.distribution(exact + sensitivity),
        same_grid,
        mechanism.epsilon,
    )


def test_the_guarantee_is_not_generous() -> None:
    mechanism = Laplace(epsilon=1, sensitivity=1)
    worst = worst_ratio(
        mechanism.distribution(0), mechanism.distribution(1), around(Fraction(0), Fraction(1))
    )
    assert float(worst) == pytest.approx(math.e, rel=1e-12)


@given(SCALES, VALUES)
def test_the_distribution_is_one_of_the_grid(scale: Fraction, value: float) -> None:
    distribution, step = Laplace(scale=scale, sensitivity=1).distribution(value), grid(scale)
    centre = round(Fraction(value) / step)
    outcomes = [(centre + k) * step for k in range(-3, 4)]
    with working_precision(160):
        whole = distribution.cumulative(outcomes[-1]) - distribution.cumulative(outcomes[0])
        assert sum((distribution.ball(each) for each in outcomes[1:]), arb(0)).overlaps(whole)
        assert distribution.ball(outcomes[0] + step / 3) == 0
        assert distribution.cumulative(10**400) == 1
        assert distribution.cumulative(-(10**400)) == 0


@pytest.mark.parametrize("value", [0.1, 1e20, -1e300, 1.7976931348623157e308])
def test_where_floats_are_coarser_than_the_grid_multiples_count_together(value: float) -> None:
    distribution = Laplace(scale=abs(value) / 2**54 + 1, sensitivity=1).distribution(value)
    outputs = [value]
    for direction in (-math.inf, math.inf):
        near = value
        for _ in range(400 if abs(value) > 1 else 0):
            near = math.nextafter(near, direction)
            outputs += [near] if math.isfinite(near) else []
    with working_precision(160):
        total = sum((distribution.ball(each) for each in outputs), arb(0))
        top, bottom = max(outputs), math.nextafter(min(outputs), -math.inf)
        assert total.overlaps(distribution.cumulative(top) - distribution.cumulative(bottom))
        assert abs(value) < 1 or total > 0.9999


@pytest.mark.parametrize(("scale", "value"), [(Fraction(7, 3), 0.1), (Fraction(10**9), -5.0)])
def test_releases_follow_the_distribution(scale: Fraction, value: float) -> None:
    mechanism = Laplace(scale=scale, sensitivity=1)
    draws = mechanism.release(np.full(200_000, value), source=SeededSource(4)).value
    edges = [value + float(scale) * k / 4 for k in range(-10, 11)]
    assert fit(draws, mechanism.distribution(value), edges) > FALSE_ALARM
    wrong = Laplace(scale=scale * Fraction(105, 100), sensitivity=1).distribution(value)
    assert fit(draws, wrong, edges) < FALSE_ALARM


def test_single_and_exact_releases_follow_the_distribution() -> None:
    mechanism, source = Laplace(scale=2, sensitivity=1), SeededSource(8)
    for value in (0.25, Fraction(1, 3), 7):
        draws = np.array([mechanism.release(value, source=source).value for _ in range(4000)])
        edges = [float(value) + k / 2 for k in range(-6, 7)]
        assert fit(draws, mechanism.distribution(value), edges) > FALSE_ALARM
        wrong = Laplace(scale=2.5, sensitivity=1).distribution(value)
        assert fit(draws, wrong, edges) < FALSE_ALARM


def test_low_bits_tell_nothing() -> None:
    """A million outputs on neighbours: all on one grid.  NumPy's noise shows the neighbour."""
    mechanism, size = Laplace(epsilon=1, sensitivity=1), 1_000_000
    step = float(grid(1))
    left, right = (
        mechanism.release(np.full(size, value), source=SeededSource(seed)).value
        for seed, value in ((1, 0.1), (2, 1.1))
    )
    assert residues(left, step) == residues(right, step) == {0.0}
    generator = np.random.default_rng(1)
    left, right = (value + generator.laplace(size=size) for value in (0.1, 1.1))
    assert residues(left, step) != residues(right, step)


@pytest.mark.parametrize("confidence", [0.5, 0.95, 1 - 1e-9])
def test_error_covers_and_is_tight(confidence: float) -> None:
    mechanism = Laplace(scale="7/3", sensitivity=1)
    error, step = Fraction(mechanism.error(confidence=confidence)), grid(Fraction(7, 3))
    allowed = 1 - Fraction(repr(confidence))
    for value in (Fraction(0), Fraction(1, 10)):
        distribution = mechanism.distribution(value)
        assert missed(distribution, value, error) <= allowed
        assert missed(distribution, value, error - 2 * step) > allowed
    assert float(error) == pytest.approx(-7 / 3 * math.log(1 - confidence), rel=1e-6)


def test_guarantees_at_every_distance() -> None:
    mechanism = Laplace(epsilon=0.5, sensitivity="1/3", relation=Substitute())
    assert mechanism.event_at(3) == events.Laplace(scale="2/3", sensitivity=1)
    assert mechanism.guarantee_at(3) == PureDP(epsilon=1.5, relation=Substitute(3))
    assert compose(mechanism.event_at(3)).epsilon(delta=0) == 1.5
    assert mechanism.event is mechanism.event


def test_logarithms_round_the_scale_up() -> None:
    mechanism = Laplace(epsilon=Ln(3), sensitivity=2)
    assert mechanism.guarantee_at(2) == PureDP(epsilon=Ln(9), relation=mechanism.relation.times(2))
    assert 2 / mechanism.scale < Ln(3)
    assert float(mechanism.scale) == pytest.approx(2 / math.log(3), rel=1e-11)


@pytest.mark.parametrize("wrong", NO_POSITIVE_NUMBERS)
def test_wrong_parameters_are_refused(wrong: Any) -> None:
    if wrong is not None:
        refuses(lambda: Laplace(epsilon=wrong, sensitivity=1))
        refuses(lambda: Laplace(scale=wrong, sensitivity=1))
    refuses(lambda: Laplace(epsilon=1, sensitivity=wrong))
    refuses(lambda: Laplace(epsilon=1, sensitivity=1, relation=wrong))
    refuses(lambda: Laplace(epsilon=1, sensitivity=1).error(confidence=wrong))
    refuses(lambda: Laplace(epsilon=1, sensitivity=1).event_at(wrong))
    refuses(lambda: Laplace(epsilon=1, sensitivity=1).guarantee_at(wrong))


def test_exactly_one_of_epsilon_and_scale_is_given() -> None:
    assert "exactly one" in refuses(lambda: Laplace(epsilon=1, scale=1, sensitivity=1))
    assert "exactly one" in refuses(lambda: Laplace(sensitivity=1))


@pytest.mark.parametrize("scale", ["1e-320", "1e-30", "1e30", "1e310"])
def test_scales_of_any_size(scale: str) -> None:
    mechanism = Laplace(scale=scale, sensitivity=scale)
    noisy = mechanism.release(np.zeros(3), source=SeededSource(1)).value
    assert np.isfinite(noisy).all()
    assert mechanism.error() >= float(Fraction(scale) if Fraction(scale) < 10**300 else 0)
    assert mechanism.distribution(0).cdf(0).upper >= 0.5


def test_mechanisms_are_values() -> None:
    mechanism = Laplace(epsilon=0.1, sensitivity=1)
    assert mechanism == Laplace(scale=10, sensitivity=1)
    assert hash(mechanism) == hash(Laplace(scale=10, sensitivity=1))
    assert deepcopy(mechanism) == mechanism
    assert repr(mechanism) == "Laplace(scale=10, sensitivity=1)"
    with pytest.raises(AttributeError):
        mechanism.scale = Fraction(1)  # type: ignore[misc]
