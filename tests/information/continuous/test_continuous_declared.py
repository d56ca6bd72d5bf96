"""Declared distributions: enclosures that are right if the declaration is, refusals otherwise."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy.stats import cauchy

from sfumato.errors import InputError, NoEnclosureError
from sfumato.information import kl_divergence as kl
from sfumato.information.continuous import Declared, Gaussian, Uniform
from sfumato.information.continuous.measures import (
    hockey_stick,
    maximum,
    renyi,
    statistical_distance,
)
from sfumato.numeric import Enclosure, Ln
from tests.cases import cases
from tests.refusing import raises_code

# log p/q of two Cauchy distributions one apart turns at these points and falls to 0 at both ends
TURNS = (0.5 - math.sqrt(1.25), 0.5 + math.sqrt(1.25))
HERE = Declared(cauchy(0).cdf, cauchy(0).logpdf, TURNS, limits=(0, 0))
THERE = Declared(cauchy(1).cdf, cauchy(1).logpdf)


def normal_cdf(x: float) -> float:
    return 0.5 * math.erfc(-x / math.sqrt(2))


def normal_log_density(x: float) -> float:
    return -0.5 * x * x - 0.5 * math.log(2 * math.pi)


LOG_03 = -math.log(0.3)
NORMAL = Declared(normal_cdf, normal_log_density)
RAMP = Declared(lambda x: (x * x - 1) / 3, lambda x: math.log(2 * x / 3), support=(1, 2))


@pytest.mark.full
def test_cauchy_figures() -> None:
    """Formulas: TV = (2/π) atan(1/2), KL = ln(5/4), D₂ = ln(3/2), max = ln of the golden ratio²."""
    distance = statistical_distance(HERE, THERE)
    assert 2 / math.pi * math.atan(0.5) in distance
    assert distance.width < 1e-10
    divergence = kl(HERE, THERE, base=math.e)
    assert math.log(1.25) in divergence
    assert divergence.width < 1e-5
    assert math.log(1.5) in renyi(HERE, THERE, order=2.0, base=math.e)
    assert 2 * math.log((1 + math.sqrt(5)) / 2) in maximum(HERE, THERE, delta=0, base=math.e)
    assert renyi(HERE, THERE, order=0.0, base=math.e) == Enclosure(0.0, 0.0)


@pytest.mark.full
def test_below_order_one() -> None:
    half = renyi(HERE, THERE, order=0.5, base=math.e)
    turned = renyi(THERE, HERE, order=0.5, base=math.e)
    assert max(half.lower, turned.lower) <= min(half.upper, turned.upper)
    assert half.width < 1e-5


@pytest.mark.parametrize("epsilon", [-1, 0, 0.5, 2])
def test_a_declared_distribution_against_one_with_a_formula(epsilon: float) -> None:
    truth = hockey_stick(Gaussian(0, 1), Gaussian(1, 1), epsilon=epsilon)
    found = hockey_stick(NORMAL, Gaussian(1, 1), epsilon=epsilon)
    assert found.lower <= truth.lower <= truth.upper <= found.upper
    assert found.width < 1e-9


def test_approximate_max_needs_no_limits() -> None:
    truth = maximum(Gaussian(0, 1), Gaussian(1, 1), delta=0.01, base=math.e)
    found = maximum(NORMAL, Gaussian(1, 1), delta=0.01, base=math.e)
    assert found.lower <= truth.lower <= truth.upper <= found.upper
    assert found.width < 1e-8


def test_a_delta_finer_than_the_accuracy_keeps_the_bound_that_holds_for_all_distributions() -> None:
    delta = 1 - 2.0**-43
    found = maximum(HERE, THERE, delta=delta, base=math.e)
    assert found.lower == pytest.approx(math.log1p(-delta), rel=1e-14)
    assert found.upper <= 1


def test_the_rest_is_refused_without_limits() -> None:
    with raises_code("E-ARGUMENT-MISSING", match="limits", kind=NoEnclosureError):
        maximum(NORMAL, Gaussian(1, 1), delta=0, base=math.e)
    for order in (1.0, 2.0):
        with raises_code("E-DISTRIBUTION-UNBOUNDED", kind=NoEnclosureError):
            renyi(NORMAL, Gaussian(1, 1), order=order, base=math.e)


def test_infinite_limits_prove_an_infinite_maximum() -> None:
    known = Declared(normal_cdf, normal_log_density, limits=(math.inf, -math.inf))
    assert maximum(known, Gaussian(1, 1), delta=0, base=math.e) == Enclosure(math.inf, math.inf)
    with raises_code("E-DISTRIBUTION-UNBOUNDED", kind=NoEnclosureError):
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
    with raises_code("E-NUMBER-NOT-FINITE", "a breakpoint"):
        Declared(normal_cdf, normal_log_density, (math.nan,))
    with raises_code("E-BOUNDS-FORM"):
        Declared(normal_cdf, normal_log_density, support=(1, 0))
    with raises_code("E-ARGUMENT-RANGE", match="accuracy must be from 0 to below 1"):
        Declared(normal_cdf, normal_log_density, accuracy=-1)
    with raises_code("E-BOUNDS-FORM"):
        Declared(normal_cdf, normal_log_density, limits=(0, math.nan))
    clash = Declared(cauchy(1).cdf, cauchy(1).logpdf, limits=(1, 1))
    with raises_code("E-DISTRIBUTIONS-DIFFER"):
        kl(HERE, clash, base=math.e)


def test_a_cdf_that_is_none_is_noticed() -> None:
    broken = Declared(lambda x: 3.0, normal_log_density)
    with raises_code("E-FUNCTION-RESULT"):
        statistical_distance(broken, Gaussian(0, 1))


def test_points_between_floats_are_refused() -> None:
    with raises_code("E-DISTRIBUTION-UNKNOWN", kind=NoEnclosureError):
        statistical_distance(NORMAL, Uniform(0, Fraction(1, 3)))


@pytest.mark.parametrize("limit", [math.log(1.5), Ln("3/2")], ids=["float", "Ln"])
def test_a_float_limit_is_right_to_within_the_accuracy_only(limit: float | Ln) -> None:
    """log p/q rises from 0 to ln(3/2), and the float next to that may lie on either side."""
    rising = Declared(normal_cdf, normal_log_density, limits=(0, limit))
    found = maximum(rising, NORMAL, delta=0, base=math.e)
    assert Ln("3/2") in found
    assert found.width < 1e-11


def test_limits_may_be_infinite_without_breakpoints() -> None:
    here = Declared(normal_cdf, normal_log_density, limits=(math.inf, -math.inf))
    there = Declared(lambda x: normal_cdf(x - 1), lambda x: normal_log_density(x - 1))
    assert maximum(here, there, delta=0, base=math.e) == Enclosure(math.inf, math.inf)


def test_disjoint_supports() -> None:
    left = Declared(lambda x: x, lambda x: 0.0, support=(0, 1))
    right = Declared(lambda x: x - 2, lambda x: 0.0, support=(2, 3))
    for order in (Fraction(1, 2), 1, 2):
        found = renyi(left, right, order=order, base=math.e)
        assert found == Enclosure(math.inf, math.inf)
    assert hockey_stick(left, right, epsilon=5) == Enclosure(1.0, 1.0)


def test_functions_that_fail_at_a_point_leave_it_unknown() -> None:
    """math.log(0) at the end of the support: with the limit declared, all is known."""
    ramp = Declared(lambda x: x * x, lambda x: math.log(2 * x), support=(0, 1))
    assert 0.25 in statistical_distance(ramp, Uniform(0, 1))
    with raises_code("E-ARGUMENT-MISSING", match="limits", kind=NoEnclosureError):
        maximum(ramp, Uniform(0, 1), delta=0, base=math.e)
    known = replace(ramp, limits=(-math.inf, Ln(2)))
    assert Ln(2) in maximum(known, Uniform(0, 1), delta=0, base=math.e)
    gap = replace(ramp, cdf=lambda x: x * x if x != 0.75 else 1 / (x - x))
    assert 0.25 in statistical_distance(gap, Uniform(0, 1))
    with pytest.raises(NoEnclosureError):
        statistical_distance(replace(ramp, cdf=lambda x: 1 / (x - x)), Uniform(0, 1))


def test_a_distribution_whose_spread_ends_between_floats() -> None:
    """0.1 + 0.3 is no float; it is a hint where to cut, and may be rounded."""
    wide = Declared(lambda x: normal_cdf(x / 0.3), lambda x: normal_log_density(x / 0.3) + LOG_03)
    found = statistical_distance(wide, Gaussian(0.1, 0.3))
    truth = statistical_distance(Gaussian(0, 0.3), Gaussian(0.1, 0.3))
    assert found.lower <= truth.lower <= truth.upper <= found.upper
    assert found.width < 1e-9


@cases(
    ("change", "sentence"),
    [
        ({"limits": (0,)}, "limits must be two numbers"),
        ({"limits": ("0", "1")}, "limits must be two numbers"),
        ({"limits": 0}, "limits must be two numbers"),
        ({"support": (0,)}, "support must be its two ends"),
        ({"support": None}, "support must be its two ends"),
        ({"support": (0, math.nan)}, "support must be its two ends"),
        ({"support": (Ln(2), 3)}, "support must be its two ends"),
        ({"breakpoints": 0.5}, "breakpoints must be a list"),
        ({"breakpoints": None}, "breakpoints must be a list"),
        ({"breakpoints": "12"}, "breakpoints must be a list"),
        ({"breakpoints": ("1",)}, "a breakpoint is text"),
        ({"accuracy": "a"}, "accuracy is text"),
        ({"accuracy": None}, "accuracy is not a finite number"),
        ({"cdf": 0.5}, "must be functions"),
        ({"log_density": None}, "must be functions"),
    ],
)
def test_declarations_of_the_wrong_kind_are_one_sentence(
    change: dict[str, object], sentence: str
) -> None:
    with pytest.raises(InputError, match=sentence) as caught:
        replace(NORMAL, **change)  # type: ignore[arg-type]
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("returned", [None, "0.5", np.array([0.5, 0.5]), 1j])
def test_functions_that_return_no_number_are_noticed(returned: object) -> None:
    for name in ("cdf", "log_density"):
        change: dict[str, Any] = {name: lambda _: returned}
        odd = replace(NORMAL, **change)
        with raises_code("E-FUNCTION-RESULT"):
            statistical_distance(odd, Gaussian(1, 1))
