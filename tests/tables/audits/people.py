"""Neighbouring tables of visits to a hospital, one person apart in the worst ways."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import pyarrow as pa

import sfumato as sf

if TYPE_CHECKING:
    from sfumato.tables import PrivateTable

    #: Whose visit it is, the ward, a measured value, a whole number, and the city.
    Visit = tuple[str | None, str, float | None, int | None, str]

LOW, HIGH = 0.0, 10.0
GREATEST = 2**63 - 1
WARDS = ["w00", "w01", "w02"]
CITIES = ["Lyon", "Oslo", "Rome"]
SPECIAL: list[tuple[float | None, int | None]] = [
    (float("nan"), GREATEST),
    (float("inf"), -GREATEST - 1),
    (float("-inf"), None),
    (None, GREATEST),
    (1e308, 0),
]


def _others() -> list[Visit]:
    return [
        (f"p{who}", WARDS[(who + visit) % 3], 2.0 + who % 5, who % 7, CITIES[who % 2])
        for who in range(12)
        for visit in range(2)
    ]


def _crowd() -> list[Visit]:
    """One person with 10,000 visits to 100 wards."""
    values = [(LOW, 0), (HIGH, 6), (HIGH, 6), *SPECIAL]
    return [("crowd", f"w{i % 100:02}", *values[i % len(values)], "Rome") for i in range(10_000)]


def visits_of(
    person: str | None, *values: tuple[float | None, int | None], city: str = "Rome"
) -> list[Visit]:
    """Fifty visits of one person to one ward for each value."""
    return [(person, "w01", x, n, city) for x, n in values for _ in range(50)]


OTHERS = _others()
#: Two people whose ids only a careless comparison takes for those of others.
COMPOSED, DECOMPOSED = "\u00e9lise", "e\u0301lise"
ALIKE: list[Visit] = [
    visit
    for person in ("ana", "Ana", "ana ", COMPOSED)
    for visit in visits_of(person, (5.0, 3))[:3]
]

#: What one person adds, and to which rows of others.
NEIGHBOURS: dict[str, tuple[list[Visit], list[Visit]]] = {
    "a person with 10,000 rows in 100 groups": (OTHERS, _crowd()),
    "one row in an empty table": ([], [("p0", "w00", HIGH, 6, "Rome")]),
    "NaN, infinities, nulls and the greatest integers": (OTHERS, visits_of("odd", *SPECIAL)),
    "rows without an id": (OTHERS, visits_of(None, (HIGH, 6))),
    "an id that differs in case": (OTHERS + ALIKE, visits_of("ANA", (HIGH, 6))),
    "an id that differs in a trailing space": (OTHERS + ALIKE, visits_of("Ana ", (HIGH, 6))),
    "an id that differs in its normal form": (OTHERS + ALIKE, visits_of(DECOMPOSED, (HIGH, 6))),
    "values at the lower bound": (OTHERS, visits_of("low", (LOW, 0))),
    "values at the upper bound": (OTHERS, visits_of("high", (HIGH, 6))),
    "two people": (visits_of("p0", (LOW, 0), city="Lyon")[:1], visits_of("p1", (HIGH, 6))),
    "a group of one person": (OTHERS, [("p99", "lone", 5.0, 3, "Rome")] * 50),
}
CROWD, LONE = "a person with 10,000 rows in 100 groups", "a group of one person"
ODD = "NaN, infinities, nulls and the greatest integers"
EMPTY = "one row in an empty table"
LOWER, UPPER = "values at the lower bound", "values at the upper bound"
FEW = "two people"


DECLARED: dict[str, Any] = {
    "unit": "id",
    "bounds": {"x": (LOW, HIGH), "n": (0, 6)},
    "keys": {"ward": WARDS, "city": CITIES},
    "limits": {"rows": 2},
}


@dataclass(frozen=True)
class _Asked:
    """What is asked for, looked up by how it is written: 1 and 1.0 are two, as -0.0 and 0.0 are."""

    written: str
    rows: list[Visit] = field(compare=False)
    declared: dict[str, Any] = field(compare=False)


def visits(rows: list[Visit], **declared: Any) -> PrivateTable:
    """Return a private table of visits, with keys and bounds declared; it may be one of before."""
    every = {**DECLARED, **declared}
    return _held(_Asked(repr((rows, every)), rows, every))


@lru_cache(maxsize=16)
def _held(asked: _Asked) -> PrivateTable:
    return sf.table(in_columns(asked.rows), **asked.declared)


def in_columns(rows: list[Visit]) -> pa.Table:
    """Return visits as a table."""
    types = [pa.string(), pa.string(), pa.float64(), pa.int64(), pa.string()]
    columns = [list(each) for each in zip(*rows, strict=True)] or [[] for _ in types]
    names = ["id", "ward", "x", "n", "city"]
    arrays = [pa.array(column, kind) for column, kind in zip(columns, types, strict=True)]
    return pa.table(dict(zip(names, arrays, strict=True)))
