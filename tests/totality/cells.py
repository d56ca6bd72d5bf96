"""Two neighbouring tables: ordinary rows, and the same with rows of one person's special cells."""

from __future__ import annotations

import math
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pyarrow as pa

if TYPE_CHECKING:
    from random import Random

#: Whose rows one table has and the other has not.
PERSON, NAME = 90, "p90"
GREATEST = 2**63 - 1
LARGEST = 1.7976931348623157e308


COLUMNS = {
    "id": pa.int64(),
    "name": pa.string(),
    "i": pa.int64(),
    "h": pa.int16(),
    "u": pa.uint64(),
    "x": pa.float64(),
    "y": pa.float64(),
    "f": pa.float32(),
    "c": pa.decimal128(38, 4),
    "s": pa.string(),
    "t": pa.string(),
    "b": pa.bool_(),
    "d": pa.date32(),
    "m": pa.timestamp("us"),
    "n": pa.timestamp("ns"),
    "z": pa.timestamp("us", "UTC"),
    "l": pa.list_(pa.float64()),
    "o": pa.struct({"v": pa.float64(), "w": pa.string()}),
}
#: Those that expressions are made of, by type.
TYPES = {
    "id": "integer",
    "name": "text",
    "i": "integer",
    "h": "integer",
    "u": "number",
    "x": "number",
    "y": "number",
    "f": "number",
    "c": "number",
    "s": "text",
    "t": "text",
    "b": "boolean",
    "d": "date",
    "m": "timestamp",
    "n": "timestamp",
    "z": "timestamp",
}
_DOUBLES = [
    *[math.nan] * 14,
    *(math.inf, -math.inf, -0.0, 5e-324, -5e-324, 2.3e-308),
    *(LARGEST, -LARGEST, 1e300, 2.0**62, 2.0**63, -(2.0**63), 2.0**53 + 1, 0.5, -2.5, 1e22),
]
_TEXTS = [
    *("", " ", "nan", "inf", "-inf", "1e400", "9" * 400, "1" * 19, "-0", "0x10", "1_0", "１２"),
    *("9223372036854775808", "2024-02-30", "0000-00-00", "10000-01-01", "2024-02-29T25:00"),
    *("a\x00b", "\\", "%", "_", "'", '"', "=1+1", "ß", "İ", "ﬀ", "é́", "𐀀", "\u202e", "a\r\nb"),
    *("x" * 9_999, "x" * 10_001, "日" * 20_000, "x" * 300_000, "true", "2024-02-29", "1.5"),
]
_MOMENTS = [0, -1, 1, 253402300799999999, 253402300800000000, -62135596800000001]
_SPECIAL: dict[str, list[Any]] = {
    "i": [GREATEST, -GREATEST - 1, -GREATEST, 0, 2**62, -(2**62) - 1, 2**53 + 1, -1],
    "h": [2**15 - 1, -(2**15), 0, -1],
    "u": [2**64 - 1, 2**63, 0, 2**53 + 1],
    "x": _DOUBLES,
    "y": _DOUBLES,
    "f": [*[math.nan] * 5, math.inf, -math.inf, -0.0, 1e-45, 3.4028234663852886e38, 0.1],
    "c": [Decimal(f"{'9' * 34}.9999"), Decimal(f"-{'9' * 34}.9999"), Decimal("0.0001"), Decimal(0)],
    "s": _TEXTS,
    "t": _TEXTS,
    "b": [True, False],
    "d": [2**31 - 1, -(2**31) + 1, -(2**31), 2_932_896, 2_932_897, -719_162, -719_163, 0],
    "m": [*_MOMENTS, GREATEST, -GREATEST - 1, -GREATEST, 10**18, -(10**18)],
    "n": [*_MOMENTS, GREATEST, -GREATEST],
    "z": [*_MOMENTS, GREATEST, -GREATEST, 10**18, -(10**18)],
    "l": [[], [math.nan], None],
    "o": [{"v": math.nan, "w": ""}, None],
}


def _ordinary(row: int) -> dict[str, Any]:
    day = 10_957 + 37 * row
    return {
        "id": row // 2,
        "name": f"p{row // 2}",
        "i": row - 6,
        "h": 3 * row,
        "u": row,
        "x": 0.5 * row,
        "y": 1.0 + row % 3,
        "f": 0.25 * row,
        "c": Decimal(row) / 4,
        "s": "abc"[row % 3],
        "t": str(row - 3),
        "b": row % 2 == 0,
        "d": day,
        "m": day * 86_400_000_000 + row,
        "n": day * 86_400_000_000_000 + row,
        "z": day * 86_400_000_000 - row,
        "l": [float(row)],
        "o": {"v": float(row), "w": "o"},
    }


def _odd(random: Random) -> dict[str, Any]:
    """A row of special cells, now and then a null."""
    cells = {
        name: None if random.random() < 0.06 else random.choice(values)
        for name, values in _SPECIAL.items()
    }
    return {"id": PERSON, "name": NAME, **cells}


def neighbours(random: Random, *, rows: int = 14) -> tuple[pa.Table, pa.Table]:
    """Two tables, the second with some rows of one person more, anywhere among the others."""
    ordinary = [_ordinary(row) for row in range(rows)]
    with_person = list(ordinary)
    for _ in range(random.choice([1, 1, 1, 2])):
        with_person.insert(random.randrange(len(with_person) + 1), _odd(random))
    return _table(ordinary), _table(with_person)


def _table(rows: list[dict[str, Any]]) -> pa.Table:
    columns = {name: _array([row[name] for row in rows], kind) for name, kind in COLUMNS.items()}
    return pa.table(columns)


def _array(cells: list[Any], kind: pa.DataType) -> pa.Array:
    if pa.types.is_date32(kind):
        return pa.array(cells, pa.int32()).cast(kind)
    if pa.types.is_timestamp(kind):
        return pa.array(cells, pa.int64()).cast(kind)
    return pa.array(cells, kind)
