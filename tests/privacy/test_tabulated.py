"""Losses on a lattice around another: above and below it, alone and composed, never swapped."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
import pytest
from flint import acb, arb
from hypothesis import given
from hypothesis import strategies as st

from sfumato.information import hockey_stick
from sfumato.numeric import Disc, Enclosure, as_ball, working_precision
from sfumato.privacy.inversion import LossProfile
from sfumato.privacy.loss import FiniteLoss, FiniteLosses, GaussianLosses, TotalLosses, response
from sfumato.privacy.loss.tabulated import (
    LossBracket,
    LossCells,
    TabulatedLosses,
    halves,
    lattice_step,
    profile_bracket,
)
from sfumato.privacy.theorems.certified import enclosed
from sfumato.privacy.theorems.gaussian import gaussian_profile
from tests.refusing import raises_code

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Reals = NDArray[np.float64]
    Pair = tuple[list[Fraction], list[Fraction]]

#: What sums of a few hundred floats may be wrong by.
ROUNDING = 1e-13
EPSILONS = st.floats(-4, 4)
CELLS = st.integers(1, 40)


@st.composite
def pairs(draw: st.DrawFn) -> Pair:
    """Two distributions P and Q on the same few outcomes, in Fractions."""
    size = draw(st.integers(2, 6))
    weights = st.lists(st.integers(1, 60), min_size=size, max_size=size)
    p, q = draw(weights), draw(weights)
    return [Fraction(each, sum(p)) for each in p], [Fraction(each, sum(q)) for each in q]


def bracket_of(pair: Pair, cells: int) -> LossBracket:
    p = np.array([float(each) for each in pair[0]])
    losses = np.array([math.log(a / b) for a, b in zip(*pair, strict=True)])
    step = lattice_step(max(float(np.ptp(losses)), 1e-3), cells)
    first = math.floor(losses.min() / float(step))
    left, right = halves(losses - first * float(step), p, float(step), cells + 1)
    table = LossCells(step, first, Disc(left), Disc(right), slack=Fraction(1, 10**13))
    return LossBracket(table.upper(), table.lower())


def delta_of(distribution: FiniteLoss, epsilon: float, count: int = 1) -> float:
    """Delta of a distribution composed with itself, by listing all sums."""
    values, masses = np.zeros(1), np.ones(1)
    for _ in range(count):
        values = (values[:, None] + distribution.values.mid).ravel()
        masses = (masses[:, None] * distribution.masses.mid).ravel()
    lost = 1 - (1 - float(distribution.lost)) ** count
    return float(masses @ -np.expm1(np.minimum(epsilon - values, 0.0))) + lost


def composed(pair: Pair, count: int) -> Pair:
    p, q = [Fraction(1)], [Fraction(1)]
    for _ in range(count):
        p = [a * b for a in p for b in pair[0]]
        q = [a * b for a in q for b in pair[1]]
    return p, q


@given(pairs(), CELLS, EPSILONS, st.integers(1, 2))
def test_a_loss_lies_between_its_two_distributions(
    pair: Pair, cells: int, epsilon: float, count: int
) -> None:
    """Also composed with itself (M-COMP-1): against the exact hockey-stick divergence."""
    distribution = bracket_of(pair, cells)
    true = float(hockey_stick(*composed(pair, count), epsilon=epsilon))
    assert delta_of(distribution.upper, epsilon, count) >= true - ROUNDING
    assert delta_of(distribution.lower, epsilon, count) <= true + ROUNDING


@given(pairs(), EPSILONS)
def test_the_two_distributions_are_as_close_as_the_cells_are_narrow(
    pair: Pair, epsilon: float
) -> None:
    distribution = bracket_of(pair, 400)
    assert distribution.upper.lattice is not None
    step = float(distribution.upper.lattice.step)
    assert delta_of(distribution.upper, epsilon) - delta_of(distribution.lower, epsilon) <= 2 * step


EXAMPLE: Pair = (
    [Fraction(each, 20) for each in (1, 2, 3, 4, 10)],
    [Fraction(each, 20) for each in (10, 4, 3, 2, 1)],
)
GRID = np.linspace(-3, 3, 301)


def true_profile(pair: Pair) -> list[float]:
    return [float(hockey_stick(*pair, epsilon=float(epsilon))) for epsilon in GRID]


def rounded_to_nearest(pair: Pair, step: float) -> FiniteLoss:
    losses = np.array([math.log(a / b) for a, b in zip(*pair, strict=True)])
    return FiniteLoss(
        Disc(np.rint(losses / step) * step), Disc(np.array([float(each) for each in pair[0]]))
    )


def test_swapped_distributions_and_rounded_losses_are_caught() -> None:
    """The twins: what the test above must not let pass."""
    distribution, true = bracket_of(EXAMPLE, 12), true_profile(EXAMPLE)
    upper = [delta_of(distribution.upper, each) for each in GRID]
    lower = [delta_of(distribution.lower, each) for each in GRID]
    assert distribution.upper.lattice is not None
    nearest = rounded_to_nearest(EXAMPLE, float(distribution.upper.lattice.step))
    between = [delta_of(nearest, each) for each in GRID]
    assert any(high > exact + 1e-3 for high, exact in zip(upper, true, strict=True))
    assert any(low < exact - 1e-3 for low, exact in zip(lower, true, strict=True))
    assert any(found < exact - 1e-3 for found, exact in zip(between, true, strict=True))
    assert any(found > exact + 1e-3 for found, exact in zip(between, true, strict=True))


def test_masses_and_lost_are_a_distribution() -> None:
    distribution = bracket_of(EXAMPLE, 12)
    for each in (distribution.upper, distribution.lower):
        assert np.all(np.diff(each.values.mid) < 0), "the greatest first"
        assert each.masses.mid.sum() == pytest.approx(1 - float(each.lost), abs=1e-12)
        assert np.all(each.masses.mid > 0)


# --- distributions from profiles ------------------------------------------------------------------


def laplace(greatest: float) -> Callable[[float], float]:
    return lambda epsilon: max(-math.expm1((epsilon - greatest) / 2), 0.0)


def gaussian(mu: float) -> Callable[[float], float]:
    return lambda epsilon: (
        enclosed(lambda: gaussian_profile(as_ball(epsilon), as_ball(mu)), most=1.0).upper
    )


def known(profile: Callable[[float], float], doubt: float) -> Callable[[float], Enclosure]:
    """The profile up to a relative doubt that looks like noise."""

    def bounds(epsilon: float) -> Enclosure:
        shift = math.sin(1e4 * epsilon)
        value = profile(epsilon)
        return Enclosure(value * (1 - doubt * (1 + shift)), value * (1 + doubt * (1 - shift)))

    return bounds


def greatest_of(*profiles: Callable[[float], float]) -> Callable[[float], float]:
    return lambda epsilon: max(profile(epsilon) for profile in profiles)


PROFILES = {
    "laplace": (laplace(1.0), 1.0),
    "gaussian": (gaussian(0.5), 4.0),
    "the worst of two groups": (greatest_of(laplace(1.0), gaussian(0.6)), 5.0),
}


@pytest.mark.parametrize("doubt", [1e-14, 1e-9, 1e-5, 1e-3])
@pytest.mark.parametrize("name", PROFILES)
def test_a_profile_lies_between_its_two_distributions(name: str, doubt: float) -> None:
    """Also where the values of the profile are known only roughly, and at epsilons below 0."""
    profile, greatest = PROFILES[name]
    distribution = profile_bracket(
        known(profile, doubt), known(profile, doubt), greatest=greatest, cells=128
    )
    gaps = []
    for epsilon in np.linspace(0.0, greatest, 333):
        true, mirrored = profile(epsilon), -math.expm1(-epsilon)
        gaps.append(delta_of(distribution.upper, epsilon) - delta_of(distribution.lower, epsilon))
        assert delta_of(distribution.lower, epsilon) - ROUNDING <= true
        assert true <= delta_of(distribution.upper, epsilon) + ROUNDING
        assert delta_of(distribution.lower, -epsilon) - ROUNDING <= mirrored + true * math.exp(
            -epsilon
        )
        assert (
            mirrored + true * math.exp(-epsilon)
            <= delta_of(distribution.upper, -epsilon) + ROUNDING
        )
    assert max(gaps) <= greatest / 128 + 200 * doubt


def test_composed_distributions_of_a_gaussian_profile_hold_the_exact_figure() -> None:
    """One hundred Gaussian steps are one with ten times the ratio of sensitivity to sigma."""
    distribution = profile_bracket(
        known(gaussian(0.1), 1e-15), known(gaussian(0.1), 1e-15), greatest=1.2, cells=1024
    )
    upper = LossProfile(TotalLosses({TabulatedLosses(distribution.upper): 100})).epsilon(1e-5, 1e-9)
    lower = LossProfile(TotalLosses({TabulatedLosses(distribution.lower): 100})).epsilon(1e-5, 1e-9)
    exact = LossProfile(GaussianLosses(Disc(1.0))).epsilon(1e-5, 1e-9)
    assert lower.lower <= exact.lower <= exact.upper <= upper.upper
    assert upper.upper - lower.lower < 1e-4 * exact.upper
    assert lower.upper < exact.lower, "the twin: the lower distribution is no upper bound"
    assert upper.lower > exact.upper, "the twin: the upper distribution is no lower bound"


def test_a_profile_that_never_falls_to_zero_loses_the_rest() -> None:
    half = known(lambda epsilon: 0.5 + 0.5 * laplace(1.0)(epsilon), 0.0)
    distribution = profile_bracket(half, half, greatest=1.0, cells=16)
    assert distribution.upper.lost == Fraction(1, 2)
    assert distribution.lower.lost == 0
    assert delta_of(distribution.upper, 5.0) == pytest.approx(0.5)


# --- moments of tabulated losses ------------------------------------------------------------------


def many_valued(size: int) -> FiniteLoss:
    """A distribution of many values on a lattice, with gaps."""
    generator = np.random.default_rng(7)
    values = np.sort(generator.choice(np.arange(-2 * size, 2 * size), size, replace=False))[::-1]
    masses = generator.dirichlet(np.ones(size))
    step = lattice_step(1.0, 2 * size)
    return LossCells(
        step, int(values[-1]), *_spread_over(values - values[-1], masses), Fraction(1, 2**40)
    ).upper()


def _spread_over(index: Reals, masses: Reals) -> tuple[Disc, Disc]:
    left = np.bincount(index, masses)
    return Disc(left, left * 1e-15), Disc(np.zeros(left.size))


def moment(distribution: FiniteLoss, s: complex) -> acb:
    """E[e^(sL)] by ball arithmetic."""
    total = acb(0)
    with working_precision(200):
        for value, mass in zip(
            distribution.values.mid.tolist(), distribution.masses.mid.tolist(), strict=True
        ):
            total += arb(mass) * (acb(s) * arb(value)).exp()
    return total


def holds(log: Disc, index: int, exact: acb, count: int) -> bool:
    """Whether e^log at an index is a disc that holds the power of an exact moment."""
    found = (log[index : index + 1]).exp()
    return bool(abs(acb(complex(found.mid[0])) - exact**count) <= arb(float(found.rad[0])))


@pytest.mark.parametrize("count", [1, 3])
def test_moments_agree_with_ball_arithmetic_at_any_points(count: int) -> None:
    distribution = many_valued(300)
    points = np.array([0.5, 3.0 + 0.7j, 20.0 - 40j])
    logs = TotalLosses({TabulatedLosses(distribution): count}).log_moment(Disc(points))
    assert all(holds(logs, i, moment(distribution, s), count) for i, s in enumerate(points))
    assert float(logs.rad.max()) < 1e-11
    wrong = moment(distribution, points[0] + 1e-9)
    assert not holds(logs, 0, wrong, count), "the twin: another point"


@pytest.mark.parametrize("nodes", [202, 256, 4099 * 2])
def test_moments_over_a_period_agree_with_ball_arithmetic(nodes: int) -> None:
    """The Fourier transform, of lengths that are round and of those that are not."""
    distribution = many_valued(300)
    assert distribution.lattice is not None
    height = 2 * math.pi / (nodes * float(distribution.lattice.step)) * np.arange(nodes // 2 + 1)
    points = Disc(4.0 + 1j * height, height * 1e-16)
    logs = TabulatedLosses(distribution).log_moment(points)
    places = [0, 1, 17, nodes // 4, nodes // 2]
    assert all(holds(logs, i, moment(distribution, points.mid[i]), 1) for i in places)
    assert float(logs.exp().rad.max()) < 1e-11 * float(logs.exp().mid[0].real)


def test_composition_agrees_with_a_list_of_all_sums() -> None:
    distribution = bracket_of(EXAMPLE, 6).upper
    profile = LossProfile(TotalLosses({TabulatedLosses(distribution): 3}))
    for epsilon in (0.1, 0.9, 2.3):
        bounds = profile.delta(epsilon)
        assert bounds.lower - 1e-12 <= delta_of(distribution, epsilon, 3) <= bounds.upper + 1e-12
        assert bounds.width < 1e-9


def test_what_is_lost_is_lost_in_composition() -> None:
    distribution = FiniteLoss(
        Disc(np.array([1.0, -1.0])),
        Disc(np.array([0.625, 0.125])),
        Fraction(1, 4),
        many_valued(4).lattice,
    )
    step = distribution.lattice
    assert step is not None
    moved = FiniteLoss(
        distribution.values + Disc.of(step.offset), distribution.masses, distribution.lost, step
    )
    bounds = LossProfile(TotalLosses({TabulatedLosses(moved): 2})).delta(5.0)
    assert bounds.lower <= 1 - 0.75**2 <= bounds.upper


def test_tabulated_losses_add_up_with_others() -> None:
    """Beside a Gaussian step: on a lattice, the same as by its own two values."""
    two = response(Fraction(1, 2))
    noise = GaussianLosses(Disc(0.25))
    listed = LossProfile(TotalLosses([FiniteLosses({two: 4}), noise])).epsilon(1e-6, 1e-9)
    summed = LossProfile(TotalLosses({TabulatedLosses(two): 4, noise: 1})).epsilon(1e-6, 1e-9)
    assert summed.lower <= listed.upper
    assert listed.lower <= summed.upper
    assert summed.width < 1e-6


def test_a_distribution_without_a_lattice_is_refused() -> None:
    distribution = FiniteLoss(Disc(np.array([1.0, -1.0])), Disc(np.array([0.75, 0.25])))
    with raises_code("E-NUMBER-FORM"):
        TabulatedLosses(distribution)
