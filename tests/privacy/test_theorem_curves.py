"""Exact curves, calibration, groups and conversions: figures, laws, and wrong twins."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from sfumato.information import hockey_stick, renyi_divergence
from sfumato.information.continuous import Gaussian, Laplace
from sfumato.numeric import Enclosure, Ln
from sfumato.privacy.theorems import (
    analytic_sigma,
    approximate_group,
    classical_sigma,
    gaussian_delta,
    gaussian_epsilon,
    gaussian_group,
    laplace_delta,
    laplace_epsilon,
    pure_group,
    pure_to_gaussian,
    pure_to_zcdp,
    randomized_response_delta,
    randomized_response_epsilon,
    renyi_group,
    renyi_to_delta,
    renyi_to_epsilon,
    zcdp_group,
    zcdp_to_delta,
    zcdp_to_epsilon,
)
from tests.information.strategies import rational_pairs

EPSILONS = st.fractions(0, 6, max_denominator=50)
POSITIVE = st.fractions(Fraction(1, 50), 6, max_denominator=50)
DELTAS = st.sampled_from([Fraction(1, 2), *(Fraction(1, 10**n) for n in (1, 3, 6, 9, 12))])
ORDERS = st.fractions(Fraction(21, 20), 40, max_denominator=20)
LEVELS = [0, 0.25, 0.5, 1, 2, 4]

# --- the Gaussian mechanism (M-GAUSS-1) ---------------------------------------------------------

ANALYTIC = {
    0.1: ("30.749566131977", "36.304690426196", "50.209818263015"),
    0.5: ("7.0318266755825", "8.057618480725", "10.67389681508"),
    1: ("3.7306316348159", "4.2246788893268", "5.4952661572383"),
    2: ("1.9938124456435", "2.2304762711864", "2.8445470734957"),
    5: ("0.89186826495152", "0.98004900030921", "1.2117124661346"),
    10: ("0.49988861970901", "0.54108683181837", "0.65024691895866"),
}


@pytest.mark.parametrize("epsilon", ANALYTIC)
def test_analytic_calibration_s_figures(epsilon: float) -> None:
    for delta, figure in zip((1e-5, 1e-6, 1e-9), ANALYTIC[epsilon], strict=True):
        found = analytic_sigma(epsilon=epsilon, delta=delta)
        assert found == pytest.approx(float(figure), rel=1e-13)


@pytest.mark.parametrize(
    ("sigma", "figure"),
    [
        (0.5, 9.997256146434),
        (1, 4.377178095681),
        (2, 1.993091404415),
        (4, 0.926341503998),
        (10, 0.340669364684),
    ],
)
def test_the_exact_gaussian_curve_s_figures(sigma: float, figure: float) -> None:
    found = gaussian_epsilon(mu=1 / Fraction(sigma), delta=1e-5)
    assert found.upper == pytest.approx(figure, abs=1e-12)
    assert found.width <= 1e-15 * found.upper


@given(POSITIVE, DELTAS, POSITIVE)
def test_analytic_calibration_is_the_least_noise(
    epsilon: Fraction, delta: Fraction, sensitivity: Fraction
) -> None:
    """Enough as a float and as the decimal it prints; a hair less is too little."""
    sigma = analytic_sigma(epsilon=epsilon, delta=delta, sensitivity=sensitivity)
    for least in (Fraction(sigma), Fraction(repr(sigma))):
        assert gaussian_delta(mu=sensitivity / least, epsilon=epsilon).lower <= delta
    less = Fraction(sigma) * (1 - Fraction(1, 10**14))
    assert gaussian_delta(mu=sensitivity / less, epsilon=epsilon).lower > delta


@given(st.fractions(Fraction(1, 50), Fraction(49, 50), max_denominator=50), DELTAS)
def test_classical_calibration_is_enough_below_one(epsilon: Fraction, delta: Fraction) -> None:
    sigma = Fraction(classical_sigma(epsilon=epsilon, delta=delta))
    assert gaussian_delta(mu=1 / sigma, epsilon=epsilon).upper < delta
    assert analytic_sigma(epsilon=epsilon, delta=delta) < sigma


def test_classical_calibration_s_figures_and_why_it_is_refused_beyond_one() -> None:
    assert round(classical_sigma(epsilon=0.5, delta=1e-5), 9) == 9.689610525
    assert classical_sigma(epsilon=0.5, delta=1e-5, sensitivity=3) == pytest.approx(29.068831576)
    deviations = Fraction(math.sqrt(2 * math.log(1.25e5)))
    at_one = gaussian_delta(mu=1 / deviations, epsilon=1)
    assert at_one.upper == pytest.approx(4.11369e-8, rel=1e-5)
    assert gaussian_delta(mu=10 / deviations, epsilon=10).lower == pytest.approx(2.265e-5, rel=1e-3)


@given(POSITIVE, EPSILONS)
def test_the_gaussian_curve_is_the_hockey_stick_divergence(mu: Fraction, epsilon: Fraction) -> None:
    found = gaussian_delta(mu=mu, epsilon=epsilon)
    known = hockey_stick(Gaussian(0, 1), Gaussian(mu, 1), epsilon=epsilon)
    assert max(found.lower, known.lower) <= min(found.upper, known.upper)
    assert found.width <= 1e-15 * found.upper + 5e-324


@given(POSITIVE, DELTAS)
def test_the_gaussian_curve_read_both_ways(mu: Fraction, delta: Fraction) -> None:
    level = gaussian_epsilon(mu=mu, delta=delta)
    assert gaussian_delta(mu=mu, epsilon=Fraction(level.upper)).lower <= delta
    if level.lower > 0:
        assert gaussian_delta(mu=mu, epsilon=Fraction(level.lower)).upper >= delta
    assert gaussian_epsilon(mu=mu * 2, delta=delta).upper >= level.lower


@pytest.mark.parametrize(
    ("mu", "epsilon", "lower", "upper"),
    [
        ("1e-9", "1e-5", 0.0, 5e-324),
        ("1e-300", "1e-300", 8.33154e-302, 8.33156e-302),
        ("1e6", "5e11", 0.499999601, 0.499999602),
        ("1e300", 1, 0.9999999999999999, 1.0),
        (1, "1e400", 0.0, 5e-324),
        ("1e300", "1e600", 0.0, 5e-324),
    ],
)
def test_the_gaussian_curve_far_out(mu: str, epsilon: str, lower: float, upper: float) -> None:
    found = gaussian_delta(mu=mu, epsilon=epsilon)
    assert lower <= found.lower <= found.upper <= upper


@pytest.mark.parametrize("epsilon", [499_000, 499_999, 500_001, 510_000])
def test_the_mills_series_agrees_with_the_direct_formula(epsilon: int) -> None:
    """The second term is computed otherwise from ε = 500,000 on."""
    found = gaussian_delta(mu=1000, epsilon=epsilon)
    known = hockey_stick(Gaussian(0, 1), Gaussian(1000, 1), epsilon=epsilon)
    assert max(found.lower, known.lower) <= min(found.upper, known.upper)
    assert max(found.width, known.width) <= 1e-15


@pytest.mark.parametrize(
    ("epsilon", "delta"), [(0, "1e-300"), ("1e400", 1e-5), (1, "1e-2000"), ("1e-400", "1e-350")]
)
def test_calibration_far_out_stays_on_the_safe_side(epsilon: str, delta: str) -> None:
    sigma = analytic_sigma(epsilon=epsilon, delta=delta)
    assert sigma > 0
    if sigma < math.inf:
        found = gaussian_delta(mu=1 / Fraction(sigma), epsilon=epsilon)
        assert found.lower <= Fraction(delta)


# --- Laplace noise and randomized response ------------------------------------------------------


def test_pure_curves_figures() -> None:
    assert laplace_delta(pure_epsilon=1, epsilon=0).upper == pytest.approx(0.39346934028737)
    assert laplace_delta(pure_epsilon=1, epsilon=0.5).upper == pytest.approx(0.2211992169286)
    response = randomized_response_delta(pure_epsilon=Ln(3), epsilon=0.5)
    assert response.upper == pytest.approx(0.33781968232497, rel=1e-13)
    figures = {"0": 0.693147, "0.1": 0.530628, "0.2": 0.336472, "1/3": 0.0}
    for delta, figure in figures.items():
        found = randomized_response_epsilon(pure_epsilon=Ln(2), delta=delta)
        assert round(found.upper, 6) == figure


@given(POSITIVE, EPSILONS)
def test_the_laplace_curve_is_the_hockey_stick_divergence(
    pure: Fraction, epsilon: Fraction
) -> None:
    found = laplace_delta(pure_epsilon=pure, epsilon=epsilon)
    known = hockey_stick(Laplace(0, 1), Laplace(pure, 1), epsilon=epsilon)
    assert max(found.lower, known.lower) <= min(found.upper, known.upper)
    worst = randomized_response_delta(pure_epsilon=pure, epsilon=epsilon)
    assert found.lower <= worst.upper, "randomized response is the worst of the pure guarantees"


@given(st.fractions(1, 9, max_denominator=20), st.fractions(1, 9, max_denominator=20))
def test_the_response_curve_is_the_hockey_stick_divergence(
    odds: Fraction, factor: Fraction
) -> None:
    yes, no = odds / (1 + odds), 1 / (1 + odds)
    exact = hockey_stick([yes, no], [no, yes], epsilon=Ln(factor))
    assert exact in randomized_response_delta(pure_epsilon=Ln(odds), epsilon=Ln(factor))


@given(POSITIVE, DELTAS)
def test_pure_curves_read_both_ways(pure: Fraction, delta: Fraction) -> None:
    for curve, inverse in (
        (laplace_delta, laplace_epsilon),
        (randomized_response_delta, randomized_response_epsilon),
    ):
        level = inverse(pure_epsilon=pure, delta=delta)
        assert curve(pure_epsilon=pure, epsilon=Fraction(level.upper)).lower <= delta
        if level.lower > 0:
            assert curve(pure_epsilon=pure, epsilon=Fraction(level.lower)).upper >= delta
        assert inverse(pure_epsilon=pure, delta=0).upper == pytest.approx(float(pure))


# --- groups (M-GROUP-1) -------------------------------------------------------------------------


def test_group_figures() -> None:
    two = approximate_group(epsilon=1, delta=1e-6, size=2)
    assert two.epsilon == 2.0
    assert two.delta == pytest.approx(3.71828182846e-6, rel=1e-11)
    five = approximate_group(epsilon=0.5, delta=1e-6, size=5)
    assert five.epsilon == 2.5
    assert five.delta == pytest.approx(1.72377482684e-5, rel=1e-11)
    assert approximate_group(epsilon=0, delta=0.125, size=3).delta == 0.375
    assert approximate_group(epsilon=1, delta=0.5, size=9).delta == 1.0
    assert approximate_group(epsilon=1, delta=0, size=9).delta == 0.0
    assert pure_group(epsilon=Ln(2), size=2) == pytest.approx(math.log(4))


@given(st.fractions(Fraction(1, 50), 3, max_denominator=50), POSITIVE, st.integers(1, 5))
def test_a_group_s_bound_holds_for_gaussian_noise(
    mu: Fraction, epsilon: Fraction, size: int
) -> None:
    """Noise on a value that moves ``size`` times as far is the mechanism seen by the group."""
    single = Fraction(gaussian_delta(mu=mu, epsilon=epsilon).upper)
    bound = approximate_group(epsilon=epsilon, delta=single, size=size)
    exact = gaussian_delta(mu=size * mu, epsilon=size * epsilon)
    assert exact.lower <= bound.delta
    assert size * mu <= gaussian_group(mu=mu, size=size) <= float(size * mu) * (1 + 1e-15)


def test_a_group_s_delta_that_only_adds_up_is_caught() -> None:
    """The twin: k times δ is too little, as two people behind Gaussian noise show."""
    single = gaussian_delta(mu=1, epsilon=1).upper
    assert gaussian_delta(mu=2, epsilon=2).lower > 2 * single


def test_concentrated_groups() -> None:
    """The Rényi divergence of Gaussians is α μ²/2, so ρ grows with the square of the size."""
    shifted = renyi_divergence(Gaussian(0, 1), Gaussian(3, 1), order=2)
    assert 2 * zcdp_group(rho=0.5, size=3) == shifted.upper


@given(st.lists(rational_pairs(4), min_size=1, max_size=2), st.integers(0, 5))
def test_a_renyi_group_s_bound_holds_for_finite_distributions(
    pairs: list[tuple[list[Fraction], list[Fraction]]], extra: int
) -> None:
    drawn = [one for pair in pairs for one in pair if len(one) == len(pairs[0][0])]
    raised = [[50 * each + 1 for each in one] for one in drawn]
    distributions = [[each / sum(one) for each in one] for one in raised]
    size = len(distributions) - 1
    order = 2 ** ((size - 1).bit_length() + 1) + extra
    step = max(
        renyi_divergence(one, other, order=order)
        for near in pairwise(distributions)
        for one, other in (near, near[::-1])
    )
    bound = renyi_group(order=order, epsilon=Fraction(step), size=size)
    found = renyi_divergence(distributions[0], distributions[-1], order=float(bound.order))
    assert found <= bound.epsilon * (1 + 1e-9) + 1e-12


def test_a_renyi_group_with_a_factor_of_two_is_caught() -> None:
    """The twin: these distributions are more than twice as far apart as their neighbours."""
    distributions = [[1, 1], [1, 10], [1, 100]]
    step = max(
        renyi_divergence(one, other, order=4)
        for near in pairwise(distributions)
        for one, other in (near, near[::-1])
    )
    ends = renyi_divergence(distributions[0], distributions[-1], order=2)
    assert 2 * step < ends <= renyi_group(order=4, epsilon=Fraction(step), size=2).epsilon


# --- conversions --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rho", "delta", "figure", "digits"),
    [
        (2, 1e-5, 10.72482411, 8),
        (0.5, 1e-5, 4.72838698, 8),
        (0.125, 1e-5, 2.16571555, 8),
        ("1/32", 1e-5, 1.01228664, 8),
        (0.005, 1e-5, 0.37526124, 8),
        (5, 1e-6, 20.5519, 4),
    ],
)
def test_concentrated_conversion_s_figures(
    rho: float, delta: float, figure: float, digits: int
) -> None:
    assert round(zcdp_to_epsilon(rho=rho, delta=delta), digits) == figure


@given(ORDERS, EPSILONS)
def test_the_renyi_conversion_is_attained(order: Fraction, epsilon: Fraction) -> None:
    """P sits on one outcome whose loss is ε + ln(α/(α-1)): no smaller factor would do."""
    ratio = Fraction(math.exp(epsilon)) * order / (order - 1)
    exact = hockey_stick([1, 0], [1 / ratio, 1 - 1 / ratio], epsilon=epsilon)
    bound = renyi_to_delta(order=order, renyi=Ln(ratio), epsilon=epsilon)
    assert float(exact) <= bound * (1 + 1e-12)
    assert bound == pytest.approx(float(exact), rel=1e-9)


@given(rational_pairs(4), ORDERS, EPSILONS)
def test_the_renyi_conversion_holds(
    pair: tuple[list[Fraction], list[Fraction]], order: Fraction, epsilon: Fraction
) -> None:
    divergence = renyi_divergence(*pair, order=float(order))
    assume(divergence < math.inf)
    bound = renyi_to_delta(order=order, renyi=Fraction(divergence), epsilon=epsilon)
    assert hockey_stick(*pair, epsilon=epsilon) <= bound + 1e-12


@given(ORDERS, EPSILONS, DELTAS)
def test_the_renyi_conversion_read_both_ways(
    order: Fraction, renyi: Fraction, delta: Fraction
) -> None:
    level = renyi_to_epsilon(order=order, renyi=renyi, delta=delta)
    found = renyi_to_delta(order=order, renyi=renyi, epsilon=level)
    assert found <= float(delta) * (1 + 1e-12)
    if level > 0:
        assert found == pytest.approx(float(delta), rel=1e-9)
    assert renyi_to_epsilon(order=order, renyi=renyi, delta=0) == math.inf


@given(POSITIVE, DELTAS)
def test_the_concentrated_conversion_is_between_the_gaussian_and_any_order(
    rho: Fraction, delta: Fraction
) -> None:
    found = zcdp_to_epsilon(rho=rho, delta=delta)
    mu = Fraction(math.nextafter(math.sqrt(2 * rho), 0)) * (1 - Fraction(1, 10**15))
    assert gaussian_epsilon(mu=mu, delta=delta).lower <= found
    orders = [1 + Fraction(n, 10) for n in (1, 5, 10, 30, 90, 300)]
    some = [renyi_to_epsilon(order=a, renyi=a * rho, delta=delta) for a in orders]
    assert found <= min(some) * (1 + 1e-12)
    back = zcdp_to_delta(rho=rho, epsilon=Fraction(found))
    assert back <= float(delta) * (1 + 1e-9)


@given(POSITIVE)
def test_pure_guarantees_are_gaussian_ones(epsilon: Fraction) -> None:
    """Randomized response, the worst case, stays below the Gaussian curve and touches it at 0."""
    mu = Fraction(pure_to_gaussian(epsilon=epsilon))
    for level in LEVELS:
        worst = randomized_response_delta(pure_epsilon=epsilon, epsilon=level)
        assert worst.lower <= gaussian_delta(mu=mu, epsilon=level).upper
    response = randomized_response_delta(pure_epsilon=epsilon, epsilon=0)
    assert response.lower > gaussian_delta(mu=mu * Fraction(999, 1000), epsilon=0).upper


@given(POSITIVE, ORDERS)
def test_pure_guarantees_are_concentrated_ones(epsilon: Fraction, order: Fraction) -> None:
    yes = 1 / (1 + math.exp(-epsilon))
    divergence = renyi_divergence([yes, 1 - yes], [1 - yes, yes], order=float(order))
    assert divergence <= float(order) * pure_to_zcdp(epsilon=epsilon) * (1 + 1e-12)


def test_nothing_guaranteed_costs_nothing() -> None:
    assert zcdp_to_epsilon(rho=0, delta=0) == 0.0
    assert zcdp_to_epsilon(rho=1, delta=0) == math.inf
    assert zcdp_to_delta(rho=0, epsilon=0) == 0.0
    assert pure_to_gaussian(epsilon=0) == 0.0
    assert gaussian_epsilon(mu=1, delta=0) == Enclosure(math.inf, math.inf)
    assert gaussian_epsilon(mu=0.1, delta=0.5) == Enclosure(0.0, 0.0)
