"""Counts that leave the engine equal counts by hand (M-INFO-2: from data columns in an engine)."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.data import (
    PairedCounts,
    count_groups,
    count_nested,
    count_pairs,
    open_source,
    open_sources,
)
from sfumato.errors import UnknownNameError
from tests.refusing import raises_code

if TYPE_CHECKING:
    from pathlib import Path

few_examples = settings(max_examples=12, deadline=None)
cells = st.sampled_from(["a", "b", "", "01", "1", None])
rows = st.lists(st.tuples(cells, cells), min_size=1, max_size=30)


def table(pairs: list[tuple[str | None, str | None]]) -> pa.Table:
    return pa.table(
        {"x": [x for x, _ in pairs], "y": [y for _, y in pairs]},
        schema=pa.schema([("x", pa.string()), ("y", pa.string())]),
    )


def side_by_side(p: Any, q: Any, columns: list[str]) -> PairedCounts:
    first, second = open_sources(p, q)
    return count_pairs(first, second, columns)


@few_examples
@given(rows)
def test_m_info_2_counts_and_keys_equal_a_counter(
    pairs: list[tuple[str | None, str | None]],
) -> None:
    counted = count_groups(open_source(table(pairs)), ["x", "y"], with_keys=True)
    assert counted.keys is not None
    keys = zip(counted.keys["x"].to_pylist(), counted.keys["y"].to_pylist(), strict=True)
    assert dict(zip(keys, counted.counts.tolist(), strict=True)) == Counter(pairs)
    assert counted.counts.dtype == np.int64
    assert counted.rows == len(pairs)


@few_examples
@given(rows)
def test_m_info_2_nested_counts_keep_groups_together(
    pairs: list[tuple[str | None, str | None]],
) -> None:
    counted = count_nested(open_source(table(pairs)), ["x"], given=["y"])
    by_group = [
        sorted(counted.counts[counted.groups == group].tolist())
        for group in range(counted.groups.max() + 1)
    ]
    wanted = [
        sorted(Counter(x for x, other in pairs if other == y).values())
        for y in {y for _, y in pairs}
    ]
    assert sorted(by_group) == sorted(wanted)


@few_examples
@given(rows, rows)
def test_m_info_2_pairs_cover_the_union_of_outcomes(
    left: list[tuple[str | None, str | None]], right: list[tuple[str | None, str | None]]
) -> None:
    counted = side_by_side(table(left), table(right), ["x", "y"])
    p, q = Counter(left), Counter(right)
    wanted = sorted((p[each], q[each]) for each in p.keys() | q.keys())
    assert sorted(zip(counted.first.tolist(), counted.second.tolist(), strict=True)) == wanted
    assert counted.rows == (len(left), len(right))


def test_the_cells_of_a_csv_are_text(tmp_path: Path) -> None:
    path = tmp_path / "codes.csv"
    path.write_text('code\n01\n1\n1.0\n 1\n#1\n""\n', encoding="utf-8")
    assert count_groups(open_source(path), ["code"]).counts.tolist() == [1] * 6


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_header_tells_the_delimiter(tmp_path: Path, delimiter: str) -> None:
    path = tmp_path / "split.csv"
    lines = [delimiter.join(each) for each in (["a", "b"], ['"x,;|\ty"', "1"], ["z", "2"])]
    path.write_text("\n".join(lines), encoding="utf-8")
    source = open_source(path)
    assert source.column_names == ("a", "b")
    assert count_groups(source, ["a", "b"]).rows == 2


def test_a_header_without_delimiter_is_one_column(tmp_path: Path) -> None:
    path = tmp_path / "names.csv"
    path.write_text("name\nLi, Mei\nMa; Wenjie\n", encoding="utf-8")
    assert open_source(path).column_names == ("name",)
    assert count_groups(open_source(path), ["name"]).counts.tolist() == [1, 1]


def test_every_kind_of_table_gives_the_same_counts(tmp_path: Path) -> None:
    frame = pd.DataFrame({"city": ["Rome", "Paris", "Rome"]})
    csv, gz, tsv, parquet = (tmp_path / f"t{end}" for end in (".csv", ".csv.gz", ".tsv", ".pq"))
    frame.to_csv(csv, index=False)
    frame.to_csv(gz, index=False)
    frame.to_csv(tsv, index=False)
    pq.write_table(pa.table(frame), parquet)
    for each in (csv, str(gz), tsv, parquet, frame, pl.DataFrame(frame.to_dict("list"))):
        assert sorted(count_groups(open_source(each), ["city"]).counts.tolist()) == [1, 2]


def test_file_names_are_no_patterns_and_no_sql(tmp_path: Path) -> None:
    path = tmp_path / "we'ird, [1]*\"; --.csv"
    path.write_text("a\nx\n", encoding="utf-8")
    (tmp_path / "we'ird, 1-other\"; --.csv").write_text("a\ny\nz\n", encoding="utf-8")
    assert count_groups(open_source(path), ["a"]).rows == 1


def test_column_names_are_no_sql() -> None:
    name = 'x"; DROP TABLE t; --'
    source = open_source(pa.table({name: [1, 1, 2], "mass": [1, 2, 3], "key0": [1, 1, 1]}))
    assert sorted(count_groups(source, [name]).counts.tolist()) == [1, 2]
    assert count_groups(source, ["mass", "key0"], weights=name).rows == 3


def test_weights_are_summed_and_weightless_outcomes_left_out(tmp_path: Path) -> None:
    path = tmp_path / "weights.csv"
    path.write_text("a,n\nx, 1.5\nx,2\ny,0\nz,3e0\n", encoding="utf-8")
    counted = count_groups(open_source(path), ["a"], weights="n")
    assert sorted(counted.counts.tolist()) == [3.0, 3.5]
    assert counted.counts.dtype == np.float64
    assert counted.rows == 4


@pytest.mark.parametrize("cell", ["", "many", "-1", "nan", "inf", "1e999"])
def test_an_unusable_weight_is_refused_and_not_shown(tmp_path: Path, cell: str) -> None:
    path = tmp_path / "weights.csv"
    path.write_text(f"a,n\nx,1\ny,{cell}\n", encoding="utf-8")
    with raises_code("E-WEIGHTS-FORM"):
        count_groups(open_source(path), ["a"], weights="n")


@pytest.mark.parametrize("cells", [["0", "0"], ["1e308", "1e308"]])
def test_weights_must_have_a_usable_sum(cells: list[str]) -> None:
    source = open_source(pa.table({"a": ["x", "y"], "n": cells}))
    with raises_code("E-WEIGHTS-FORM"):
        count_groups(source, ["a"], weights="n")


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (pa.array([1, 2]), pa.array(["1", "2"])),
        (pa.array([1, 2]), pa.array([1.0, 2.0])),
        (pa.array([1, 2], pa.int8()), pa.array([1, 2], pa.uint64())),
        (pa.array([True, False]), pa.array(["true", "false"])),
    ],
)
def test_columns_of_different_types_are_compared_by_value(left: pa.Array, right: pa.Array) -> None:
    counted = side_by_side(pa.table({"x": left}), pa.table({"x": right}), ["x"])
    assert counted.first.tolist() == [1, 1]


def test_a_csv_can_be_compared_with_a_parquet_file(tmp_path: Path) -> None:
    csv, parquet = tmp_path / "p.csv", tmp_path / "q.parquet"
    csv.write_text("age\n64\n61\n", encoding="utf-8")
    pq.write_table(pa.table({"age": [64, 64]}), parquet)
    counted = side_by_side(csv, parquet, ["age"])
    assert sorted(zip(counted.first.tolist(), counted.second.tolist(), strict=True)) == [
        (1, 0),
        (1, 2),
    ]


def test_unknown_columns_offer_the_nearest() -> None:
    source = open_source(pa.table({"diagnosis": ["flu"]}))
    with raises_code("E-NAME-UNKNOWN", match="did you mean 'diagnosis'", kind=UnknownNameError):
        count_groups(source, ["diagnosys"])
    with raises_code("E-NAME-UNKNOWN", match="no column 'wieght'", kind=UnknownNameError):
        count_groups(source, ["diagnosis"], weights="wieght")


def test_columns_are_named_once_and_at_least_one() -> None:
    source = open_source(pa.table({"a": ["x"], "b": ["y"]}))
    with raises_code("E-COLUMN-TWICE"):
        count_nested(source, ["a"], given=["b", "a"])
    with raises_code("E-ARGUMENT-EMPTY", match="no column is named"):
        count_groups(source, [])


def test_a_table_without_rows_is_refused() -> None:
    empty = pa.table({"a": pa.array([], pa.string()), "n": pa.array([], pa.int64())})
    for weights in (None, "n"):
        with raises_code("E-TABLE-EMPTY"):
            count_groups(open_source(empty), ["a"], weights=weights)
    with raises_code("E-TABLE-EMPTY"):
        count_nested(open_source(empty), ["a"], given=["n"])
    with raises_code("E-TABLE-EMPTY"):
        side_by_side(empty, pa.table({"a": ["x"]}), ["a"])
