"""Declared laws: enclosures that are right if the declaration is, refusals otherwise."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from scipy.stats import cauchy

from sfumato.errors import InputError, NoEnclosureError
from sfumato.information.continuous import Declared, Gaussian, Uniform
from sfumato.information.continuous.measures import (
    hockey_stick,
    kl,
    maximum,
    renyi,
    statistical_distance,
)
from sfumato.numeric import Enclosure

# log p/q of two Cauchy laws one apart turns at these points and falls to 0 at both ends
TURNS = (0.5 - math.sqrt(1.25), 0.5 + math.sqrt(1.25))
HERE = Declared(cauchy(0).cdf, cauchy(0).logpdf, TURNS, limits=(0, 0))
THERE = Declared(cauchy(1).cdf, cauchy(1).logpdf)


def normal_cdf(x: float) -> float:
    return 0.5 * math.erfc(-x / math.sqrt(2))


def normal_log_density(x: float) -> float:
    return -0.5 * x * x - 0.5 * math.log(2 * math.pi)


NORMAL = Declared(normal_cdf, normal_log_density)
RAMP = Declared(lambda x: (x * x - 1) / 3, lambda x: math.log(2 * x / 3), support=(1, 2))


def test_cauchy_figures() -> None:
    """Formulas: TV = (2/π) atan(1/2), KL = ln(5/4), D₂ = ln(3/2), max = ln of the golden ratio²."""
    distance = statistical_distance(HERE, THERE)
    assert 2 / math.pi * math.atan(0.5) in distance
    assert distance.width < 1e-10
    assert math.log(1.25) in kl(HERE, THERE, base=math.e)
    assert kl(HERE, THERE, base=math.e).width < 1e-5
    assert math.log(1.5) in renyi(HERE, THERE, order=2.0, base=math.e)
    assert 2 * math.log((1 + math.sqrt(5)) / 2) in maximum(HERE, THERE, delta=0, base=math.e)
    assert renyi(HERE, THERE, order=0.0, base=math.e) == Enclosure(0.0, 0.0)


def test_below_order_one() -> None:
    half = renyi(HERE, THERE, order=0.5, base=math.e)
    turned = renyi(THERE, HERE, order=0.5, base=math.e)
    assert max(half.lower, turned.lower) <= min(half.upper, turned.upper)
    assert half.width < 1e-5


@pytest.mark.parametrize("epsilon", [-1, 0, 0.5, 2])
def test_a_declared_law_against_one_with_a_formula(epsilon: float) -> None:
    truth = hockey_stick(Gaussian(0, 1), Gaussian(1, 1), epsilon=epsilon)
    found = hockey_stick(NORMAL, Gaussian(1, 1), epsilon=epsilon)
    assert found.lower <= truth.lower <= truth.upper <= found.upper
    assert found.width < 1e-9


def test_approximate_max_needs_no_limits() -> None:
    truth = maximum(Gaussian(0, 1), Gaussian(1, 1), delta=0.01, base=math.e)
    found = maximum(NORMAL, Gaussian(1, 1), delta=0.01, base=math.e)
    assert found.lower <= truth.lower <= truth.upper <= found.upper
    assert found.width < 1e-8


def test_a_delta_finer_than_the_accuracy_leaves_the_lower_end_open() -> None:
    found = maximum(HERE, THERE, delta=1 - 1e-13, base=math.e)
    assert found.lower == -math.inf
    assert found.upper <= 1


def test_the_rest_is_refused_without_limits() -> None:
    with pytest.raises(NoEnclosureError, match="limits"):
        maximum(NORMAL, Gaussian(1, 1), delta=0, base=math.e)
    for order in (1.0, 2.0):
        with pytest.raises(NoEnclosureError, match="limits"):
            renyi(NORMAL, Gaussian(1, 1), order=order, base=math.e)


def test_infinite_limits_prove_an_infinite_maximum() -> None:
    known = Declared(normal_cdf, normal_log_density, limits=(math.inf, -math.inf))
    assert maximum(known, Gaussian(1, 1), delta=0, base=math.e) == Enclosure(math.inf, math.inf)
    with pytest.raises(NoEnclosureError, match="finite"):
        kl(known, Gaussian(1, 1), base=math.e)


def test_supports_that_differ() -> None:
    wider = Uniform(1, 3)
    assert kl(wider, RAMP, base=math.e) == Enclosure(math.inf, math.inf)
    assert maximum(wider, RAMP, delta=0, base=math.e).lower == math.inf
    assert renyi(wider, RAMP, order=2.0, base=math.e).lower == math.inf
    assert hockey_stick(wider, RAMP, epsilon=9).lower == pytest.approx(0.5, abs=1e-9)


def test_a_finite_support_needs_no_limits() -> None:
    assert math.log(4 / 3) in maximum(RAMP, Uniform(1, 2), delta=0, base=math.e)
    truth = math.log(2 / 3) + (2 * math.log(2) - 0.75) * 2 / 3
    assert truth in kl(RAMP, Uniform(1, 2), base=math.e)


def test_a_looser_accuracy_widens_the_enclosure() -> None:
    loose = Declared(normal_cdf, normal_log_density, accuracy=1e-6)
    tight = hockey_stick(NORMAL, Gaussian(1, 1), epsilon=1)
    wide = hockey_stick(loose, Gaussian(1, 1), epsilon=1)
    assert wide.lower < tight.lower
    assert wide.upper > tight.upper
    assert wide.width > 1e-7


def test_validity_twin_a_false_declaration_gives_a_false_enclosure() -> None:
    """With the turning points left out the search trusts the ends: the warning is meant."""
    blind = Declared(cauchy(0).cdf, cauchy(0).logpdf, (-1e6, 1e6), limits=(0, 0))
    truth = hockey_stick(HERE, THERE, epsilon=0.5)
    assert truth.lower > 0.1
    assert hockey_stick(blind, THERE, epsilon=0.5).upper < truth.lower


def test_bad_declarations_are_one_sentence() -> None:
    with pytest.raises(InputError, match="a breakpoint is not a finite number"):
        Declared(normal_cdf, normal_log_density, (math.nan,))
    with pytest.raises(InputError, match="support must be its two ends in order"):
        Declared(normal_cdf, normal_log_density, support=(1, 0))
    with pytest.raises(InputError, match="accuracy must be from 0 to below 1"):
        Declared(normal_cdf, normal_log_density, accuracy=-1)
    with pytest.raises(InputError, match="limits must be two numbers"):
        Declared(normal_cdf, normal_log_density, limits=(0, math.nan))
    clash = Declared(cauchy(1).cdf, cauchy(1).logpdf, limits=(1, 1))
    with pytest.raises(InputError, match="different limits"):
        kl(HERE, clash, base=math.e)


def test_a_cdf_that_is_none_is_noticed() -> None:
    broken = Declared(lambda x: 3.0, normal_log_density)
    with pytest.raises(InputError, match="cdf must return a probability"):
        statistical_distance(broken, Gaussian(0, 1))


def test_points_between_floats_are_refused() -> None:
    with pytest.raises(NoEnclosureError, match="floats"):
        statistical_distance(NORMAL, Uniform(0, Fraction(1, 3)))
