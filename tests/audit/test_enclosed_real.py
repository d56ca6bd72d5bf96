"""M-DEF-3: distributions with densities are proved or refuted by enclosures, and never guessed."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from sfumato.audit.comparison import Interval, read_claim
from sfumato.audit.enclosed import compare_distributions, is_distribution
from sfumato.audit.enclosed.real import CauchyComparison
from sfumato.errors import NoEnclosureError
from sfumato.information.continuous import (
    Declared,
    Gaussian,
    Laplace,
    Logistic,
    Mixture,
    Uniform,
)
from sfumato.information.continuous.cauchy import Cauchy
from sfumato.numeric import Enclosure, Ln

TRILLIONTH = Fraction(1, 10**12)
WIDTH = 1e-9

numbers = st.fractions(min_value=-5, max_value=5, max_denominator=20)
spreads = st.fractions(min_value=Fraction(1, 5), max_value=5, max_denominator=20)


def holds(p: Any, q: Any, *claim: Any) -> bool | None:
    """Whether a claim holds of two distributions, one way."""
    return compare_distributions(p, q).judge(read_claim(*claim)).holds


def witness(p: Any, q: Any, *claim: Any) -> list[Interval]:
    """The stretches of an event that refutes a claim, after checking that it does."""
    found = compare_distributions(p, q).judge(read_claim(*claim))
    assert found.holds is False
    assert found.event is not None
    assert isinstance(found.event.p, Enclosure)
    assert isinstance(found.event.q, Enclosure)
    epsilon, delta = float(read_claim(*claim).epsilon), float(read_claim(*claim).delta)
    assert found.event.p.lower > math.exp(epsilon) * found.event.q.upper * (1 - 1e-12) + delta
    stretches = [each for each in found.event.outcomes if isinstance(each, Interval)]
    assert len(stretches) == len(found.event.outcomes)
    return stretches


@given(numbers, numbers, spreads)
def test_a_shift_of_laplace_noise_is_decided_at_the_tie(
    one: Fraction, other: Fraction, scale: Fraction
) -> None:
    """The greatest ratio is the shift in scales, a rational; below it nothing holds."""
    p, q = Laplace(one, scale), Laplace(other, scale)
    least = abs(one - other) / scale
    assert compare_distributions(p, q).least_epsilon(Fraction(0)).exact == least
    assert holds(p, q, least)
    if least > TRILLIONTH:
        assert holds(p, q, least - TRILLIONTH) is False


def test_the_tie_of_the_brief_is_decided() -> None:
    p, q = Laplace(0, 10), Laplace(1, 10)
    assert holds(p, q, 0.1)
    assert witness(p, q, Fraction(1, 10) - TRILLIONTH)


def test_a_gap_far_below_floats_takes_more_bits() -> None:
    p, q = Logistic(0, 10), Logistic(1, 10)
    assert holds(p, q, Fraction(1, 10))
    assert holds(p, q, Fraction(1, 10) - Fraction(1, 10**60)) is False


@given(spreads, st.fractions(min_value=Fraction(1, 4), max_value=3, max_denominator=8))
def test_gaussians_are_decided_by_their_curve(sigma: Fraction, epsilon: Fraction) -> None:
    """M-GAUSS-1: δ(ε) by SciPy's normal distribution, a millionth above and below."""
    p, q = Gaussian(0, sigma), Gaussian(1, sigma)
    width, level = float(1 / sigma), float(epsilon)
    near, far = (stats.norm.cdf(s * width / 2 - level / width) for s in (1, -1))
    delta = float(near - math.exp(epsilon) * far)
    found = compare_distributions(p, q).least_delta(epsilon).bounds
    assert found.lower == pytest.approx(delta, rel=1e-6, abs=1e-14)
    if delta > 1e-9:
        assert holds(p, q, epsilon, Fraction(delta * (1 + 1e-6)))
        assert holds(p, q, epsilon, Fraction(delta * (1 - 1e-6))) is False


def test_gaussians_keep_no_pure_guarantee() -> None:
    (half,) = witness(Gaussian(0, 1), Gaussian(1, 1), 20)
    assert half.low is None


def test_a_mixture_hides_no_thin_spike() -> None:
    """A uniform part of a width of 1e-9 and a mass of 1 % is found, and is the witness."""
    spike = Uniform(Fraction(1, 3), Fraction(1, 3) + Fraction(WIDTH))
    hiding = Mixture([0.99, 0.01], [Laplace(0, 1), spike])
    stretches = witness(hiding, Laplace(Fraction(1, 2), 1), 1)
    assert any(_is_the_spike(each, 1 / 3) for each in stretches)
    assert holds(Laplace(0, 1), Laplace(Fraction(1, 2), 1), 1)


