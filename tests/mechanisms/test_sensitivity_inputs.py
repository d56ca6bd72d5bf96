"""What a statistic reads as rows, cells and people: by type alone, and totally (M-SENS-1)."""

from __future__ import annotations

import datetime as dt
import math
from collections import Counter
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal

import ibis
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sfumato as sf
from sfumato.errors import InputError
from sfumato.mechanisms.sensitivity import (
    Statistic,
    clipped_covariance,
    clipped_mean,
    clipped_sum,
    clipped_variance,
    clipped_vector_sum,
    histogram,
    linear_queries,
    row_count,
)
from tests.cases import cases
from tests.refusing import raises_code

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.privacy import Relation

ONE, ADD_TWO = sf.privacy.AddRemove(), sf.privacy.AddRemove(2)
SWAP, SWAP_TWO = sf.privacy.Substitute(), sf.privacy.Substitute(2)
PERSON = sf.privacy.AddRemove(unit=sf.privacy.Person())
Norm = Literal["l1", "l2"]
NORMS: tuple[Norm, ...] = ("l1", "l2")
ENTRIES = st.one_of(
    st.none(),
    st.floats(),
    st.integers(-(10**400), 10**400),
    st.fractions(),
    st.decimals(allow_nan=True),
)
BOUNDS = st.tuples(st.integers(-50, 50), st.integers(0, 50)).map(lambda b: (b[0], b[0] + b[1]))
RELATIONS = st.sampled_from([ONE, ADD_TWO, SWAP, SWAP_TWO])


# What is derived is what runs: total, exact, in any order.


@given(BOUNDS, st.lists(ENTRIES, max_size=6), ENTRIES, ENTRIES, RELATIONS, st.randoms())
def test_any_cell_is_counted_within_the_sensitivity(
    bounds: tuple[int, int],
    shared: list[Any],
    one: Any,
    other: Any,
    relation: Relation,
    random: Any,
) -> None:
    total = clipped_sum(*bounds, relation=relation)
    left = [*shared, one] if isinstance(relation, sf.privacy.Substitute) else shared
    right = [*shared, other]
    random.shuffle(right)
    assert total.sensitivity.l1 is not None
    assert abs(total(left) - total(right)) <= total.sensitivity.l1


@given(st.lists(st.lists(ENTRIES, min_size=2, max_size=2), max_size=4), st.sampled_from(NORMS))
def test_clipped_vectors_are_never_too_long(rows: list[list[Any]], norm: Norm) -> None:
    statistic = clipped_vector_sum(bound="0.3", dimension=2, norm=norm)
    for row in rows:
        x, y = statistic([row])
        squared = (abs(x) + abs(y)) ** 2 if norm == "l1" else x**2 + y**2
        assert squared <= Fraction(9, 100)
    sums = [sum(each) for each in zip(*(statistic([row]) for row in rows), strict=True)] or [0, 0]
    assert list(statistic(rows)) == sums


def test_special_cells_have_documented_values() -> None:
    total = clipped_sum(5, 7)
    cells = [math.nan, None, math.inf, -math.inf, Decimal("nan"), Decimal("1e9999999"), 10**400]
    assert [total([cell]) for cell in cells] == [5, 5, 7, 5, 5, 7, 7]
    assert clipped_sum(-7, 7)([math.nan, np.float32("nan"), -0.0]) == 0
    assert clipped_sum(0, 10**400)([10**399, np.int64(2**62), np.int64(2**62)]) == 10**399 + 2**63
    assert clipped_sum(0, "0.1")([0.1]) == Fraction(1, 10)


def test_arrays_and_lists_have_the_same_answer() -> None:
    values = np.random.default_rng(4).normal(size=50)
    assert clipped_sum(-1, 1)(values) == clipped_sum(-1, 1)(values.tolist())
    pairs = values.reshape(25, 2)
    joint = clipped_covariance((-9, 9), (-9, 9), size=25)
    assert float(joint(pairs)) == pytest.approx(np.cov(pairs.T, bias=True)[0, 1])
    assert float(clipped_variance(-9, 9, size=50)(values)) == pytest.approx(values.var())


@pytest.mark.parametrize(
    "cells", [["1"], [True], [np.True_], [1j], [[1]], "12", 5, None, np.float64(3.0)]
)
def test_cells_are_refused_by_their_type(cells: Any) -> None:
    with pytest.raises(InputError, match="must be a"):
        clipped_sum(0, 1)(cells)


def test_a_cell_that_no_key_names_is_counted_nowhere() -> None:
    assert histogram(keys=["a", None])(["a", "b", None, ["a"], math.nan]) == (1, 1)
    assert histogram(edges=[0, 1, 2])([0, 1, 2, -1, 3, None, math.nan, math.inf]) == (1, 2)


# Columns of other libraries: the same cells, the same answer.

