"""Equal values are equal whatever the types of their columns (M-DIV-1: from two tables)."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any, Literal

import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.data import count_pairs, open_sources

if TYPE_CHECKING:
    from pathlib import Path

LARGE = 2**53
AGE_TYPES: list[Literal["float64", "Int64"]] = ["float64", "Int64"]


def pairs(p: Any, q: Any) -> list[tuple[int, int]]:
    first, second = open_sources(p, q)
    counted = count_pairs(first, second, "x")
    return sorted(zip(counted.first.tolist(), counted.second.tolist(), strict=True))


def compared(left: pa.Array, right: pa.Array) -> list[tuple[int, int]]:
    return pairs(pa.table({"x": left}), pa.table({"x": right}))


def decimals(*values: str, width: int, scale: int) -> pa.Array:
    return pa.array([Decimal(each) for each in values], pa.decimal128(width, scale))


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (decimals("1", "2", width=3, scale=2), pa.array([1, 2])),
        (decimals("1", "2.5", width=3, scale=2), decimals("1", "2.5", width=38, scale=30)),
        (decimals(".5", "-.5", width=2, scale=2), decimals(".5", "-.5", width=9, scale=1)),
        (decimals(".1", "2", width=3, scale=2), pa.array([0.1, 2.0])),
        (pa.array([LARGE, LARGE + 1]), pa.array([LARGE, LARGE + 1], pa.uint64())),
        (pa.array([LARGE, LARGE + 1]), decimals(str(LARGE), str(LARGE + 1), width=38, scale=2)),
        (pa.array([LARGE, LARGE + 1]), pa.array([str(LARGE), str(LARGE + 1)])),
        (pa.array(["64", "61.5"]), pa.array([64.0, 61.5])),
        (pa.array(["64.0", "61.00"]), pa.array([64, 61])),
        (pa.array(["0.50", "-3"]), decimals("0.5", "-3", width=4, scale=3)),
        (pa.array(["0", "1"]), pa.array([-0.0, 1.0])),
        (pa.array(["true", "x"]), pa.array(["true", "x"]).dictionary_encode()),
    ],
)
def test_equal_values_of_different_types_are_one_outcome(left: pa.Array, right: pa.Array) -> None:
    assert compared(left, right) == [(1, 1), (1, 1)]
    assert compared(right, left) == [(1, 1), (1, 1)]


@pytest.mark.parametrize("code", ["01", "1 ", "+1", "1e0", "one", "00.0"])
def test_text_that_is_no_plain_number_stays_text(code: str) -> None:
    assert compared(pa.array([code]), pa.array([1])) == [(0, 1), (1, 0)]


@pytest.mark.full
@settings(max_examples=12, deadline=None)
@given(st.lists(st.integers(-(10**15), 10**15), min_size=1, max_size=20, unique=True))
def test_an_integer_is_the_same_as_text_float_and_decimal(values: list[int]) -> None:
    whole = pa.array(values, pa.int64())
    for kind in (pa.string(), pa.float64(), pa.decimal128(25, 3)):
        assert compared(whole, whole.cast(kind)) == [(1, 1)] * len(values)
    assert compared(whole.cast(pa.string()), whole.cast(pa.float64())) == [(1, 1)] * len(values)


@pytest.mark.parametrize("csv_type", AGE_TYPES)
@pytest.mark.parametrize("parquet_type", AGE_TYPES)
def test_one_frame_saved_as_csv_and_as_parquet_is_the_same(
    tmp_path: Path, csv_type: Literal["float64", "Int64"], parquet_type: Literal["float64", "Int64"]
) -> None:
    ages = {kind: pd.DataFrame({"x": pd.Series([64, None, 61], dtype=kind)}) for kind in AGE_TYPES}
    ages[csv_type].to_csv(tmp_path / "p.csv", index=False)
    ages[parquet_type].to_parquet(tmp_path / "q.parquet")
    assert pairs(tmp_path / "p.csv", tmp_path / "q.parquet") == [(1, 1)] * 3
