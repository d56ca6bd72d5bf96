"""M-DIV-1..3 for a subsampled Gaussian, against sums over a fine grid done with numpy."""

from __future__ import annotations

import math

import numpy as np
import pytest

from sfumato.information import kl_divergence as kl
from sfumato.information.continuous import Gaussian, Laplace, Mixture
from sfumato.information.continuous.measures import (
    hockey_stick,
    maximum,
    renyi,
    statistical_distance,
)
from sfumato.numeric import Enclosure, Ln

RATE = 1 / 64
PLAIN = Gaussian(0, 1)
SAMPLED = Mixture([1 - RATE, RATE], [Gaussian(0, 1), Gaussian(1, 1)])

# The trapezoid rule on a Gaussian integrand errs by less than exp(-pi**2 / step): nothing here.
GRID = np.arange(-24, 24, 1 / 256)
Q = np.exp(-(GRID**2) / 2) / math.sqrt(2 * math.pi)
RATIO = 1 - RATE + RATE * np.exp(GRID - 0.5)


def summed(values: np.ndarray) -> float:
    return math.fsum(values.tolist()) / 256


@pytest.mark.parametrize("order", [0.5, 1.25, 2.0, 8.0])
def test_renyi_of_a_subsampled_gaussian(order: float) -> None:
    truth = math.log1p(summed(Q * np.expm1(order * np.log(RATIO)))) / (order - 1)
    found = renyi(SAMPLED, PLAIN, order=order, base=math.e)
    assert found.lower == pytest.approx(truth, rel=1e-9)
    assert found.width < 1e-15


def test_order_two_has_a_formula() -> None:
    """E(ratio²) = 1 + rate² (e - 1)."""
    found = renyi(SAMPLED, PLAIN, order=2.0, base=math.e)
    assert found.lower == pytest.approx(math.log1p(RATE**2 * math.expm1(1)), rel=1e-14)


def test_kl_both_ways() -> None:
    there = kl(SAMPLED, PLAIN, base=math.e)
    back = kl(PLAIN, SAMPLED, base=math.e)
    assert there.lower == pytest.approx(summed(Q * RATIO * np.log(RATIO)), rel=1e-9)
    assert back.lower == pytest.approx(-summed(Q * np.log(RATIO)), rel=1e-9)
    assert max(there.width, back.width) < 1e-15


def test_hockey_stick_is_that_of_the_gaussian_at_another_level() -> None:
    """Subsampling scales the hockey-stick by the rate: log(1 + rate (e - 1)) for level 1."""
    level = math.log1p(RATE * math.expm1(1))
    found = hockey_stick(SAMPLED, PLAIN, epsilon=level)
    whole = hockey_stick(Gaussian(1, 1), PLAIN, epsilon=1)
    assert found.lower == pytest.approx(RATE * whole.lower, rel=1e-13)
    distance = statistical_distance(SAMPLED, PLAIN)
    assert distance.lower == pytest.approx(
        RATE * statistical_distance(Gaussian(1, 1), PLAIN).lower, rel=1e-14
    )


def test_max_one_way_is_bounded_the_other_infinite() -> None:
    assert maximum(SAMPLED, PLAIN, delta=0, base=math.e) == Enclosure(math.inf, math.inf)
    found = maximum(PLAIN, SAMPLED, delta=0, base=math.e)
    assert Ln("64/63") in found
    assert found.width < 1e-15


def test_tails_of_unlike_parts() -> None:
    """The slowest part decides; equal slopes add up."""
    heavy = Mixture([1, 1], [Gaussian(0, 1), Laplace(0, 1)])
    assert maximum(Gaussian(0, 2), heavy, delta=0, base=math.e).upper < math.inf
    assert maximum(heavy, Gaussian(0, 2), delta=0, base=math.e).lower == math.inf
    twins = Mixture([1, 3], [Laplace(0, 1), Laplace(2, 1)])
    found = maximum(twins, Laplace(0, 1), delta=0, base=math.e)
    assert found.lower == pytest.approx(math.log((1 + 3 * math.e**2) / 4), rel=1e-14)
    assert found.width < 1e-14


def test_a_mixture_of_one_distribution_is_that_distribution() -> None:
    alone = Mixture([1.0, 0.0], [Laplace(0, 1), Gaussian(9, 9)])
    found = kl(alone, Laplace(1, 1), base=math.e)
    assert found.lower == pytest.approx(math.exp(-1), rel=1e-14)
