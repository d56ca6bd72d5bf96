"""Random expressions of each type, and random tables to run them on."""

from __future__ import annotations

import datetime as dt
import functools
import math
from typing import Any

import pyarrow as pa
from hypothesis import strategies as st

from sfumato.tables.expressions import Case, Cast, Column, Expression, FunctionCall, col, lit

SCHEMA = {
    "i": "integer",
    "j": "integer",
    "x": "number",
    "y": "number",
    "s": "text",
    "t": "text",
    "b": "boolean",
    "d": "date",
    "m": "timestamp",
}
EPOCH = dt.date(1970, 1, 1).toordinal()
INTEGERS = st.one_of(
    st.sampled_from([0, 1, -1, 2, 7, 2**53 + 1, 2**62, -(2**62), 2**63 - 1, -(2**63)]),
    st.integers(-1000, 1000),
)
NUMBERS = st.one_of(
    st.sampled_from([0.0, -0.0, 0.5, 2.5, -2.5, 1e300, -1e300, 5e-324, 2.0**62, 1e22, 2.0**52 + 1]),
    st.floats(-1000, 1000),
)
ODD_NUMBERS = st.one_of(NUMBERS, st.sampled_from([math.nan, math.inf, -math.inf]))
WRITTEN = [
    *("", " ", "abc", "ABC%_", "A\\b", "é", "É∞日", "a\nb", "it's", "true", " No ", "T", "1", "0"),
    *("12", " -7 ", "+5", "1.5e3", "1e400", "-.5", "5.", ".", "0x10", "1_000", "nan", "inf"),
    *("9223372036854775807", "2024-02-29", "2023-02-29", "0000-01-01", "9999-12-31", "2024-2-9"),
    *("2024-02-29T23:59", "2024-02-29 10:11:12.5Z", "2024-02-29 24:00", "10000-01-01"),
]
TEXTS = st.one_of(
    st.sampled_from(WRITTEN), st.text(alphabet="abAB %_\\.0159-:TZé∞'\n\t", max_size=6)
)
DAYS = st.one_of(
    st.sampled_from([dt.date.min, dt.date.max, dt.date(2024, 2, 29)]),
    st.dates(dt.date(1900, 1, 1), dt.date(2100, 1, 1)),
)
MOMENTS = st.one_of(
    st.sampled_from([dt.datetime.min, dt.datetime.max]),
    st.datetimes(dt.datetime(1900, 1, 1), dt.datetime(2100, 1, 1)),
)
#: Days from 1970 that no calendar of ours has: past its ends, and the engine's infinities.
ODD_DAYS = [3_000_000, -3_000_000, 2**31 - 1, -(2**31) + 1]


def literals(kind: str) -> st.SearchStrategy[Expression]:
    values: dict[str, st.SearchStrategy[Any]] = {
        "integer": INTEGERS,
        "number": NUMBERS,
        "text": TEXTS,
        "boolean": st.booleans(),
        "date": DAYS,
        "timestamp": MOMENTS,
    }
    return st.one_of(values[kind], st.none()).map(lit)


def leaves(kind: str) -> st.SearchStrategy[Expression]:
    names = [name for name, each in SCHEMA.items() if each == kind]
    column = st.sampled_from(names).map(col)
    return st.one_of(column, column, literals(kind))


#: For each type, the functions that give it and what they take; an asterisk means "this type".
FORMS: dict[str, list[tuple[str, tuple[str, ...]]]] = {
    "number": [
        *((name, ("number", "number")) for name in ("add", "subtract", "multiply", "divide")),
        *((name, ("number", "integer")) for name in ("modulo", "power", "add", "divide")),
        *(
            (name, ("number",))
            for name in ("sqrt", "ln", "log10", "exp", "negative", "abs", "sign")
        ),
    ],
    "integer": [
        ("floor_divide", ("number", "number")),
        *((name, ("number",)) for name in ("round", "floor", "ceil")),
        *((name, ("integer",)) for name in ("negative", "abs", "sign", "round")),
        ("length", ("text",)),
        *((name, ("date",)) for name in ("year", "quarter", "month", "day", "weekday", "second")),
        *(
            (name, ("timestamp",))
            for name in ("day_of_year", "hour", "minute", "second", "weekday")
        ),
        ("days_until", ("date", "timestamp")),
    ],
    "text": [
        ("add", ("text", "text")),
        *((name, ("text",)) for name in ("lower", "upper", "strip")),
    ],
    "boolean": [
        *((name, (kind, kind)) for name in ("equal", "not_equal") for kind in SCHEMA.values()),
        *(
            (name, (kind, other))
            for name in ("less", "less_equal", "greater", "greater_equal")
            for kind, other in [
                ("number", "integer"),
                ("integer", "integer"),
                ("text", "text"),
                ("date", "timestamp"),
                ("date", "date"),
            ]
        ),
        ("and", ("boolean", "boolean")),
        ("or", ("boolean", "boolean")),
        ("not", ("boolean",)),
        *(("is_null", (kind,)) for kind in ("number", "text", "date")),
        ("is_not_null", ("number",)),
        ("between", ("number", "number", "integer")),
        ("is_in", ("text", "text", "text")),
        ("is_in", ("number", "integer", "number")),
        *((name, ("text", "text")) for name in ("starts_with", "ends_with", "contains")),
    ],
    "date": [("add_days", ("date", "integer"))],
    "timestamp": [("add_days", ("timestamp", "integer"))],
}
CASTS = {
    "number": ["text", "integer", "boolean"],
    "integer": ["text", "number", "boolean"],
    "text": ["integer", "boolean", "date"],
    "boolean": ["text", "integer"],
    "date": ["text", "timestamp"],
    "timestamp": ["text", "date"],
}
UNITS = ["year", "quarter", "month", "week", "day"]


