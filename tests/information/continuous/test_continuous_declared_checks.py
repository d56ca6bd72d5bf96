"""Declarations against their functions: what is contradicted is refused, what is right is not."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from sfumato.errors import InputError
from sfumato.information.continuous import Declared, Gaussian, Uniform
from sfumato.information.continuous.declared_pair import refuse_contradictions
from sfumato.information.continuous.measures import statistical_distance
from tests.refusing import raises_code

places = st.floats(-50, 50)
spreads = st.floats(0.01, 50)
accuracies = st.sampled_from([1e-12, 1e-9, 1e-3])


def declared(distribution: Any, **told: Any) -> Declared:
    return Declared(distribution.cdf, distribution.logpdf, **told)


def refusal(p: Any, q: Any) -> str:
    with pytest.raises(InputError) as caught:
        refuse_contradictions(p, q)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.full
@settings(max_examples=30)
@given(places, places, spreads, accuracies)
def test_shifted_distributions_are_declared_rightly(
    one: float, other: float, scale: float, accuracy: float
) -> None:
    """Monotone without a turn, or with the two that a Laplace distribution has."""
    for family in (stats.norm, stats.logistic):
        pair = [declared(family(at, scale), accuracy=accuracy) for at in (one, other)]
        refuse_contradictions(*pair)
    gap = (other - one) / scale
    here = declared(stats.laplace(one, scale), breakpoints=(one, other), limits=(gap, -gap))
    refuse_contradictions(here, declared(stats.laplace(other, scale)))


@given(places, spreads, st.floats(1.5, 20))
def test_distributions_of_two_widths_turn_once(at: float, scale: float, wider: float) -> None:
    here = declared(stats.norm(at, scale), breakpoints=(at,), limits=(-math.inf, -math.inf))
    refuse_contradictions(here, declared(stats.norm(at, scale * wider)))
    silent = declared(stats.norm(at, scale))
    middle = declared(stats.norm(at, scale * wider), breakpoints=(at - scale, at + scale))
    assert "rises and falls" in refusal(silent, middle)


def test_a_turn_that_is_left_out_is_noticed() -> None:
    blind = declared(stats.cauchy(0), breakpoints=(-1e6, 1e6), limits=(0, 0))
    told = refusal(blind, declared(stats.cauchy(1)))
    assert "rises and falls from -1000000.0 to 1000000.0" in told


@pytest.mark.parametrize("limits", [(0, -math.inf), (math.inf, 0), (-math.inf, math.inf), (0, 0)])
def test_limits_on_the_wrong_side_are_noticed(limits: tuple[float, float]) -> None:
    """log p/q of two shifted normal distributions falls from ∞ to -∞, and is 1/2 at 0."""
    assert "contradicts" in refusal(declared(stats.norm(0), limits=limits), Gaussian(1, 1))
    right = declared(stats.norm(0), limits=(math.inf, -math.inf))
    refuse_contradictions(right, Gaussian(1, 1))


def test_a_density_of_another_distribution_is_noticed() -> None:
    mixed = Declared(stats.norm(1).cdf, stats.norm(0).logpdf)
    assert "ratio of the probabilities" in refusal(mixed, Gaussian(0, 1))
    assert "ratio of the probabilities" in refusal(Gaussian(0, 1), mixed)


def test_a_distribution_that_is_not_whole_is_noticed() -> None:
    half = Declared(lambda x: x / 2, lambda _: math.log(0.5), support=(0, 1))
    assert "cdf is 0.5 at 1.0" in refusal(half, half)
    late = Declared(lambda x: (1 + x) / 2, lambda _: math.log(0.5), support=(0, 1))
    assert "cdf is 0.5 at 0.0" in refusal(late, Uniform(0, 1))
    refuse_contradictions(Declared(lambda x: x, lambda _: 0.0, support=(0, 1)), Uniform(0, 1))


def test_a_cdf_that_falls_is_noticed() -> None:
    turned = Declared(stats.norm.sf, stats.norm.logpdf)
    with raises_code("E-DISTRIBUTION-INCONSISTENT"):
        statistical_distance(turned, Gaussian(1, 1))
    assert "cdf must not fall" in refusal(turned, Gaussian(1, 1))


def test_functions_without_an_answer_are_noticed() -> None:
    silent = Declared(stats.norm.cdf, lambda _: math.nan)
    assert "log_density gives no number at any of the" in refusal(silent, Gaussian(0, 1))
    text = Declared(lambda _: "0.5", stats.norm.logpdf)  # type: ignore[arg-type,return-value]
    assert "must return one number" in refusal(text, Gaussian(0, 1))


def test_a_few_gaps_and_points_between_floats_are_let_be() -> None:
    """Where nothing can be looked at, nothing is refused."""
    ramp = Declared(lambda x: x * x, lambda x: math.log(2 * x), support=(0, 1))
    refuse_contradictions(ramp, Uniform(0, 1))
    tiny = Declared(stats.norm.cdf, stats.norm.logpdf, breakpoints=(1.0, 1.0 + 2**-52))
    refuse_contradictions(tiny, Gaussian(1, 1))
    far = Declared(
        lambda x: 0.5 * math.erfc(-x / math.sqrt(2)),
        lambda x: -(x**2) / 2 - math.log(2 * math.pi) / 2,
        breakpoints=(1e308, -1e308),
    )
    refuse_contradictions(far, Gaussian(1, 1))
