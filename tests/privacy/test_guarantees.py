"""Guarantees: their figures, their laws, groups (M-GROUP-1) and relations (M-DEF-1)."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import assume, given, reject
from hypothesis import strategies as st
from scipy.stats import norm

from sfumato.errors import InputError
from sfumato.information import hockey_stick, renyi_divergence
from sfumato.numeric import Ln
from sfumato.privacy import AddRemove, Substitute
from sfumato.privacy.guarantees import (
    ApproxDP,
    GaussianDP,
    Guarantee,
    PrivacyProfile,
    PureDP,
    RenyiDP,
    ZeroConcentratedDP,
)
from sfumato.privacy.guarantees.hull import greatest_false_negative_rate
from sfumato.privacy.theorems.laplace import randomized_response_delta, randomized_response_epsilon
from tests.information.strategies import rational_pairs
from tests.privacy.guarantee_strategies import (
    AMOUNTS,
    DELTAS,
    EPSILONS,
    FACTORS,
    GAUSSIAN,
    GUARANTEES,
    LOGARITHMS,
    ORDERS,
    POINTWISE,
    SHARES,
    Distribution,
    hardest_pair,
)

if TYPE_CHECKING:
    from sfumato.numeric import Enclosure
    from sfumato.privacy.parameters import Epsilon


def is_tight(found: Enclosure, exact: Fraction) -> bool:
    """Whether an enclosure holds an exact value, with no more room than printing needs."""
    return found.lower <= exact <= found.upper and found.width <= 2 * math.ulp(found.upper)


# The profile of a set of points


@given(FACTORS, DELTAS, LOGARITHMS)
def test_one_point_has_the_curve_of_the_hardest_pair(
    factor: Fraction, delta: Fraction, epsilon: Ln
) -> None:
    """M-ADP-1: the least δ is the exact hockey-stick divergence of the optimal pair."""
    exact = Fraction(hockey_stick(*hardest_pair(factor, delta), epsilon=epsilon))
    assert is_tight(ApproxDP(epsilon=Ln(factor), delta=delta).bounds(epsilon=epsilon), exact)
    pure = Fraction(hockey_stick(*hardest_pair(factor), epsilon=epsilon))
    assert is_tight(PureDP(epsilon=Ln(factor)).bounds(epsilon=epsilon), pure)


def test_a_wrong_curve_would_be_caught() -> None:
    """The twin: dividing by e^ε₀ in place of 1 + e^ε₀ is not the hardest pair."""
    found = PureDP(epsilon=Ln(3)).bounds(epsilon=Ln(2))
    assert is_tight(found, Fraction(3 - 2, 1 + 3))
    assert not is_tight(found, Fraction(3 - 2, 3))


@given(EPSILONS, EPSILONS, DELTAS)
def test_pure_guarantees_agree_with_the_closed_form(
    pure: Epsilon, epsilon: Epsilon, delta: Fraction
) -> None:
    guarantee = PureDP(epsilon=pure)
    curve = randomized_response_delta(pure_epsilon=pure, epsilon=epsilon)
    assert guarantee.delta(epsilon=epsilon) == pytest.approx(curve.upper, rel=1e-14, abs=1e-300)
    level = randomized_response_epsilon(pure_epsilon=pure, delta=delta)
    assert guarantee.epsilon(delta=delta) == pytest.approx(level.upper, rel=1e-14, abs=1e-30)


@given(rational_pairs(), st.lists(LOGARITHMS, min_size=1, max_size=4), LOGARITHMS)
def test_a_profile_holds_between_its_points(
    pair: tuple[Distribution, Distribution], known: list[Ln], epsilon: Ln
) -> None:
    """Any pair of distributions with the points has no greater δ anywhere else."""

    def least(at: Ln) -> Fraction:
        both = (pair, pair[::-1])
        return max(Fraction(hockey_stick(*each, epsilon=at)) for each in both)

    points = [(each, least(each)) for each in known if least(each) < 1]
    assume(points)
    assert PrivacyProfile(points).delta(epsilon=epsilon) >= least(epsilon)


def test_interpolating_in_epsilon_itself_would_be_caught() -> None:
    """The twin: chords in ε in place of e^ε lie below the curve of randomized response."""
    curve = [Fraction(hockey_stick(*hardest_pair(Fraction(9)), epsilon=Ln(x))) for x in (1, 3, 9)]
    assert PrivacyProfile([(0, curve[0]), (Ln(9), 0)]).delta(epsilon=Ln(3)) >= curve[1]
    assert (curve[0] + curve[2]) / 2 < curve[1]


@given(POINTWISE, EPSILONS)
def test_the_profile_of_points_is_known_to_the_last_digit(
    guarantee: Guarantee, epsilon: Epsilon
) -> None:
    found = guarantee.bounds(epsilon=epsilon)
    assert found.width <= 2 * math.ulp(found.upper)


def test_a_superfluous_point_is_dropped() -> None:
    assert PrivacyProfile({1: 0.1, 2: 0.1, 3: 0.2}) == PrivacyProfile([(1, 0.1), (1, 0.3)])


# Laws of all kinds


@given(GUARANTEES, EPSILONS, EPSILONS)
def test_delta_does_not_rise_with_epsilon(
    guarantee: Guarantee, one: Epsilon, other: Epsilon
) -> None:
    low, high = sorted([one, other])
    assert guarantee.delta(epsilon=high) <= guarantee.delta(epsilon=low) * (1 + 1e-9)
    assert guarantee.bounds(epsilon=low).lower <= guarantee.delta(epsilon=low) <= 1


@given(st.one_of(POINTWISE, GAUSSIAN), st.lists(FACTORS, min_size=3, max_size=3, unique=True))
def test_delta_is_convex_in_the_factor(guarantee: Guarantee, factors: list[Fraction]) -> None:
    left, middle, right = sorted(factors)
    at_left, at_middle, at_right = (guarantee.delta(epsilon=Ln(x)) for x in (left, middle, right))
    share = float((middle - left) / (right - left))
    assert at_middle <= (1 - share) * at_left + share * at_right + 1e-14


@given(GUARANTEES, DELTAS)
def test_epsilon_and_delta_are_inverse_on_the_safe_side(
    guarantee: Guarantee, delta: Fraction
) -> None:
    epsilon = guarantee.epsilon(delta=delta)
    if epsilon < math.inf:
        assert guarantee.delta(epsilon=epsilon) <= delta * (1 + Fraction(1, 10**6)) + 1e-300
    if 0 < epsilon < math.inf and not isinstance(guarantee, RenyiDP):
        assert guarantee.delta(epsilon=epsilon * (1 - 1e-6)) >= delta


@given(FACTORS, LOGARITHMS)
def test_figures_hold_as_they_are_printed(factor: Fraction, epsilon: Ln) -> None:
    """A float that is read back as the decimal that was written guarantees no more."""
    guarantee = PureDP(epsilon=Ln(factor))
    assert Fraction(repr(guarantee.epsilon(delta=0))) >= Ln(factor)
    exact = hockey_stick(*hardest_pair(factor), epsilon=epsilon)
    assert Fraction(repr(guarantee.delta(epsilon=epsilon))) >= exact


@given(GUARANTEES, ORDERS, ORDERS)
def test_renyi_rises_with_the_order(guarantee: Guarantee, one: Fraction, other: Fraction) -> None:
    low, high = sorted([one, other])
    assert guarantee.renyi(low) <= guarantee.renyi(high) * (1 + 1e-12)
    assert guarantee.renyi(high) <= guarantee.renyi(math.inf)


@given(GUARANTEES, SHARES, SHARES)
def test_the_tradeoff_is_convex_and_falls(
    guarantee: Guarantee, one: Fraction, other: Fraction
) -> None:
    low, high = sorted([one, other])
    at_low, at_middle, at_high = (
        guarantee.tradeoff(false_positive_rate=rate) for rate in (low, (low + high) / 2, high)
    )
    assert 0 <= at_high <= at_low <= 1 - low
    assert at_middle <= (at_low + at_high) / 2 + 1e-6


@given(GUARANTEES, SHARES, EPSILONS)
def test_the_tradeoff_is_no_less_than_any_point_gives(
    guarantee: Guarantee, rate: Fraction, epsilon: Epsilon
) -> None:
    missed, delta = guarantee.tradeoff(false_positive_rate=rate), guarantee.delta(epsilon=epsilon)
    factor = math.exp(epsilon) if isinstance(epsilon, Fraction) else float(epsilon.argument)
    tolerance = 1e-4 if isinstance(guarantee, (RenyiDP, ZeroConcentratedDP)) else 1e-12
    assert missed >= 1 - delta - factor * rate - tolerance
    assert missed >= (1 - delta - rate) / factor - tolerance


@pytest.mark.parametrize("mu", [0.1, 1, 3])
@pytest.mark.parametrize("rate", [0.001, 0.05, 0.5, 0.9])
def test_the_search_finds_the_gaussian_tradeoff(mu: float, rate: float) -> None:
    guarantee = GaussianDP(mu=mu)
    exact = norm.cdf(norm.isf(rate) - mu)
    assert guarantee.tradeoff(false_positive_rate=rate) == pytest.approx(exact, rel=1e-12)
    searched = greatest_false_negative_rate(
        lambda epsilon: guarantee.delta(epsilon=epsilon), Fraction(repr(rate))
    )
    assert searched == pytest.approx(exact, rel=1e-9)
    assert searched <= guarantee.tradeoff(false_positive_rate=rate)


# Figures


def test_published_figures() -> None:
    gaussian, concentrated = GaussianDP(mu=1), ZeroConcentratedDP(rho=0.5)
    assert gaussian.epsilon(delta=1e-5) == pytest.approx(4.377178095681, abs=1e-11)
    assert concentrated.epsilon(delta=1e-5) == pytest.approx(4.72838698, abs=1e-8)
    assert concentrated.bounds(delta=1e-5).lower == pytest.approx(4.377178095681, abs=1e-11)
    assert GaussianDP(mu="1/4").epsilon(delta=1e-5) == pytest.approx(0.926341503998, abs=1e-11)
    assert PureDP(epsilon=Ln(3)).delta(epsilon=0.5) == pytest.approx(0.33781968232497, abs=1e-13)


@given(FACTORS, ORDERS)
def test_pure_guarantees_have_the_renyi_curve_of_randomized_response(
    factor: Fraction, order: Fraction
) -> None:
    truth = factor / (1 + factor)
    exact = renyi_divergence([truth, 1 - truth], [1 - truth, truth], order=float(order))
    found = PureDP(epsilon=Ln(factor)).renyi(order)
    assert found == pytest.approx(exact, rel=1e-9, abs=1e-13)


@given(rational_pairs(), ORDERS, st.lists(ORDERS, min_size=1, max_size=3, unique=True))
def test_a_renyi_table_holds_between_its_orders(
    pair: tuple[Distribution, Distribution], order: Fraction, known: list[Fraction]
) -> None:
    def exact(at: Fraction) -> float:
        return renyi_divergence(*pair, order=float(at))

    if exact(max(known)) < math.inf:
        guarantee = RenyiDP({each: exact(each) for each in known})
        assert guarantee.renyi(order) >= exact(order) * (1 - 1e-12) - 1e-14
    assert RenyiDP({2: 1}).renyi(3) == math.inf


def test_a_renyi_function_serves_as_a_table_does() -> None:
    """M-RDP-1, and a function that fails far out, as float formulas do."""
    curve = RenyiDP(lambda order: math.log(math.cosh(order)) if order < 50 else math.exp(order**3))
    assert 0 < curve.epsilon(delta=1e-6) < 10
    gaussian = RenyiDP(lambda order: order / 2)
    exact = ZeroConcentratedDP(rho=0.5)
    assert gaussian.epsilon(delta=1e-5) == pytest.approx(exact.epsilon(delta=1e-5), rel=1e-12)
    assert gaussian.delta(epsilon=2) == pytest.approx(exact.delta(epsilon=2), rel=1e-12)
    assert gaussian.renyi("4/3") >= Fraction(2, 3)


# Groups and relations


def test_group_figures() -> None:
    """M-GROUP-1, figures of the reference list."""
    pair = ApproxDP(epsilon=1, delta=1e-6).group(2)
    assert pair.relation == AddRemove(2)
    assert pair.epsilon(delta=4e-6) < 2
    assert pair.delta(epsilon=2) == pytest.approx(3.71828182846e-6, rel=1e-11)
    five = ApproxDP(epsilon=0.5, delta=1e-6).group(5)
    assert five.delta(epsilon=2.5) == pytest.approx(1.72377482684e-5, rel=1e-11)
    assert PureDP(epsilon=Ln(2)).group(3) == PureDP(epsilon=Ln(8), relation=AddRemove(3))
    assert ZeroConcentratedDP(rho=0.1).group(3).renyi(2) == 1.8
    assert GaussianDP(mu=0.1).group(3) == GaussianDP(mu=0.3, relation=AddRemove(3))
    assert RenyiDP({8: 0.1}).group(2).renyi(4) == pytest.approx(0.3, rel=1e-15)


def test_adding_up_deltas_alone_would_be_caught() -> None:
    """The twin: three, each (ln 2, 1/10) from the next; (2 ln 2, 2/10) does not hold."""
    distributions = [[Fraction(each, 10), Fraction(10 - each, 10)] for each in (3, 1, 0)]
    for one, next_one in pairwise(distributions):
        for pair in ((one, next_one), (next_one, one)):
            assert hockey_stick(*pair, epsilon=Ln(2)) <= Fraction(1, 10)
    apart = hockey_stick(distributions[0], distributions[2], epsilon=Ln(4))
    assert apart > 2 * Fraction(1, 10)
    assert apart <= ApproxDP(epsilon=Ln(2), delta=0.1).group(2).delta(epsilon=Ln(4))


@given(GUARANTEES, st.integers(1, 4), DELTAS)
def test_a_greater_group_is_guaranteed_less(
    guarantee: Guarantee, size: int, delta: Fraction
) -> None:
    try:
        smaller, greater = guarantee.group(size), guarantee.group(size + 1)
    except InputError:  # where a group is guaranteed nothing at all
        reject()
    assert smaller.epsilon(delta=delta) <= greater.epsilon(delta=delta) * (1 + 1e-9)
    assert guarantee.epsilon(delta=delta) <= smaller.epsilon(delta=delta) * (1 + 1e-9)


def test_the_group_of_a_renyi_function() -> None:
    curve = RenyiDP(lambda order: order / 2).group(3)
    assert curve.renyi(2) == RenyiDP({8: 4}).group(3).renyi(2) == 36
    assert curve.renyi(1.5) == 36
    assert curve.relation == AddRemove(3)
    assert RenyiDP(lambda _: math.inf).group(2).renyi(2) == math.inf


def test_the_group_of_a_long_logarithm_stays_small() -> None:
    guarantee = PureDP(epsilon=Ln(2)).group(10**9)
    assert guarantee.epsilon(delta=0) == pytest.approx(10**9 * math.log(2))
    assert guarantee.epsilon(delta=0) > 10**9 * math.log(2) * (1 - 1e-15)


@pytest.mark.parametrize(
    ("have", "want", "steps"),
    [
        (AddRemove(), AddRemove(), 1),
        (AddRemove(), AddRemove(3), 3),
        (AddRemove(), Substitute(), 2),
        (AddRemove(2), Substitute(), 1),
        (AddRemove(4), Substitute(), 1),
        (AddRemove(2), Substitute(3), 3),
        (AddRemove(3), AddRemove(4), 2),
        (Substitute(), Substitute(2), 2),
    ],
    ids=str,
)
def test_other_relations_cost_a_group(have: Any, want: Any, steps: int) -> None:
    """M-DEF-1: the guarantee changes when the relation does."""
    moved = PureDP(epsilon=0.1, relation=have).for_relation(want)
    assert moved == PureDP(epsilon=Fraction(steps, 10), relation=want)


@given(AMOUNTS)
def test_guarantees_that_say_nothing_say_so(amount: Fraction) -> None:
    assert GaussianDP(mu=amount).epsilon(delta=0) == math.inf
    assert ApproxDP(epsilon=amount, delta=0.1).renyi(2) == math.inf
    assert ApproxDP(epsilon=amount, delta=0.1).rho() == math.inf
    assert PrivacyProfile({amount: 0.1}).mu() == math.inf
    assert RenyiDP(lambda _: math.inf).delta(epsilon=1) == 1
    for nothing_learnt in (GaussianDP(mu=0), ZeroConcentratedDP(rho=0), PureDP(epsilon=0)):
        assert nothing_learnt.epsilon(delta=0) == nothing_learnt.delta(epsilon=0) == 0
