"""Frames of other libraries: what they fail at is one sentence, and an index is no column."""

from __future__ import annotations

from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from sfumato.data import count_groups, count_nested, count_pairs, open_source, open_sources
from sfumato.data.frames import arrow_table
from tests.refusing import raises_code

ODD = {
    "huge integers": pd.DataFrame({"a": [10**30, 4711]}),
    "half a character": pd.DataFrame({"a": pd.Series(["\ud800", "4711"], dtype=object)}),
    "periods": pd.DataFrame({"a": pd.period_range("4711", periods=2, freq="M")}),
    "intervals": pd.DataFrame({"a": pd.interval_range(4711, 4713)}),
    "objects": pl.DataFrame({"a": pl.Series([object(), object()], dtype=pl.Object)}),
    "a mapping": {"a": [4711]},
    "a column alone": pd.Series([4711], name="a"),
}


@pytest.mark.parametrize("frame", ODD.values(), ids=ODD)
def test_a_frame_that_cannot_be_converted_is_one_sentence_without_a_cell(frame: Any) -> None:
    with raises_code("E-TABLE-UNREADABLE", match="give a pandas, polars or Arrow table") as caught:
        count_groups(open_source(frame), "a")
    assert "4711" not in str(caught.value)
    assert caught.value.__context__ is None


def test_a_frame_that_is_not_computed_yet_is_to_be_collected() -> None:
    lazy = pl.DataFrame({"a": [4711]}).lazy()
    with raises_code("E-FRAME-KIND", "the table"):
        open_source(lazy)
    assert open_source(lazy.collect()).column_names == ("a",)


def test_repeated_names_in_pandas_are_named() -> None:
    with raises_code("E-COLUMN-NAME"):
        open_source(pd.DataFrame([[1, 2]], columns=["a", "a"]))


def test_an_index_is_no_column() -> None:
    frame = pd.DataFrame({"x": ["a", "b"]}, index=pd.Index(["u", "v"], name="id"))
    assert open_source(frame).column_names == ("x",)
    nested = frame.set_index(pd.MultiIndex.from_tuples([(1, 2), (3, 4)], names=["i", "x"]))
    assert open_source(nested).column_names == ("x",)


def test_columns_may_be_one_name_or_anything_that_gives_names() -> None:
    p, q = open_sources(pa.table({"age": [1, 2], "sex": ["F", "M"]}), pa.table({"age": [1, 2]}))
    assert count_groups(p, "age").columns == ("age",)
    assert count_groups(p, (each for each in ["age", "sex"])).columns == ("age", "sex")
    assert count_pairs(p, q, pd.Index(["age"])).columns == ("age",)
    nested = count_nested(p, "age", given="sex")
    assert (nested.columns, nested.given) == (("age",), ("sex",))


@pytest.mark.parametrize("columns", [None, 5, b"age", [None], [["age"]]])
def test_what_is_no_name_is_refused(columns: Any) -> None:
    source = open_source(pa.table({"age": [1]}))
    with raises_code("E-COLUMN-NAME"):
        count_groups(source, columns)
    with raises_code("E-COLUMN-NAME"):
        count_nested(source, "age", given=columns)


@pytest.mark.parametrize(
    ("kind", "held", "most", "beyond"),
    [
        (pa.time32("s"), pa.int32(), 86_399, (-1, 86_400)),
        (pa.time32("ms"), pa.int32(), 86_399_999, (-1, 86_400_000)),
        (pa.time64("us"), pa.int64(), 86_399_999_999, (-1, 86_400_000_000)),
        (pa.time64("ns"), pa.int64(), 86_399_999_999_999, (-1, 86_400_000_000_000)),
        (pa.date64(), pa.int64(), 86_400_000, (1, 86_400_001, -1)),
    ],
    ids=str,
)
def test_no_cell_decides_whether_a_frame_can_be_opened(
    kind: Any, held: Any, most: int, beyond: tuple[int, ...]
) -> None:
    """A time that is none of a day, or a date with a time of day, is missing."""
    cells = pa.array([0, most, None, *beyond], held)
    found = arrow_table(pa.table({"at": cells.view(kind)}), "the table").column("at")
    assert found.type == kind
    assert found.cast(held).to_pylist() == [0, most, None, *[None for _ in beyond]]
