"""The noiseless core: sums in which nobody counts for more than the limit, exactly."""

from __future__ import annotations

import os
import random
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.tables.plan.measurements import (
    GRID_BITS,
    Contribution,
    ContributionLimit,
    grid_step,
    root_above,
)
from sfumato.tables.run.contribution_bounding import exact_sums
from sfumato.tables.run.partition_selection import people_in_groups
from sfumato.tables.run.rows import EngineRows
from tests.cases import rings

if TYPE_CHECKING:
    from sfumato.tables.plan.measurements import Measurement
    from sfumato.tables.plan.plan import Plan

FINE = 2**16
Row = tuple[int | None, str | None, float | None]

#: Numbers that a careless clip lets through.
NASTY = [0.0, -0.0, 1.0, 10.0, -3.0, 11.0, float("nan"), float("inf"), float("-inf"), 1e308, None]

rows = st.lists(
    st.tuples(
        st.sampled_from([1, 2, 3, None]),
        st.sampled_from(["a", "b", "A", "a ", None]),
        st.sampled_from(NASTY) | st.floats(0, 10, width=32),
    ),
    min_size=6,
    max_size=20,
)


def table_of(data: list[Row], **declared: Any) -> sf.tables.PrivateTable:
    columns = pa.table(
        {
            "id": pa.array([each[0] for each in data], pa.int64()),
            "key": pa.array([each[1] for each in data], pa.string()),
            "x": pa.array([each[2] for each in data], pa.float64()),
        }
    )
    return sf.table(columns, unit="id", bounds={"x": (0, 10)}, keys={"key": ["a", "b"]}, **declared)


def plan_of(data: list[Row], *, limit: int, rho: bool = False, **asked: Any) -> Plan:
    query = table_of(data, limits={"rows": limit}).group_by("key").agg(**asked)
    return query.plan(rho=1) if rho else query.plan(epsilon=1)


def sums(plan: Plan) -> dict[Measurement, list[int]]:
    """The exact sums of a plan's measurements, in fine steps."""
    held = EngineRows(plan.query.table)
    measured = [each.measurement for each in plan.measures]
    found = exact_sums(held, plan.keys, measured, plan.contribution)
    return {each: [int(value) for value in column] for each, column in found.items()}


def test_count_and_sum_within_the_limit_are_exact() -> None:
    data: list[Row] = [(1, "a", 2.0), (1, "b", 3.0), (2, "a", 7.0), (3, "c", 9.0)]
    plan = plan_of(data, limit=2, n=sf.count(), s=sf.sum("x"))
    above, below, missing = sums(plan).values()
    unit = plan.measures[0].measurement.step / FINE
    assert [total * unit for total in above] == [9, 3]
    assert [total * unit for total in below] == [11, 7]
    assert missing == [0, 0]


def test_a_person_over_the_limit_counts_in_part_in_each_group() -> None:
    data: list[Row] = [*[(1, "a", 1.0)] * 6, *[(1, "b", 1.0)] * 2]
    counted = sums(plan_of(data, limit=4, n=sf.count()))
    (counts,) = counted.values()
    assert sum(counts) <= 4 * FINE
    assert counts[0] == 3 * counts[1]
    assert abs(counts[0] - 3 * FINE) <= 8


def test_values_beyond_their_bounds_count_as_the_bound() -> None:
    data: list[Row] = [(1, "a", -3.0), (2, "a", 11.0), (3, "b", float("-inf"))]
    plan = plan_of(data, limit=2, n=sf.count(), s=sf.sum("x"))
    above, below, _ = sums(plan).values()
    unit = plan.measures[0].measurement.step / FINE
    assert [total * unit for total in above] == [10, 0]
    assert [total * unit for total in below] == [10, 10]


