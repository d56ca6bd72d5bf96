"""Blocks of rows tell nothing of other rows, and are copies (row M-SA-1)."""

from __future__ import annotations

import threading
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.mechanisms.estimators.blocks import BlockFunction, block_results, row_count, rows_at
from sfumato.mechanisms.estimators.sample_aggregate import SampleAndAggregate
from sfumato.sampling import SeededSource
from tests.mechanisms.noise_checks import refuses
from tests.sampling.scripted import ScriptedSource

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Take = Callable[[Any, Any], Any]

ARROW: Any = pd.ArrowDtype(pa.dictionary(pa.int32(), pa.string()))
ENUM = pl.Enum([*"abcdefgh", "a long name"])
WORDS = st.sampled_from([*"abcdefgh", "a long name"])


def with_attrs(frame: Any) -> Any:
    frame.attrs["rows"] = len(frame)
    return frame


def as_seen(names: Any) -> Any:
    """A categorical whose categories stand in the order in which the whole table has them."""
    return pd.Categorical(names, categories=list(dict.fromkeys(names)))


def numbered(names: Sequence[str]) -> list[str]:
    return [f"row {place} of {len(names)}" for place in range(len(names))]


#: Ways to make a table of words whose other rows could show in some of its rows.
TABLES: dict[str, Callable[[Any], Any]] = {
    "a list": list,
    "lists in a list": lambda names: [[name, len(name)] for name in names],
    "an array of text": np.array,
    "an array of bytes": lambda names: np.array([name.encode() for name in names]),
    "a wide array of text": lambda names: np.array([[name, name] for name in names]),
    "an array in columns": lambda names: np.asfortranarray([[len(each), 1.5] for each in names]),
    "pandas' index": lambda names: pd.DataFrame({"name": names}),
    "pandas' own labels": lambda names: pd.Series(list(names), index=numbered(names)),
    "pandas' categories": lambda names: pd.DataFrame({"name": names, "n": 1}, dtype="category"),
    "categories as seen": lambda names: pd.DataFrame({"name": as_seen(names)}),
    "a categorical column": lambda names: pd.Series(as_seen(names)),
    "ordered categories": lambda names: pd.Series(names).astype("category").cat.as_ordered(),
    "pandas' equal names": lambda names: pd.DataFrame({0: as_seen(names), 1: 1}).set_axis(
        [5, 5], axis=1
    ),
    "pandas' attrs": lambda names: with_attrs(pd.DataFrame({"name": names})),
    "polars": lambda names: pl.DataFrame({"name": names}),
    "polars' enum": lambda names: pl.DataFrame({"name": names}, schema={"name": ENUM}),
    "polars' column": pl.Series,
}


def seen(block: Any) -> Any:
    """Everything that a function can see of a block, but for where it lies in memory."""
    if isinstance(block, pd.DataFrame):
        columns = [seen(block.iloc[:, place]) for place in range(block.shape[1])]
        return repr(block.index), list(block.columns), block.attrs, columns
    if isinstance(block, pd.Series):
        categories = block.cat.categories if block.dtype == "category" else None
        codes = block.cat.codes.dtype if block.dtype == "category" else None
        return repr(block.index), block.attrs, block.dtype, repr(categories), codes, list(block)
    if isinstance(block, pl.Series):
        return block.dtype, block.flags, block.n_chunks(), block.to_list()
    if isinstance(block, pl.DataFrame):
        return [(each.name, seen(each)) for each in block]
    if isinstance(block, np.ndarray):
        return block.dtype, block.shape, block.strides, block.tolist(), type(block)
    return block


def tells_of_others(
    take: Take, make: Callable[[Sequence[str]], Any], names: Sequence[str], at: int, new: str
) -> bool:
    """Whether every second row of a table looks otherwise as soon as another row is added."""
    kept = np.arange(0, len(names), 2)
    one, other = make(names), make([*names[:at], new, *names[at:]])
    return bool(seen(take(one, kept)) != seen(take(other, kept + (kept >= at))))


@pytest.mark.parametrize("make", TABLES.values(), ids=TABLES)
@given(names=st.lists(WORDS, min_size=1, max_size=6), at=st.integers(0, 6), new=WORDS)
def test_rows_look_the_same_whatever_the_others_are(
    make: Callable[[Sequence[str]], Any], names: list[str], at: int, new: str
) -> None:
    assert not tells_of_others(rows_at, make, names, min(at, len(names)), new)


def plainly(rows: Any, positions: Any) -> Any:
    """Twin: rows as the libraries give them."""
    return rows.iloc[positions] if hasattr(rows, "iloc") else rows[positions]


@pytest.mark.parametrize("kind", [each for each in TABLES if "pandas" in each or "categ" in each])
def test_rows_of_pandas_tell_of_others(kind: str) -> None:
    assert tells_of_others(plainly, TABLES[kind], ["b", "c", "b"], 0, "a")


@pytest.mark.parametrize("kind", ["an array of text", "an array of bytes", "a wide array of text"])
def test_rows_of_text_tell_of_others(kind: str) -> None:
    assert tells_of_others(plainly, TABLES[kind], ["b", "c", "b"], 0, "a long name")