def with_constants(kind: str, below: Any) -> list[st.SearchStrategy[Expression]]:
    """The functions that take a constant of the query."""
    if kind == "number":
        return [st.builds(lambda e, n: e.round(n), below("number"), st.integers(1, 15))]
    if kind == "boolean":
        return [st.builds(lambda e, p: e.like(p), below("text"), TEXTS)]
    if kind == "text":
        counts = st.integers(0, 5)
        return [
            st.builds(lambda e, a, n: e.substring(a + 1, n), below("text"), counts, counts),
            st.builds(lambda e, n: e.left(n), below("text"), counts),
            st.builds(lambda e, n: e.right(n), below("text"), counts),
            st.builds(lambda e, a, c: e.replace(a, c), below("text"), TEXTS, TEXTS),
        ]
    if kind == "integer":
        return []
    units = UNITS if kind == "date" else [*UNITS, "hour", "minute", "second"]
    return [st.builds(lambda e, u: e.date_trunc(u), below(kind), st.sampled_from(units))]


def chosen(kind: str, below: Any) -> st.SearchStrategy[Expression]:
    return st.builds(
        lambda condition, a, c: Case(((condition, a),), c),
        below("boolean"),
        below(kind),
        below(kind),
    )


def several(kind: str, below: Any) -> list[st.SearchStrategy[Expression]]:
    names = ["coalesce"] if kind == "boolean" else ["coalesce", "least", "greatest"]
    made: list[st.SearchStrategy[Expression]] = [
        st.builds(
            lambda n, *parts: FunctionCall(n, parts),
            st.sampled_from(names),
            below(kind),
            below(kind),
        )
    ]
    if kind in {"number", "integer", "text", "date"}:
        made.append(st.builds(lambda *parts: FunctionCall("clip", parts), *[below(kind)] * 3))
    return made


def called(name: str, parts: tuple[Expression, ...]) -> FunctionCall:
    """A call; a column of texts that is put in order is cast, which says that letters are meant."""
    if not name.startswith(("less", "greater")):
        return FunctionCall(name, parts)
    texts = {each for each, kind in SCHEMA.items() if kind == "text"}
    return FunctionCall(
        name,
        tuple(
            Cast(each, "text") if isinstance(each, Column) and each.name in texts else each
            for each in parts
        ),
    )


@functools.cache
def trees(kind: str, depth: int) -> st.SearchStrategy[Expression]:
    """Expressions of a type, at most so deep."""
    if depth == 0:
        return leaves(kind)

    def below(part: str) -> st.SearchStrategy[Expression]:
        return st.deferred(lambda: trees(part, depth - 1))

    calls = [
        st.builds(lambda *parts, name=name: called(name, parts), *(below(part) for part in parts))
        for name, parts in FORMS[kind]
    ]
    casts = [below(start).map(lambda e: Cast(e, kind)) for start in CASTS[kind]]
    more = [*casts, *with_constants(kind, below), *several(kind, below), chosen(kind, below)]
    return st.one_of(leaves(kind), st.one_of(calls), st.one_of(more))


ANY_TREE = st.sampled_from(sorted(set(SCHEMA.values()))).flatmap(lambda kind: trees(kind, 3))


def _cells(values: st.SearchStrategy[Any]) -> st.SearchStrategy[list[Any]]:
    return st.lists(st.one_of(values, values, st.none()), min_size=4, max_size=4)


_RAW_DAYS = st.one_of(DAYS.map(lambda day: day.toordinal() - EPOCH), st.sampled_from(ODD_DAYS))
TABLES = st.fixed_dictionaries(
    {
        **{name: _cells(INTEGERS) for name in "ij"},
        **{name: _cells(ODD_NUMBERS) for name in "xy"},
        **{name: _cells(TEXTS) for name in "st"},
        "b": _cells(st.booleans()),
        "d": _cells(_RAW_DAYS),
        "m": _cells(MOMENTS),
    }
)


def seen(cells: dict[str, list[Any]]) -> list[dict[str, Any]]:
    """The rows of a table as the language sees them."""
    looks = {"x": _number, "y": _number, "d": _day}
    columns = {name: list(map(looks.get(name, _same), each)) for name, each in cells.items()}
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def frame(cells: dict[str, list[Any]]) -> pa.Table:
    """The table that an engine is given."""
    return pa.table({name: pa.array(each, ARROW[SCHEMA[name]]) for name, each in cells.items()})


ARROW = {
    "integer": pa.int64(),
    "number": pa.float64(),
    "text": pa.string(),
    "boolean": pa.bool_(),
    "date": pa.date32(),
    "timestamp": pa.timestamp("us"),
}


def _same(cell: Any) -> Any:
    return cell


def _day(day: int | None) -> dt.date | None:
    return None if day is None or day in ODD_DAYS else dt.date.fromordinal(day + EPOCH)


def _number(cell: float | None) -> float | None:
    return None if cell is None or math.isnan(cell) else cell