def test_a_declared_density_hides_no_thin_spike() -> None:
    """M-DEF-3: with its turns declared, a tent of a width of 1e-9 refutes the claim."""
    left = 2.0
    right = left + 2**-30
    middle = (left + right) / 2

    def tent(x: float) -> float:
        """The distribution function of a triangle between the ends."""
        if not left < x < right:
            return float(x >= right)
        share = (x - left) / (right - left)
        return 2 * share**2 if share < 0.5 else 1 - 2 * (1 - share) ** 2

    def density(x: float) -> float:
        height = 2 / (right - left)
        return max(0.0, height * (1 - abs(x - middle) / (middle - left)))

    hiding = Declared(
        lambda x: 0.99 * float(stats.laplace.cdf(x)) + 0.01 * tent(x),
        lambda x: math.log(0.99 * float(stats.laplace.pdf(x)) + 0.01 * density(x)),
        breakpoints=(0.0, 0.5, left, middle, right),
        limits=(0.5 + math.log(0.99), -0.5 + math.log(0.99)),
    )
    stretches = witness(hiding, Laplace(Fraction(1, 2), 1), 1)
    assert all(_is_the_spike(each, left) for each in stretches)
    honest = Declared(
        lambda x: float(stats.laplace.cdf(x)),
        lambda x: float(stats.laplace.logpdf(x)),
        breakpoints=(0.0, 0.5),
        limits=(0.5, -0.5),
    )
    assert holds(honest, Laplace(Fraction(1, 2), 1), 1)


def _is_the_spike(stretch: Interval, at: float) -> bool:
    if stretch.low is None or stretch.high is None:
        return False
    return abs(float(stretch.low) - at) < 2e-9 and abs(float(stretch.high) - at) < 2e-9


def test_where_nothing_is_declared_at_the_ends_nothing_is_proved() -> None:
    """A Cauchy distribution known by floats alone is refuted where it can be, else undecided."""
    here, there = (
        Declared(distribution.cdf, distribution.logpdf, (-0.7, 1.7))
        for distribution in (stats.cauchy(0), stats.cauchy(1))
    )
    assert holds(here, there, 5) is None
    assert holds(here, there, 0.01) is False


def test_scipy_distributions_are_read_and_unknown_ones_are_refused() -> None:
    assert holds(stats.laplace(0, 10), stats.laplace(1, 10), 0.1)
    assert is_distribution(stats.norm(0, 1))
    with pytest.raises(NoEnclosureError):
        compare_distributions(stats.beta(2, 3), stats.beta(3, 2))


def test_where_one_distribution_is_impossible_no_epsilon_holds() -> None:
    p, q = Uniform(0, 1), Uniform(Fraction(1, 2), 2)
    assert compare_distributions(p, q).least_epsilon(Fraction(0)).bounds.lower == math.inf
    assert witness(p, q, 100) == [Interval(Fraction(0), Fraction(1, 2))]
    assert holds(p, q, Ln(2), Fraction(1, 2)) is not False


@given(numbers, spreads, numbers, spreads)
def test_cauchy_distributions_have_their_closed_form(
    one: Fraction, scale: Fraction, other: Fraction, wider: Fraction
) -> None:
    """The greatest ratio over a dense set of points comes near arcosh c, and never above it."""
    p, q = Cauchy(one, scale), Cauchy(other, wider)
    here, there = (stats.cauchy(float(each.mean), float(each.scale)) for each in (p, q))
    most = compare_distributions(p, q).least_epsilon(Fraction(0)).bounds.upper
    points = [float(one) + float(scale) * math.tan(k * math.pi / 2000) for k in range(-999, 1000)]
    ratios = here.logpdf(points) - there.logpdf(points)
    assert ratios.max() <= most + 1e-9
    assert ratios.max() >= most - 1e-3 * (1 + most)


@given(numbers, spreads, st.fractions(min_value=0, max_value=1, max_denominator=20))
def test_the_excess_of_cauchy_distributions_is_that_of_sums(
    shift: Fraction, scale: Fraction, epsilon: Fraction
) -> None:
    p, q = Cauchy(0, 1), Cauchy(shift, scale)
    edges = [math.tan(k * math.pi / 4000) for k in range(-1999, 2000)]
    distributions = stats.cauchy(0, 1), stats.cauchy(float(shift), float(scale))
    cells = zip(
        *(np.diff([0, *distribution.cdf(edges), 1]) for distribution in distributions), strict=True
    )
    coarse = sum(max(0.0, one - math.exp(epsilon) * other) for one, other in cells)
    found = CauchyComparison(p, q, effort=256).least_delta(epsilon).bounds
    assert coarse - 1e-9 <= found.upper
    assert found.lower <= coarse + 2e-3
