"""Partition selection: figures, the guarantee in both directions, optimality, draws, refusals."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from flint import arb
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import InputError
from sfumato.mechanisms.choices.partition_selection import KeepRule, PartitionSelection
from sfumato.numeric import Ln, as_ball, working_precision
from sfumato.privacy import AddRemove, Person, Substitute, events
from sfumato.sampling import SeededSource
from tests.cases import cases
from tests.mechanisms.choosing import NO_CONFIDENCE, NOT_POSITIVE
from tests.refusing import raises_code
from tests.sampling.scripted import FALSE_ALARM, surprise

if TYPE_CHECKING:
    from collections.abc import Callable

PLAIN = PartitionSelection(epsilon=1, delta=1e-5)
SLACK = arb(2) ** -80
EPSILONS = st.fractions("1/50", 8, max_denominator=100)
DELTAS = st.fractions("1/1000000", "99/100", max_denominator=10**6)


# --- The rule ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("epsilon", "delta", "first", "half", "at_half", "end"),
    [
        ("1", "1e-5", (1e-5, 3.718281828e-5, 1.110733793e-4, 3.119287485e-4), 12, 0.7603109969, 23),
        ("1", "1e-6", (1e-6, 3.718281828e-6), 14, 0.699887099, 28),
        ("0.1", "1e-5", (1e-5, 2.105170918e-5), 86, 0.5163651407, 172),
        ("0.5", "1e-6", (1e-6, 2.648721271e-6), 26, 0.6443545597, 51),
        ("3", "1e-9", (1e-9, 2.108553692e-8), 8, 0.9536532315, 15),
    ],
)
def test_figures(
    epsilon: str, delta: str, first: tuple[float, ...], half: int, at_half: float, end: int
) -> None:
    mechanism = PartitionSelection(epsilon=epsilon, delta=delta)
    chances = [mechanism.distribution(n).probability(outcome=True).upper for n in range(end + 1)]
    assert chances[1 : 1 + len(first)] == pytest.approx(first, rel=1e-9)
    assert [chance >= 0.5 for chance in chances].index(True) == half
    assert chances[half] == pytest.approx(at_half, abs=1e-10)
    assert chances.index(1.0) == end
    assert mechanism.error(confidence=0.5) == half


def recursion(epsilon: Fraction, delta: Fraction, steps: int) -> list[arb]:
    """π as the recursion defines it, step by step."""
    chances, factor = [arb(0)], as_ball(epsilon).exp()
    for _ in range(steps):
        last, more = chances[-1], as_ball(delta)
        chances.append((factor * last + more).min(1 - (1 - last - more) / factor).min(arb(1)))
    return chances


@given(EPSILONS, DELTAS)
def test_closed_forms_solve_the_recursion(epsilon: Fraction, delta: Fraction) -> None:
    rule = KeepRule(epsilon, delta)
    steps = min(rule.end + 2, 300)
    with working_precision(2000):
        for count, expected in enumerate(recursion(epsilon, delta, steps)):
            assert abs(rule.probability(count) - expected) < SLACK


def is_private(chance: Callable[[int], arb], epsilon: Fraction, delta: Fraction, most: int) -> bool:
    """Whether keeping and dropping obey (ε, δ) between all neighbouring counts, both ways."""

    def obeys(one: arb, other: arb) -> bool:
        return bool(one <= as_ball(epsilon).exp() * other + as_ball(delta) + SLACK)

    with working_precision(256):
        chances = [chance(count) for count in range(most)]
        return all(
            obeys(a, b) and obeys(b, a) and obeys(1 - a, 1 - b) and obeys(1 - b, 1 - a)
            for a, b in pairwise(chances)
        )


@given(EPSILONS, DELTAS)
def test_private_between_all_neighbouring_counts(epsilon: Fraction, delta: Fraction) -> None:
    rule = KeepRule(epsilon, delta)
    assert is_private(rule.probability, epsilon, delta, min(rule.end + 2, 300))


@given(EPSILONS, DELTAS)
def test_the_rule_of_twice_the_delta_is_not_private(epsilon: Fraction, delta: Fraction) -> None:
    """The twin: δ is doubled in the recursion, for the half of it."""
    twin = KeepRule(epsilon, delta)
    assert not is_private(twin.probability, epsilon, delta / 2, 3)


@given(EPSILONS, DELTAS)
def test_no_group_can_be_kept_more_often(epsilon: Fraction, delta: Fraction) -> None:
    """At every count one of the inequalities is met with equality, until all are kept."""
    rule = KeepRule(epsilon, delta)
    with working_precision(256):
        factor, small = as_ball(epsilon).exp(), as_ball(delta)
        for count in range(min(rule.end - 2, 100)):
            now, then = rule.probability(count), rule.probability(count + 1)
            kept = factor * now + small - then
            dropped = factor * (1 - then) + small - (1 - now)
            assert kept.min(dropped) < SLACK


def test_tiny_and_huge_parameters_take_no_steps() -> None:
    assert KeepRule(Fraction(1, 10**9), Fraction(1, 10**9)).turn == 405_465_108
    assert PartitionSelection(epsilon=1e-12, delta=1e-15).error() > 1e12
    assert PartitionSelection(epsilon=10**6, delta=1e-12).rule.end == 3
    assert (
        PartitionSelection(epsilon=1, delta="1/2").distribution(3).probability(outcome=True).lower
        == 1
    )


# --- Several groups of one person -------------------------------------------------------------


def test_one_person_in_several_groups_splits_the_guarantee() -> None:
    rule = PartitionSelection(epsilon=1, delta=1e-5, partitions=4).rule
    assert rule.epsilon == Fraction(1, 4)
    together = 1 - (1 - rule.delta) ** 4
    assert Fraction(1, 10**5) * (1 - Fraction(1, 10**60)) < together <= Fraction(1, 10**5)


def test_a_person_in_two_groups_shows_no_more_than_guaranteed() -> None:
    """Over all four outcomes of two groups, between counts that differ by one in both."""
    chance = PartitionSelection(epsilon=1, delta="1/100", partitions=2).rule.probability
    with working_precision(128):
        for first in range(6):
            for second in range(6):
                low = pair_distribution(chance(first), chance(second))
                high = pair_distribution(chance(first + 1), chance(second + 1))
                for one, other in ((low, high), (high, low)):
                    parts = zip(one, other, strict=True)
                    excess = sum((a - arb(1).exp() * b).max(arb(0)) for a, b in parts)
                    assert excess <= as_ball(Fraction(1, 100)) + SLACK


def pair_distribution(p: arb, q: arb) -> list[arb]:
    """The distribution of what becomes of two groups."""
    return [p * q, p * (1 - q), (1 - p) * q, (1 - p) * (1 - q)]


# --- The guarantee ------------------------------------------------------------------------------


def test_event_and_guarantee() -> None:
    mechanism = PartitionSelection(epsilon=Ln(2), delta=1e-6, relation=AddRemove(unit=Person()))
    assert mechanism.event == events.Approximate(epsilon=Ln(2), delta=1e-6)
    assert str(mechanism.guarantee) == "(ln(2), 1e-06)-DP (add or remove one person)"
    assert mechanism.guarantee_at(2).exact_epsilon == Ln(4)
    assert 3e-6 <= mechanism.event_at(2).parameters["delta"] < 3.0000001e-6


@pytest.mark.parametrize("relation", [Substitute(), AddRemove(2), "rows", None])
def test_only_one_added_or_removed(relation: Any) -> None:
    with raises_code("E-RELATION-OTHER", "relation"):
        PartitionSelection(epsilon=1, delta=1e-5, relation=relation)


@pytest.mark.parametrize("bad", NOT_POSITIVE)
def test_bad_parameters(bad: Any) -> None:
    with pytest.raises(InputError, match="epsilon"):
        PartitionSelection(epsilon=bad, delta=1e-5)
    with pytest.raises(InputError, match="delta"):
        PartitionSelection(epsilon=1, delta=bad)
    if bad is not True:
        with raises_code("E-ARGUMENT-RANGE", "partitions"):
            PartitionSelection(epsilon=1, delta=1e-5, partitions=bad)


@pytest.mark.parametrize("epsilon", ["1e-13", 1e7, 1e100, Fraction(10) ** 400])
def test_an_epsilon_out_of_reach_is_refused_when_the_mechanism_is_made(epsilon: Any) -> None:
    with raises_code("E-ARGUMENT-RANGE", "epsilon"):
        PartitionSelection(epsilon=epsilon, delta=1e-5)


def test_delta_must_be_below_one() -> None:
    with raises_code("E-ARGUMENT-RANGE", "delta"):
        PartitionSelection(epsilon=1, delta=1)


# --- Releasing --------------------------------------------------------------------------------


def test_draws_follow_the_distribution() -> None:
    """With the twin, a δ that is 5 % off, at counts where most is decided by it."""
    mechanism, draws = PartitionSelection(epsilon="0.5", delta="1/20"), 200_000
    kept = mechanism.release(np.full(draws, 3), source=SeededSource(4)).value.sum()

    def doubt(delta: str) -> float:
        distribution = PartitionSelection(epsilon="0.5", delta=delta).distribution(3)
        chance = distribution.probability(outcome=True).upper
        return surprise([kept, draws - kept], [chance, 1 - chance])

    assert doubt("1/20") > FALSE_ALARM
    assert doubt("105/2000") < FALSE_ALARM


def test_each_entry_has_its_own_coin() -> None:
    counts = np.array([[0, 12, 100], [12, -5, 2**40]])
    kept = np.array([PLAIN.release(counts).value for _ in range(200)])
    assert kept.shape == (200, 2, 3)
    assert not kept[:, 0, 0].any()
    assert not kept[:, 1, 1].any()
    assert kept[:, 0, 2].all()
    assert kept[:, 1, 2].all()
    assert (kept[:, 0, 1] != kept[:, 1, 0]).any()


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        (0, False),
        (-(10**30), False),
        (10**30, True),
        (np.int8(100), True),
        (np.uint64(2**64 - 1), True),
    ],
)
def test_one_count_gives_one_boolean(value: Any, kept: object) -> None:
    assert PLAIN.release(value).value is kept


@pytest.mark.parametrize(
    "counts",
    [[0, 100], (0, 10**30), np.array([0, 100], dtype=np.uint8), np.array([0, 2**63], np.uint64)],
)
def test_a_list_gives_an_array(counts: Any) -> None:
    assert PLAIN.release(counts).value.tolist() == [False, True]


def test_no_groups() -> None:
    assert PLAIN.release([]).value.shape == (0,)
    assert PLAIN.release({}).value == frozenset()


def test_of_private_names_only_the_kept_ones_show() -> None:
    assert PLAIN.release({"flu": 1000, "rare": 0, 3: 10**20}).value == {"flu", 3}


def test_a_series_of_counts_is_read_by_its_names() -> None:
    """An array would show how many groups there are."""
    diagnoses = pd.Series(["flu"] * 1000 + ["cold"] * 1000 + ["rare"])
    assert PLAIN.release(diagnoses.value_counts()).value == {"flu", "cold"}
    assert PLAIN.release(pd.Series({}, dtype=int)).value == frozenset()
    assert PLAIN.release(pd.Series([10**9], index=[("flu", 2024)])).value == {("flu", 2024)}


def test_a_name_that_stands_twice_is_one_group() -> None:
    """Two coins for one group would guarantee less."""
    halves = pd.Series([6, 6], index=["flu", "flu"])
    draws = [PLAIN.release(halves, source=SeededSource(seed)).value for seed in range(40)]
    assert draws == [PLAIN.release({"flu": 12}, source=SeededSource(seed)) for seed in range(40)]


@cases(
    "value",
    [
        *(1.5, float("nan"), True, None, "12", [1, 2.5], [[1], [2, 3]], [True, 3], np.ones(2), 1j),
        *({"flu": 1.5}, {"flu": [1, 2]}, {"flu": None}, [np.zeros(2), np.zeros((2, 2))]),
        *(
            [np.timedelta64(3)],
            np.timedelta64("NaT"),
            np.array([3], "m8[s]"),
            {1: np.timedelta64(3)},
        ),
        *(pd.Series([1.5]), pd.DataFrame({"n": [3]}), pl.DataFrame({"n": [3]})),
    ],
)
def test_what_no_counts_are(value: Any) -> None:
    with raises_code("E-ARGUMENT-TYPE", match="whole number of people"):
        PLAIN.release(value)


def test_a_masked_array_is_refused() -> None:
    with raises_code("E-COLUMN-TYPE", match="masked"):
        PLAIN.release(np.ma.array([1000, 1000], mask=[False, True]))


def test_a_distribution_is_that_of_one_group() -> None:
    with raises_code("E-ARGUMENT-TYPE", match="for a distribution, one"):
        PLAIN.distribution([1, 2])
    with working_precision(128):
        assert PLAIN.distribution(12).cumulative(outcome=True).overlaps(arb(1))


@pytest.mark.parametrize("confidence", ["0.001", "0.5", "0.95", "0.999999"])
def test_the_error_is_the_least_count_that_is_kept(confidence: str) -> None:
    least = int(PLAIN.error(confidence=confidence))
    assert PLAIN.distribution(least).probability(outcome=True).lower >= float(confidence)
    assert PLAIN.distribution(least - 1).probability(outcome=True).upper < float(confidence)


@pytest.mark.parametrize("confidence", NO_CONFIDENCE)
def test_bad_confidence(confidence: Any) -> None:
    with pytest.raises(InputError, match="confidence"):
        PLAIN.error(confidence=confidence)
