"""Cells that engines stumble on, of every type, beside each other in many ways."""

from __future__ import annotations

import math
from typing import Any

import pyarrow as pa

LEAST, MOST = 5e-324, 1.7976931348623157e308
GREATEST = 2**63 - 1

INTEGERS = [
    *(0, 1, -1, 7, -5, 32767, -32768, 2**31 - 1, -(2**31), 2**53 + 1, 2**62, -(2**62), 3_652_058),
    *(GREATEST, -GREATEST, -GREATEST - 1, None),
]
NUMBERS = [
    *(0.0, -0.0, 0.5, -0.5, 2.5, -2.5, 1e300, -1e300, 1e-300, LEAST, -LEAST, MOST, -MOST, 1e22),
    *(2.0**52 + 1, 2.0**62, 2.0**63, -(2.0**63), 0.49999999999999994, 709.782712893384, -745.2),
    *(math.nan, math.inf, -math.inf, None),
]
TEXTS = [
    *("", " ", "CANARY-7f3a", "12CANARY", "1e999", "-0", "1e-400", "0.1", "9" * 400, "-.5", "nan"),
    *("inf", "true", " No ", "2024-02-29", "2023-02-30", "0000-01-01", "9999-12-31", "infinity"),
    *("2024-02-29 23:59:59.5Z", "2024-02-29T24:00", "İıßŉǆΣς", "É∞日🙂e\u0301\u200d", "\u2028\t\n"),
    *("%_\\", 'it\'s "{}"', "A", "a", "x" * 20_000, None),
]
BOOLEANS = [True, False, None]
#: Days from 1970: the ends of our calendar, of those of engines, and beyond.
DAYS = [
    *(0, 19_782, 2_932_896, 2_932_897, -719_162, -719_163, 3_000_000, -2_440_588, 106_751_992),
    *(-106_751_992, 2_145_031_948, 2**31 - 1, -(2**31) + 1, None),
]
#: Microseconds from 1970, as days.
MOMENTS = [
    *(0, 1, -1, 999_999, 10**15, -(10**15), 253_402_300_799_999_999, 253_402_300_800_000_000),
    *(-62_135_596_800_000_000, -62_135_596_800_000_001, 9_224_318_015_999_999_999 // 1000),
    *(GREATEST, -GREATEST, None),
]
KINDS: dict[str, tuple[str, list[Any], pa.DataType]] = {
    "i": ("integer", INTEGERS, pa.int64()),
    "x": ("number", NUMBERS, pa.float64()),
    "s": ("text", TEXTS, pa.string()),
    "b": ("boolean", BOOLEANS, pa.bool_()),
    "d": ("date", DAYS, pa.int32()),
    "m": ("timestamp", MOMENTS, pa.int64()),
}
#: A second column of each type, whose cells are beside all others of the first.
BESIDE = dict(zip("ixsbdm", "jytcek", strict=True))
TYPES = {
    "n": "integer",
    **{name: kind for name, (kind, *_) in KINDS.items()},
    **{BESIDE[name]: kind for name, (kind, *_) in KINDS.items()},
}


def specials(turns: int = 4) -> pa.Table:
    """Each special cell beside some others of its type, in rows that are numbered by ``n``.

    Parameters
    ----------
    turns
        How many others each is beside.
    """
    height = turns * max(len(cells) for _, cells, _ in KINDS.values())
    columns = {"n": pa.array(range(height), pa.int64())}
    for name, (kind, cells, held) in KINDS.items():
        places = [place % len(cells) for place in range(height)]
        steps = [1 + place // len(cells) for place in range(height)]
        first = [cells[each] for each in places]
        second = [cells[(a * 7 + b) % len(cells)] for a, b in zip(places, steps, strict=True)]
        columns[name] = pa.array(first, held).cast(_ARROW.get(kind, held))
        columns[BESIDE[name]] = pa.array(second, held).cast(_ARROW.get(kind, held))
    return pa.table(columns)


_ARROW = {"date": pa.date32(), "timestamp": pa.timestamp("us")}
