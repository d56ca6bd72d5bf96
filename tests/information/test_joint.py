"""Joint tables: dense and sparse agree, marginals and conditionals are what they should be."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given

from sfumato.information import (
    Joint,
    conditional_entropy,
    entropy,
    joint_entropy,
    mutual_information,
)
from tests.information.strategies import tables

ROWS = {"sex": ["F", "M", "F", "F"], "age": [50, 50, 60, 50]}


def sparse(table: Any) -> Joint:
    """The same table, given as the combinations that occur."""
    return Joint({index: int(value) for index, value in np.ndenumerate(table) if value})


@given(tables())
def test_dense_and_sparse_agree(table: Any) -> None:
    dense, thin = Joint(table), sparse(table)
    for order in (0, 0.5, 1, 2):
        assert joint_entropy(dense, order=order) == pytest.approx(joint_entropy(thin, order=order))
        known = conditional_entropy(dense, given=[2, 0], order=order)
        assert known == pytest.approx(
            conditional_entropy(thin, given=[2, 0], order=order), abs=1e-12
        )
    between = mutual_information(dense, between=(0, 1), given=2)
    assert between == pytest.approx(mutual_information(thin, between=(0, 1), given=2), abs=1e-12)


@given(tables())
def test_marginals_are_sums(table: Any) -> None:
    for axes in ([0], [1], [2, 0], [0, 1, 2]):
        others = tuple(axis for axis in range(3) if axis not in axes)
        kept = np.transpose(table.sum(axis=others), np.argsort(np.argsort(axes)))
        expected = {
            index if len(axes) > 1 else index[0]: Fraction(int(value), int(table.sum()))
            for index, value in np.ndenumerate(kept)
            if value
        }
        for joint in (Joint(table), sparse(table)):
            found = {
                key: value for key, value in joint.marginal(*axes).distribution.items() if value
            }
            assert found == expected


@given(tables(dimensions=2))
def test_a_joint_is_its_marginal_times_its_conditional(table: Any) -> None:
    for joint in (Joint(table), sparse(table)):
        for x, chance in joint.marginal(0).distribution.items():
            if not chance:
                continue
            for y, value in joint.condition({0: x}).distribution.items():
                assert value * chance == joint.distribution[x, y]


@pytest.mark.parametrize("frame", [ROWS, pd.DataFrame(ROWS), pl.DataFrame(ROWS), pa.table(ROWS)])
def test_rows_of_any_frame(frame: Any) -> None:
    joint = Joint.from_columns(frame)
    assert joint.variables == ("sex", "age")
    assert joint.distribution["F", 50] == Fraction(1, 2)
    assert joint.condition(sex="F").distribution[60] == Fraction(1, 3)
    assert len(joint) == 3


def test_weights_and_repeated_combinations_are_added_up() -> None:
    joint = Joint.from_columns({"x": ["a", "b", "a"]}, weights=[1, 2, 3])
    assert joint.distribution["a"] == Fraction(2, 3)
    shares = Joint.from_columns({"x": ["a", "b", "a"]}, weights=[0.25, 0.5, 0.25])
    assert entropy(shares) == 1
    exact = Joint.from_columns({"x": [1, 2]}, weights=[Fraction(1, 3), Fraction(2, 3)])
    assert exact.distribution[1] == Fraction(1, 3)


def test_gaps_are_an_outcome_of_their_own() -> None:
    joint = Joint.from_columns({"x": [None, float("nan"), "a"]})
    assert joint.distribution[None] == Fraction(2, 3)


def test_values_of_different_kinds_are_not_merged() -> None:
    assert joint_entropy({(1,): 1, ("1",): 1}) == 1
    assert joint_entropy({("x",): 1, ("x\0",): 1}) == 1
    assert joint_entropy({(2**53,): 1, (2**53 + 1,): 1, (0.5,): 2}) == 1.5
    assert joint_entropy({((1, 2), "a"): 1, ((1, 3), "a"): 1}) == 1
    assert Joint.from_columns({"a": [1, "1", 2.5, None]}).labels == ((1, "1", 2.5, None),)


def test_columns_of_every_library_with_gaps() -> None:
    frame = pd.DataFrame({"a": ["x", None], "b": [1, None], "c": [True, None]}).convert_dtypes()
    assert len(Joint.from_columns(frame)) == 2
    masked = np.ma.array([1, 1, 2], mask=[False, True, False])
    assert Joint.from_columns({"a": masked}).labels == ((1, None, 2),)
    days = pd.Series(pd.to_datetime(["2026-01-01", "2026-01-02"]))
    assert Joint.from_columns({"day": days}).labels[0][0] == days[0]
    assert Joint.from_columns({"a": pa.array([1, None])}).labels == ((1, None),)


def test_crosstabs_and_grouped_counts_keep_their_names() -> None:
    rows = pd.DataFrame({"plan": ["a", "a", "b"], "left": ["no", "yes", "no"]})
    crossed = pd.crosstab(rows["plan"], rows["left"])
    counted = rows.groupby(["plan", "left"]).size()
    for table in (crossed, crossed[["yes", "no"]], counted):
        joint = Joint(table)
        assert joint.variables == ("plan", "left")
        assert joint.condition(plan="a").distribution["yes"] == Fraction(1, 2)
        assert conditional_entropy(table, of="left", given="plan") == pytest.approx(2 / 3)


def test_weights_may_be_named() -> None:
    frame = pd.DataFrame({"x": ["a", "b"], "n": [1, 3]})
    joint = Joint.from_columns(frame, weights="n")
    assert joint.variables == ("x",)
    assert joint.distribution["b"] == Fraction(3, 4)


def test_marginals_take_names_or_a_list_of_names() -> None:
    joint = Joint(np.ones((2, 2, 2), dtype=int), variables=["x", "y", "z"])
    assert joint.marginal(["x", "z"]).variables == joint.marginal("x", "z").variables == ("x", "z")


def test_nothing_can_change_a_joint_table_from_outside() -> None:
    table = np.array([[1, 2], [3, 4]])
    joint = Joint(table)
    table[0, 0] = 1000
    assert joint.distribution[0, 0] == Fraction(1, 10)


def test_many_variables_do_not_overflow_the_codes() -> None:
    rng = np.random.default_rng(7)
    columns = {f"v{i}": rng.integers(0, 1000, size=500) for i in range(12)}
    joint = Joint.from_columns(columns)
    assert len(joint) == 500
    assert entropy(joint) == pytest.approx(np.log2(500))


def test_counts_beyond_64_bits() -> None:
    joint = Joint([[2**63, 2**63], [2**63, 2**63]])
    assert joint_entropy(joint) == 2
    assert joint.marginal(0).distribution[0] == Fraction(1, 2)


def test_labels_name_the_values() -> None:
    joint = Joint(np.eye(2) / 2, variables=["x", "y"], labels=[["lo", "hi"], ["lo", "hi"]])
    assert joint.condition(x="hi").distribution["hi"] == 1
    assert repr(joint) == "Joint(x: 2 values, y: 2 values; 4 combinations)"
