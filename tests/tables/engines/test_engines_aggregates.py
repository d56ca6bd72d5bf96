"""Every aggregate of columns of every type, and by groups of every type, on every engine."""

from __future__ import annotations

import datetime as dt
from functools import cache
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest

import sfumato as sf
from sfumato.errors import InputError
from tests.engines import ENGINES
from tests.tables.engines.cores import cores
from tests.tables.engines.specials import TYPES, specials

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.tables import Plan, PrivateTable
    from tests.engines import Engines

pytestmark = pytest.mark.full

OTHERS = ENGINES[1:]
BOUNDS = (-3, 9)
#: Each aggregate that takes a column, of one that is given.
AGGREGATES: dict[str, Callable[[Any], Any]] = {
    "count": sf.count,
    "sum": lambda of: sf.sum(of, bounds=BOUNDS),
    "sum_unbounded": sf.sum,
    "sum_found": lambda of: sf.sum(of, bounds="auto"),
    "mean": lambda of: sf.mean(of, bounds=BOUNDS),
    "mean_unbounded": sf.mean,
    "variance": lambda of: sf.variance(of, bounds=BOUNDS),
    "deviation": lambda of: sf.std(of, bounds=BOUNDS),
    "covariance": lambda of: sf.tables.covariance(of, "x"),
    "median": lambda of: sf.median(of, bounds=BOUNDS),
    "quantiles": lambda of: sf.tables.quantiles(of, [0.2, 0.8], bounds=BOUNDS),
    "minimum": lambda of: sf.minimum(of, bounds=BOUNDS),
    "maximum": lambda of: sf.maximum(of, bounds=BOUNDS),
    "histogram": lambda of: sf.histogram(of, [-3, 0.5, 9]),
    "mode": sf.tables.mode,
    "top": lambda of: sf.tables.top_k(of, 2),
}
#: Of each person: all that can be computed of the rows of one.
OF_A_PERSON: dict[str, Callable[[Any], Any]] = {
    "counted": sf.count,
    "added": lambda of: sf.sum(of, bounds=BOUNDS),
    "middle": lambda of: sf.mean(of, bounds=BOUNDS),
    "first": lambda of: sf.minimum(of, bounds=BOUNDS),
    "last": lambda of: sf.maximum(of, bounds=BOUNDS),
}
KEYS: dict[str, list[Any]] = {
    "b": [True, False],
    "i": [0, 1, 2**62],
    "s": ["A", "a", "", 'it\'s "{}"', "İıßŉǆΣς"],
    "d": [dt.date(1970, 1, 1), dt.date(9999, 12, 31)],
    "m": [dt.datetime(1970, 1, 1), dt.datetime(1970, 1, 1, 0, 0, 0, 999_999)],
}
#: More keys than are listed in a condition.
MANY: dict[str, list[Any]] = {
    "i": list(range(300)),
    "s": [*KEYS["s"], *(f"k{place}" for place in range(300))],
    "d": [dt.date(1970, 1, 1) + dt.timedelta(place) for place in range(300)],
    "m": [dt.datetime(1970, 1, 1) + dt.timedelta(seconds=place) for place in range(300)],
}
COLUMNS: dict[str, Any] = {
    **{name: name for name in TYPES if name != "n"},
    "a condition": sf.col("x") > 1,
    "two conditions": sf.col("b") & sf.col("c"),
    "a sum": sf.col("x") + sf.col("i"),
    "a length": sf.col("s").length(),
    "a year": sf.col("d").year(),
    "a choice": sf.when(sf.col("b"), 0.0).otherwise(sf.col("x")) * 10,
}
#: One of each type, for an engine that takes its time.
FEW = [*"ixsbdm", "a condition", "a choice"]
DECLARED: dict[str, Any] = {"unit": "id", "limits": {"rows": 2, "groups": 1}, "keys": KEYS}


