"""Columns of Arrow from lists and as arrays: what pyarrow's own way gives, without pandas."""

from __future__ import annotations

import sys
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.data import open_source
from sfumato.data.arrow import array_of, as_expected, in_memory, whole_numbers

SUMS = pa.decimal128(38)
WHOLE = st.one_of(st.none(), st.integers(-(2**63), 2**63 - 1))


@given(st.lists(st.lists(WHOLE, max_size=5), max_size=3))
def test_sums_of_128_bits_are_cast_as_pyarrow_casts_them(chunks: list[list[int | None]]) -> None:
    arrays = [pa.array([None if n is None else Decimal(n) for n in each], SUMS) for each in chunks]
    wide = pa.chunked_array(arrays, SUMS)
    schema = pa.schema({"n": pa.int64()})
    found = as_expected(pa.table({"n": wide}), schema)
    found.validate(full=True)
    assert found.equals(pa.table({"n": wide.cast(pa.int64())}))


@pytest.mark.parametrize("sum_", [2**63, -(2**63) - 1, 2**64, 2**100])
def test_a_sum_that_does_not_fit_is_refused_as_pyarrow_refuses_it(sum_: int) -> None:
    table = pa.table({"n": pa.array([Decimal(1), Decimal(sum_)], SUMS)})
    with pytest.raises(pa.ArrowInvalid):
        as_expected(table, pa.schema({"n": pa.int64()}))


def test_a_part_of_a_column_is_cast_as_that_part() -> None:
    part = pa.array([Decimal(7), None, Decimal(9)], SUMS)[1:]
    found = as_expected(pa.table({"n": part}), pa.schema({"n": pa.int64()}))
    assert found["n"].to_pylist() == [None, 9]


def test_other_types_are_cast_by_name() -> None:
    table = pa.table({"a": pa.array([1, 2], pa.int32()), "b": pa.array([None, 1], pa.int32())})
    schema = pa.schema({"b": pa.int64(), "a": pa.int64()})
    assert as_expected(table, schema).to_pydict() == {"b": [None, 1], "a": [1, 2]}


@pytest.mark.parametrize("column", [[1, 2, 3], [0.5, 1.5], [1, None], [True, False], ["a", "b"]])
def test_arrays_are_those_of_pyarrow(column: list[object]) -> None:
    for each in (pa.array(column), pa.chunked_array([column, column])):
        found, wanted = array_of(each), each.to_numpy(zero_copy_only=False)
        assert found.dtype == wanted.dtype
        np.testing.assert_array_equal(found, wanted)


def test_whole_numbers_that_are_missing_are_0() -> None:
    found = whole_numbers(pa.chunked_array([[1, None], [3]], pa.int32()))
    assert found.tolist() == [1, 0, 3]
    assert found.dtype == np.dtype(np.int64)


def test_a_table_in_memory_is_read_without_pandas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    source = open_source(pa.table({"key": ["F", "M", None]}))
    known = in_memory({"other": ["F", None], "n": [1, 2]}, {"other": "string", "n": "int64"})
    both = source.table.join(known, source.table.key.identical_to(known.other))
    assert sorted(source.fetch(both.select("n")).to_pydict()["n"]) == [1, 2]
