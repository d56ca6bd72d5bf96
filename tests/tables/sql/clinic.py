"""A small table of patients to ask about."""

from __future__ import annotations

import datetime as dt
from functools import cache
from typing import TYPE_CHECKING, Any

import pyarrow as pa

import sfumato as sf
from sfumato.tables.sql import read_sql

if TYPE_CHECKING:
    from sfumato.tables.table import PrivateTable

ROWS: dict[str, list[Any]] = {
    "patient_id": [1, 1, 2, 3],
    "age": [61, 64, -35, None],
    "cost": [10.5, -2.5, 0.0, 100.0],
    "sex": ["F", "f", "M", None],
    "ward": ["A1", "it's", "%", "b_2"],
    "smoker": [True, False, None, True],
    "born": [dt.date(1963, 2, 28), dt.date(1960, 12, 31), dt.date(2024, 2, 29), None],
    "admitted": [
        dt.datetime(2024, 1, 31, 23, 59, 58),
        dt.datetime(2023, 12, 31, 0, 0),
        dt.datetime(2024, 3, 3, 12, 30, 15, 250000),
        None,
    ],
    "Visit Kind": ["acute", "planned", "acute", "planned"],
}


@cache
def clinic() -> PrivateTable:
    """A private table with a column of each type, and one whose name needs quotes."""
    return sf.table(
        pa.table(ROWS),
        unit="patient_id",
        bounds={"age": (0, 110), "cost": (0, 1000)},
        keys={"sex": ["F", "M"]},
    )


def asked(text: str) -> str:
    """The query that a text asks, as the tree prints it."""
    return str(read_sql(text, clinic()))


def where(condition: str) -> str:
    """A count of the rows of which a condition is true."""
    return " ".join(["SELECT COUNT(*) AS n FROM t WHERE", condition])
