"""A key of 0.1 would never be found among floats of 32 bits, and its group be empty."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import sfumato as sf
from tests.refusing import raises_code

if TYPE_CHECKING:
    from pathlib import Path

DOSES = pa.table({"id": [1, 2, 3], "dose": pa.array([0.1, 0.5, 0.1], pa.float32())})


@pytest.mark.parametrize("keys", [{"dose": [0.5, 0.1]}, {("dose", "id"): [(0.1, 1)]}])
def test_keys_that_no_cell_can_equal_are_refused(keys: dict[Any, Any]) -> None:
    with raises_code("E-KEYS-TYPE"):
        sf.table(DOSES, unit="row", keys=keys)


@pytest.mark.parametrize("key", [0.1, 1e300, 1e-60])
def test_so_are_keys_that_are_declared_later(key: float) -> None:
    with raises_code("E-KEYS-TYPE"):
        sf.table(DOSES, unit="row").declare(keys={"dose": [key]})


def test_floats_of_16_bits_are_read_from_parquet_alone(tmp_path: Path) -> None:
    table = pa.table({"dose": DOSES["dose"].cast(pa.float16())})
    with raises_code("E-COLUMN-TYPE", match="'dose' of the table is of the type halffloat"):
        sf.table(table, unit="row")
    pq.write_table(table, tmp_path / "doses.parquet")
    found = sf.table(tmp_path / "doses.parquet", unit="row", keys={"dose": [0.5]})
    assert found.group_by("dose").agg(n=sf.count()).release(epsilon=1000)["n"] == [1]


def test_rounded_to_some_digits_they_are_found() -> None:
    table = sf.table(DOSES, unit="row", keys={"dose": [0.5]})
    assert table.group_by("dose").agg(n=sf.count()).release(epsilon=1000)["n"] == [1]
    rounded = table.with_columns(dose=sf.col("dose").round(2)).declare(keys={"dose": [0.1]})
    assert rounded.group_by("dose").agg(n=sf.count()).release(epsilon=1000)["n"] == [2]


def test_doubles_hold_what_is_written() -> None:
    doubles = DOSES.set_column(1, "dose", DOSES["dose"].cast(pa.float64()))
    assert sf.table(doubles, unit="row", keys={"dose": [0.1]}).policy.column("dose").values == (
        0.1,
    )
