"""M-DIV-1..3: numbers are taken for the rationals they denote, at every scale and every level."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import scipy.stats as stats

from sfumato import information
from sfumato.errors import NoEnclosureError
from sfumato.information.continuous import (
    Exponential,
    Gaussian,
    Laplace,
    Logistic,
    Mixture,
    Uniform,
)
from sfumato.information.continuous.adapters import as_continuous
from sfumato.numeric import Enclosure
from tests.refusing import raises_code

INFINITE = Enclosure(math.inf, math.inf)
ZERO = Enclosure(0.0, 0.0)


@pytest.mark.parametrize("narrow", [np.float32, np.float16])
def test_m_div_2_narrow_floats_are_not_the_floats_they_print_like(narrow: type[Any]) -> None:
    found = information.max_divergence(Gaussian(narrow(0.1), 1), Gaussian(0.1, 1))
    assert found == INFINITE
    assert information.kl_divergence(Laplace(narrow(0.1), 1), Laplace(0.1, 1)).lower > 0
    mixed, other = (Mixture([1, 1], [Gaussian(x, 1), Gaussian(2, 1)]) for x in (narrow(0.1), 0.1))
    assert mixed != other


# NumPy scalars are accepted, though their types are not those of plain numbers.
int64: Any = np.int64
float32: Any = np.float32


def test_the_same_number_written_three_ways_is_one_distribution() -> None:
    half = [Gaussian(each, 1) for each in (0.5, Decimal("0.5"), Fraction(1, 2))]
    assert half[0] == half[1] == half[2]
    assert information.max_divergence(half[1], half[2]) == ZERO
    assert isinstance(Gaussian(int64(3), 1).mean, int)


@pytest.mark.parametrize(
    "given",
    [
        lambda: Gaussian(0, "1"),  # type: ignore[arg-type]
        lambda: Laplace("0", 1),  # type: ignore[arg-type]
        lambda: Logistic(0, "1"),  # type: ignore[arg-type]
        lambda: Exponential("1"),  # type: ignore[arg-type]
        lambda: Uniform("0", 1),  # type: ignore[arg-type]
        lambda: Mixture(["1"], [Gaussian(0, 1)]),  # type: ignore[list-item]
    ],
)
def test_text_is_no_number(given: Any) -> None:
    with raises_code("E-ARGUMENT-TYPE", match="is text, not a number"):
        given()


def test_what_is_no_list_is_refused_in_one_sentence() -> None:
    with raises_code("E-ARGUMENT-TYPE", match="list of weights"):
        Mixture(3, [Gaussian(0, 1)])  # type: ignore[arg-type]


@pytest.mark.parametrize("order", [Decimal("1.1"), Fraction(1, 3), np.int64(2), 7])
def test_m_div_1_the_order_is_exact(order: Any) -> None:
    """The divergence of two Gaussians one spread apart is half the order."""
    found = information.renyi_divergence(Gaussian(0, 1), Gaussian(1, 1), order=order)
    assert Fraction(int(order) if isinstance(order, np.int64) else order) / 2 in found
    assert found.width < 1e-15


def test_m_div_1_orders_beyond_the_floats() -> None:
    huge = 10**400
    found = information.renyi_divergence(Gaussian(0, 1), Gaussian(1, 1), order=huge)
    assert found.lower == float(np.finfo(float).max)
    assert found.upper == math.inf
    laplaces = information.renyi_divergence(Laplace(0, 1), Laplace(1, 1), order=huge)
    assert 1 - 1e-15 < laplaces.lower <= 1 <= laplaces.upper
    with raises_code("E-BOUND-UNPROVED", kind=NoEnclosureError):
        information.renyi_divergence(Exponential(1), Exponential(2), order=huge)


def test_weights_are_divided_by_their_exact_sum() -> None:
    weights = [0.1] * 10
    parts = Mixture(weights, [Gaussian(i, 1) for i in range(10)]).parts
    assert {str(share) for share, _ in parts} == {"1/10"}
    third = float32(1 / 3)
    shares = [share for share, _ in Mixture([third] * 3, [Gaussian(i, 1) for i in range(3)]).parts]
    assert [str(each) for each in shares] == ["1/3"] * 3


def test_a_family_cut_to_another_support_is_not_read() -> None:
    cut = type(stats.norm)(a=0, b=1, name="norm")
    with raises_code("E-DISTRIBUTION-UNKNOWN", "p", kind=NoEnclosureError):
        as_continuous(cut(), "p")


@pytest.mark.parametrize("given", [Gaussian, stats.norm.__class__])
def test_a_class_is_not_a_distribution(given: Any) -> None:
    with raises_code("E-ARGUMENT-IS-CLASS", "p"):
        information.kl_divergence(given, Gaussian(0, 1))
    with raises_code("E-ARGUMENT-TYPE", match="a mixture takes distributions"):
        Mixture([1], [given])


def test_m_div_3_far_levels_do_not_cancel() -> None:
    """At level 150 the part around 20 is q's tail, e**-200 of it, and still weighs something."""
    p = Mixture([1, 1], [Gaussian(0, 1), Gaussian(20, 1)])
    q = Mixture([1, 1], [Gaussian(0, 1), Gaussian(40, 1)])
    found = information.hockey_stick(p, q, epsilon=150)
    # p > e**150 q between x with x*x/2 - (x - 20)**2/2 = 150 and (x - 40)**2 - (x - 20)**2 = 300
    inside = 0.5 * math.erf(2.5 / math.sqrt(2))
    assert found.width < 1e-15
    assert found.lower == pytest.approx(inside, rel=2e-2)


