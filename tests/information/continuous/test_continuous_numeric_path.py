"""M-DIV-1..3: the numerical enclosure against the closed forms, and twins that must fail."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import pytest
from flint import arb, ctx, fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.information.continuous import (
    ContinuousDistribution,
    Gaussian,
    Laplace,
    Logistic,
    closed_forms,
)
from sfumato.information.continuous.declared_pair import (
    convex_integral,
    entropy_function,
    power_function,
)
from sfumato.information.continuous.integral import kl_integral, log_power_integral
from sfumato.information.continuous.pairs import BallPair
from sfumato.information.continuous.region import excess_mass, greatest_log_ratio

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

FEW = settings(max_examples=15, deadline=None)

means = st.fractions(min_value=-3, max_value=3, max_denominator=8)
spreads = st.fractions(min_value=Fraction(1, 4), max_value=4, max_denominator=8)
orders = st.sampled_from([fmpq(1, 4), fmpq(1, 2), fmpq(9, 10), fmpq(3, 2), fmpq(2), fmpq(5)])
levels = st.fractions(min_value=-2, max_value=2, max_denominator=16)

gaussian_pairs = st.tuples(st.builds(Gaussian, means, spreads), st.builds(Gaussian, means, spreads))


def shifted(
    distribution: Callable[[Fraction, Fraction], ContinuousDistribution],
) -> st.SearchStrategy[tuple[ContinuousDistribution, ContinuousDistribution]]:
    """Two distributions that differ in their means; equal ones never reach the numerical path."""
    apart = st.tuples(means, means, spreads).filter(lambda t: t[0] != t[1])
    return apart.map(lambda t: (distribution(t[0], t[2]), distribution(t[1], t[2])))


shifted_pairs = st.one_of(shifted(Gaussian), shifted(Laplace), shifted(Logistic))


@pytest.fixture(autouse=True)
def working_precision() -> Iterator[None]:
    with ctx.workprec(128):
        yield


def agrees(found: arb, formula: arb, width: float = 1e-15) -> bool:
    """Both balls hold the truth, so they meet; and the numerical one is narrow."""
    if not formula.is_finite():
        return bool(found == formula)
    return found.overlaps(formula) and bool(found.rad() <= width * (1 + abs(formula)))


@FEW
@given(st.one_of(gaussian_pairs, shifted(Laplace)))
def test_kl_by_quadrature_holds_the_formula(
    pair: tuple[ContinuousDistribution, ContinuousDistribution],
) -> None:
    with ctx.workprec(128):
        formula = closed_forms.kl(*pair)
        assert formula is not None
        assert agrees(kl_integral(BallPair(*pair)), formula)


@FEW
@given(st.one_of(gaussian_pairs, shifted(Laplace)), orders)
def test_renyi_by_quadrature_holds_the_formula(
    pair: tuple[ContinuousDistribution, ContinuousDistribution], order: fmpq
) -> None:
    with ctx.workprec(128):
        formula = closed_forms.renyi(*pair, order)
        assert formula is not None
        found = log_power_integral(BallPair(*pair), order) / (order - 1)
        assert agrees(found, formula)


@FEW
@given(st.one_of(shifted(Gaussian), shifted(Laplace)), levels)
def test_hockey_stick_by_cells_holds_the_formula(
    pair: tuple[ContinuousDistribution, ContinuousDistribution], level: Fraction
) -> None:
    with ctx.workprec(128):
        height = arb(fmpq(level.numerator, level.denominator))
        formula = closed_forms.hockey_stick(*pair, height)
        assert formula is not None
        assert agrees(excess_mass(BallPair(*pair), height), formula)


@FEW
@given(shifted_pairs)
def test_statistical_distance_by_cells_holds_the_formula(
    pair: tuple[ContinuousDistribution, ContinuousDistribution],
) -> None:
    with ctx.workprec(128):
        formula = closed_forms.statistical_distance(*pair)
        assert formula is not None
        assert agrees(excess_mass(BallPair(*pair), arb(0)), formula)


@FEW
@given(st.one_of(gaussian_pairs, shifted(Laplace), shifted(Logistic)))
def test_max_by_branch_and_bound_holds_the_formula(
    pair: tuple[ContinuousDistribution, ContinuousDistribution],
) -> None:
    with ctx.workprec(128):
        formula = closed_forms.maximum(*pair)
        assert formula is not None
        low, high = greatest_log_ratio(BallPair(*pair))
        assert low.lower() <= formula.upper()
        assert high.upper() >= formula.lower()
        assert not formula.is_finite() or high.upper() - low.lower() < 1e-15 * (1 + formula)


@pytest.mark.full
@pytest.mark.no_cover
@settings(max_examples=4, deadline=None)
@given(shifted(Laplace), st.sampled_from([fmpq(1, 2), fmpq(2)]))
def test_tangent_and_chord_hold_the_formula(
    pair: tuple[ContinuousDistribution, ContinuousDistribution], order: fmpq
) -> None:
    """The bounds used for declared distributions, here on distributions with a formula."""
    with ctx.workprec(128):
        both = BallPair(*pair)
        formula = closed_forms.kl(*pair)
        power = closed_forms.renyi(*pair, order)
        assert formula is not None
        assert power is not None
        assert agrees(convex_integral(both, entropy_function), formula, 1e-4)
        found = abs(convex_integral(both, power_function(order))).log() / (order - 1)
        assert agrees(found, power, 1e-4)


LAPLACES = (Laplace(0, 1), Laplace(1, 1))
GAUSSIANS = (Gaussian(0, 1), Gaussian(1, 1))


@pytest.mark.parametrize(
    ("found", "wrong"),
    [
        (lambda: kl_integral(BallPair(*LAPLACES)), lambda: arb(1) - 1 + arb(-1).exp() / 2),
        (lambda: kl_integral(BallPair(*GAUSSIANS)), lambda: arb(1)),
        (lambda: log_power_integral(BallPair(*GAUSSIANS), fmpq(2)), lambda: arb(2)),
        (
            lambda: excess_mass(BallPair(*GAUSSIANS), arb(1)),
            lambda: GAUSSIANS[0].cdf(arb(-0.5)) - GAUSSIANS[0].cdf(arb(-1.5)),
        ),
        (lambda: greatest_log_ratio(BallPair(*LAPLACES))[1], lambda: arb(1) + arb(2) ** -50),
    ],
    ids=["Laplace KL", "Gaussian KL", "Gaussian Rényi", "no factor exp(epsilon)", "max"],
)
def test_validity_twin_a_wrong_formula_is_caught(
    found: Callable[[], arb], wrong: Callable[[], arb]
) -> None:
    assert not found().overlaps(wrong())


def test_validity_twin_a_wrong_cdf_is_caught() -> None:
    class Slipped(Laplace):
        def _standard_cdf(self, z: arb) -> arb:
            return super()._standard_cdf(z * fmpq(1001, 1000))

    formula = closed_forms.hockey_stick(*LAPLACES, arb(0.5))
    assert formula is not None
    assert not excess_mass(BallPair(Slipped(0, 1), Slipped(1, 1)), arb(0.5)).overlaps(formula)


def test_ties_do_not_stall_the_search() -> None:
    """On a whole half-line the log ratio equals the level: the rest is as thin as the rounding."""
    found = excess_mass(BallPair(*LAPLACES), arb(1))
    assert found.contains(0)
    assert found.upper() < 1e-30
