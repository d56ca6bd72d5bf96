"""Pairs of distributions as events: exact products, closed forms, directions, and wrong twins."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from itertools import product
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.information import Distribution, continuous
from sfumato.ledger import Ledger
from sfumato.numeric import Ln
from sfumato.privacy import AddRemove, Substitute
from sfumato.privacy import events as ev
from sfumato.privacy.events.pair import known_event
from sfumato.privacy.inversion import LossProfile
from sfumato.privacy.loss import Direction, LossBracket, TabulatedLosses, TotalLosses, gridded
from sfumato.privacy.loss.density_pair import density_cells
from sfumato.privacy.loss.ratio_pair import RatioPair, worst_pair
from tests.refusing import raises_code

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from sfumato.privacy.events import Event

few = settings(max_examples=25)

#: One side alone is dear: what q allows and p does not shows only when a unit is added.
LOPSIDED = ev.Pair(["1/2", "1/2", 0], ["2/5", "2/5", "1/5"])
THREE = ev.Pair(["1/2", "3/10", "1/5"], ["1/4", "1/4", "1/2"])
TWO_SIDED_LOSS = ev.Pair(["1/10", "6/10", "3/10", 0], [0, "3/10", "6/10", "1/10"])
FINITE = [LOPSIDED, THREE, TWO_SIDED_LOSS]
ODDS = [Fraction(1), Fraction(5, 4), Fraction(3, 2), Fraction(4)]


def excess(p: Sequence[Fraction], q: Sequence[Fraction], odds: Fraction) -> Fraction:
    return sum((max(a - odds * b, Fraction(0)) for a, b in zip(p, q, strict=True)), Fraction(0))


def powers(side: Sequence[Fraction], count: int) -> list[Fraction]:
    return [math.prod(each, start=Fraction(1)) for each in product(side, repeat=count)]


def worst_excess(
    pair: ev.Pair, count: int, odds: Fraction, ways: Sequence[int] = (1, -1)
) -> Fraction:
    """Return the exact delta of so many equal steps, all one way round, by every outcome."""
    sides: Any = (pair.p, pair.q)
    grown = [powers(each, count) for each in sides]
    return max(excess(grown[::way][0], grown[::way][1], odds) for way in ways)


# --- finite pairs, exactly -----------------------------------------------------------------------


@pytest.mark.parametrize("pair", FINITE, ids=str)
@pytest.mark.parametrize("count", [1, 2, 5])
@pytest.mark.parametrize("odds", ODDS, ids=str)
def test_added_and_removed_units_cost_the_worse_of_both_products(
    pair: ev.Pair, count: int, odds: Fraction
) -> None:
    truth = worst_excess(pair, count, odds)
    found = sf.compose(pair, count=count).bounds(epsilon=Ln(odds))
    assert Fraction(found.lower) <= truth <= Fraction(found.upper)
    assert found.upper - found.lower <= 1e-11


def test_one_direction_alone_is_too_cheap() -> None:
    """The twin: the same accountant on one direction misses the exact delta of the other."""
    truth = worst_excess(LOPSIDED, 3, Fraction(3, 2))
    assert worst_excess(LOPSIDED, 3, Fraction(3, 2), ways=[1]) < truth
    from sfumato.privacy.accounting.profile import directed_profile

    removed, added = (
        directed_profile([(LOPSIDED, 3)], change).delta(Ln("3/2"))
        for change in (Direction.REMOVED, Direction.ADDED)
    )
    assert removed.upper < truth <= added.upper
    assert sf.compose(LOPSIDED, count=3).delta(epsilon=Ln("3/2")) >= truth


def mixed_orders(pair: ev.Pair, count: int, odds: Fraction) -> Fraction:
    """Return the worst delta where each step may be either way round."""
    sides: Any = (pair.p, pair.q)
    worst = Fraction(0)
    for ways in product((1, -1), repeat=count):
        here, there = (
            [math.prod(each) for each in product(*(sides[::way][k] for way in ways))]
            for k in (0, 1)
        )
        worst = max(worst, excess(here, there, odds))
    return worst


@pytest.mark.parametrize("pair", FINITE, ids=str)
@pytest.mark.parametrize("odds", ODDS, ids=str)
def test_substituted_units_cost_at_least_what_any_mixture_of_orders_does(
    pair: ev.Pair, odds: Fraction
) -> None:
    for count in (1, 2, 4):
        truth = mixed_orders(pair, count, odds)
        found = sf.compose(pair, count=count, relation=Substitute()).bounds(epsilon=Ln(odds))
        assert Fraction(found.upper) >= truth
        if count == 1:
            assert Fraction(found.lower) <= truth


def test_mixed_orders_may_cost_more_than_either_order() -> None:
    """So that the maximum of the two products alone would be a wrong answer here."""
    pair = ev.Pair(["1/10", "9/10", 0], ["1/2", "2/5", "1/10"])
    found = [
        (mixed_orders(pair, 2, odds), worst_excess(pair, 2, odds))
        for odds in (Fraction(n, 8) for n in range(8, 80))
    ]
    assert any(mixed > alike for mixed, alike in found)


SIDES = st.lists(st.integers(0, 6), min_size=3, max_size=5).filter(any)


@few
@given(SIDES, SIDES, st.fractions(min_value=1, max_value=10))
def test_the_worst_pair_has_the_greater_of_both_profiles(
    one: list[int], other: list[int], odds: Fraction
) -> None:
    size = min(len(one), len(other))
    p, q = ([Fraction(each) for each in side[:size]] for side in (one, other))
    if not (sum(p) and sum(q)):
        return
    p, q = [each / sum(p) for each in p], [each / sum(q) for each in q]
    pairs = [RatioPair.of(p, q), RatioPair.of(q, p)]
    worst = worst_pair(pairs)
    assert worst.excess(odds) == max(each.excess(odds) for each in pairs)
    assert all(mass >= 0 for mass in worst.masses)
    assert sum(worst.masses) + worst.lost == 1
    below = 1 - 1 / odds + worst.excess(odds) / odds
    assert worst.excess(1 / odds) == below


@few
@given(SIDES, SIDES, st.fractions(min_value=0, max_value="1/2"))
def test_epsilon_of_a_step_is_where_its_delta_is_met(
    one: list[int], other: list[int], delta: Fraction
) -> None:
    size = min(len(one), len(other))
    p, q = one[:size], other[:size]
    if not any(a and b for a, b in zip(p, q, strict=True)):
        return
    step = sf.compose(ev.Pair(p, q))
    found = step.bounds(delta=delta)
    if math.isfinite(found.upper):
        assert step.bounds(epsilon=found.upper).lower <= delta
        assert found.lower == 0 or step.bounds(epsilon=found.lower).upper >= delta
    else:
        assert delta == 0 or step.bounds(epsilon=500).lower >= delta


def test_no_pure_epsilon_where_an_outcome_is_impossible_on_one_side_only() -> None:
    assert sf.compose(LOPSIDED).epsilon(delta=0) == math.inf
    assert sf.compose(LOPSIDED).bounds(delta=0.2).upper == 0
    assert sf.compose(LOPSIDED, relation=Substitute()).epsilon(delta="0.19") == math.inf
    assert sf.compose(THREE).bounds(delta=0).upper == pytest.approx(math.log(2.5), rel=1e-12)


def test_pure_epsilons_of_opposite_steps_do_not_add_up_when_units_are_added() -> None:
    """Removing loses ln 2 in the first and ln 5/2 in the second; substitution may have both."""
    turned = ev.Pair(THREE.q, THREE.p)
    both = sf.compose(THREE, turned)
    assert both.bounds(delta=0).upper == pytest.approx(math.log(5), rel=1e-12)
    both = sf.compose(THREE, turned, relation=Substitute())
    assert both.bounds(delta=0).upper == pytest.approx(2 * math.log(2.5), rel=1e-12)


# --- pairs that are known mechanisms -------------------------------------------------------------


def response(odds: int, categories: int) -> ev.Pair:
    rest = [1] * (categories - 2)
    return ev.Pair([odds, 1, *rest], [1, odds, *rest])


KNOWN: list[tuple[ev.Pair, Event]] = [
    (response(3, 2), ev.RandomizedResponse(epsilon=Ln(3))),
    (response(3, 5), ev.RandomizedResponse(epsilon=Ln(3), categories=5)),
    (
        ev.Pair(["1/10", "6/10", "3/10", 0], [0, "3/10", "6/10", "1/10"]),
        ev.Approximate(epsilon=Ln(2), delta="1/10"),
    ),
    (ev.Pair([1, 2, 3], [1, 2, 3]), ev.Pure(epsilon=0)),
    (ev.Pair(continuous.Gaussian(0, 2), continuous.Gaussian(1, 2)), ev.Gaussian(sigma=2)),
    (ev.Pair(continuous.Laplace(1, 2), continuous.Laplace(0, 2)), ev.Laplace(scale=2)),
]


@pytest.mark.parametrize(("pair", "event"), KNOWN, ids=lambda each: str(each)[:40])
@pytest.mark.parametrize("relation", [AddRemove(), Substitute()], ids=str)
def test_a_pair_of_a_known_mechanism_costs_what_that_does(
    pair: ev.Pair, event: Event, relation: Any
) -> None:
    assert known_event(pair) == event
    for count in (1, 7, 500):
        ours = sf.compose(pair, count=count, relation=relation)
        theirs = sf.compose(event, count=count, relation=relation)
        assert ours.bounds(delta=1e-6) == theirs.bounds(delta=1e-6)
        assert ours.bounds(delta=0) == theirs.bounds(delta=0)
        assert ours.bounds(epsilon=Ln(2)) == theirs.bounds(epsilon=Ln(2))
        assert ours.renyi(8) == theirs.renyi(8)
        assert ours.rho() == theirs.rho()
        assert ours.mu() == theirs.mu()
        assert ours.group(3).bounds(delta=1e-3) == theirs.group(3).bounds(delta=1e-3)
    rows = sf.compose(pair, count=7).explain(delta=1e-6).rows
    assert rows == sf.compose(event, count=7).explain(delta=1e-6).rows


@pytest.mark.parametrize(("pair", "event"), KNOWN[:3], ids=lambda each: str(each)[:40])
def test_a_known_pair_on_a_sample_costs_what_the_mechanism_does(
    pair: ev.Pair, event: Event
) -> None:
    ours, theirs = (sf.compose(ev.Subsampled(each, rate=0.1), count=20) for each in (pair, event))
    assert ours.bounds(delta=1e-6) == theirs.bounds(delta=1e-6)


@pytest.mark.parametrize(
    "pair",
    [
        ev.Pair([3, 1, 1], [1, 3, 2]),
        ev.Pair(["1/2", "1/4", "1/4"], ["1/4", "1/2", "1/4"]),
        ev.Pair(["1/2", "1/3", "1/6"], ["1/6", "1/3", "1/2"]),
    ],
    ids=str,
)
def test_only_what_is_a_known_mechanism_is_taken_for_one(pair: ev.Pair) -> None:
    event = known_event(pair)
    if isinstance(event, ev.RandomizedResponse):
        odds, categories = event.epsilon.argument, event.categories  # type: ignore[union-attr]
        assert max(table_of(pair)["with"]) == odds / (odds + categories - 1)
    else:
        assert event == pair


# --- samples -------------------------------------------------------------------------------------


@pytest.mark.parametrize("pair", FINITE, ids=str)
@pytest.mark.parametrize("odds", ODDS, ids=str)
def test_a_pair_on_a_poisson_sample_is_its_mixture(pair: ev.Pair, odds: Fraction) -> None:
    rate = Fraction(3, 10)
    mixed = ev.Pair([b + rate * (a - b) for a, b in zip(pair.p, pair.q, strict=True)], pair.q)  # type: ignore[arg-type]
    for count in (1, 3):
        truth = worst_excess(mixed, count, odds)
        found = sf.compose(ev.Subsampled(pair, rate=rate), count=count).bounds(epsilon=Ln(odds))
        assert Fraction(found.lower) <= truth <= Fraction(found.upper)


@pytest.mark.parametrize("rate", ["1/10", 1])
def test_pure_epsilon_of_a_pair_on_a_sample_is_that_of_its_profile(rate: Any) -> None:
    sampled = sf.compose(ev.Subsampled(THREE, rate=rate))
    pure = sampled.bounds(delta=0)
    assert sampled.delta(epsilon=pure.upper) == 0
    assert sampled.bounds(epsilon=Fraction(pure.lower) * Fraction(999, 1000)).lower > 0


def test_adding_a_unit_to_a_sample_is_pure_where_removing_it_is_not() -> None:
    """With the unit one outcome more is possible, and without it none."""
    one_more = ev.Pair(["2/5", "2/5", "1/5"], ["1/2", "1/2", 0])
    assert sf.compose(ev.Subsampled(one_more, rate=0.1)).epsilon(delta=0) == math.inf
    pure = sf.compose(ev.Subsampled(LOPSIDED, rate=0.1)).epsilon(delta=0)
    assert pure == pytest.approx(-math.log(0.9), rel=1e-9)


@pytest.mark.parametrize("pair", FINITE, ids=str)
def test_a_pair_on_a_sample_of_fixed_size_keeps_the_theorem(pair: ev.Pair) -> None:
    event = ev.FixedSizeSubsampled(pair, size=3, population=10)
    step = sf.compose(event, relation=Substitute())
    for odds in ODDS:
        truth = Fraction(3, 10) * worst_excess(pair, 1, 1 + (odds - 1) * Fraction(10, 3))
        found = step.bounds(epsilon=Ln(odds))
        assert Fraction(found.lower) <= truth <= Fraction(found.upper)


@pytest.mark.full
def test_the_mixture_of_a_sampled_gaussian_costs_what_the_sample_does() -> None:
    here, there = continuous.Gaussian(1, 2), continuous.Gaussian(0, 2)
    mixed = ev.Pair(continuous.Mixture([0.75, 0.25], [there, here]), there)
    sampled = ev.Subsampled(ev.Gaussian(sigma=2), rate=0.25)
    for count in (1, 5):
        ours, theirs = (sf.compose(each, count=count) for each in (mixed, sampled))
        found, truth = ours.bounds(delta=1e-5), theirs.bounds(delta=1e-5)
        assert found.lower <= truth.upper
        assert truth.lower <= found.upper <= truth.upper * (1 + 1e-4)


# --- densities -----------------------------------------------------------------------------------


def alone(distribution: Any) -> Any:
    """A mixture of one: the same distribution, but none that is recognised."""
    return continuous.Mixture([1], [distribution])


HIDDEN: list[tuple[ev.Pair, Event]] = [
    (ev.Pair(alone(continuous.Gaussian(1, 1)), continuous.Gaussian(0, 1)), ev.Gaussian(sigma=1)),
    (ev.Pair(alone(continuous.Laplace(1, 2)), continuous.Laplace(0, 2)), ev.Laplace(scale=2)),
]


@pytest.mark.full
@pytest.mark.parametrize(("pair", "event"), HIDDEN, ids=["gaussian", "laplace"])
@pytest.mark.parametrize("relation", [AddRemove(), Substitute()], ids=str)
def test_densities_enclose_the_closed_forms(pair: ev.Pair, event: Event, relation: Any) -> None:
    assert known_event(pair) == pair
    for count, gap in ((1, 1e-9), (8, 1e-3)):
        ours, theirs = (sf.compose(each, count=count, relation=relation) for each in (pair, event))
        found, truth = ours.bounds(delta=1e-5), theirs.bounds(delta=1e-5)
        assert found.lower <= truth.upper
        assert truth.lower <= found.upper <= truth.upper * (1 + gap)
        assert theirs.renyi(4) <= ours.renyi(4) * (1 + 1e-9) <= theirs.renyi(4) * (1 + 1e-6)


@pytest.mark.full
@pytest.mark.parametrize(("pair", "event"), HIDDEN, ids=["gaussian", "laplace"])
def test_many_steps_of_densities_enclose_the_closed_forms(pair: ev.Pair, event: Event) -> None:
    found, truth = (sf.compose(each, count=300).bounds(delta=1e-5) for each in (pair, event))
    assert found.lower <= truth.upper
    assert truth.lower <= found.upper <= truth.upper * (1 + 1e-3)


def test_cells_that_leave_out_the_tails_are_caught() -> None:
    """The twin: the loss without what the cells count as lost, or cut too coarse, is too small."""
    cells = density_cells(continuous.Gaussian(0, 1), continuous.Gaussian(1, 1))
    truth = sf.compose(ev.Gaussian(sigma=1)).bounds(epsilon=1)
    laid = LossBracket(cells.upper(), cells.lower())  # type: ignore[arg-type]
    upper, lower = (
        LossProfile(TotalLosses([TabulatedLosses(loss)])).delta(1.0)
        for loss in (gridded(laid.upper, 1 << 12).upper, gridded(laid.lower, 1 << 12).lower)
    )
    assert lower.lower <= truth.upper
    assert truth.lower <= upper.upper <= truth.upper * (1 + 1e-4)
    assert gridded(laid.lower, 64).lower.masses.mid.size < 80
    merged = LossProfile(TotalLosses([TabulatedLosses(gridded(laid.lower, 64).lower)])).delta(1.0)
    assert merged.upper < truth.lower


def test_what_a_density_has_alone_is_lost() -> None:
    moved = ev.Pair(continuous.Uniform(0, 1), continuous.Uniform(0.25, 1.25))
    assert sf.compose(moved).bounds(epsilon=3).upper == 0.25
    four = sf.compose(moved, count=4)
    assert four.delta(epsilon=3) == pytest.approx(1 - 0.75**4, rel=1e-12)
    assert four.epsilon(delta=0.5) == math.inf


def declared_gaussians() -> ev.Pair:
    def declared(normal: NormalDist) -> continuous.Declared:
        def log_density(x: float) -> float:
            return -((x - normal.mean) ** 2) / 2 - math.log(math.sqrt(2 * math.pi))

        return continuous.Declared(normal.cdf, log_density, breakpoints=(normal.mean,))

    return ev.Pair(declared(NormalDist(0, 1)), declared(NormalDist(1, 1)))


@pytest.mark.full
def test_declared_densities_are_accounted_by_what_was_declared() -> None:
    pair = declared_gaussians()
    truth = sf.compose(ev.Gaussian(sigma=1), count=3)
    found = sf.compose(pair, count=3)
    bounds = found.bounds(delta=1e-4)
    assert (
        bounds.lower
        <= truth.epsilon(delta=1e-4)
        <= bounds.upper
        <= 1.01 * truth.epsilon(delta=1e-4)
    )
    with raises_code("E-DISTRIBUTION-UNKNOWN", match="cannot be written down"):
        ev.to_json(pair)
    with raises_code("E-DISTRIBUTION-UNKNOWN", match="cannot be mixed"):
        sf.compose(ev.Subsampled(pair, rate=0.1), count=2).epsilon(delta=1e-4)


# --- verified and audited ------------------------------------------------------------------------


def table_of(pair: ev.Pair) -> dict[str, list[Fraction]]:
    return {"with": list(pair.p), "without": list(pair.q)}  # type: ignore[arg-type]


@pytest.mark.parametrize("pair", [LOPSIDED, THREE], ids=str)
def test_the_claim_of_a_pair_is_verified_and_that_of_one_direction_refuted(pair: ev.Pair) -> None:
    """Row by row of the table both neighbours are compared, both ways round."""
    for odds in (Fraction(5, 4), Fraction(2)):
        claimed = sf.compose(pair).delta(epsilon=Ln(odds))
        assert sf.verify(table_of(pair), epsilon=Ln(odds), delta=claimed).status == "proved"
        both = [worst_excess(pair, 1, odds, ways=[way]) for way in (1, -1)]
        if both[0] != both[1]:
            one_way = min(both)
            refuted = sf.verify(table_of(pair), epsilon=Ln(odds), delta=one_way)
            assert refuted.status == "refuted"


# --- filters, group privacy, parts ---------------------------------------------------------------


def test_filters_charge_a_pair_and_refuse_what_has_no_price() -> None:
    budget = sf.privacy.filter_for(sf.ApproxDP(epsilon=3, delta=1e-5))
    budget.admit(ev.Repeated(THREE, count=2))
    pure = sf.privacy.filter_for(sf.PureDP(epsilon=3))
    pure.admit(ev.Repeated(THREE, count=3))
    with pytest.raises(sf.errors.SfumatoError):
        pure.admit(THREE)
    with pytest.raises(sf.errors.SfumatoError):
        sf.privacy.filter_for(sf.PureDP(epsilon=3)).admit(LOPSIDED)


def test_a_group_of_units_costs_more() -> None:
    one, three = sf.compose(THREE), sf.compose(THREE).group(3)
    assert three.epsilon(delta=0) == pytest.approx(3 * one.epsilon(delta=0), rel=1e-9)
    assert three.delta(epsilon=1) > one.delta(epsilon=1)
    with raises_code("E-RELATION-OTHER", match="Pair is accounted for one changed unit"):
        sf.compose(THREE, relation=AddRemove(2))


def test_groups_with_different_pairs_cost_the_worst() -> None:
    both = sf.compose(ev.Parallel(THREE, LOPSIDED))
    for odds in ODDS:
        truth = max(worst_excess(each, 1, odds) for each in (THREE, LOPSIDED))
        assert both.delta(epsilon=Ln(odds)) == pytest.approx(float(truth), rel=1e-9, abs=1e-12)


def test_no_noise_of_a_pair_is_calibrated_or_shuffled() -> None:
    with pytest.raises(sf.errors.InputError):
        sf.calibrate(ev.Pair, epsilon=1)
    with raises_code("E-EVENT-KIND", match="Shuffled takes what each person did alone"):
        ev.Shuffled(THREE, population=10)


def test_a_pair_is_charged_to_a_ledger_and_read_from_it(tmp_path: Path) -> None:
    density = ev.Pair(continuous.Logistic(-1, 1), continuous.Logistic(0, 1))
    asked: dict[str, Any] = {"analyst": "ada", "purpose": "a mechanism of her own"}
    with Ledger.create(str(tmp_path / "book.db")) as ledger:
        book = ledger.add_book("pairs", sf.ApproxDP(epsilon=9, delta=1e-5))
        receipts = [book.spend(event, **asked) for event in (THREE, density)]
        assert [each.event for each in receipts] == [THREE, density]
        with raises_code("E-DISTRIBUTION-UNKNOWN", match="cannot be written down"):
            book.spend(declared_gaussians(), **asked)
        assert ledger.verify().is_sound


@pytest.mark.full
def test_discrete_noise_on_samples_is_known_closely() -> None:
    """Masses that may be nothing used to spoil the lower end: it was a thirtieth of the upper."""
    step = ev.Subsampled(ev.DiscreteGaussian(sigma=600), rate=0.1)
    found = sf.compose(step, count=10).bounds(delta=1e-5)
    assert found.width <= 1e-3 * found.upper


# --- what may be given ---------------------------------------------------------------------------


def test_sides_are_read_alike_however_they_are_given() -> None:
    pair = ev.Pair(["3/4", "1/4"], ["1/4", "3/4"])
    assert ev.Pair([3, 1], [1, 3]) == pair
    assert ev.Pair(np.array([0.75, 0.25]), np.array([0.25, 0.75])) == pair
    assert ev.Pair({"a": 0.75, "b": 0.25}, {"b": 0.75, "a": 0.25}) == pair
    assert ev.Pair(Distribution({"a": 3, "b": 1}), {"a": 1, "b": 3}) == pair
    assert ev.Pair({"a": 1}, {"a": 0.5, "b": 0.5}) == ev.Pair([1, 0], [1, 1])
    thirds = ev.Pair([1 / 3, 1 / 3, 1 / 3], [0.2, 0.2, 0.6])
    assert thirds == ev.Pair([1, 1, 1], [1, 1, 3])


def test_a_pair_is_written_and_read_back() -> None:
    sides: list[Any] = [
        continuous.Gaussian(0, 0.1),
        continuous.Mixture(
            [Fraction(1, 3), Fraction(2, 3)],
            [continuous.Laplace(0, 1), continuous.Logistic(1, 2)],
        ),
        continuous.Exponential(1, shift=-1),
        continuous.Uniform(-1, 2),
    ]
    pairs = [LOPSIDED, *(ev.Pair(side, continuous.Gaussian(1, 3)) for side in sides)]
    assert list(ev.from_json(ev.to_json(*pairs))) == pairs
    names = {"Pair": ev.Pair, "continuous": continuous, "Fraction": Fraction}
    assert [eval(repr(each), names) for each in pairs] == pairs  # noqa: S307
    entry = json.loads(ev.to_json(pairs[1]))["events"][0]
    assert entry["q"] == {"density": "gaussian", "mean": "1", "sd": "3"}


HALF = ["1/2", "1/2"]
REFUSED: list[tuple[Any, Any, str, str]] = [
    (HALF, ["1/2", "1/4"], "E-PROBABILITIES-SUM", "q sums to 0.75, not to 1"),
    (HALF, [1], "E-LENGTHS-DIFFER", "p has 2 outcomes and q has 1"),
    ([], HALF, "E-DISTRIBUTION-EMPTY", "p is empty"),
    ({}, {}, "E-DISTRIBUTION-EMPTY", "p is empty"),
    (HALF, {"a": 1}, "E-OUTCOMES-UNNAMED", "one of p and q names its outcomes"),
    (HALF, ["3/2", "-1/2"], "E-PROBABILITY-NEGATIVE", "q has an entry below 0"),
    (HALF, [0, 0], "E-PROBABILITIES-SUM", "q sums to 0.0, not to 1"),
    (HALF, [math.nan, 0.5], "E-NUMBER-NOT-FINITE", "q must be a finite number"),
    (HALF, "ab", "E-DISTRIBUTION-FORM", "q must be a list or mapping"),
    (HALF, None, "E-DISTRIBUTION-FORM", "q must be a list or mapping"),
    (HALF, [True, False], "E-ARGUMENT-TYPE", "q must be a number"),
    ([1, 0], [0, 1], "E-OUTCOMES-DIFFER", "p and q have no outcome in common"),
    (continuous.Gaussian(0, 1), HALF, "E-DISTRIBUTIONS-DIFFER", "q is not a continuous"),
    (continuous.Uniform(0, 1), continuous.Uniform(2, 3), "E-OUTCOMES-DIFFER", "no outcome in"),
    ([1] * 10_001, [1] * 10_001, "E-TOO-LARGE", "p has 10,001 outcomes"),
]


@pytest.mark.parametrize(("p", "q", "code", "message"), REFUSED, ids=[each[3] for each in REFUSED])
def test_what_is_no_pair_gets_one_sentence(p: Any, q: Any, code: str, message: str) -> None:
    with raises_code(code, match=message):
        ev.Pair(p, q)


@pytest.mark.parametrize(
    ("side", "message"),
    [
        ("1/2", "must be a list of probabilities"),
        ({"density": "cauchy", "mean": "0"}, "no density 'cauchy'"),
        ({"density": "gaussian", "mean": "0"}, "the field 'sd' is missing"),
        ({"density": "gaussian", "mean": "0", "sd": "0"}, "sd must be above 0"),
        ({"density": "gaussian", "mean": "0", "sd": ["1"]}, "sd must be a number"),
        ({"density": "mixture", "weights": "1", "of": []}, "weights and of must be lists"),
    ],
)
def test_a_wrong_side_in_a_document_gets_one_sentence(side: Any, message: str) -> None:
    entry = {"event": "pair", "p": side, "q": ["1/2", "1/2"]}
    with pytest.raises(sf.errors.InputError, match=message):
        ev.from_json(json.dumps({"version": 2, "events": [entry]}))


@pytest.mark.full
def test_densities_whose_losses_reach_thousands_are_enclosed() -> None:
    """Two steps of tails of different kinds: the figure is by quadrature over the plane."""
    told = sf.compose(ev.Pair(continuous.Laplace(0, 1), continuous.Gaussian(0, 1)), count=2)
    found = told.bounds(epsilon=0)
    assert found.lower <= 0.18354 <= found.upper
    assert found.width < 0.002


def test_noise_beside_an_astronomic_distance_is_refused_in_a_sentence() -> None:
    far = ev.Pair(continuous.Gaussian(10**400, 1), continuous.Gaussian(0, 1))
    with raises_code("E-NOISE-TOO-SMALL"):
        sf.compose(far).epsilon(delta=0.1)
