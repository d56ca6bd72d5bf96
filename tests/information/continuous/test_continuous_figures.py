"""Figures of rows M-DIV-1..3 for continuous pairs, against formulas evaluated independently."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from sfumato import information
from sfumato.information import kl_divergence as kl
from sfumato.information.continuous import Exponential, Gaussian, Laplace, Logistic, Uniform
from sfumato.information.continuous.measures import (
    hockey_stick,
    maximum,
    renyi,
    statistical_distance,
)
from sfumato.numeric import Enclosure, Ln

TIGHT = 1e-12


def assert_tight(found: Enclosure, truth: float) -> None:
    """The enclosure is narrow, and a float formula good to 14 digits agrees with it."""
    assert found.width <= TIGHT
    assert found.lower == pytest.approx(truth, rel=1e-13, abs=1e-15)


@pytest.mark.parametrize("scale", [1, 0.5, Fraction(1, 3), 7])
def test_m_div_1_laplace_max_is_the_shift_in_scales(scale: Fraction | float) -> None:
    found = maximum(Laplace(0, scale), Laplace(1, scale), delta=0, base=math.e)
    assert 1 / Fraction(scale) in found
    assert found.width < TIGHT


def test_m_div_1_laplace_kl() -> None:
    shift = 1.5 / 2
    found = kl(Laplace(0, 2), Laplace(1.5, 2), base=math.e)
    assert_tight(found, shift - 1 + math.exp(-shift))


def test_m_div_1_laplace_renyi_is_the_known_formula() -> None:
    alpha, shift = 2.0, 1.0
    terms = alpha * math.exp((alpha - 1) * shift) + (alpha - 1) * math.exp(-alpha * shift)
    truth = math.log(terms / (2 * alpha - 1)) / (alpha - 1)
    assert_tight(renyi(Laplace(0, 1), Laplace(1, 1), order=alpha, base=math.e), truth)


@pytest.mark.parametrize("order", [0.25, 1.0, 2.0, 32.0])
def test_m_div_1_gaussian_renyi_is_linear_in_the_order(order: float) -> None:
    found = renyi(Gaussian(0, 2), Gaussian(3, 2), order=order, base=math.e)
    assert Fraction(order) * 9 / 8 in found
    assert found.width < TIGHT


def test_m_div_1_gaussians_of_two_variances() -> None:
    found = kl(Gaussian(0, 1), Gaussian(1, 2), base=math.e)
    assert_tight(found, math.log(2) + (1 + 1) / 8 - 0.5)
    assert renyi(Gaussian(0, 2), Gaussian(0, 1), order=4.0, base=math.e) == Enclosure(
        math.inf, math.inf
    )


def test_m_div_3_analytic_gaussian() -> None:
    sd = 3.7306316348159
    found = hockey_stick(Gaussian(0, sd), Gaussian(1, sd), epsilon=1)
    assert found.upper == pytest.approx(1e-5, rel=1e-9)
    assert found.width < 1e-19


def test_m_div_2_analytic_gaussian_backwards() -> None:
    sd = 3.7306316348159
    found = maximum(Gaussian(0, sd), Gaussian(1, sd), delta=1e-5, base=math.e)
    assert found.lower == pytest.approx(1, rel=1e-9)
    assert found.width < 1e-11


@pytest.mark.parametrize("distribution", [Gaussian, Laplace, Logistic])
def test_m_div_3_total_variation_of_a_shift(
    distribution: type[Gaussian | Laplace | Logistic],
) -> None:
    half = {
        Gaussian: 0.5 * math.erfc(0.5 / math.sqrt(2)),
        Laplace: 0.5 * math.exp(-0.5),
        Logistic: 1 / (1 + math.exp(0.5)),
    }[distribution]
    assert_tight(statistical_distance(distribution(0, 1), distribution(1, 1)), 1 - 2 * half)


@pytest.mark.parametrize(
    ("epsilon", "truth"),
    [
        (0, 1 - math.exp(-0.5)),
        (1, 0.0),
        (2, 0.0),
        (-2, 1 - math.exp(-2)),
        (-0.5, 0.5276334472589853),
    ],
)
def test_m_div_3_laplace_hockey_stick(epsilon: float, truth: float) -> None:
    assert_tight(hockey_stick(Laplace(0, 1), Laplace(1, 1), epsilon=epsilon), truth)


def test_m_div_3_levels_may_be_exact_logarithms() -> None:
    found = hockey_stick(Exponential(1), Exponential(4), epsilon=Ln(2))
    # p > 2q where exp(-3x/4) > 1/2: up to x = (4/3) ln 2, with masses 1 - 2**(-4/3), 1 - 2**(-1/3)
    assert_tight(found, (1 - 2 ** (-4 / 3)) - 2 * (1 - 2 ** (-1 / 3)))


def test_m_div_1_supports_that_differ() -> None:
    inner, outer = Uniform(0, 1), Uniform(0, 4)
    assert_tight(kl(inner, outer, base=2.0), 2.0)
    for order in (1.0, 2.0, math.inf):
        assert renyi(outer, inner, order=order, base=math.e) == Enclosure(math.inf, math.inf)
    assert renyi(outer, inner, order=0.0, base=math.e) == Enclosure(0.0, 0.0)
    assert_tight(renyi(outer, inner, order=0.5, base=2.0), 2.0)
    assert renyi(inner, Uniform(2, 3), order=0.5, base=math.e) == Enclosure(math.inf, math.inf)
    assert renyi(inner, Uniform(2, 3), order=0.0, base=math.e) == Enclosure(math.inf, math.inf)


def test_m_div_2_the_mass_without_a_partner_can_be_set_aside() -> None:
    p, q = Uniform(0, 1), Uniform(0.5, 1.5)
    assert maximum(p, q, delta=0.25, base=math.e) == Enclosure(math.inf, math.inf)
    assert_tight(maximum(p, q, delta=0.75, base=math.e), math.log(0.25 / 0.5))
    assert maximum(p, q, delta=1, base=math.e) == Enclosure(-math.inf, -math.inf)
    assert hockey_stick(p, q, epsilon=math.inf) == Enclosure(0.5, 0.5)
    assert hockey_stick(p, q, epsilon=-math.inf) == Enclosure(1.0, 1.0)


def test_m_div_2_a_tie_that_balls_cannot_decide_leaves_the_upper_end_open() -> None:
    """The mass without a partner is 1/3, as is delta: right, if wide."""
    p, q = Uniform(0, 1), Uniform(Fraction(1, 3), 2)
    found = maximum(p, q, delta=Fraction(1, 3), base=math.e)
    assert Ln("5/3") in found
    assert found.lower > 0.5


def test_m_div_1_infinite_where_the_tails_prove_it_exactly() -> None:
    """At order 2 the integrand of these two is constant: decided in rationals, not in floats."""
    wide, narrow = Exponential(2), Exponential(1)
    assert renyi(wide, narrow, order=2.0, base=math.e) == Enclosure(math.inf, math.inf)
    just_below = renyi(wide, narrow, order=1.99, base=math.e)
    alpha = 1.99
    truth = math.log(2 ** (1 - alpha) / (1 - alpha / 2) / 2) / (alpha - 1)
    assert just_below.lower == pytest.approx(truth, rel=1e-12)


def test_the_room_s_functions_give_enclosures_too() -> None:
    found = information.kl_divergence(Gaussian(0, 1), Gaussian(1, 1))
    assert found == Enclosure(0.5, 0.5)
