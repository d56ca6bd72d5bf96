"""Processed, branched, independent distributions: what the parts prove, and the whole refutes."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from flint import arb
from hypothesis import assume, given
from hypothesis import strategies as st

import sfumato as sf
from sfumato.audit.comparison import Interval, read_claim
from sfumato.audit.enclosed import compare_distributions, is_distribution
from sfumato.audit.enclosed.enclosure import EnclosedComparison
from sfumato.audit.enclosed.forms import mass, merged
from sfumato.audit.exact.independent import Independent
from sfumato.errors import InputError
from sfumato.information.continuous import Gaussian, Laplace
from sfumato.mechanisms import FiniteDistribution, ProposeTestRelease, SmoothMedian
from sfumato.mechanisms.distributions.grid import RoundedDistribution
from sfumato.mechanisms.distributions.mixture import MixtureDistribution
from sfumato.numeric import Enclosure, Ln, working_precision

rates = st.fractions(min_value=Fraction(1, 8), max_value=3, max_denominator=8)
values = st.fractions(min_value=-3, max_value=3, max_denominator=16)
deltas = st.fractions(min_value=Fraction(1, 1000), max_value=Fraction(1, 3), max_denominator=1000)
levels = st.fractions(min_value=0, max_value=2, max_denominator=8)


def holds(p: Any, q: Any, *claim: Any) -> bool | None:
    """Whether a claim holds of two distributions, one way."""
    return compare_distributions(p, q).judge(read_claim(*claim)).holds


@given(rates, values, values, levels, deltas)
def test_a_refuting_event_has_the_probabilities_that_are_told(
    epsilon: Fraction, one: Fraction, other: Fraction, level: Fraction, delta: Fraction
) -> None:
    """An event is checked by the rounded distribution itself, with balls of its own."""
    noise = sf.mechanisms.Laplace(epsilon=epsilon, sensitivity=1)
    p, q = noise.distribution(one), noise.distribution(other)
    found = compare_distributions(p, q).judge(read_claim(level, delta))
    assume(found.holds is False)
    assert found.event is not None
    stretches = [each for each in found.event.outcomes if isinstance(each, Interval)]
    with working_precision(256):
        likelier = sum((mass(p, each) for each in stretches), arb(0))
        other_way = sum((mass(q, each) for each in stretches), arb(0))
        assert likelier > arb(float(level)).exp() * other_way
        assert isinstance(found.event.p, Enclosure)
        assert found.event.p.lower <= float(likelier.upper())
        assert found.event.p.upper >= float(likelier.lower())


def test_what_holds_of_sources_says_nothing_of_unlike_processing() -> None:
    """The same noise on two grids: each output gives away its grid."""
    noise = Laplace(0, 1)
    p, q = (RoundedDistribution(Fraction(grid), Fraction(0), noise) for grid in (1, "2/3"))
    assert p.processing != q.processing
    assert holds(p, q, 5) is not True


def test_coarse_rounding_costs_less_than_its_source() -> None:
    """On a grid of ten scales Gaussian noise is more private than before: proved, not tight."""
    p, q = (RoundedDistribution(Fraction(20), Fraction(each), Gaussian(0, 1)) for each in (0, 1))
    source = compare_distributions(p.source, q.source).least_delta(Fraction(1)).bounds
    rounded = compare_distributions(p, q).least_delta(Fraction(1)).bounds
    assert rounded.upper <= source.upper
    assert rounded.lower < source.lower / 2
    assert holds(p, q, 1, Fraction(source.upper))


@pytest.mark.parametrize("delta", [None, 0.01])
def test_noise_cut_at_bounds_is_refuted_by_what_is_left_of_it(delta: float | None) -> None:
    """The best event of the source may lie beyond the bounds, where outputs do not go."""
    twin = SmoothMedian(epsilon=8, delta=delta, bounds=(0, 10))
    distributions = [twin.distribution(column) for column in ([5] * 5, [5] * 4 + [10])]
    judged = [
        compare_distributions(*pair).judge(read_claim(1, delta or 0))
        for pair in (distributions, distributions[::-1])
    ]
    events = [each.event for each in judged if each.holds is False]
    assert events
    for event in events:
        assert event is not None
        ends = [
            end
            for each in event.outcomes
            if isinstance(each, Interval)
            for end in (each.low, each.high)
        ]
        assert all(0 <= end <= 10 for end in ends if end is not None)


def test_mixtures_of_one_processing_are_mixtures_of_sources() -> None:
    noise = sf.mechanisms.Laplace(epsilon=1, sensitivity=1)
    halves = [(Fraction(1, 2), noise.distribution(0)), (Fraction(1, 2), noise.distribution(1))]
    unlike = [
        (Fraction(1, 2), noise.distribution(0)),
        (Fraction(1, 2), sf.mechanisms.Laplace(epsilon=9, sensitivity=1).distribution(0)),
    ]
    assert MixtureDistribution(halves).source is not None
    assert MixtureDistribution(unlike).source is None
    p, q = MixtureDistribution(halves), noise.distribution(0)
    assert holds(p, q, 1)
    assert holds(p, q, 0.5) is False


class Gate:
    """A value with a distribution of its own, released with a probability, and else None."""

    def __init__(self, chance: Fraction, distribution: Any) -> None:
        self.branches = [(None, _ball(1 - chance), None), ("released", _ball(chance), distribution)]


def _ball(chance: Fraction) -> arb:
    return arb(chance.numerator) / chance.denominator


@given(deltas, deltas, levels)
def test_branches_add_up(one: Fraction, other: Fraction, level: Fraction) -> None:
    """By brute force over the table of all outcomes, which is finite here."""
    p_shares, q_shares = ({k: Fraction(1 + (k + s) % 3, 6) for k in range(3)} for s in (0, 1))
    outcomes = list(range(3))
    distributions = [
        FiniteDistribution(outcomes, [shares[k] for k in outcomes])
        for shares in (p_shares, q_shares)
    ]
    gated = compare_distributions(Gate(one, distributions[0]), Gate(other, distributions[1]))
    p = [1 - one, *(one * p_shares[k] for k in outcomes)]
    q = [1 - other, *(other * q_shares[k] for k in outcomes)]
    factor = math.exp(level)
    excess = sum(max(0.0, a - factor * b) for a, b in zip(p, q, strict=True))
    assert gated.least_delta(level).bounds.upper == pytest.approx(excess, abs=1e-9)
    most = max(math.log(a / b) for a, b in zip(p, q, strict=True))
    assert gated.least_epsilon(Fraction(0)).bounds.upper == pytest.approx(max(0, most), abs=1e-9)
    power = sum(a * a / b for a, b in zip(p, q, strict=True))
    assert gated.renyi(Fraction(2)).bounds.upper == pytest.approx(math.log(power), abs=1e-9)


def test_a_test_that_gives_itself_away_is_refuted_by_none() -> None:
    """The alternative itself is the witness where the values have the same distribution."""
    distribution = sf.mechanisms.Laplace(epsilon=1, sensitivity=1).distribution(0)
    found = compare_distributions(
        Gate(Fraction(1, 2), distribution), Gate(Fraction(9, 10), distribution)
    ).judge(read_claim(1))
    assert found.holds is False
    assert found.event is not None
    assert found.event.outcomes == (None,)
    assert holds(Gate(Fraction(1, 2), distribution), Gate(Fraction(9, 10), distribution), 2)


def test_a_released_value_is_refuted_with_its_gate() -> None:
    median = ProposeTestRelease.median(epsilon=1, delta=0.01, proposed=1, bounds=(0, 10))
    one, other = median.neighbours()[0]
    assert holds(median.distribution(one), median.distribution(other), 1, 0.01)
    assert holds(median.distribution(one), median.distribution(other), 1, 0.001) is False


def test_independent_noise_adds_up() -> None:
    """A histogram of which two counts change: D∞ and Rényi divergences are sums; others cancel."""
    noise = sf.mechanisms.DiscreteLaplace(epsilon=1)
    p, q = (
        Independent([noise.distribution(each) for each in counts])
        for counts in ([3, 4, 9], [4, 3, 9])
    )
    compared = compare_distributions(p, q)
    assert compared.least_epsilon(Fraction(0)).exact == 2
    assert compared.judge(read_claim(2)).holds
    refuted = compared.judge(read_claim(1.99))
    assert refuted.holds is False
    assert refuted.event is not None
    alone = (
        compare_distributions(noise.distribution(3), noise.distribution(4))
        .renyi(Fraction(2))
        .bounds
    )
    assert compared.renyi(Fraction(2)).bounds.upper == pytest.approx(2 * alone.upper)


@given(rates, st.fractions(min_value=Fraction(1, 8), max_value=4, max_denominator=8))
def test_the_excess_of_two_parts_lies_within_its_bounds(rate: Fraction, level: Fraction) -> None:
    """By brute force over pairs of outcomes: the bounds hold, and no verdict contradicts them."""
    noise = sf.mechanisms.DiscreteLaplace(epsilon=1 + rate)
    masses = [[float(noise.distribution(at).ball(k)) for k in range(-30, 32)] for at in (0, 1)]
    both = ((a * c, b * d) for (a, b), (c, d) in product(zip(*masses, strict=True), repeat=2))
    excess = sum(max(0.0, a - math.exp(level) * b) for a, b in both)
    p, q = Independent([noise.distribution(0)] * 2), Independent([noise.distribution(1)] * 2)
    found = compare_distributions(p, q).least_delta(level).bounds
    assert found.lower <= excess + 1e-9
    assert found.upper >= excess - 1e-9


def test_a_finite_part_and_a_density_are_compared_together() -> None:
    coin, bent = {"yes": 2, "no": 1}, {"yes": 1, "no": 2}
    compared = compare_distributions(
        Independent([coin, Laplace(0, 1)]), Independent([bent, Laplace(1, 1)])
    )
    least = compared.least_epsilon(Fraction(0)).bounds
    assert least.lower <= 1 + math.log(2) <= least.upper
    assert compared.judge(read_claim(1.7)).holds
    assert compared.judge(read_claim(1.69)).holds is False
    assert compared.judge(read_claim(0.5, 0.01)).holds is False


def test_equal_parts_leave_nothing() -> None:
    distribution = Independent([Laplace(0, 1), Gaussian(0, 1)])
    assert compare_distributions(distribution, distribution).least_epsilon(Fraction(0)).exact == 0
    assert holds(distribution, distribution, Ln(1))


def test_distributions_of_unlike_forms_are_refused_in_a_sentence() -> None:
    branched = Gate(Fraction(1, 2), Laplace(0, 1))
    for p, q in [(branched, Laplace(0, 1)), (Independent([Laplace(0, 1)]), {"yes": 1})]:
        with pytest.raises(InputError) as refusal:
            compare_distributions(p, q)
        assert "\n" not in str(refusal.value)
    with pytest.raises(InputError):
        compare_distributions(Independent([Laplace(0, 1)]), Independent([Laplace(0, 1)] * 2))


def test_forms_are_told_by_what_a_distribution_has() -> None:
    distributions = [
        Gate(Fraction(1, 2), Laplace(0, 1)),
        Independent([Laplace(0, 1)]),
        Gaussian(0, 1),
    ]
    assert all(map(is_distribution, distributions))
    assert not any(map(is_distribution, [Gaussian, {"yes": 1}, [0.5, 0.5], None, 3]))
    assert isinstance(compare_distributions(distributions[0], distributions[0]), EnclosedComparison)


def test_overlapping_stretches_count_once() -> None:
    parts = [Interval(Fraction(a), Fraction(b)) for a, b in ((3, 5), (0, 2), (2, 3), (7, 8))]
    assert [str(each) for each in merged(parts)] == ["from 0 to 5", "from 7 to 8"]