@pytest.mark.parametrize("norm", ["L1", "L2"])
@pytest.mark.parametrize("rows_held", [3, 5, 7])
@pytest.mark.parametrize(
    "asked",
    [sf.count(), sf.people(), sf.mean("x"), sf.sum("x", bounds=(-10, 10))],
    ids=lambda each: type(each).__name__,
)
def test_the_rows_of_one_person_move_nothing_by_more_than_claimed(
    asked: Any, rows_held: int, norm: str
) -> None:
    """Just over the limit of two, far over it, and with values that cancel."""
    data: list[Row] = [(1, "ab"[n % 2], 10.0 - 20 * (n % 2)) for n in range(rows_held)]
    plan = plan_of(data, limit=2, rho=norm == "L2", asked=asked)
    power = 2 if norm == "L2" else 1
    for measurement, column in sums(plan).items():
        claimed = plan.contribution.sensitivity(measurement)
        assert sum(abs(each) ** power for each in column) <= claimed**power
        assert claimed >= measurement.most * FINE


@pytest.mark.parametrize("norm", ["L1", "L2"])
@pytest.mark.parametrize("limit", rings([1, 3], first=[3]))
@given(data=rows)
@settings(max_examples=4)
def test_one_person_moves_each_measurement_by_no_more_than_claimed(
    data: list[Row], limit: int, norm: str
) -> None:
    rho = norm == "L2"
    asked = {
        "n": sf.count(),
        "m": sf.mean("x"),
        "v": sf.variance("x"),
        "c": sf.tables.covariance("x", "x"),
        "w": sf.mean("x", bounds=(0, 5)),
        "p": sf.people(),
    }
    plan = plan_of(data, limit=limit, rho=rho, **asked)
    full = sums(plan)
    for person in {each[0] for each in data}:
        rest = [each for each in data if each[0] != person]
        other = sums(plan_of(rest, limit=limit, rho=rho, **asked))
        for measurement, column in full.items():
            moved = [abs(one - two) for one, two in zip(column, other[measurement], strict=True)]
            claimed = plan.contribution.sensitivity(measurement)
            size = sum(each**2 for each in moved) if rho else sum(moved) ** 2
            assert size <= claimed**2
        for joint in {each.joint for each in plan.measures if each.joint}:
            assert moved_together(plan, joint, full, other, rooted=rho) <= 1


def moved_together(
    plan: Plan,
    joint: tuple[Measurement, ...],
    full: dict[Measurement, list[int]],
    other: dict[Measurement, list[int]],
    *,
    rooted: bool,
) -> Fraction:
    """How far one person moves all that is measured together, relative to the noise."""
    total = Fraction(0)
    for measurement in joint:
        claimed = plan.contribution.sensitivity(measurement)
        for one, two in zip(full[measurement], other[measurement], strict=True):
            total += (abs(one - two) / claimed) ** (2 if rooted else 1)
    return total


@given(data=rows)
@settings(max_examples=4)
def test_a_sum_by_itself_is_limited_by_value(data: list[Row]) -> None:
    plan = plan_of(data, limit=2, s=sf.sum("x"))
    (measurement,) = (each.measurement for each in plan.measures)
    assert measurement.weighing == "value"
    full = sums(plan)[measurement]
    for person in {each[0] for each in data}:
        rest = [each for each in data if each[0] != person]
        other = sums(plan_of(rest, limit=2, s=sf.sum("x")))[measurement]
        moved = sum(abs(one - two) for one, two in zip(full, other, strict=True))
        assert moved <= plan.contribution.sensitivity(measurement)


def test_what_is_measured_together_is_about_one_column() -> None:
    """Two pairs of parts under one name would be charged for once: they have names of their own."""
    plan = plan_of(
        [],
        limit=2,
        m=sf.mean("x"),
        c=sf.tables.covariance("x", "x"),
        w=sf.mean("x", bounds=(0, 5)),
        d=sf.tables.covariance("x", sf.col("x") + 0, other_bounds=(0, 10)),
    )
    joint = {each.joint for each in plan.measures if each.joint}
    assert sorted(map(len, joint)) == [2, 2, 2]
    spent = sum(each.share.amount for each in plan.measures if not each.is_paid)
    assert spent == 1