COLUMNS: dict[str, Callable[[], Any]] = {
    "list": lambda: [1, 2, None],
    "generator": lambda: (cell for cell in [1, 2, None]),
    "numpy": lambda: np.array([1, 2, np.nan]),
    "numpy objects": lambda: np.array([1, 2, None]),
    "pandas": lambda: pd.Series([1, 2, None]),
    "pandas nullable": lambda: pd.Series([1, 2, None], dtype="Int64"),
    "pandas Arrow": lambda: pd.Series([1, 2, None], dtype="int64[pyarrow]"),
    "pandas index": lambda: pd.Index([1, 2, np.nan]),
    "polars": lambda: pl.Series([1, 2, None]),
    "Arrow": lambda: pa.array([1, 2, None]),
    "Arrow chunks": lambda: pa.chunked_array([[1], [2, None]]),
    "a masked array, listed": lambda: list(np.ma.array([1, 2, 9], mask=[False, False, True])),
}


@pytest.mark.parametrize("name", COLUMNS)
def test_a_column_is_read_whatever_library_it_is_of(name: str) -> None:
    column = COLUMNS[name]
    assert clipped_sum(-5, 5)(column()) == 3
    assert clipped_mean(0, 3, size=3)(column()) == 1
    assert histogram(edges=[0, 2, 5])(column()) == (1, 1)
    assert histogram(keys=[2])(column()) == (1,)
    assert row_count()(column()) == 3
    visits = row_count(relation=PERSON, rows_per_person=1)
    assert visits(column(), people=column()) == 3


FRAMES: dict[str, Any] = {
    "pandas": pd.DataFrame({0: [1, 2, 3], 1: [4, 5, 6]}),
    "polars": pl.DataFrame({"x": [1, 2, 3], "y": [4, 5, 6]}),
    "Arrow": pa.table({"x": [1, 2, 3], "y": [4, 5, 6]}),
    "Arrow batch": pa.record_batch({"x": [1, 2, 3], "y": [4, 5, 6]}),
}
MAPPINGS: dict[str, Any] = {"dict": {0: [1, 2, 3]}, "Counter": Counter([1, 2, 3])}
LAZY: dict[str, Any] = {
    "polars": pl.LazyFrame({"x": [1, 2, 3]}),
    "ibis": ibis.table({"x": "int64"}, name="people"),
}
ARRAYS: dict[str, Any] = {
    "rows": np.array([[0, 1], [1, 0]]),
    "a column of columns": np.array([[0], [1]]),
    "cube": np.zeros((2, 2, 2)),
}
ONE_COLUMN: dict[str, Statistic[Any]] = {
    "sum": clipped_sum(0, 10),
    "mean": clipped_mean(0, 10, size=2),
    "variance": clipped_variance(0, 10, size=2),
    "histogram": histogram(keys=[0, 1]),
    "intervals": histogram(edges=[0, 1, 2]),
    "linear queries": linear_queries([1, 2], keys=[0, 1]),
}
TWO_COLUMNS: dict[str, Statistic[Any]] = {
    "vectors": clipped_vector_sum(bound=9, dimension=2),
    "covariance": clipped_covariance((0, 9), (0, 9), size=3),
}


@cases("table", [*FRAMES.values(), *LAZY.values()])
@cases("name", [*ONE_COLUMN, *TWO_COLUMNS])
def test_a_frame_is_not_read_as_the_names_of_its_columns(name: str, table: Any) -> None:
    with raises_code("E-ARGUMENT-TYPE", match=r"give one column, df\['age'\], or the rows"):
        {**ONE_COLUMN, **TWO_COLUMNS}[name](table)


@cases("table", MAPPINGS.values())
@cases("name", [*ONE_COLUMN, *TWO_COLUMNS])
def test_a_mapping_is_not_read_as_its_keys(name: str, table: Any) -> None:
    for statistic in ({**ONE_COLUMN, **TWO_COLUMNS}[name], row_count()):
        with raises_code("E-ARGUMENT-TYPE", match=r"give one column, data\['age'\]"):
            statistic(table)


@cases("table", ARRAYS.values())
@cases("name", ONE_COLUMN)
def test_rows_are_refused_where_one_column_is_asked_for(name: str, table: Any) -> None:
    with raises_code("E-ARGUMENT-TYPE", "a column"):
        ONE_COLUMN[name](table)


@pytest.mark.parametrize("name", ["pandas", "polars"])
def test_what_the_sentence_says_to_write_works(name: str) -> None:
    frame = FRAMES[name]
    assert clipped_sum(0, 10)(frame[frame.columns[0]]) == 6
    assert clipped_covariance((0, 9), (0, 9), size=3)(frame.to_numpy()) == Fraction(2, 3)


@pytest.mark.parametrize("table", FRAMES.values(), ids=FRAMES)
def test_the_rows_of_a_frame_are_counted(table: Any) -> None:
    assert row_count()(table) == 3
    assert row_count()(np.zeros((4, 2))) == 4
    visits = row_count(relation=PERSON, rows_per_person=1)
    assert visits(table, people=["ann", "bob", "ann"]) == 2


