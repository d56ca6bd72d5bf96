"""Small tables to join, and answers to questions about them that noise does not reach."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

import sfumato as sf
from sfumato.sampling import SeededSource
from sfumato.tables.run.contribution_bounding import exact_sums
from sfumato.tables.run.rows import EngineRows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.tables import Plan, PrivateTable, PublicTable, Query
    from sfumato.tables.plan.measurements import Measurement

#: Whose visit it is, the place, and what it cost.
Visit = tuple[int | None, str | None, float | None]
#: Who it is, and how old.
Person = tuple[int | None, int | None]

VISITS: list[Visit] = [
    (7, "1010", 10.5),
    (7, "8010", 20.0),
    (8, "1010", 5.0),
    (9, "9999", 1.0),
    (9, None, 2.0),
    (9, "8010", 3.0),
]
PEOPLE: list[Person] = [(7, 61), (8, 35), (10, 80)]
PLACES = {"zip": ["1010", "8010", "1010"], "region": ["Vienna", "Styria", "Old Vienna"]}
BY_WING = "SELECT wing, COUNT(*) AS n FROM visits JOIN wings USING (ward) GROUP BY wing"
BY_CARD = "SELECT kind, COUNT(*) AS n FROM visits JOIN cards ON visits.id = cards.nr GROUP BY kind"
#: Files of visits, of public wings, and of cards of the same people.
FILES = {
    "visits.csv": "id,ward,cost\n7,a,10\n7,b,20\n8,a,5\n",
    "wings.csv": "ward,wing,beds\na,north,3\nb,south,5\n",
    "cards.csv": "nr,kind\n7,gold\n8,blue\n",
    "visits.toml": (
        '[table]\nsource = "visits.csv"\nunit = "id"\n[limits]\nrows = 4\n'
        '[public.wings]\nsource = "wings.csv"\ntypes = { beds = "integer" }\n'
    ),
    "cards.toml": (
        '[table]\nsource = "cards.csv"\nunit = "nr"\n[limits]\nrows = 1\n'
        '[columns.kind]\nvalues = ["gold", "blue"]\n'
    ),
}
#: So much that the noise is well below a hundredth.
PLENTY = 10**6


def arrow(rows: Sequence[tuple[Any, ...]], **types: pa.DataType) -> pa.Table:
    """A table of rows with columns of given types."""
    columns = [list(each) for each in zip(*rows, strict=True)] or [[] for _ in types]
    arrays = [pa.array(each, kind) for each, kind in zip(columns, types.values(), strict=True)]
    return pa.table(dict(zip(types, arrays, strict=True)))


def visits(rows: Sequence[Visit] = VISITS, **declared: Any) -> PrivateTable:
    """A private table of visits."""
    frame = arrow(rows, id=pa.int64(), zip=pa.string(), cost=pa.float64())
    given = {"unit": "id", "bounds": {"cost": (0, 100)}, "limits": {"rows": 4}}
    return sf.table(frame, **{**given, **declared})


def people(rows: Sequence[Person] = PEOPLE, **declared: Any) -> PrivateTable:
    """A private table of people."""
    frame = arrow(rows, who=pa.int64(), age=pa.int64())
    given = {"unit": "who", "bounds": {"age": (0, 110)}, "limits": {"rows": 1}}
    return sf.table(frame, **{**given, **declared})


def places(**columns: Any) -> PublicTable:
    """A public table of places, two of which have one key."""
    return sf.public(pa.table(columns or PLACES))


def write_clinic(folder: Path) -> Path:
    """A folder with files to join."""
    for name, text in FILES.items():
        Path(folder, name).write_text(text)
    return folder


def answered(query: Query) -> list[dict[str, Any]]:
    """The rows of an answer, without their bars, to a hundredth."""
    release = query.release(epsilon=PLENTY, source=SeededSource(0))
    rows = release.to_arrow().to_pylist()
    return [{name: _near(each) for name, each in row.items() if _is_value(name)} for row in rows]


def core(plan: Plan) -> dict[Measurement, list[int]]:
    """The exact sums of a plan's measurements, in fine steps."""
    rows = EngineRows(plan.query.table)
    measured = [each.measurement for each in plan.measures]
    found = exact_sums(rows, plan.keys, measured, plan.contribution)
    return {each: [int(value) for value in column] for each, column in found.items()}


def _near(value: Any) -> Any:
    return round(value, 2) if isinstance(value, float) else value


def _is_value(name: str) -> bool:
    return not name.endswith(("_low", "_high"))