@pytest.mark.parametrize(
    "peep",
    [
        lambda block: (block.x == block.index).all() * 1.0,
        lambda block: block.index[0] % 2,
        lambda block: len(block.c.cat.categories),
        lambda block: len(block.c.value_counts()),
        lambda block: block.c.cat.codes.max(),
        lambda block: block.attrs.get("rows", 0) % 2,
    ],
)
def test_one_added_row_changes_one_answer(peep: Callable[[Any], Any]) -> None:
    """The first row of 401 was read off with certainty from a frame's index."""
    x = np.arange(400.0)
    names = ["a", "b"] * 200
    without = with_attrs(pd.DataFrame({"x": x, "c": as_seen(names)}))
    added = with_attrs(pd.DataFrame({"x": [7, *x], "c": as_seen(["new", *names])}))
    bounds = ((Fraction(0), Fraction(9)),)
    answers = BlockFunction(peep, bounds, is_vector=False, default=(Fraction(5),))
    places = np.arange(400) % 20
    one = block_results(answers, without, places, 20)
    other = block_results(answers, added, np.concatenate([[3], places]), 20)
    assert sum(a != b for a, b in zip(one, other, strict=True)) <= 1
    assert one[0] != answers.default


def zero(block: Any) -> float:
    """Change all rows of a block."""
    if isinstance(block, list):
        for row in block:
            row[0] = 0
    elif isinstance(block, np.ndarray):
        block[:] = 0
    else:
        block.loc[:] = 0
    return float(len(block))


@pytest.mark.parametrize(
    "rows",
    [
        [[i, i] for i in range(1, 20)],
        tuple([i, i] for i in range(1, 20)),
        np.arange(1, 20),
        pd.Series(range(1, 20)),
        pd.DataFrame({"x": range(1, 20)}),
    ],
)
def test_a_function_that_changes_rows_changes_a_copy(rows: Any) -> None:
    before = repr(rows)
    SampleAndAggregate(zero, epsilon=1, bounds=(0, 20), blocks=4).release(rows)
    assert repr(rows) == before


def test_rows_that_are_one_object_are_copied_apart() -> None:
    shared = [1]
    first = rows_at([shared] * 4, np.array([0, 2]))
    first[0][0] = 99
    assert rows_at([shared] * 4, np.array([1, 3])) == [[1], [1]]


def test_rows_that_cannot_be_copied_give_the_default() -> None:
    """And those in other blocks are answered: an error would show that the row is there."""
    seen_rows: list[int] = []

    def noted(block: list[Any]) -> float:
        seen_rows.extend(block)
        return 1.0

    mechanism = SampleAndAggregate(noted, epsilon=1, bounds=(0, 2), blocks=5)
    mechanism.release([*range(30), threading.Lock()], source=SeededSource(1))
    assert 15 < len(seen_rows) < 30


@pytest.mark.parametrize(
    ("rows", "word"),
    [
        (np.array([1, 2**70]), "objects"),
        (np.array([1, None]), "objects"),
        (np.zeros(2, dtype=[("name", "O"), ("age", "i8")]), "objects"),
        (np.ma.array([1, 2], mask=[False, True]), "masked"),
        (pl.DataFrame({"c": ["x", "y"]}, schema={"c": pl.Categorical}), "categories"),
        (pl.Series(["x", "y"], dtype=pl.Categorical), "categories"),
        (pd.DataFrame({"c": pd.Series(["x", "y"], dtype=ARROW)}), "categories"),
        (pl.Series([["x"], ["y"]], dtype=pl.List(pl.Categorical)), "categories"),
        (pl.Series([{"c": "x"}], dtype=pl.Struct({"c": pl.Categorical})), "categories"),
    ],
)
def test_rows_whose_type_is_found_from_the_data_are_refused(rows: Any, word: str) -> None:
    mechanism = SampleAndAggregate(len, epsilon=1, bounds=(0, 9), blocks=2)
    assert word in refuses(lambda: mechanism.release(rows, source=ScriptedSource()))


def test_records_with_text_are_refused() -> None:
    """The text of a record is as wide as the widest of all rows."""
    mechanism = SampleAndAggregate(len, epsilon=1, bounds=(0, 9), blocks=2)
    for kind in ([("name", "U9"), ("age", "i8")], [("at", [("x", "f8"), ("tag", "S3", (2,))])]):
        rows = np.zeros(2, dtype=kind)
        assert "records" in refuses(lambda rows=rows: mechanism.release(rows))  # type: ignore[misc]


def test_a_block_of_polars_shares_no_memory_with_the_table() -> None:
    """Arrow's buffers of a block hold its own rows alone."""
    table = pl.DataFrame(
        {"name": ["a long name of one row", "b", "c"], "s": [{"x": 1}, None, {"x": 3}]}
    )
    block = rows_at(table, np.array([1, 2]))
    assert block.equals(table[[1, 2]])
    kept = b"".join(
        bytes(part)
        for column in block.select("name").to_arrow().columns
        for chunk in column.chunks
        for part in chunk.buffers()
        if part is not None
    )
    assert b"long name" not in kept
    other = rows_at(table.with_columns(s=pl.Series([None, None, {"x": 3}])), np.array([1, 2]))
    assert block["s"].estimated_size() == other["s"].estimated_size()


@pytest.mark.parametrize(
    "rows",
    [
        np.array(["a", "bc"], dtype="T"),
        np.zeros(2, dtype=[("height", "f8"), ("age", "i8")]),
        pl.DataFrame({"c": ["a", "Categorical"]}, schema={"c": pl.Enum(["a", "Categorical"])}),
        pd.DataFrame({"c": ["a", None]}, dtype="category"),
    ],
)
def test_rows_of_types_that_are_named_are_taken(rows: Any) -> None:
    assert row_count(rows) == 2
    assert len(rows_at(rows, np.array([1]))) == 1
