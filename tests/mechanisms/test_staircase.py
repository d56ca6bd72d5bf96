"""The staircase mechanism of Geng and Viswanath."""

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

from sfumato.mechanisms.noise.staircase import Staircase, StaircaseNoise
from sfumato.numeric import Ln, as_ball, working_precision
from sfumato.privacy import PureDP, Substitute, compose, events
from sfumato.sampling import SeededSource
from tests.mechanisms.noise_checks import (
    FALSE_ALARM,
    NO_POSITIVE_NUMBERS,
    NO_VALUES,
    fit,
    missed,
    refuses,
    residues,
)

EPSILONS = st.fractions(min_value=Fraction(1, 20), max_value=12, max_denominator=50)


def mean_size(noise: StaircaseNoise) -> float:
    """E abs(X), by adding up tails: within a stair they fall in equal steps."""
    with working_precision(128):
        total, start = arb(0), 1
        for stair in range(600):
            end = noise.tread + stair * noise.width
            count, first, last = end - start, noise.tail(start), noise.tail(end)
            total += count * (first + last + noise.mass(end - 1)) / 2
            start = end
        return float(2 * total)


@pytest.mark.parametrize(
    ("epsilon", "figure"),
    [
        (0.1, 9.99583454829),
        (0.5, 1.97931758165),
        (1, 0.959517375667),
        (2, 0.42545906412),
        (5, 0.0826418349275),
        (10, 0.00673825291529),
    ],
)
def test_the_least_expected_size(epsilon: float, figure: float) -> None:
    mechanism = Staircase(epsilon=epsilon, sensitivity=1)
    size = mean_size(mechanism.noise) * float(mechanism.grid)
    assert size == pytest.approx(figure, rel=1e-6)
    assert size < 1 / epsilon


@given(EPSILONS, st.integers(1, 12), st.data())
def test_small_staircases_keep_the_guarantee_exactly(
    epsilon: Fraction, width: int, data: st.DataObject
) -> None:
    """Every shift up to the width, in every place; one step farther fails."""
    noise = StaircaseNoise(epsilon, width, data.draw(st.integers(1, width)))

    def worst(shift: int) -> arb:
        found = arb(0)
        for k in range(-20, 21):
            found = found.max(masses[abs(k)] / masses[abs(k + shift)])
        return found

    with working_precision(128):
        masses = [noise.mass(k) for k in range(40)]
        bound = as_ball(epsilon).exp() * (1 + arb(2) ** -100)
        assert all(worst(shift) <= bound for shift in range(width + 1))
        assert worst(width + 1) > bound
        assert (noise.mass(0) + 2 * noise.tail(1)).contains(1)


@given(EPSILONS, st.fractions(min_value=Fraction(1, 50), max_value=50, max_denominator=77))
def test_neighbours_are_at_most_one_stair_apart(epsilon: Fraction, sensitivity: Fraction) -> None:
    """Rounding included: the farthest neighbours of many values, on the mechanism's own grid."""
    mechanism = Staircase(epsilon=epsilon, sensitivity=sensitivity)
    step, noise = mechanism.grid, mechanism.noise
    assert 1 <= noise.tread <= noise.width
    for value in (Fraction(0), step / 2, step / 3, Fraction(1, 7)):
        moved = (
            mechanism.distribution(value + sensitivity).centre
            - mechanism.distribution(value).centre
        )
        assert 0 <= moved / step <= noise.width
    assert abs(noise.tread / noise.width - 1 / (1 + math.exp(epsilon / 2))) < 1e-6


def test_draws_of_small_staircases_follow_the_distribution() -> None:
    noise, source = StaircaseNoise(Fraction(1), 7, 3), SeededSource(1)
    wrong = StaircaseNoise(Fraction(1), 7, 4)
    draws = np.array([noise.draw(source) for _ in range(10_000)])
    values, counts = np.unique(draws, return_counts=True)
    near = np.abs(values) <= 16
    assert {0, 2, 3, 9, 10, -2, -3, -9, -10} <= set(values.tolist())

    def distance(distribution: StaircaseNoise) -> float:
        with working_precision(128):
            expected = np.array(
                [float(distribution.mass(abs(int(k)))) for k in values[near]]
            ) * len(draws)
        return float(((counts[near] - expected) ** 2 / expected).sum())

    assert distance(noise) < 100
    assert distance(wrong) > 150