@pytest.mark.parametrize("table", LAZY.values(), ids=LAZY)
def test_the_rows_of_a_query_that_did_not_run_are_not_counted(table: Any) -> None:
    with raises_code("E-ARGUMENT-TYPE", "a table"):
        row_count()(table)


@pytest.mark.parametrize("mask", [[False, False], [False, True]])
def test_masked_arrays_are_refused_masked_or_not(mask: list[bool]) -> None:
    table = np.ma.array([1.0, 2.0], mask=mask)
    for statistic in (clipped_sum(0, 1), row_count(), histogram(keys=[1])):
        with raises_code("E-ARGUMENT-TYPE", match=r"array\.filled\(0\)"):
            statistic(table)


# What is missing: content decides neither whether an error is raised nor who owns a row.

TIMES: list[Any] = [
    np.timedelta64(3, "s"),
    np.timedelta64("NaT", "s"),
    np.datetime64(3, "s"),
    np.datetime64("NaT", "s"),
    pd.Timestamp(3),
    pd.Timedelta(3),
    pd.NaT,
    dt.timedelta(3),
]


@pytest.mark.parametrize("time", TIMES, ids=repr)
def test_times_are_no_numbers_missing_or_not(time: Any) -> None:
    for statistic in (clipped_sum(0, 1), histogram(edges=[0, 1])):
        with raises_code("E-ROWS-TYPE"):
            statistic([0, time])


@pytest.mark.parametrize("unit", ["s", "ns"])
@pytest.mark.parametrize("kind", ["m8", "M8"])
def test_an_array_of_times_is_no_array_of_numbers(kind: str, unit: str) -> None:
    for table in (np.array([3], f"{kind}[{unit}]"), np.array(["NaT"], f"{kind}[{unit}]")):
        with raises_code("E-ROWS-TYPE"):
            clipped_sum(0, 9)(table)
    days = np.array(["2024-02-28", "2024-02-29"], "M8[ns]")
    assert histogram(keys=[days[1]])(days) == (1,)


def not_a_number() -> list[Any]:
    """Objects of their own: no two rows share one."""
    return [
        float("nan"),
        np.float16("nan"),
        np.float32("nan"),
        np.float64("nan"),
        np.longdouble("nan"),
        Decimal("NaN"),
        Decimal("sNaN"),
    ]


def nobody() -> list[Any]:
    return [
        None,
        pd.NA,
        pd.NaT,
        np.ma.masked,
        complex("nan"),
        np.complex64("nan"),
        np.datetime64("NaT", "s"),
        np.timedelta64("NaT", "s"),
        (float("nan"), 1),
        (("ann", Decimal("sNaN")), 1),
        (1, pd.NA),
        frozenset({float("nan")}),
        *not_a_number(),
    ]


def test_no_missing_number_raises() -> None:
    missing = [None, pd.NA, np.ma.masked, *not_a_number()]
    assert [clipped_sum(2, 3)([cell]) for cell in missing] == [2] * len(missing)
    assert histogram(edges=[-1, 1])(missing) == (0,)
    assert histogram(keys=["a"])([*nobody(), np.timedelta64(3), "a"]) == (1,)
    both = clipped_vector_sum(bound=9, dimension=2)([(1, cell) for cell in missing])
    assert both == (Fraction(len(missing)), Fraction(0))


@pytest.mark.parametrize("most", [1, 2])
def test_rows_of_nobody_belong_together(most: int) -> None:
    people = [*nobody(), "ann", *nobody(), 0, False, ("ann", 0), ""]
    rows = row_count(relation=PERSON, rows_per_person=most)
    of_the_others = 4 if most == 1 else 5  # 0 and False are the same person
    assert rows([None] * len(people), people=people) == most + of_the_others
    for person in nobody():
        assert rows([1, 2, 3], people=[person, None, person]) == most


@pytest.mark.parametrize("kind", [float, "datetime64[ns]", "timedelta64[s]", "Int64", object])
def test_rows_of_nobody_belong_together_in_a_series(kind: Any) -> None:
    rows = row_count(relation=PERSON, rows_per_person=1)
    assert rows([1, 2, 3], people=pd.Series([None, None, 5]).astype(kind)) == 2


@pytest.mark.parametrize(
    "person",
    [
        [1],
        {1},
        {"a": 1},
        ([1], 2),
        np.array([1, 2]),
        pd.Series([1]),
        pl.Series([1]),
        np.timedelta64(3),
    ],
)
def test_people_are_refused_by_their_type(person: Any) -> None:
    with raises_code("E-IDS-TYPE", "people"):
        row_count(relation=PERSON, rows_per_person=1)([1], people=[person])


@pytest.mark.parametrize("people", [FRAMES["pandas"], {"ann": 1}, np.array([["ann"]])])
def test_people_are_one_column(people: Any) -> None:
    with raises_code("E-ARGUMENT-TYPE", "people"):
        row_count(relation=PERSON, rows_per_person=1)([1], people=people)