@cache
def people() -> pa.Table:
    rows = specials(2)
    return rows.append_column("id", pa.array([place // 3 for place in range(rows.num_rows)]))


def accepted(
    ask: Callable[[str, Any], Plan], aggregates: dict[str, Callable[[Any], Any]], of: Any
) -> dict[str, Any]:
    """The aggregates that can be asked of a column."""
    found = {}
    for name, make in aggregates.items():
        asked = make(of)
        try:
            ask(name, asked)
        except InputError:
            continue
        found[name] = asked
    return found


def of_all(table: PrivateTable, asked: dict[str, Any]) -> list[tuple[str, Any]]:
    return cores(table.agg(**asked).plan(epsilon=1)) if asked else []


@pytest.mark.parametrize(
    ("engine", "column"),
    [*(("postgres", each) for each in COLUMNS), *(("spark", each) for each in FEW)],
)
def test_every_aggregate_has_the_same_cores(engines: Engines, engine: str, column: str) -> None:
    ours, theirs = (engines.held(each, people(), **DECLARED) for each in (engine, "duckdb"))

    def ask(name: str, asked: Any) -> Plan:
        return theirs.agg(**{name: asked}).plan(epsilon=1)

    asked = accepted(ask, AGGREGATES, COLUMNS[column])
    assert asked
    assert of_all(ours, asked) == of_all(theirs, asked)


@pytest.mark.parametrize("engine", OTHERS)
def test_every_aggregate_of_a_person_has_the_same_cores(engines: Engines, engine: str) -> None:
    ours, theirs = (engines.held(each, people(), **DECLARED) for each in (engine, "duckdb"))

    def ask(name: str, asked: Any) -> Plan:
        return theirs.per_person(**{name: asked}).agg(n=sf.count(name)).plan(epsilon=1)

    for column in COLUMNS if engine == "postgres" else FEW:
        chosen = accepted(ask, OF_A_PERSON, COLUMNS[column])
        numbers = {
            name: sf.sum(name, bounds=(-30, 30)) for name in chosen if name not in {"first", "last"}
        }
        counts = {f"{name}_counted": sf.count(name) for name in chosen}
        found = [
            cores(each.per_person(**chosen).agg(**numbers, **counts).plan(epsilon=1))
            for each in (ours, theirs)
        ]
        assert found[0] == found[1], column


@pytest.mark.parametrize("by", KEYS)
@pytest.mark.parametrize("engine", OTHERS)
def test_groups_of_every_type_have_the_same_cores(engines: Engines, engine: str, by: str) -> None:
    for keys in (KEYS[by], MANY.get(by, KEYS[by])):
        declared = {**DECLARED, "keys": {by: keys}}
        found = [
            cores(
                engines.held(each, people(), **declared)
                .group_by(by)
                .agg(total=sf.sum("x", bounds=(-1, 1)), half=sf.median("x", bounds=(-1, 1)))
                .plan(epsilon=1)
            )
            for each in (engine, "duckdb")
        ]
        assert found[0] == found[1], len(keys)


@pytest.mark.parametrize("by", [*KEYS, "x"])
@pytest.mark.parametrize("engine", OTHERS)
def test_unknown_groups_of_every_type_are_counted_alike(
    engines: Engines, engine: str, by: str
) -> None:
    declared = {**DECLARED, "keys": {}}
    target: dict[str, Any] = {"epsilon": 50, "delta": 0.5}
    found = []
    for each in (engine, "duckdb"):
        table = engines.held(each, people(), **declared)
        try:
            found.append(cores(table.group_by(by).agg(n=sf.count()).plan(**target))[0])
        except InputError as refused:
            assert (each, by) == ("spark", "x")
            assert "Spark writes numbers with a point" in str(refused)  # noqa: PT017
            return
    assert found[0] == found[1]


@pytest.mark.parametrize("engine", ENGINES)
def test_the_mean_of_a_condition_is_the_share_of_rows_in_which_it_is_true(
    engines: Engines, engine: str
) -> None:
    rows = pa.table({"id": list(range(8)), "b": [True] * 2 + [False] * 4 + [None] * 2})
    table = engines.held(engine, rows, unit="id", limits={"rows": 1})
    asked = {"of_a_column": sf.mean("b"), "of_a_condition": sf.mean(sf.col("id") < 2)}
    answer = table.agg(**asked).release(epsilon=100_000).to_pandas()
    assert abs(answer["of_a_column"][0] - 1 / 3) < 0.01
    assert abs(answer["of_a_condition"][0] - 1 / 4) < 0.01