@pytest.mark.parametrize("epsilon", [0.5, 3])
def test_releases_follow_the_distribution(epsilon: float) -> None:
    mechanism, source = Staircase(epsilon=epsilon, sensitivity=1), SeededSource(3)
    draws = np.array([mechanism.release(0.1, source=source).value for _ in range(6000)])
    size = math.exp(epsilon / 2) / math.expm1(epsilon)
    edges = [0.1 + size * k / 3 for k in range(-4, 5)]
    assert fit(draws, mechanism.distribution(0.1), edges) > FALSE_ALARM
    wrong = Staircase(epsilon=epsilon * 0.75, sensitivity=1)
    assert fit(draws, wrong.distribution(0.1), edges) < FALSE_ALARM


def test_low_bits_tell_nothing() -> None:
    mechanism = Staircase(epsilon=1, sensitivity=1)
    step, source = float(mechanism.grid), SeededSource(5)
    left, right = (
        np.array([mechanism.release(value, source=source).value for _ in range(2000)])
        for value in (0.1, 1.1)
    )
    assert residues(left, step) == residues(right, step) == {0.0}
    assert residues(left + 0.1, step) != {0.0}


@pytest.mark.parametrize("confidence", [0.5, 0.95, 0.999])
def test_error_covers_and_is_tight(confidence: float) -> None:
    mechanism = Staircase(epsilon=2, sensitivity="3/7")
    error = Fraction(mechanism.error(confidence=confidence))
    allowed = 1 - Fraction(repr(confidence))
    for value in (Fraction(0), Fraction(1, 10)):
        distribution = mechanism.distribution(value)
        assert missed(distribution, value, error) <= allowed
        assert missed(distribution, value, error - 2 * mechanism.grid) > allowed


def test_guarantees_at_every_distance() -> None:
    mechanism = Staircase(epsilon=0.5, sensitivity=1, relation=Substitute())
    assert mechanism.event_at(3) == events.Pure(epsilon=1.5)
    assert mechanism.guarantee_at(3) == PureDP(epsilon=1.5, relation=Substitute(3))
    assert compose(mechanism.event).epsilon(delta=0) == 0.5
    logarithm = Staircase(epsilon=Ln(2), sensitivity=1)
    assert logarithm.guarantee_at(2).epsilon(delta=0) == PureDP(epsilon=Ln(4)).epsilon(delta=0)
    assert logarithm.noise.epsilon < Ln(2)


def test_the_distribution_adds_up_on_floats() -> None:
    mechanism = Staircase(epsilon=1, sensitivity=1)
    distribution, step = mechanism.distribution(0.3), mechanism.grid
    centre = round(Fraction(0.3) / step)
    outcomes = [(centre + k) * step for k in range(-3, 4)]
    with working_precision(160):
        whole = distribution.cumulative(outcomes[-1]) - distribution.cumulative(outcomes[0])
        assert sum((distribution.ball(each) for each in outcomes[1:]), arb(0)).overlaps(whole)
        assert distribution.cumulative(10**400) == 1
        assert distribution.ball(outcomes[0] + step / 2) == 0


def test_special_values() -> None:
    mechanism = Staircase(epsilon=1, sensitivity=1)
    assert mechanism.distribution(float("nan")) == mechanism.distribution(0)
    assert mechanism.release(float("inf")).value == 1.7976931348623157e308
    assert mechanism.release(-(10**400)).value == -1.7976931348623157e308
    assert abs(mechanism.release(np.array([5.0])).value - 5) < 1000
    assert abs(mechanism.release(2**60 + 1).value - 2**60) < 1000


def test_arrays_are_refused_by_their_shape() -> None:
    mechanism = Staircase(epsilon=1, sensitivity=1)
    for several in ([1.0, 2.0], np.zeros((2, 2)), []):
        assert "one number" in refuses(partial(mechanism.release, several))
    for value in NO_VALUES:
        refuses(partial(mechanism.release, value))


@pytest.mark.parametrize("wrong", NO_POSITIVE_NUMBERS)
def test_wrong_parameters_are_refused(wrong: Any) -> None:
    refuses(lambda: Staircase(epsilon=wrong, sensitivity=1))
    refuses(lambda: Staircase(epsilon=1, sensitivity=wrong))
    refuses(lambda: Staircase(epsilon=1, sensitivity=1, relation=wrong))
    refuses(lambda: Staircase(epsilon=1, sensitivity=1).error(confidence=wrong))


@pytest.mark.parametrize("epsilon", ["1e-5", 40, 200, 10**5])
def test_guarantees_of_any_size(epsilon: Any) -> None:
    mechanism = Staircase(epsilon=epsilon, sensitivity=1)
    assert math.isfinite(mechanism.release(1.0, source=SeededSource(1)).value)
    assert mechanism.distribution(0).cdf(0).upper >= 0.5
    assert mechanism.error() < 10**6
