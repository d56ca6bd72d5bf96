"""The tables that SQL is tried on: a small one with every special value, and a whole clinic."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import pyarrow as pa

import sfumato as sf
from sfumato.tables.sql import read_sql

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.tables.private_table import PrivateTable

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

_VISITS = 120
_PEOPLE = 40


def _visit(place: int) -> dict[str, Any]:
    day = dt.date(2024, 1, 1) + dt.timedelta(days=place * 3)
    return {
        "patient_id": place * 7 % _PEOPLE,
        "age": None if place % 29 == 0 else 18 + place * 11 % 70,
        "cost": (place * 37 % 400) / 4,
        "sex": "FM"[place * 7 % _PEOPLE % 2],
        "ward": ["A1", "B2", "C3"][place % 3],
        "smoker": None if place % 17 == 0 else place % 4 == 0,
        "born": dt.date(1950, 1, 1) + dt.timedelta(days=place * 211),
        "admitted": dt.datetime.combine(day, dt.time(place % 24, 30)),
        "zip": ["1010", "8010", "9999"][place % 5 % 3],
        "Visit Kind": ["acute", "planned"][place % 7 % 2],
    }


#: One row a visit.
VISITS = pa.Table.from_pylist([_visit(place) for place in range(_VISITS)])
#: One row a person, of whom some were never seen, as some of those seen are not here.
PEOPLE = pa.table(
    {
        "person": list(range(5, _PEOPLE + 5)),
        "height": [150 + place * 13 % 50 for place in range(_PEOPLE)],
    }
)
#: Where a code is; 9999 is nowhere.
REGIONS = pa.table(
    {
        "zip": ["1010", "8010", "2000"],
        "region": ["Vienna", "Styria", "Burgenland"],
        "beds": [120, 80, 30],
        "ward": ["x", "y", "z"],
    }
)
#: What is declared of the visits, and of the people.
DECLARED = {
    "unit": "patient_id",
    "bounds": {"age": (0, 110), "cost": (0, 100)},
    "keys": {
        "sex": ["F", "M"],
        "ward": ["A1", "B2", "C3"],
        "smoker": [True, False],
        "zip": ["1010", "8010", "9999"],
        "Visit Kind": ["acute", "planned"],
    },
    "limits": {"rows": 12},
}
DECLARED_OF_PEOPLE = {
    "unit": "person",
    "bounds": {"height": (100, 250)},
    "limits": {"rows": 1},
}


@dataclass(frozen=True)
class Clinic:
    """The visits, and the tables that can be joined to them."""

    visits: PrivateTable
    people: PrivateTable
    regions: sf.tables.PublicTable

    @property
    def tables(self) -> dict[str, Any]:
        """The tables that can be joined, by name."""
        return {"people": self.people, "regions": self.regions}


def clinic_of(held: Callable[..., PrivateTable]) -> Clinic:
    """The clinic on an engine, given what makes a private table of rows and declarations."""
    return Clinic(held(VISITS, **DECLARED), held(PEOPLE, **DECLARED_OF_PEOPLE), sf.public(REGIONS))


@cache
def whole_clinic() -> Clinic:
    """The clinic on the embedded engine."""
    return clinic_of(sf.table)


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
