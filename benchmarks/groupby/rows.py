"""The rows: people and groups of very different sizes, written to Parquet piece by piece.

The r-th of the people has rows in proportion to r^(-4/5) and the r-th of the groups to 1/r, so
that a hundredth of the people have two fifths of the rows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.groupby.task import GROUPS, HIGH, LOW

if TYPE_CHECKING:
    from pathlib import Path

ROWS_A_PERSON = 10
#: u^5 of a uniform u falls off as r^(-4/5).
SKEW = 5
PIECE = 1_000_000
SEED = 20_000


def write_rows(path: Path, count: int) -> None:
    """Write so many rows, about ten of them a person's, holding a million at a time."""
    generator = np.random.default_rng(SEED)
    people = count // ROWS_A_PERSON
    sizes = 1 / np.arange(1, GROUPS + 1)
    shares = sizes / sizes.sum()
    with pq.ParquetWriter(path, _SCHEMA) as writer:
        for begin in range(0, count, PIECE):
            size = min(PIECE, count - begin)
            writer.write_table(_piece(generator, size, people, shares))


_SCHEMA = pa.schema([("person", pa.int64()), ("grp", pa.int32()), ("x", pa.float64())])


def _piece(generator: np.random.Generator, size: int, people: int, shares: Any) -> Any:
    person = (people * generator.random(size) ** SKEW).astype(np.int64)
    group = generator.choice(GROUPS, size=size, p=shares).astype(np.int32)
    x = np.clip(generator.gamma(2, 10, size=size), LOW, HIGH)
    return pa.table([person, group, x], schema=_SCHEMA)