@pytest.mark.parametrize("epsilon", [1e300, Decimal("1e400"), Decimal("inf"), np.float32("inf")])
def test_m_div_3_levels_without_end(epsilon: Any) -> None:
    assert information.hockey_stick(Uniform(0, 2), Uniform(1, 3), epsilon=epsilon) == Enclosure(
        0.5, 0.5
    )
    assert information.hockey_stick(Laplace(0, 1), Laplace(1, 1), epsilon=epsilon) == ZERO
    assert information.hockey_stick(Gaussian(0, 1), Gaussian(1, 1), epsilon=epsilon).upper < 1e-300


@pytest.mark.parametrize("scale", [1e-300, 1e-30, 1e30, 1e300])
def test_m_div_1_quadrature_has_no_scale(scale: float) -> None:
    for order in (0.5, 1, 2):
        here = information.renyi_divergence(Laplace(0, 1), Laplace(1, 2), order=order)
        far = information.renyi_divergence(
            Laplace(0, scale), Laplace(scale, 2 * scale), order=order
        )
        assert far.lower == pytest.approx(here.lower, rel=1e-14)
        assert far.width < 1e-15


def test_a_distribution_that_is_narrow_for_where_it_lies() -> None:
    needle = Laplace(0.1, 1e-40)
    assert information.statistical_distance(needle, Gaussian(0, 1)).lower > 1 - 1e-15
    found = information.kl_divergence(needle, Gaussian(0, 1))
    height = 0.5 * math.log(2 * math.pi) + 0.005 - math.log(2e-40) - 1
    assert found.lower == pytest.approx(height, rel=1e-14)
    assert found.width < 1e-12


@pytest.mark.parametrize("order", [2, 3, 8])
def test_m_div_1_the_binomial_sum_is_the_integral(order: int) -> None:
    """An order a hair away takes the quadrature."""
    p, q = Mixture([0.9, 0.1], [Gaussian(0.5, 2), Gaussian(2, 2)]), Gaussian(-0.25, 2)
    summed = information.renyi_divergence(p, q, order=order)
    integral = information.renyi_divergence(p, q, order=order + Fraction(1, 10**17))
    assert summed.lower == pytest.approx(integral.lower, rel=1e-13)
    assert summed.width < 1e-14


def test_m_div_1_a_subsampled_gaussian_of_a_great_order() -> None:
    """Order 256 at rate 1/100: the last term alone, 256 of 256 shifted, is all but everything."""
    p = Mixture([0.99, 0.01], [Gaussian(0, 1), Gaussian(1, 1)])
    found = information.renyi_divergence(p, Gaussian(0, 1), order=256)
    last = (256 * math.log(0.01) + (256**2 - 256) / 2) / 255
    assert found.lower == pytest.approx(last, rel=1e-12)
    assert found.width < 1e-12
