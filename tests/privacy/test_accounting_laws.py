"""Laws that every accountant must keep, exact answers by enumeration, and cheats to catch."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np
import pytest
from flint import arb
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.information.continuous import Logistic
from sfumato.numeric import Disc, Ln, as_ball, as_fmpq, working_precision
from sfumato.privacy import events as ev
from sfumato.privacy.accounting.collect import LossCounts, collect
from sfumato.privacy.accounting.profile import DirectedProfile, directed_profile
from sfumato.privacy.events import Event
from sfumato.privacy.events.base import kinds_within
from sfumato.privacy.loss import Direction

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    #: The output distributions on two neighbours, outcome by outcome.
    Distributions = list[tuple[arb, arb]]
    #: From an event, its count and an epsilon to bounds on delta.
    Accountant = Callable[[Event, int, float], "Found"]

few = settings(max_examples=20)

# --- drawn events ---------------------------------------------------------------------------------

DELTAS = st.sampled_from([0.2, 1e-3, 1e-6, 1e-10])

SCALED: dict[str, Callable[[Fraction], Event]] = {
    "laplace": lambda x: ev.Laplace(scale=x),
    "gaussian": lambda x: ev.Gaussian(sigma=x),
    "discrete laplace": lambda x: ev.DiscreteLaplace(scale=x, sensitivity=2),
    "discrete gaussian": lambda x: ev.DiscreteGaussian(sigma=x),
    "response": lambda x: ev.RandomizedResponse(epsilon=1 / x),
    "answers": lambda x: ev.RandomizedResponse(epsilon=1 / x, categories=5),
    "choice": lambda x: ev.Exponential(epsilon=1 / x),
    "pure": lambda x: ev.Pure(epsilon=1 / x),
    "approximate": lambda x: ev.Approximate(epsilon=1 / x, delta=Fraction(1, 10**5) / x),
    "concentrated": lambda x: ev.ZeroConcentrated(rho=1 / x**2),
    "sampled response": lambda x: ev.Subsampled(
        ev.RandomizedResponse(epsilon=1 / x), rate=Fraction(1, 2)
    ),
    "sampled label": lambda x: ev.Subsampled(
        ev.Approximate(epsilon=1 / x, delta=Fraction(1, 10**5) / x), rate=Fraction(1, 2)
    ),
}
#: Kinds of which only a guarantee is known, or that are chosen on the way: bounds lie apart.
APART = ("concentrated", "choice")

SCALES = st.sampled_from([Fraction(1, 2), Fraction(1), Fraction(3), Fraction(10)])
STEPS = st.builds(lambda kind, x: SCALED[kind](x), st.sampled_from(sorted(SCALED)), SCALES)


def total(*events: Event, count: int = 1, delta: float) -> sf.numeric.Enclosure:
    return sf.compose(*events, count=count).bounds(delta=delta)


def overlap(one: sf.numeric.Enclosure, other: sf.numeric.Enclosure) -> bool:
    return one.lower <= other.upper and other.lower <= one.upper


def same(one: float, other: float) -> bool:
    return one == other or math.isclose(one, other, rel_tol=1e-6, abs_tol=1e-12)


# --- laws -----------------------------------------------------------------------------------------


@few
@given(STEPS, st.integers(2, 6), DELTAS)
def test_a_count_of_n_is_n_compositions(step: Event, count: int, delta: float) -> None:
    """Row M-COMP-1."""
    listed, counted = total(*[step] * count, delta=delta), total(step, count=count, delta=delta)
    nested = total(ev.Repeated(step, count=count), delta=delta)
    assert overlap(listed, counted)
    assert same(listed.upper, counted.upper)
    assert same(nested.upper, counted.upper)


def on_samples(*events: Event) -> list[Event]:
    return [ev.Subsampled(each, rate="0.1") for each in events] + [
        ev.FixedSizeSubsampled(each, size=1, population=10) for each in events
    ]


LABELS = [ev.ZeroConcentrated(rho="0.1"), ev.Renyi({2: "0.1", 8: "1"})]
SINGLE = [
    ev.Laplace(scale=3),
    ev.Gaussian(sigma=3),
    ev.DiscreteLaplace(scale=3),
    ev.DiscreteLaplace(scale=3, sensitivity=2),
    ev.DiscreteGaussian(sigma=3),
    ev.RandomizedResponse(epsilon=1),
    ev.RandomizedResponse(epsilon=Ln(2), categories=5),
    ev.Exponential(epsilon=1),
    ev.PermuteAndFlip(epsilon=1),
    ev.SparseVector(threshold_epsilon=1, answers_epsilon=Ln(2), positives=3),
    ev.Pure(epsilon=1),
    ev.Approximate(epsilon=1, delta="0.01"),
]
EVERY_KIND: list[Event] = [
    *SINGLE,
    *LABELS,
    *on_samples(*SINGLE, ev.Laplace(scale="0.001"), ev.DiscreteGaussian(sigma=600)),
    ev.Subsampled(ev.Subsampled(ev.Gaussian(sigma=3), rate="0.1"), rate="0.1"),
    ev.Subsampled(ev.Exponential(epsilon=1), rate=1),
    ev.Pair(["1/2", "1/2", 0], ["2/5", "2/5", "1/5"]),
    ev.Subsampled(ev.Pair([5, 3, 2], [2, 3, 5]), rate="0.1"),
    ev.Pair(Logistic(0, 1), Logistic(1, 1)),
    ev.Shuffled(ev.RandomizedResponse(epsilon=1), population=50),
    ev.Shuffled(ev.RandomizedResponse(epsilon=1, categories=3), population=50),
    ev.Parallel(ev.Laplace(scale=3), ev.Laplace(scale=5)),
    ev.Parallel(ev.Laplace(scale=3), ev.Gaussian(sigma=3)),
    ev.Parallel(ev.Repeated(ev.Composed(*SINGLE[:4], *LABELS), count=2)),
]
#: Counted sixty times, one way or another.
SIXTY_TIMES: dict[str, Callable[[Event], Event]] = {
    "repeated": lambda step: ev.Repeated(step, count=60),
    "listed": lambda step: ev.Composed(*[step] * 60),
    "nested": lambda step: ev.Repeated(
        ev.Composed(step, ev.Repeated(ev.Composed(step), count=5)), count=10
    ),
    "in parallel": lambda step: ev.Repeated(ev.Parallel(ev.Repeated(step, count=6)), count=10),
}


def log_moments(event: Event) -> list[float]:
    """Return ln of a moment of each bound that the collector finds, and of what is finite."""
    found = collect(event.parts(), Direction.REMOVED, directed_profile)
    bounds = [each for each in (found.upper, found.lower, found.also_upper) if each is not None]
    moments = [each.log_moment(Disc(np.array([0.75]))) for each in bounds]
    finite = [log for each in bounds if (log := each.log_finite()) is not None]
    return [float(np.ravel(each.mid.real)[0]) for each in moments + finite]


def forgotten_counts(event: Event) -> list[str]:
    """List the ways of counting to sixty whose losses are not three times those of twenty."""
    expected = [3 * each for each in log_moments(ev.Repeated(event, count=20))]
    assert expected
    ways = {name: log_moments(way(event)) for name, way in SIXTY_TIMES.items()}
    return [name for name, found in ways.items() if found != pytest.approx(expected, rel=1e-9)]


@pytest.mark.parametrize("event", EVERY_KIND, ids=str)
def test_losses_of_every_kind_are_repeated(event: Event) -> None:
    """Row M-COMP-1, over all kinds of events and however they are counted."""
    assert forgotten_counts(event) == []


def test_no_kind_of_event_is_missing() -> None:
    kinds = set.union(*(kinds_within(each) for each in EVERY_KIND))
    offered = [each for each in vars(ev).values() if isinstance(each, type)]
    assert kinds | {Event} == {each for each in offered if issubclass(each, Event)}


@pytest.mark.parametrize("event", EVERY_KIND, ids=str)
def test_a_collector_that_forgets_a_count_is_caught(
    event: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    repeat = LossCounts.add
    monkeypatch.setattr(LossCounts, "add", lambda tally, loss, _: repeat(tally, loss, 1))
    assert "repeated" in forgotten_counts(event)


MIXTURES = [
    ("laplace", "gaussian", "choice"),
    ("gaussian", "approximate", "sampled response"),
    ("response", "pure", "approximate"),
    ("concentrated", "laplace", "response"),
    ("sampled label", "answers", "gaussian"),
]


@few
@given(st.sampled_from(MIXTURES), SCALES, DELTAS)
def test_the_order_of_steps_does_not_matter(
    kinds: Sequence[str], scale: Fraction, delta: float
) -> None:
    steps = [SCALED[kind](scale) for kind in kinds]
    forth, back = total(*steps, delta=delta), total(*steps[::-1], delta=delta)
    assert overlap(forth, back)
    assert same(forth.upper, back.upper)


@few
@given(STEPS, STEPS, DELTAS)
def test_more_steps_never_cost_less(one: Event, two: Event, delta: float) -> None:
    assert total(one, delta=delta).lower <= total(one, two, delta=delta).upper * (1 + 1e-12)


@few
@given(st.sampled_from(sorted(SCALED)), SCALES, st.integers(1, 20), DELTAS)
def test_more_noise_never_costs_more(kind: str, scale: Fraction, count: int, delta: float) -> None:
    less = total(SCALED[kind](scale), count=count, delta=delta)
    more = total(SCALED[kind](scale * Fraction(11, 10)), count=count, delta=delta)
    assert more.lower <= less.upper
    assert more.upper <= less.upper * (1 + 1e-6) + 1e-12


@few
@given(
    st.sampled_from([k for k in sorted(SCALED) if "sampled" not in k]),
    SCALES,
    st.integers(2, 4),
    DELTAS,
)
def test_a_larger_group_never_costs_less(
    kind: str, scale: Fraction, size: int, delta: float
) -> None:
    """Row M-GROUP-1."""
    alone = sf.compose(SCALED[kind](scale), count=3)
    assert alone.group(size).epsilon(delta=delta) >= alone.bounds(delta=delta).lower


@few
@given(st.sampled_from(sorted(SCALED)), st.sampled_from([3, 8, 20]), st.integers(1, 8))
def test_delta_falls_and_is_convex_in_the_odds(kind: str, scale: int, count: int) -> None:
    whole = sf.compose(SCALED[kind](Fraction(scale)), count=count)
    odds = [Fraction(each, 4) for each in (4, 5, 6, 8, 12, 20)]
    known = [(each, whole.bounds(epsilon=Ln(each))) for each in odds]
    for (a, left), (b, middle), (c, right) in zip(known, known[1:], known[2:], strict=False):
        share = float((b - a) / (c - a))
        assert right.lower <= left.upper
        assert middle.lower <= (left.upper * (1 - share) + right.upper * share) * (1 + 1e-12)


@few
@given(STEPS, st.integers(1, 30), DELTAS)
def test_epsilon_and_delta_undo_each_other(step: Event, count: int, delta: float) -> None:
    whole = sf.compose(step, count=count)
    found = whole.bounds(delta=delta)
    assume(math.isfinite(found.upper))
    assert whole.bounds(epsilon=found.upper).lower <= delta
    if found.lower > 0 and math.isfinite(found.lower):
        assert whole.bounds(epsilon=found.lower).upper >= delta * (1 - 1e-9)


@few
@given(st.sampled_from([k for k in SCALED if k not in APART]), SCALES, st.integers(1, 40), DELTAS)
def test_bounds_are_close_where_the_distribution_is_known(
    kind: str, scale: Fraction, count: int, delta: float
) -> None:
    found = total(SCALED[kind](scale), count=count, delta=delta)
    assert 0 <= found.lower <= found.upper
    assert math.isinf(found.lower) or found.width <= 1e-6 * found.upper + 1e-20


SAMPLED = [
    ev.RandomizedResponse(epsilon=1),
    ev.RandomizedResponse(epsilon="ln(2)", categories=5),
    ev.Approximate(epsilon=1, delta="1e-5"),
    ev.DiscreteLaplace(scale=3, sensitivity=2),
    ev.PermuteAndFlip(epsilon="0.1"),
]


@pytest.mark.parametrize("step", SAMPLED, ids=str)
@pytest.mark.parametrize("delta", [1e-2, 1e-6])
def test_the_sample_of_everyone_is_no_sample(step: Event, delta: float) -> None:
    plain = total(step, count=2, delta=delta)
    everyone = total(ev.Subsampled(step, rate=1), count=2, delta=delta)
    nearly = total(ev.Subsampled(step, rate=1 - Fraction(1, 10**9)), count=2, delta=delta)
    assert plain == everyone
    assert nearly.upper == pytest.approx(plain.upper, rel=1e-4, abs=1e-6)
    assert nearly.lower <= plain.upper


@pytest.mark.parametrize("step", SAMPLED, ids=str)
def test_the_sample_of_nobody_costs_nothing(step: Event) -> None:
    found = sf.compose(ev.Subsampled(step, rate=Fraction(1, 10**9)), count=5)
    assert found.delta(epsilon=Fraction(1, 100)) <= 6e-9


@pytest.mark.parametrize("inner", [ev.Gaussian(sigma=2), ev.Laplace(scale=2)])
def test_many_steps_of_noise_on_samples(inner: Event) -> None:
    step = ev.Subsampled(inner, rate="0.1")
    listed = total(*[step] * 100, delta=1e-6)
    counted = total(step, count=100, delta=1e-6)
    assert overlap(listed, counted)
    assert same(listed.upper, counted.upper)
    assert counted.width <= 1e-6 * counted.upper
    assert (
        total(step, count=90, delta=1e-6).upper
        < counted.lower
        < total(inner, count=100, delta=1e-6).upper
    )


def test_a_sample_of_a_sample_is_one_sample() -> None:
    twice = ev.Subsampled(ev.Subsampled(ev.Gaussian(sigma=2), rate=0.5), rate=0.2)
    once = ev.Subsampled(ev.Gaussian(sigma=2), rate=0.1)
    assert total(twice, count=30, delta=1e-6) == total(once, count=30, delta=1e-6)


@pytest.mark.parametrize("level", [0.0, 0.02, 0.3])
def test_one_step_on_a_sample_has_the_delta_of_its_two_normal_distributions(level: float) -> None:
    """By where the ratio of N(0, 4) and its mixture with N(1, 4) crosses e^level."""
    rate, sigma = 0.1, 2.0
    plain, moved = NormalDist(0, sigma), NormalDist(1, sigma)
    above = sigma**2 * math.log((math.exp(level) - 1 + rate) / rate) + 0.5
    removed = rate * (1 - moved.cdf(above)) + (1 - rate - math.exp(level)) * (1 - plain.cdf(above))
    added = 0.0
    if math.exp(-level) > 1 - rate:
        below = sigma**2 * math.log((math.exp(-level) - 1 + rate) / rate) + 0.5
        mixed = (1 - rate) * plain.cdf(below) + rate * moved.cdf(below)
        added = plain.cdf(below) - math.exp(level) * mixed
    step = sf.compose(ev.Subsampled(ev.Gaussian(sigma=2), rate=rate))
    assert step.delta(epsilon=level) == pytest.approx(max(removed, added), rel=1e-9)


# --- exact answers by listing every outcome -------------------------------------------------------


@dataclass(frozen=True)
class Found:
    lower: float
    upper: float


def two_sided(distributions: Distributions, count: int, level: float) -> arb:
    """Return the exact delta of so many steps: the worse of both directions, over all outcomes."""
    grown, sides = arb(level).exp(), [arb(0), arb(0)]
    for chosen in combinations_with_replacement(range(len(distributions)), count):
        p = q = arb(math.factorial(count))
        for k in set(chosen):
            times = chosen.count(k)
            p, q = p / math.factorial(times), q / math.factorial(times)
            p, q = p * distributions[k][0] ** times, q * distributions[k][1] ** times
        sides = [sides[0] + (p - grown * q).max(arb(0)), sides[1] + (q - grown * p).max(arb(0))]
    return sides[0].max(sides[1])


def response_distributions(epsilon: Fraction | Ln, categories: int = 2) -> Distributions:
    truth = as_ball(epsilon).exp()
    whole = truth + categories - 1
    rest = [(1 / whole, 1 / whole)] if categories > 2 else []
    both = [(truth / whole, 1 / whole), (1 / whole, truth / whole)]
    return both + [(a * (categories - 2), b * (categories - 2)) for a, b in rest]


def discrete_laplace_distributions(scale: Fraction, shift: int) -> Distributions:
    ratio = (-1 / arb(as_fmpq(scale))).exp()
    tail, point = 1 / (1 + ratio), (1 - ratio) / (1 + ratio)
    inner = [(point * ratio**k, point * ratio ** (shift - k)) for k in range(1, shift)]
    return [(tail, tail * ratio**shift), *inner, (tail * ratio**shift, tail)]


def discrete_gaussian_distributions(sigma: Fraction, most: int) -> Distributions:
    """Cut at a distance: what is left out is below 1e-40 for the sigmas used here."""
    weights = {k: (-arb(k * k) / (2 * arb(as_fmpq(sigma)) ** 2)).exp() for k in range(-99, 100)}
    whole = sum(weights.values(), arb(0))
    return [(weights[k] / whole, weights[k - 1] / whole) for k in range(-most, most + 2)]


def label_distributions(epsilon: Fraction, delta: Fraction) -> Distributions:
    lost = arb(as_fmpq(delta))
    kept = [(p * (1 - lost), q * (1 - lost)) for p, q in response_distributions(epsilon)]
    return [*kept, (lost, arb(0)), (arb(0), lost)]


def sampled_distributions(distributions: Distributions, rate: Fraction) -> Distributions:
    share = arb(as_fmpq(rate))
    return [((1 - share) * q + share * p, q) for p, q in distributions]


def listed_cases() -> list[tuple[Event, Callable[[], Distributions], int]]:
    one, half = Fraction(1), Fraction(1, 2)
    response, label = ev.RandomizedResponse(epsilon=1), ev.Approximate(epsilon=1, delta="0.01")
    return [
        (ev.RandomizedResponse(epsilon=Ln(2)), lambda: response_distributions(Ln(2)), 15),
        (
            ev.RandomizedResponse(epsilon=1, categories=4),
            lambda: response_distributions(one, 4),
            12,
        ),
        (ev.DiscreteLaplace(scale=2), lambda: discrete_laplace_distributions(Fraction(2), 1), 12),
        (
            ev.DiscreteLaplace(scale=5, sensitivity=3),
            lambda: discrete_laplace_distributions(Fraction(5), 3),
            8,
        ),
        (ev.DiscreteGaussian(sigma="0.5"), lambda: discrete_gaussian_distributions(half, 7), 2),
        (ev.DiscreteGaussian(sigma=1), lambda: discrete_gaussian_distributions(one, 14), 2),
        (label, lambda: label_distributions(one, Fraction(1, 100)), 8),
        (
            ev.Subsampled(response, rate="0.3"),
            lambda: sampled_distributions(response_distributions(one), Fraction(3, 10)),
            14,
        ),
        (
            ev.Subsampled(label, rate="0.3"),
            lambda: sampled_distributions(
                label_distributions(one, Fraction(1, 100)), Fraction(3, 10)
            ),
            7,
        ),
        (
            ev.Subsampled(ev.DiscreteLaplace(scale=1, sensitivity=2), rate="0.9"),
            lambda: sampled_distributions(discrete_laplace_distributions(one, 2), Fraction(9, 10)),
            10,
        ),
    ]


def ours(event: Event, count: int, level: float) -> Found:
    found = sf.compose(event, count=count).bounds(epsilon=Fraction(level))
    return Found(found.lower, found.upper)


def wrong_answers(accountant: Accountant, *, levels: Sequence[float] = (0.0, 0.25, 1.5)) -> int:
    """Count the cases in which bounds certainly do not hold the exact delta."""
    wrong = 0
    with working_precision(200):
        for event, distributions, most in listed_cases():
            for count in {1, 2, most}:
                for level in levels:
                    truth, found = (
                        two_sided(distributions(), count, level),
                        accountant(event, count, level),
                    )
                    around = arb("1e-40")
                    above, below = arb(found.lower) > truth + around, arb(found.upper) < truth
                    wrong += bool(above or below)
    return wrong


def test_bounds_hold_the_exact_delta_of_listed_mechanisms() -> None:
    """Rows M-RR-1, M-ADP-1: every outcome of up to fifteen steps, in both directions."""
    assert wrong_answers(ours) == 0


def forgetful(event: Event, _: int, level: float) -> Found:
    return ours(event, 1, level)


def without_what_is_lost(event: Event, count: int, level: float) -> Found:
    """Take an (epsilon, delta) label for an epsilon one."""
    if isinstance(event, ev.Approximate):
        event = ev.Pure(epsilon=event.epsilon)
    return ours(event, count, level)


def swapped(event: Event, count: int, level: float) -> Found:
    found = ours(event, count, level)
    return Found(found.upper, found.lower)


def in_one_direction(change: Direction) -> Accountant:
    def accountant(event: Event, count: int, level: float) -> Found:
        found = DirectedProfile([(event, count)], change).delta(Fraction(level))
        return Found(found.lower, found.upper)

    return accountant


@pytest.mark.parametrize(
    "twin", [forgetful, without_what_is_lost, swapped, in_one_direction(Direction.ADDED)]
)
def test_accountants_that_cheat_are_caught(twin: Accountant) -> None:
    assert wrong_answers(twin, levels=(0.25,)) > 0


def test_both_directions_of_a_sample_are_needed() -> None:
    """Removing is worse on figure R1, so a twin that only adds must fall short of the bounds."""
    event = ev.Subsampled(ev.Gaussian(sigma=4), rate=0.01)
    both = total(event, count=10_000, delta=1e-5)
    removed, added = (
        DirectedProfile([(event, 10_000)], change).epsilon(Fraction(1, 10**5), 1e-6)
        for change in (Direction.REMOVED, Direction.ADDED)
    )
    assert overlap(both, removed)
    assert added.upper == pytest.approx(0.9370364254020579, rel=1e-9)
    assert added.upper < both.lower


# --- where the floats end, and other places to fall -----------------------------------------------


def test_noise_far_below_the_sensitivity_is_not_cut_short() -> None:
    """The loss of Gaussian noise has no greatest value."""
    found = sf.compose(ev.Gaussian(sigma=1e-4)).bounds(delta=1e-5)
    truth = sf.privacy.GaussianDP(mu=10_000).bounds(delta=1e-5)
    assert overlap(found, truth)


def test_gaussian_noise_on_a_sample_of_fixed_size_is_not_cut_short() -> None:
    """At half the rate the step costs what the noise does at twice the delta, less ln 2."""
    half = ev.FixedSizeSubsampled(ev.Gaussian(sigma=0.01), size=1, population=2)
    found = sf.compose(half, relation=sf.privacy.Substitute()).bounds(delta=1e-5)
    truth = sf.privacy.GaussianDP(mu=100).bounds(delta=2e-5)
    assert found.lower <= truth.upper - math.log(2) + 1e-9
    assert truth.lower - math.log(2) - 1e-9 <= found.upper


def test_sampled_discrete_gaussian_noise_is_not_cut_short() -> None:
    """Far tails are listed up to a distance, and what lies beyond must be accounted for."""
    twice = sf.compose(ev.Subsampled(ev.DiscreteGaussian(sigma=1), rate="1/2"), count=2)
    assert twice.delta(epsilon=36) >= 2.3e-134


def worst_of_two_choices(level: float, reach: float = 1.0, points: int = 400) -> float:
    """Return delta of the worst two choices of bounded range, the second chosen after the first.

    The first has its losses at t and t - reach; what is left is the worst single choice at the
    threshold less the loss :cite:p:`dong2020`.
    """

    def single(y: float) -> float:
        if y <= -reach:
            return -math.expm1(y)
        return max(math.exp(reach / 2) - math.exp(y / 2), 0.0) ** 2 / math.expm1(reach)

    def first(t: float) -> float:
        high = (math.exp(reach) - math.exp(t)) / math.expm1(reach)
        return high * single(level - t) + (1 - high) * single(level - t + reach)

    return max(first(reach * k / points) for k in range(points + 1))


@pytest.mark.parametrize("level", [0.25, 1.0, 1.75])
def test_bounds_on_two_choices_hold_the_worst_adaptive_pair(level: float) -> None:
    found = sf.compose(ev.Exponential(epsilon=1), count=2).bounds(epsilon=level)
    worst = worst_of_two_choices(level)
    assert worst <= found.upper
    assert found.lower <= worst * (1 + 1e-3)


@pytest.mark.parametrize("delta", ["1e-320", "1e-400"])
def test_a_delta_below_the_floats_is_not_zero(delta: str) -> None:
    """Four steps of twice the noise are one, whose bounds are decided by balls."""
    found = sf.compose(ev.Gaussian(sigma=20), count=4).bounds(delta=delta)
    truth = sf.compose(ev.Gaussian(sigma=10)).bounds(delta=delta)
    assert overlap(found, truth)


@pytest.mark.parametrize("step", [ev.ZeroConcentrated(rho=0), ev.Renyi({2: 0}), ev.Pure(epsilon=0)])
def test_steps_that_guarantee_everything_cost_nothing(step: Event) -> None:
    found = sf.compose(step, count=3).bounds(delta=0)
    assert found.lower == 0


@pytest.mark.parametrize("below", [Fraction(1, 10**16), Fraction(1, 10**18)])
def test_no_epsilon_is_enough_below_what_is_lost(below: Fraction) -> None:
    """Three steps lose 1 - 0.9^3 = 0.271 in any case."""
    thrice = sf.compose(ev.Approximate(epsilon=1, delta="0.1"), count=3)
    assert thrice.bounds(delta=Fraction(271, 1000) - below).upper == math.inf
    assert thrice.bounds(delta=Fraction(271, 1000)).upper >= 2.999


def test_labels_of_nothing_but_delta_add_up() -> None:
    both = sf.compose(ev.Approximate(epsilon=0, delta=0.1), ev.Approximate(epsilon=0, delta=0.2))
    assert both.delta(epsilon=0) == pytest.approx(0.28, rel=1e-12)


def test_what_steps_of_several_kinds_lose_is_lost_together() -> None:
    """A label loses a tenth, one of two tenths on half of the rows loses another."""
    label, half = ev.Approximate(epsilon=1, delta=0.1), ev.Approximate(epsilon=1, delta=0.2)
    both = sf.compose(label, ev.Subsampled(half, rate=0.5))
    assert both.delta(epsilon=2) == pytest.approx(0.19, rel=1e-12)
