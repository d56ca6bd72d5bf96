"""The inversion of moments: bounds that hold wherever the line is laid and however it is cut."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest
from flint import acb, arb

from sfumato.numeric import Disc, Enclosure, Ln, as_ball, working_precision
from sfumato.privacy import Substitute, compose, events
from sfumato.privacy.inversion import LossProfile
from sfumato.privacy.inversion.contour import LatticeContour, LineContour
from sfumato.privacy.inversion.enumeration import Enumeration, values_of_sum
from sfumato.privacy.loss import (
    FiniteLosses,
    GaussianLosses,
    LaplaceLosses,
    PrivacyLosses,
    TotalLosses,
    response,
)
from sfumato.privacy.theorems import gaussian_delta

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sfumato.privacy.loss import Atoms

# --- what is true ---------------------------------------------------------------------------------


def response_delta(epsilon: Fraction | Ln, count: int, level: float) -> arb:
    """Return the exact sum over how often the truth was told."""
    with working_precision(400):
        odds, grown = as_ball(epsilon).exp(), arb(level).exp()
        terms = (
            math.comb(count, k) * (odds ** (count - k) - grown * odds**k).max(arb(0))
            for k in range(count + 1)
        )
        return sum(terms, arb(0)) / (1 + odds) ** count


def two_laplace_delta(epsilon: float, level: float) -> arb:
    """Return delta of two Laplace steps: the second's profile over the first's losses."""
    with working_precision(160):
        e = arb(epsilon)

        def one(y: acb) -> acb:
            return 1 - ((y - e) / 2).exp()

        def inner(x: acb, _: bool) -> acb:  # noqa: FBT001
            return ((x - e) / 2).exp() / 4 * one(level - x)

        ends = one(acb(level) - e) / 2
        body = acb.integral(inner, acb(level) - e, acb(e))
        return (ends + body).real


def holds(found: Enclosure, truth: arb) -> bool:
    """Tell whether bounds hold a number; a ball that touches an end is held."""
    return not (arb(found.lower) > truth) and not (arb(found.upper) < truth)


# --- the rule on a line ---------------------------------------------------------------------------

GAUSSIAN = GaussianLosses(Disc.of(Fraction(1)))
TILTS = [0.02, 0.3, 2.0, 4.5, 15.0, 25.0]


def line(
    losses: PrivacyLosses,
    real: float,
    epsilon: float,
    *,
    kind: type[LineContour] = LineContour,
    log_delta: float = -12.0,
    coarse: float = 1e-7,
) -> LineContour:
    return kind(losses, None, real=real, epsilon=epsilon, log_delta=log_delta, coarse=coarse)


@pytest.mark.parametrize("laid_for", [0.0, 1.0, 4.0, 9.0])
@pytest.mark.parametrize("real", TILTS)
def test_a_line_at_any_tilt_holds_the_gaussian_curve(real: float, laid_for: float) -> None:
    curve = line(GAUSSIAN, real, laid_for)
    levels = [level for level in (0.0, 0.5, 2.0, 4.0, 7.5, 9.0) if level >= curve.reach]
    assert levels
    for level in levels:
        truth = gaussian_delta(mu=1, epsilon=level)
        found = curve.delta(level)
        assert found.lower <= truth.upper
        assert truth.lower <= found.upper


@pytest.mark.parametrize("log_delta", [-2.0, -40.0, -300.0])
def test_a_line_for_any_delta_holds_the_gaussian_curve(log_delta: float) -> None:
    for level in (0.5, 3.0, 12.0):
        truth = gaussian_delta(mu=1, epsilon=level)
        found = line(GAUSSIAN, max(level - 0.5, 0.3), level, log_delta=log_delta).delta(level)
        assert found.lower <= truth.upper
        assert truth.lower <= found.upper


class NarrowWindow(LineContour):
    """Copies of the curve lie close, and nobody says so."""

    def _needed_window(self, epsilon: float) -> float:
        return 2.0

    def _copies(self, epsilon: float) -> float:
        return 0.0


class NoTail(LineContour):
    """The line is cut early, and nobody says so."""

    def _log_tail(self, height: float) -> float:
        return -math.inf


@pytest.mark.parametrize("kind", [NarrowWindow, NoTail])
def test_a_line_that_hides_what_it_adds_or_leaves_out_is_caught(kind: type[LineContour]) -> None:
    losses = LaplaceLosses({1.0: 2}) if kind is NoTail else GAUSSIAN
    found = line(losses, 1.0, 1.0, kind=kind).delta(1.0)
    truth = two_laplace_delta(1.0, 1.0) if kind is NoTail else as_ball(0.12693673750664397)
    assert not holds(found, truth)


@pytest.mark.full
@pytest.mark.parametrize("level", [0.125, 0.5, 1.0, 1.5, 1.9375])
@pytest.mark.parametrize("listed", [True, False])
def test_two_laplace_steps_with_and_without_their_atoms_listed(
    level: float, *, listed: bool
) -> None:
    losses = LaplaceLosses({1.0: 2})
    atoms = Enumeration(losses.atoms(100) or []) if listed else None
    curve = LineContour(losses, atoms, real=1.5, epsilon=level, log_delta=-6, coarse=1e-3)
    assert holds(curve.delta(level), two_laplace_delta(1.0, level))


@pytest.mark.parametrize("level", [0.25, 1.0, 1.75])
def test_listing_the_atoms_is_what_makes_two_laplace_steps_close(level: float) -> None:
    found = LossProfile(LaplaceLosses({1.0: 2})).delta(level)
    assert holds(found, two_laplace_delta(1.0, level))
    assert found.width <= 1e-6 * found.upper


# --- a lattice, a list, a line: three ways to one curve -------------------------------------------

LEVELS = [0.0, 0.1, 1.0, 2.0794415416798357, 3.3, 5.0]


def three_ways(epsilon: Fraction | Ln, count: int, real: float, level: float) -> list[Enclosure]:
    losses = FiniteLosses({response(epsilon): count})
    lattice = losses.lattice()
    assert lattice is not None
    return [
        Enumeration(losses.atoms(1 << 16) or []).delta(level),
        LatticeContour(losses, lattice, real=real, epsilon=level, log_delta=-10).delta(level),
        line(losses, real, level, coarse=1e30).delta(level),
    ]


@pytest.mark.parametrize("real", [0.05, 1.0, 6.0])
@pytest.mark.parametrize(("epsilon", "count"), [(Ln(2), 12), (Fraction(1, 10), 200), (Ln(9), 3)])
def test_three_ways_hold_the_curve_of_responses(
    epsilon: Fraction | Ln, count: int, real: float
) -> None:
    """The levels include points of the lattice, where a value may count or not."""
    for level in LEVELS:
        truth = response_delta(epsilon, count, level)
        found = three_ways(epsilon, count, real, level)
        assert [way for way in found if not holds(way, truth)] == []


def test_the_list_and_the_lattice_are_close() -> None:
    listed, lattice, _ = three_ways(Fraction(1, 10), 200, 1.0, 3.3)
    assert listed.width <= 1e-11 * listed.upper
    assert lattice.width <= 1e-10 * lattice.upper


def test_a_wrong_count_is_caught() -> None:
    truth = response_delta(Ln(2), 13, 1.0)
    assert not any(holds(way, truth) for way in three_ways(Ln(2), 12, 1.0, 1.0)[:2])


# --- whole profiles -------------------------------------------------------------------------------


@pytest.mark.parametrize("delta", [0.3, 1e-3, 1e-9, 1e-40, 1e-280])
@pytest.mark.parametrize(("epsilon", "count"), [(Ln(2), 12), (Fraction(1, 10), 300)])
def test_least_epsilons_are_bracketed(epsilon: Fraction | Ln, count: int, delta: float) -> None:
    """At the upper end delta is surely reached, at the lower one it is not."""
    found = LossProfile(FiniteLosses({response(epsilon): count})).epsilon(delta, 1e-6)
    target = arb(delta)
    assert not response_delta(epsilon, count, found.upper) > target
    assert found.lower == 0 or not response_delta(epsilon, count, found.lower) < target


@pytest.mark.parametrize("squared", ["1e-12", "1e-4", "1", "900"])
@pytest.mark.parametrize("delta", [0.9, 0.05, 1e-5, 1e-100])
def test_gaussian_profiles_of_all_sizes(squared: str, delta: float) -> None:
    profile = LossProfile(GaussianLosses(Disc.of(Fraction(squared))))
    found = profile.epsilon(delta, 1e-6)
    mu = Fraction(math.isqrt(int(Fraction(squared) * 10**24)), 10**12)
    assert gaussian_delta(mu=mu, epsilon=found.upper).lower <= delta
    assert found.lower == 0 or gaussian_delta(mu=mu, epsilon=found.lower).upper >= delta


def test_what_is_lost_is_added_to_delta() -> None:
    losses = FiniteLosses({response(Fraction(1), lost=Fraction(1, 100)): 2})
    profile = LossProfile(losses)
    lost = 1 - 0.99**2
    assert profile.delta(2.0).lower == pytest.approx(lost, rel=1e-12)
    with working_precision(200):
        kept = arb(99) ** 2 / 10_000
        truth = kept * response_delta(Fraction(1), 2, 0.5) + 1 - kept
        assert holds(profile.delta(0.5), truth)
        assert not holds(LossProfile(FiniteLosses({response(Fraction(1)): 2})).delta(0.5), truth)


@pytest.mark.parametrize("share", [0.5, 1 - 1e-15, 1.0])
def test_a_delta_beside_what_is_lost_is_answered_safely(share: float) -> None:
    """Below what is lost no epsilon is enough, be it by a rounding; at it the answer is 1."""
    profile = LossProfile(FiniteLosses({response(Fraction(1), lost=Fraction(1, 1024)): 1}))
    found = profile.epsilon(share / 1024, 1e-6)
    assert found.lower <= (math.inf if share < 1 else 1) <= found.upper * (1 + 1e-9)


def test_sums_of_kinds_hold_the_curve_of_one() -> None:
    """Two Gaussian parts are one: the sum of kinds must not lose a part."""
    half = GaussianLosses(Disc.of(Fraction(1, 2)))
    found = LossProfile(TotalLosses([half, half])).delta(1.0)
    truth = gaussian_delta(mu=1, epsilon=1)
    assert found.lower <= truth.upper
    assert truth.lower <= found.upper
    assert found.width <= 1e-9 * found.upper


def same(first: Callable[[float], Enclosure], second: Callable[[float], Enclosure]) -> bool:
    pairs = [(first(level), second(level)) for level in LEVELS]
    return all(a.lower <= b.upper and b.lower <= a.upper for a, b in pairs)


def test_the_order_of_kinds_does_not_matter() -> None:
    parts: list[PrivacyLosses] = [LaplaceLosses({0.5: 3}), GAUSSIAN]
    assert same(LossProfile(TotalLosses(parts)).delta, LossProfile(TotalLosses(parts[::-1])).delta)
    assert not same(LossProfile(TotalLosses(parts)).delta, LossProfile(GAUSSIAN).delta)


def test_a_delta_below_all_floats_is_not_called_zero() -> None:
    """Discrete Gaussian noise of σ = 50 has δ(1) = 7.4e-549: the bound is the least float."""
    bounds = compose(events.DiscreteGaussian(sigma=50)).bounds(epsilon=1)
    assert bounds.lower == 0
    assert 0 < bounds.upper <= 1e-300


@pytest.mark.parametrize(("population", "epsilon"), [(8, 3.49688613), (30, 2.83885645)])
def test_a_sum_is_listed_only_where_its_values_are_few(
    population: int, epsilon: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three shuffled answers have few losses each; of many people, a hundred million sums."""

    def noted(atoms: Sequence[Atoms]) -> Enumeration:
        assert values_of_sum(atoms) <= 1 << 22
        return Enumeration(atoms)

    monkeypatch.setattr("sfumato.privacy.inversion.profile.Enumeration", noted)
    answers = [
        events.Shuffled(events.RandomizedResponse(epsilon=each), population=population + more)
        for more, each in enumerate(["1", "1/2", "2"])
    ]
    found = compose(*answers, relation=Substitute()).epsilon(delta=1e-6)
    assert found == pytest.approx(epsilon, rel=1e-7)
