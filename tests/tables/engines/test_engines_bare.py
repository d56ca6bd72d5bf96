"""Operations that no row makes fail, with no condition in front of them.

An optimiser may decide a condition, move it or leave it out; what is tested here needs none.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest

from sfumato.data import doubles, open_source
from sfumato.tables.expressions import col, compile_expression
from sfumato.tables.expressions.guards import exactly
from tests.engines import ENGINES
from tests.refusing import raises_code
from tests.tables.engines.answering import answered
from tests.tables.engines.forms import every_form
from tests.tables.engines.specials import DAYS, MOMENTS, NUMBERS

if TYPE_CHECKING:
    from collections.abc import Callable

    import ibis.expr.types as ir

    from sfumato.data import Source
    from tests.engines import Engines

OTHERS = ENGINES[1:]
#: Days and microseconds, well inside our calendar: there outcomes are those of DuckDB.
DAY, MOMENT = (-700_000, 2_900_000), (-62_000_000_000_000_000, 253_000_000_000_000_000)
OF_DOUBLES: dict[str, Callable[[Any], Any]] = {
    "floor": doubles.floor,
    "ceiling": doubles.ceiling,
    "nearest": doubles.nearest,
    "is_finite": doubles.is_finite,
    "number_or": doubles.number_or,
    "in 64 bits": lambda x: x.try_cast("int64"),
    "in 32 bits": lambda x: x.try_cast("int32"),
    "in 16 bits": lambda x: x.try_cast("int16"),
}
OF_BOOLEANS = ["int16", "int32", "int64", "float32", "float64", "decimal(38, 0)"]
OF_TIMES: dict[str, Callable[[Any], Any]] = {
    "midnight": lambda t: exactly(t.d, "timestamp"),
    "a later day": lambda t: exactly(t.d + t.few.as_interval("D"), "date"),
    "a later moment": lambda t: t.m + t.few.as_interval("D"),
    "days between": lambda t: t.d.delta(t.e, unit="day"),
    "its day": lambda t: exactly(t.m, "date"),
}
CUT = [*product("d", "YQMWD"), *product("m", "YQMWDhms")]


def values(source: Source, make: Callable[[Any], ir.Value]) -> list[Any]:
    """What a value of Ibis is on the rows of a table, in order."""
    rows = source.table
    answer = source.fetch(rows.select(n=rows["n"], v=make(rows))).sort_by("n")
    found: list[Any] = answer["v"].to_pylist()
    return found


def numbered(**columns: Any) -> pa.Table:
    height = len(next(iter(columns.values())))
    return pa.table({"n": list(range(height)), **columns})


@pytest.mark.parametrize("name", OF_DOUBLES)
@pytest.mark.parametrize("engine", OTHERS)
def test_any_double_can_become_a_whole_number(engines: Engines, engine: str, name: str) -> None:
    near = [each + 0.5 for each in (2**15 - 1, -(2**15) - 1, 2**31 - 1, -(2**31) - 1, 2, 3)]
    rows = numbered(x=[*NUMBERS, *near, 2.0**63 - 1024, -(2.0**63) - 2048])
    ours, theirs = (
        values(each, lambda t: OF_DOUBLES[name](t.x))
        for each in (engines.source(engine, rows), open_source(rows))
    )
    assert list(map(repr, ours)) == list(map(repr, theirs))


@pytest.mark.parametrize("engine", OTHERS)
def test_no_double_becomes_a_decimal_that_other_engines_would_not_give(
    engines: Engines, engine: str
) -> None:
    source = engines.source(engine, numbered(x=[0.5]))
    with raises_code("E-ENGINE-UNABLE"):
        values(source, lambda t: t.x.try_cast("decimal(38, 0)"))


@pytest.mark.parametrize("kind", OF_BOOLEANS)
@pytest.mark.parametrize("engine", OTHERS)
def test_true_and_false_become_numbers_of_every_type(
    engines: Engines, engine: str, kind: str
) -> None:
    source = engines.source(engine, numbered(b=[True, False, None]))
    assert values(source, lambda t: t.b.cast(kind)) == [1, 0, None]


@pytest.mark.parametrize("engine", OTHERS)
def test_beside_the_sign_of_a_whole_number_others_keep_their_digits(
    engines: Engines, engine: str
) -> None:
    """The sign is one of them; as a double it would make doubles of all."""
    rows = numbered(i=[1, None], j=[0, 2**53 + 1])
    value = col("i").sign().fill_null(col("j"))
    source = engines.source(engine, rows)
    types = dict.fromkeys("nij", "integer")
    found = values(source, lambda t: compile_expression(value, t, types).cast("string"))
    assert found == ["1", str(2**53 + 1)]


#: Each far day beside each far moment, and beside another day; and some that are not far.
FAR = [
    *(
        (day, moment, DAYS[(place * 5) % len(DAYS)])
        for place, (day, moment) in enumerate(product(DAYS, MOMENTS))
    ),
    *((day, day * 86_399_999_999, day + 7) for day in range(-690_000, 2_890_000, 97_003)),
]


def far() -> pa.Table:
    days, moments, others = zip(*FAR, strict=True)
    return numbered(
        d=pa.array(days, pa.int32()).cast(pa.date32()),
        e=pa.array(others, pa.int32()).cast(pa.date32()),
        m=pa.array(moments, pa.int64()).cast(pa.timestamp("us")),
        few=[place % 5 - 2 for place in range(len(FAR))],
    )


def is_ordinary(day: int | None, moment: int | None, other: int | None) -> bool:
    """Whether days and a moment, and some days before and after, are in our calendar."""
    places = zip((day, moment, other), (DAY, MOMENT, DAY), strict=True)
    return all(each is not None and low < each < high for each, (low, high) in places)


@pytest.mark.parametrize("engine", ["spark"])
def test_no_date_is_too_far_for_an_operation(engines: Engines, engine: str) -> None:
    """PostgreSQL's own raise on such dates; there they stand behind a branch of CASE."""
    rows = far()
    inside = [is_ordinary(*each) for each in FAR]
    source, embedded = engines.source(engine, rows), open_source(rows.filter(pa.array(inside)))
    cut = {f"{name} by {unit}": cutting(name, unit) for name, unit in CUT}
    for name, make in (OF_TIMES | cut).items():
        ours, theirs = (values(each, written(make)) for each in (source, embedded))
        kept = [each for each, there in zip(ours, inside, strict=True) if there]
        assert kept == theirs, name
        assert len(kept) > 30


def cutting(name: str, unit: str) -> Callable[[Any], Any]:
    kind = {"d": "date", "m": "timestamp"}[name]
    return lambda t: exactly(t[name].truncate(unit), kind)


def written(make: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """What is made, as text: a date that is too far has no other in Python."""
    return lambda t: make(t).cast("string")


@pytest.mark.full
@pytest.mark.parametrize("engine", OTHERS)
def test_a_text_of_more_than_a_million_bytes_is_null(engines: Engines, engine: str) -> None:
    types = {"n": "integer", "s": "text"}
    ends = engines.source(engine, numbered(s=["ß" * 500_001, "ß" * 500_000]))
    assert answered(ends, types, [col("s").length()]) == [[None, 500_000]]
    asked = list(every_form({"s": "text"}).values())
    long, null = (engines.source(engine, numbered(s=[each, "ß"])) for each in ("ß" * 10**6, None))
    assert answered(long, types, asked) == answered(null, types, asked)