@pytest.mark.parametrize("most", [1, 2, 3])
def test_a_person_counts_once_in_a_group_and_in_no_more_groups_than_allowed(most: int) -> None:
    """One of many rows in three groups, and one of two rows in one of them."""
    rows = [(1, "abc"[n % 3]) for n in range(9)] + [(2, "a"), (2, "a")]
    columns = pa.table({"id": [each[0] for each in rows], "key": [each[1] for each in rows]})
    table = sf.table(columns, unit="id", limits={"rows": 9, "groups": most})
    plan = table.group_by("key").agg(n=sf.count()).plan(epsilon=1, delta=1e-6)
    found = people_in_groups(EngineRows(plan.query.table), plan.keys, most)
    assert set(found) == {("a",), ("b",), ("c",)}
    assert sum(found.values()) == most + 1
    assert plan.search is not None
    assert plan.search.mechanism.partitions == most
    assert max(found.values()) <= 2


@pytest.mark.parametrize("number", [Fraction(2), Fraction(3), Fraction(1, 3), Fraction(10**6 + 1)])
def test_the_root_of_a_limit_is_rounded_up(number: Fraction) -> None:
    """A length that is rounded down would be exceeded by who has as many groups as allowed."""
    root = root_above(number, 10)
    assert (root - Fraction(1, 2**10)) ** 2 < number <= root**2


def test_without_a_limit_the_same_check_fails() -> None:
    """The twin: the claim is a real one, since an unlimited sum breaks it."""
    data: list[Row] = [(1, "a", 1.0)] * 10
    plan = plan_of(data, limit=3, n=sf.count())
    (measurement,) = (each.measurement for each in plan.measures)
    loose = Contribution(
        plan.contribution.relation, {"rows": ContributionLimit("rows", Fraction(10))}
    )
    held = EngineRows(plan.query.table)
    column = exact_sums(held, plan.keys, [measurement], loose)[measurement]
    assert sum(column) > plan.contribution.sensitivity(measurement)


@pytest.mark.full
@given(data=rows, seed=st.integers(0, 99))
@settings(max_examples=4)
def test_the_order_of_rows_changes_no_bit(data: list[Row], seed: int) -> None:
    asked: dict[str, Any] = {"n": sf.count(), "s": sf.sum("x"), "p": sf.people()}
    shuffled = random.Random(seed).sample(data, len(data))  # noqa: S311
    assert sums(plan_of(data, limit=2, **asked)) == sums(plan_of(shuffled, limit=2, **asked))


def test_threads_change_no_bit(tmp_path: Any) -> None:
    import numpy as np
    import pyarrow.parquet as pq

    numbers = np.arange(400_000)
    made = pa.table(
        {
            "id": numbers * 7919 % 5003,
            "key": np.where(numbers % 2, "b", "a"),
            "x": numbers * 0.1 % 10,
        }
    )
    pq.write_table(made, tmp_path / "big.parquet", row_group_size=20_000)
    found = []
    processors = os.sched_getaffinity(0)
    for allowed in ({min(processors)}, processors):
        os.sched_setaffinity(0, allowed)
        table = sf.table(
            tmp_path / "big.parquet",
            unit="id",
            bounds={"x": (0, 10)},
            keys={"key": ["a", "b"]},
            limits={"rows": 30},
        )
        plan = table.group_by("key").agg(n=sf.count(), d=sf.std("x")).plan(epsilon=1)
        found.append(sums(plan))
        os.sched_setaffinity(0, processors)
    assert found[0] == found[1]


@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize("places", [-70, -24, -1, 0, 1, 24, 25, 70])
@pytest.mark.parametrize("share", [Fraction(1), Fraction(3, 2), 1 + Fraction(1, 10**9)])
def test_a_step_is_the_least_power_of_two_that_fits_the_grid(
    share: Fraction,
    places: int,
    whole: bool,  # noqa: FBT001
) -> None:
    size = share * Fraction(2) ** places
    step = grid_step(size, whole=whole)
    if whole and size <= 2**GRID_BITS:
        assert step == 1
    else:
        assert step.numerator.bit_count() == step.denominator.bit_count() == 1
        assert step / 2 < size / 2**GRID_BITS <= step
