"""Quantiles, medians and extremes of private tables: output, neighbours, ties, bars that cover."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom

import sfumato as sf
from sfumato.mechanisms import ExponentialQuantile
from sfumato.privacy import AddRemove, ZeroConcentratedDP
from sfumato.sampling import SeededSource
from sfumato.tables.plan.quantiles import PARTS
from sfumato.tables.run.cells import QuantileTree, release_cells
from tests.tables.looking import both_distributions, cells_of, keeps, visits

HERE = [("p", "a", 0), ("q", "a", 1), ("q", "b", 1), ("r", "b", 3), ("s", "b", 2)]
#: Somebody with seven rows in both wards, of which two count.
MANY = [("z", ward, x) for ward, x in (*[("a", 3)] * 3, *[("b", 0)] * 4)]


def median(table: Any) -> Any:
    return table.group_by("ward").agg(x=sf.median("x", confidence=None))


def largest(table: Any) -> Any:
    return table.group_by("ward").agg(x=sf.maximum("x"))


def one_choice(plan: Any, share: float = 1) -> Any:
    """What chooses the median, or with a wrong sensitivity."""
    (step,) = plan.looks
    sensitivity = step.sensitivity(plan.contribution) * Fraction(share)
    return ExponentialQuantile(epsilon=1, rank="1/2", sensitivity=sensitivity)


@pytest.mark.parametrize("more", [MANY, [("z", "a", 3)], [("z", "b", 0), ("z", "b", 3)]])
def test_choices_in_all_groups_keep_the_guarantee_for_a_person_in_several(more: Any) -> None:
    """M-EXP-1 over groups: the losses of a person add up to no more than the limit."""
    tables = visits(HERE), visits([*HERE, *more])
    one, other = both_distributions(tables, median, one_choice)
    assert keeps(one, other, 1)
    one, other = both_distributions(
        tables, largest, lambda plan: plan.looks[0].look.mechanism(*both(plan))
    )
    assert keeps(one, other, 1)


def both(plan: Any) -> tuple[Any, Any]:
    return plan.looks[0], plan.contribution


def test_a_twin_with_a_third_of_the_sensitivity_breaks_the_guarantee() -> None:
    lonely = [("p", "a", 3)] * 2 + [("q", "b", 0)] * 2
    tables = visits(lonely), visits([*lonely, ("z", "a", 0), ("z", "b", 3)])
    right = both_distributions(tables, median, one_choice)
    wrong = both_distributions(tables, median, lambda plan: one_choice(plan, 1 / 4))
    assert keeps(*right, 1)
    assert not keeps(*wrong, 1)


def test_a_substituted_person_is_guaranteed_as_much() -> None:
    tables = [
        visits([*HERE, ("z", ward, x), ("z", ward, x)], relation="substitute")
        for ward, x in (("a", 0), ("b", 3))
    ]
    step = median(tables[0]).plan(epsilon=1).looks[0]
    assert step.sensitivity(step.contribution) == 4 * 2**16
    one, other = both_distributions(tables, median, one_choice)
    assert keeps(one, other, 1)


def test_one_person_moves_all_cells_together_by_no_more_than_the_limit() -> None:
    plan = median(visits(HERE)).plan(epsilon=1)
    before, after = (
        cells_of(median(table), plan) for table in (visits(HERE), visits([*HERE, *MANY]))
    )
    moved = int(np.abs(after - before).sum())
    assert 0.99 < moved / plan.looks[0].sensitivity(plan.contribution) <= 1


def chances(weights: Any, rank: Fraction, rate: float) -> Any:
    """The probability of each point by its definition, in floating point."""
    total, below = sum(weights), 0.0
    losses = []
    for place, weight in enumerate(weights):
        over = below - rank * total if place else 0
        under = rank * total - below - weight if place < len(weights) - 1 else 0
        losses.append(float(max(over, under, 0)))
        below += weight
    odds = np.exp(-rate * np.array(losses))
    return odds / odds.sum()


@pytest.mark.parametrize("rank", [Fraction(1, 2), Fraction(1, 5), Fraction(1)])
def test_the_distribution_is_that_of_the_definition(rank: Fraction) -> None:
    distribution = ExponentialQuantile(epsilon=1, rank=rank, sensitivity=3).distribution(
        [2, 0, 5, 1]
    )
    rate = 1 / (2 * 3 * max(rank, 1 - rank))
    found = [distribution.probability(place).upper for place in range(4)]
    assert found == pytest.approx(chances([2, 0, 5, 1], rank, float(rate)), rel=1e-9)


def worst_loss(one: Any, other: Any, rate: float) -> float:
    """The greatest logarithm of a ratio of the probabilities of three quartiles, by the tree."""
    half = Fraction(1, 2)
    cells = [np.repeat(each, PARTS) for each in (one, other)]
    first, second = (np.log(chances(each, half, rate)) for each in cells)
    found = first - second
    for cut in range(len(found)):
        left, right = [each[: cut + 1] for each in cells], [each[cut + 1 :] for each in cells]
        for side in (left, [np.concatenate(([0], each)) for each in right]):
            first, second = (np.log(chances(each, half, rate)) for each in side)
            found[cut] += (first - second).max()
    return float(found.max())


def test_the_tree_costs_its_levels() -> None:
    """Three quartiles in two levels of ε/2: exactly, over all that can come out."""
    pairs = [([2, 1], [3, 1]), ([0, 2], [1, 2]), ([0, 0, 1], [0, 1, 1]), ([3, 0, 0], [3, 0, 1])]
    pairs += [each[::-1] for each in pairs]
    ranks = tuple(Fraction(each, 4) for each in (1, 2, 3))
    tree = QuantileTree(ranks, Fraction(1, 2), Fraction(1), AddRemove())
    mechanism = tree.mechanism(Fraction(1, 2))
    rate = 0.5 / PARTS
    distribution = mechanism.distribution([PARTS, 0, 4 * PARTS])
    assert distribution.probability(1).upper == pytest.approx(
        chances([PARTS, 0, 4 * PARTS], Fraction(1, 2), rate)[1], rel=1e-6
    )
    assert all(worst_loss(*pair, rate) <= 1 + 1e-9 for pair in pairs)
    assert not all(worst_loss(*pair, 4 * rate) <= 1 for pair in pairs)


def ages(size: int, seed: int = 7) -> pd.DataFrame:
    """Ages like those of a census: a hump at 30 and a long tail."""
    source = np.random.default_rng(seed)
    age = np.clip(17 + source.gamma(2.2, 9.5, size), 17, 90).astype(int)
    return pd.DataFrame({"age": age, "sex": source.choice(["F", "M"], size)})


def test_much_budget_gives_the_quantiles_of_the_data() -> None:
    frame = ages(3001)
    table = sf.table(frame, unit="row", bounds={"age": (0, 110)}, keys={"sex": ["F", "M"]})
    ranks = [0.1, 0.25, 0.5, 0.75, 0.9]
    query = table.group_by("sex").agg(age=sf.tables.quantiles("age", ranks), old=sf.maximum("age"))
    answer = query.release(epsilon=10_000, source=SeededSource(1)).to_pandas().set_index("sex")
    for sex, own in frame.groupby("sex")["age"]:
        for rank in ranks:
            sought = {
                np.quantile(own, rank, method=kind) for kind in ("inverted_cdf", "higher", "lower")
            }
            assert answer.loc[sex, f"age_q{100 * rank:g}"] in sought
        assert own.sort_values().iloc[-3:].min() <= answer.loc[sex, "old"] <= own.max()


def test_tied_rows_are_found_by_all_their_ranks() -> None:
    """Six tenths of zeros: a cut at zero goes through them, and no rank is moved by it."""
    cost = [0] * 600 + list(range(1, 401))
    table = sf.table(pd.DataFrame({"cost": cost}), unit="row", bounds={"cost": (-500, 500)})
    asked = sf.tables.quantiles("cost", [0.2, 0.5, 0.75, 0.9], confidence=None)
    answer = table.agg(cost=asked).release(epsilon=2_000, source=SeededSource(1))
    found = [answer[f"cost_q{each}"] for each in (20, 50, 75, 90)]
    assert found[:2] == [0, 0]
    assert abs(found[2] - 150) <= 600 / PARTS / 2 + 5
    assert abs(found[3] - 300) <= 600 / PARTS / 2 + 5


DRAWS = 300
#: A right bar covers less often than that with probability 1e-5.
ENOUGH = binom.ppf(1e-5, DRAWS, 0.95)


def covered(cells: Any, sought: int, bars: Any) -> int:
    """How often the sought cell lies between bars."""
    source = SeededSource(5)
    drawn = [[bar.release(cells, source=source).value for bar in bars] for _ in range(DRAWS)]
    return sum(low <= sought <= high for low, high in drawn)


@pytest.mark.parametrize("rank", [Fraction(1, 2), Fraction(9, 10)])
@pytest.mark.parametrize("spread", [1, 3])
def test_bars_cover_and_those_without_an_offset_do_not(rank: Fraction, spread: int) -> None:
    """Right bars fail with probability 1e-5 at most; a twin that covers 80 % passes with 1e-5."""
    values = [50 + spread * k for k in range(301)]
    table = sf.table(pd.DataFrame({"x": values}), unit="row", bounds={"x": (0, 1000)})
    query = table.agg(x=sf.quantile("x", rank))
    plan = query.plan(epsilon=3)
    step: Any = plan.looks[0]
    (cells,) = cells_of(query, plan)
    sought = int(np.searchsorted(np.cumsum(cells), float(rank) * cells.sum()))
    right = [
        step.look.bar(step, plan.contribution, rank, side=side, left_out=0.0) for side in (-1, 1)
    ]
    wrong = [ExponentialQuantile(epsilon=each.epsilon, rank=rank) for each in right]
    assert covered(cells, sought, right) >= ENOUGH
    assert covered(cells, sought, wrong) < ENOUGH


def test_the_extremes_are_inside_as_often_as_is_said() -> None:
    values = list(range(100, 400))
    table = sf.table(pd.DataFrame({"x": values}), unit="row", bounds={"x": (0, 1000)})
    query = table.agg(x=sf.maximum("x"))
    plan = query.plan(epsilon=1)
    (step,) = plan.looks
    cells = cells_of(query, plan)
    source = SeededSource(3)
    drawn = [
        release_cells(
            step, cells, plan.contribution, lambda m, v: m.release(v, source=source).value
        )[0]
        for _ in range(DRAWS)
    ]
    within = 2 * step.look.error(step, plan.contribution, 0.95)
    assert sum(399 - within - 1 <= each <= 399 for each in drawn) >= ENOUGH
    plain = ExponentialQuantile(epsilon=1, rank=1)
    beyond = [plain.release(cells[0], source=source).value > 399 for _ in range(DRAWS)]
    assert DRAWS - sum(beyond) < ENOUGH


def test_special_values_count_as_documented() -> None:
    """NaN and missing in no cell, infinities and what lies beyond at the bounds."""
    rows = [math.nan, None, math.inf, -math.inf, 1e308, 1.0, -7.0, 2.0]
    frame = pd.DataFrame({"x": pd.array(rows, dtype="Float64"), "ward": "a"})
    table = sf.table(frame, unit="row", bounds={"x": (0, 2)}, keys={"ward": ["a", "b"]})
    query = median(table)
    plan = query.plan(epsilon=1)
    cells = cells_of(query, plan)
    middle = plan.looks[0].look.tally.size // 2
    assert (cells[0, 0], cells[0, middle], cells[0, -1]) == (2, 1, 3)
    assert cells.sum() == 6


def test_a_complete_column_has_a_value_in_every_row() -> None:
    frame = pd.DataFrame({"x": [None, 2.0]})
    table = sf.table(frame, unit="row", bounds={"x": (0, 2)}, complete=["x"])
    query = table.agg(x=sf.median("x"))
    cells = cells_of(query, query.plan(epsilon=1))
    assert np.flatnonzero(cells[0]).tolist() == [len(cells[0]) // 2, len(cells[0]) - 1]


def test_an_empty_group_and_an_empty_table_are_answered_within_the_bounds() -> None:
    for table in (visits([("p", "a", 1)]), visits([])):
        query = table.group_by("ward").agg(
            x=sf.tables.quantiles("x", [0.3, 0.6]), top=sf.maximum("x")
        )
        answer = query.release(epsilon=1).to_pandas(confidence=0.95)
        numbers = answer.drop(columns="ward").to_numpy()
        assert ((numbers >= 0) & (numbers <= 3)).all()


def test_cells_do_not_depend_on_the_order_of_rows() -> None:
    source = np.random.default_rng(1)
    rows = [
        (str(source.integers(40)), "ab"[source.integers(2)], int(source.integers(4)))
        for _ in range(400)
    ]
    shuffled = [rows[place] for place in source.permutation(len(rows))]
    plan = median(visits(rows)).plan(epsilon=1)
    one, other = (cells_of(median(visits(each)), plan) for each in (rows, shuffled))
    assert (one == other).all()
    assert one.sum() < 2**16 * len(rows)


def test_the_answer_lies_between_its_bars_and_bars_beyond_their_confidence_are_the_bounds() -> None:
    table = sf.table(ages(500), unit="row", bounds={"age": (0, 110)})
    answer = table.agg(age=sf.median("age", confidence=0.9)).release(epsilon=1)
    close, sure = (answer.to_pandas(confidence=each).iloc[0] for each in (0.9, 0.95))
    assert 0 <= close["age_low"] <= close["age"] <= close["age_high"] <= 110
    assert (sure["age_low"], sure["age_high"]) == (0, 110)
    without = table.agg(age=sf.median("age", confidence=None)).release(epsilon=1)
    assert without.to_pandas(confidence=0.5).iloc[0]["age_high"] == 110


def test_bars_of_numbers_that_are_not_whole_hold_what_was_rounded() -> None:
    table = sf.table(pd.DataFrame({"x": [1 / 3] * 99}), unit="row", bounds={"x": (0, 10)})
    answer = table.agg(x=sf.median("x")).release(epsilon=100, source=SeededSource(1))
    row = answer.to_pandas(confidence=0.95).iloc[0]
    assert row["x_low"] <= 1 / 3 <= row["x_high"]
    assert row["x_high"] - row["x_low"] <= 3 * 10 / 4096


@pytest.mark.parametrize("target", [{"epsilon": 2}, {"rho": 0.1}])
def test_all_choices_together_cost_what_is_guaranteed(target: Any) -> None:
    """M-DEF-1: the accountant's figure for the event is within the guarantee."""
    query = (
        visits(HERE)
        .group_by("ward")
        .agg(n=sf.count(), x=sf.tables.quantiles("x", [0.2, 0.5, 0.8]), top=sf.maximum("x"))
    )
    plan = query.plan(**target)
    spent = sf.compose(plan.event, relation=plan.guarantee.relation)
    if "rho" in target:
        guaranteed = ZeroConcentratedDP(rho=target["rho"], relation=plan.guarantee.relation)
        assert spent.epsilon(delta=1e-6) <= guaranteed.epsilon(delta=1e-6) * (1 + 1e-6)
    else:
        assert spent.epsilon(delta=0) == 2
    assert query.release(**target, source=SeededSource(1)).seeded


def test_limits_and_bounds_that_are_found_serve_quantiles_too() -> None:
    source = np.random.default_rng(2)
    frame = pd.DataFrame({"id": source.integers(0, 2000, 9000), "x": source.normal(50, 9, 9000)})
    table = sf.table(frame, unit="id", bounds={"x": "auto"})
    answer = table.agg(x=sf.median("x")).release(epsilon=20, source=SeededSource(1))
    row = answer.to_pandas(confidence=0.95).iloc[0]
    assert row["x_low"] <= frame["x"].median() <= row["x_high"]
    assert row["x_high"] - row["x_low"] < 3
    assert len(answer.limits) == len(answer.bounds) == 1


def test_the_plan_says_in_ranks_how_far_off_and_warns_of_extremes() -> None:
    query = visits(HERE).group_by("ward").agg(x=sf.median("x"), top=sf.maximum("x"))
    text = str(query.plan(epsilon=1))
    warning = "top is a quantile close to the maximum of x, not the maximum itself"
    assert "x: ± " in text
    assert "ranks" in text
    assert warning in text
    assert warning in str(query.release(epsilon=1))
