"""Expressions give the same on every engine, and fail on no row: the table of outcomes."""

from __future__ import annotations

import math
import os
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.errors import InputError
from sfumato.tables.expressions import col, lit
from tests.engines import ENGINES
from tests.tables.engines.answering import answered
from tests.tables.expressions.nasty import NOT_FINITE, RAISING
from tests.tables.expressions.reference import evaluate
from tests.tables.expressions.test_reference import alike
from tests.tables.expressions.trees import ANY_TREE, SCHEMA, TABLES, frame, seen

if TYPE_CHECKING:
    from sfumato.tables.expressions import Expression
    from tests.engines import Engines

pytestmark = pytest.mark.full

EXAMPLES = 400 if os.environ.get("SFUMATO_TEST_PROFILE") == "sweep" else 8
GREATEST = 2**63 - 1
MAX = 1.7976931348623157e308
TINY = 5e-324

#: One column of each type, its worst cells first.
NASTY = pa.table(
    {
        "n": list(range(9)),
        "i": pa.array([GREATEST, -GREATEST - 1, 0, None, 1, -5, 2**53 + 1, 3, -1], pa.int64()),
        "x": [math.nan, math.inf, -math.inf, None, 1e300, -0.0, TINY, MAX, -2.5],
        "s": ["CANARY", "", "∞CANARY", None, "2024-02-30", "C 99999999999999999999", "ß", "É", "a"],
        "t": ["12C", "1e999", "-0", None, "1e-400", "0.1", "true", " 2024-02-29 ", "9" * 400],
        "d": pa.array(
            [2**31 - 1, -(2**31) + 1, 2932896, None, -719162, 3_000_000, -800_000, 0, 19_782],
            pa.int32(),
        ).cast(pa.date32()),
        "m": pa.array(
            [None, 253402300799999999, -62135596800000000, 0, 1, -1, 10**15, -(10**15), 999_999],
            pa.int64(),
        ).cast(pa.timestamp("us")),
    }
)
TYPES = {
    "n": "integer",
    "i": "integer",
    "x": "number",
    "s": "text",
    "t": "text",
    "d": "date",
    "m": "timestamp",
}
i, x, s, t, d, m = (col(name) for name in "ixstdm")
#: Where engines differ when they are asked plainly.
EDGES: list[Expression] = [
    *(x * lit(each) for each in (0.1, 0.5, 2.0, 10.0, 1e-300, 1e300, TINY)),
    *(x / lit(each) for each in (0.1, 0.5, 2.0, 10.0, 1e-300, 1e300, TINY, MAX)),
    *(x + lit(each) for each in (1.0, MAX, -MAX, TINY, 1e292)),
    *(x**each for each in (0.5, 2, -1, 3, 1e-300, 1e300, -2.5)),
    *(lit(each) ** x for each in (0.5, 2.0, -2.0, 1.0)),
    *(x % each for each in (3, 0.1, 1e-300, 7.5, -2, TINY)),
    *(lit(each) % x for each in (3.0, 0.1, MAX)),
    *((x * 0.01).exp(), x.exp(), (x + 0.5).round(), (x * 3).round(2), x.floor(), x.ceil()),
    *(lit(-2.5).round(), lit(0.49999999999999994).round(), lit(2.5).round()),
    *(s.lower(), s.upper(), s < "a", s.between("A", "b"), s.strip(), s.length(), s.right(0)),
    *(s.left(2), s.substring(2, 3), s.contains("N"), s.like("%A_A%"), s.like(r"%\%%"), s + t),
    *(t.cast("number"), t.cast("integer"), t.cast("date"), t.cast("boolean"), t.cast("timestamp")),
    *(d.cast("text"), d.add_days(-3_652_058), d.add_days(i), d.date_trunc("week"), d.weekday()),
    *(m.add_days(-3_652_058), m.date_trunc("quarter"), m.second(), m.cast("date"), m.day_of_year()),
    *(d.days_until(m), d > m, i.cast("text"), i.cast("number"), -i, abs(i), i.sign(), x.sign()),
    *(x.clip(0, 10), x.clip(-1, MAX), (x > 5), x.is_null(), -x, (x == -x), i // 2, x // 2),
]


def answers(
    engines: Engines, engine: str, rows: pa.Table, types: dict[str, str], asked: list[Expression]
) -> list[list[Any]]:
    """What expressions give on every row of a table, in the order of the column ``n``."""
    return answered(engines.held(engine, rows, unit="row").source, types, asked)


@pytest.mark.parametrize("engine", ENGINES[1:])
def test_special_values_have_the_same_outcomes(engines: Engines, engine: str) -> None:
    for start in range(0, len(EDGES), 24):
        asked = EDGES[start : start + 24]
        ours = answers(engines, engine, NASTY, TYPES, asked)
        theirs = answers(engines, "duckdb", NASTY, TYPES, asked)
        for expression, one, other in zip(asked, ours, theirs, strict=True):
            assert all(map(alike, one, other)), (str(expression), one, other)


@pytest.mark.parametrize("engine", ENGINES[1:])
def test_what_raises_in_a_bare_engine_has_a_value_on_every_row(
    engines: Engines, engine: str
) -> None:
    asked = [each for each, _ in RAISING if not _uses(each, "huc")]
    asked += [each for each in NOT_FINITE if not _uses(each, "huc")]
    for start in range(0, len(asked), 24):
        some = asked[start : start + 24]
        ours = answers(engines, engine, NASTY, TYPES, some)
        theirs = answers(engines, "duckdb", NASTY, TYPES, some)
        for expression, one, other in zip(some, ours, theirs, strict=True):
            assert all(map(alike, one, other)), (str(expression), one, other)


def _uses(expression: Expression, names: str) -> bool:
    own = getattr(expression, "name", None) in set(names)
    return own or any(_uses(each, names) for each in expression.parts)


@pytest.mark.parametrize("engine", ENGINES[1:])
def test_random_expressions_agree_with_plain_python(engines: Engines, engine: str) -> None:
    @settings(max_examples=EXAMPLES)
    @given(TABLES, st.lists(ANY_TREE, min_size=6, max_size=6))
    def agree(cells: dict[str, list[Any]], expressions: list[Expression]) -> None:
        rows = frame(cells)
        rows = rows.append_column("n", pa.array(range(rows.num_rows), pa.int64()))
        asked = [each for each in expressions if _can_be_asked(each)]
        found = answers(engines, engine, rows, {**SCHEMA, "n": "integer"}, asked)
        for expression, column in zip(asked, found, strict=True):
            wanted = [evaluate(expression, row, SCHEMA) for row in seen(cells)]
            assert all(map(alike, column, wanted)), (str(expression), column, wanted)

    agree()


def _can_be_asked(expression: Expression) -> bool:
    """Whether a random expression has a type: a cast of two nulls may have none."""
    from sfumato.tables.expressions import type_of

    try:
        return bool(type_of(expression, SCHEMA))
    except InputError:
        return False


def test_twin_a_bare_engine_fails_on_the_same_rows(engines: Engines) -> None:
    """Otherwise the tests above could not fail."""
    import psycopg

    postgres = engines.postgres
    name = postgres.load(NASTY)
    for bare in ("x * 10", "x * 1e-300::float8", "exp(x)", "CAST(t AS date)", "d + i::int"):
        with pytest.raises(psycopg.Error):
            postgres.run(f'SELECT {bare} FROM "{name}"')  # noqa: S608
