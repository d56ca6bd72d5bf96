"""Distributions that say one thing and do another are refused; bounds agree with verdicts."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import pytest
from flint import arb
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import sfumato as sf
from sfumato.audit.comparison import Interval, read_claim
from sfumato.audit.enclosed import compare_distributions
from sfumato.audit.enclosed.composite import read_branches
from sfumato.audit.exact.independent import Independent
from sfumato.errors import InputError
from sfumato.information.continuous import Declared, Gaussian, Laplace
from sfumato.mechanisms.distributions.integers import (
    DiscreteGaussianNoise,
    DiscreteLaplaceNoise,
    IntegerDistribution,
)
from sfumato.mechanisms.noise.staircase import StaircaseNoise
from sfumato.numeric import Enclosure


def refusal(p: Any, q: Any) -> str:
    """The sentence that refuses two distributions, at the latest when a claim is judged."""
    with pytest.raises(InputError) as caught:
        compare_distributions(p, q).judge(read_claim(1, 0.1))
    assert "\n" not in str(caught.value)
    return str(caught.value)


def branched(*branches: Any) -> Any:
    return SimpleNamespace(branches=branches)


@pytest.mark.parametrize(
    ("branches", "sentence"),
    [
        ([("a", arb(0.2), None), ("b", arb(0.1), None)], "sum to 0.3, not to 1"),
        ([("a", arb(1.5), None), ("b", arb(-0.5), None)], "'b' has the probability"),
        ([("a", arb.nan(), None), ("b", 0.5, None)], "'a' has the probability"),
        ([("a", 0.5, None), ("a", 0.5, None)], "one name"),
        ([("a", None, None), ("b", 0.5, None)], "must be a number"),
        ([("a", 0.5), ("b", 0.5)], "a name, a probability and a distribution"),
        ([(["a"], 0.5, None), ("b", 0.5, None)], "a name, a probability and a distribution"),
        ([0.5, 0.5], "a name, a probability and a distribution"),
        ([("a", 1 / 3, None), ("b", 1 / 3, None), ("c", 1 / 3, None)], "'1/3'"),
    ],
)
def test_branches_that_are_no_distribution_are_refused(branches: list[Any], sentence: str) -> None:
    honest = branched(("a", arb(0.5), None), ("b", arb(0.5), None))
    assert sentence in refusal(branched(*branches), honest)
    assert sentence in refusal(honest, branched(*branches))


def test_branches_may_be_written_as_decimals() -> None:
    """0.1 and 0.9 are the decimals, which sum to one; as the floats that are stored they do not."""
    assert Fraction(0.1) + Fraction(0.9) != 1
    p = branched(("a", 0.1, None), ("b", 0.9, Laplace(0, 1)))
    q = branched(("a", "1/10", None), ("b", Fraction(9, 10), Laplace(1, 1)))
    assert [name for name, _, _ in read_branches(p)] == ["a", "b"]
    assert compare_distributions(p, q).judge(read_claim("1.000001")).holds
    assert compare_distributions(p, q).judge(read_claim(0.99)).holds is False


class Two:
    """Two outcomes with a probability each, known by balls alone."""

    def __init__(self, each: float, start: float = 0.0) -> None:
        self._each, self._start = each, start

    def ball(self, outcome: Any) -> arb:
        return arb(self._each if outcome in (0, 1) else 0)

    def cumulative(self, outcome: Any) -> arb:
        return arb(self._start + self._each * ((outcome >= 0) + (outcome >= 1)))


@pytest.mark.parametrize("distribution", [Two(0.1), Two(0.0, start=1.0)], ids=["below", "above"])
def test_a_cumulative_that_never_crosses_one_half_is_refused(distribution: Two) -> None:
    assert "cumulative" in refusal(distribution, distribution)


def test_probabilities_of_more_than_one_are_refused() -> None:
    assert "more than 1" in refusal(Two(0.7), Two(0.5))
    assert compare_distributions(Two(0.5), Two(0.5)).judge(read_claim(1, 0.1)).holds


class Retold:
    """The probabilities of one distribution with the source or the shape of another."""

    def __init__(self, does: Any, says: Any, *names: str) -> None:
        self.ball, self.cumulative = does.ball, does.cumulative
        for name in names:
            setattr(self, name, getattr(says, name))


@pytest.mark.parametrize("wrong", [5, Fraction(101, 100), Fraction(1, 5)])
def test_a_source_that_is_another_distributions_is_refused(wrong: Any) -> None:
    """A distribution that does ε = 5 is not proved to do 1 because its source says so."""
    says, does = (sf.mechanisms.Laplace(epsilon=each, sensitivity=1) for each in (1, wrong))
    lying = [
        Retold(does.distribution(at), says.distribution(at), "source", "processing")
        for at in (0, 1)
    ]
    assert "source does not fit" in refusal(*lying)
    honest = [
        Retold(says.distribution(at), says.distribution(at), "source", "processing")
        for at in (0, 1)
    ]
    assert compare_distributions(*honest).judge(read_claim(1)).holds


def test_a_processing_that_falls_is_refused() -> None:
    says = [sf.mechanisms.Laplace(epsilon=1, sensitivity=1).distribution(at) for at in (0, 1)]
    turned = [Retold(distribution, distribution, "source") for distribution in says]
    for distribution in turned:
        distribution.processing = abs  # type: ignore[attr-defined]
    assert "does not fall" in refusal(*turned)


@pytest.mark.parametrize(
    ("says", "does"),
    [
        (DiscreteLaplaceNoise(Fraction(1)), DiscreteLaplaceNoise(Fraction(1, 5))),
        (DiscreteLaplaceNoise(Fraction(1)), DiscreteLaplaceNoise(Fraction(1001, 1000))),
        (DiscreteGaussianNoise(Fraction(40)), DiscreteGaussianNoise(Fraction(2))),
        (StaircaseNoise(Fraction(1), 7, 3), DiscreteLaplaceNoise(Fraction(7))),
    ],
)
def test_a_shape_that_is_another_distributions_is_refused(says: Any, does: Any) -> None:
    lying = [
        Retold(IntegerDistribution(does, at), IntegerDistribution(says, at), "shape")
        for at in (0, 1)
    ]
    assert "shape does not fit" in refusal(*lying)
    honest = [
        Retold(IntegerDistribution(does, at), IntegerDistribution(does, at), "shape")
        for at in (0, 1)
    ]
    assert compare_distributions(*honest).judge(read_claim(30, 0.5)).holds


def test_a_family_of_two_sums_is_refused() -> None:
    """Distributions of a family have the same sum of odds: here the second says so and does not."""
    one, other = (sf.mechanisms.DiscreteLaplace(epsilon=1).distribution(at) for at in (0, 1))
    wider = sf.mechanisms.DiscreteLaplace(epsilon=Fraction(1, 2)).distribution(1)
    shape = SimpleNamespace(
        family=one.shape.family,
        **{name: getattr(wider.shape, name) for name in ("step", "core", "period", "fall", "bend")},
        level=wider.shape.level,
        turns=wider.shape.turns,
    )
    lying = SimpleNamespace(ball=wider.ball, cumulative=wider.cumulative, shape=shape)
    assert "family" in refusal(one, lying)
    assert compare_distributions(one, other).judge(read_claim(1)).holds


def declared(distribution: Any, **told: Any) -> Declared:
    return Declared(distribution.cdf, distribution.logpdf, **told)


def test_a_declaration_that_contradicts_its_functions_proves_nothing() -> None:
    """Limits of 0 at both ends and no turn would make two normal distributions equal."""
    here, there = (declared(stats.norm(at), limits=(0, 0)) for at in (0, 1))
    assert "rises and falls" in refusal(here, there)
    mixed = [Declared(stats.norm(at).cdf, stats.norm(0).logpdf, limits=(0, 0)) for at in (0, 1)]
    assert "ratio of the probabilities" in refusal(*mixed)


@pytest.mark.parametrize("name", ["cdf", "log_density"])
def test_functions_that_always_fail_are_refused_at_once(name: str) -> None:
    change: dict[str, Any] = {name: lambda x: 1 / (x - x)}
    broken = replace(declared(stats.norm), **change)
    assert f"{name} gives no number" in refusal(broken, Gaussian(1, 1))


def test_a_verdict_that_rests_on_a_declaration_says_so() -> None:
    here, formula = declared(stats.norm(0)), Gaussian(1, 1)
    assert "declared" in compare_distributions(here, formula).assumption
    gated = [
        branched(("none", 0.5, None), ("some", 0.5, distribution))
        for distribution in (here, formula)
    ]
    parts = [Independent([distribution, {"yes": 1}]) for distribution in (here, formula)]
    for pair in (gated, parts):
        assert "declared" in compare_distributions(*pair).assumption
    assert compare_distributions(Gaussian(0, 1), formula).assumption == ""


def test_a_refuting_event_bounds_the_least_epsilon() -> None:
    """Without limits nothing bounds log p/q from above, but an event does from below."""
    compared = compare_distributions(declared(stats.norm(0)), declared(stats.norm(1)))
    event = compared.judge(read_claim(1)).event
    assert event is not None
    assert isinstance(event.p, Enclosure)
    assert isinstance(event.q, Enclosure)
    asked = math.log(event.p.lower / event.q.upper)
    assert asked > 1
    assert compared.least_epsilon(Fraction(0)).bounds.lower >= asked - 1e-9
    assert compared.least_delta(Fraction(1)).bounds.lower > 0.12


def test_turns_of_a_declared_ratio_bound_the_least_epsilon() -> None:
    turns = (0.5 - math.sqrt(1.25), 0.5 + math.sqrt(1.25))
    here, there = declared(stats.cauchy(0), breakpoints=turns), declared(stats.cauchy(1))
    found = compare_distributions(here, there).least_epsilon(Fraction(0)).bounds
    assert found.lower == pytest.approx(2 * math.log((1 + math.sqrt(5)) / 2), abs=1e-9)
    assert found.upper == math.inf


def test_bounds_are_as_narrow_as_the_verdict_needs_them() -> None:
    """δ = 1e-30 at ε = 50 takes more than the first bits, for the bounds as for the verdict."""
    noise = sf.mechanisms.DiscreteGaussian(epsilon=50, delta=1e-30)
    verdict = sf.verify(noise)
    assert verdict.status == "proved"
    assert verdict.delta is not None
    for found in (verdict.epsilon.bounds, verdict.delta.bounds):
        assert found.width <= 1e-9 * found.upper
    assert verdict.delta.bounds.upper <= 1e-30
    assert verdict.epsilon.bounds.upper <= 50


@pytest.mark.full
@settings(max_examples=25)
@given(
    st.fractions(min_value=1, max_value=6, max_denominator=4),
    st.fractions(min_value=Fraction(1, 2), max_value=3, max_denominator=4),
    st.fractions(min_value=0, max_value=2, max_denominator=4),
)
def test_events_of_two_widths_can_be_seen(sigma: Fraction, more: Fraction, level: Fraction) -> None:
    """The half line that refutes is a near one: its probabilities are no zeros of floats."""
    wide, narrow = (
        sf.mechanisms.DiscreteGaussian(sigma=each).distribution(0) for each in (sigma + more, sigma)
    )
    judged = compare_distributions(wide, narrow).judge(read_claim(level))
    assert judged.holds is False
    assert judged.event is not None
    assert isinstance(judged.event.p, Enclosure)
    assert judged.event.p.lower > 1e-100
    assert all(isinstance(each, Interval) for each in judged.event.outcomes)
    assert compare_distributions(wide, narrow).least_epsilon(Fraction(0)).bounds.lower > level


def test_the_note_of_a_verdict_says_what_it_rests_on() -> None:
    def declared(mean: float) -> Declared:
        return Declared(stats.norm(mean).cdf, stats.norm(mean).logpdf)

    verdict = sf.verify(declared, neighbours=[(0, 1)], epsilon=1, delta=0.5)
    assert verdict.note.startswith("it rests on what was declared")
    assert verdict.note in str(verdict)
    assert sf.verify(stats.norm, neighbours=[(0, 1)], epsilon=1, delta=0.5).note == ""


def test_an_interval_beyond_the_floats_prints() -> None:
    assert str(Interval(None, Fraction(10**400))) == "at most inf"
    assert str(Interval(Fraction(1, 2), Fraction(1, 2))) == "0.5"
