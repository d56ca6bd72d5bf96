"""Columns of every kind an engine has enter as one of six types; functions at their edges."""

from __future__ import annotations

import datetime as dt
import operator
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import ibis
import pyarrow as pa
import pytest

from sfumato.tables.expressions import (
    Expression,
    col,
    column_types,
    compile_expression,
    lit,
    when,
)
from sfumato.tables.expressions.nodes import MOST_NESTED
from tests.refusing import raises_code

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


@pytest.fixture(scope="module")
def engine() -> Iterator[Any]:
    """An engine whose session is not in UTC."""
    backend = ibis.duckdb.connect()
    backend.con.execute("SET TimeZone = 'America/New_York'").fetchall()
    yield backend
    backend.disconnect()


def value(
    engine: Any, expression: Expression, sql: str, schema: dict[str, str] | None = None
) -> Any:
    """What an expression gives on the one row of a query."""
    engine.con.execute(f"CREATE OR REPLACE VIEW one AS {sql}").fetchall()
    table = engine.table("one")
    made = compile_expression(expression, table, schema or column_types(table.schema()))
    return engine.to_pyarrow(table.select(v=made))["v"].to_pylist()[0]


@pytest.mark.parametrize(
    ("cell", "wanted"),
    [
        ("TIMESTAMPTZ '2024-01-01 10:00:00.25+02'", dt.datetime(2024, 1, 1, 8, 0, 0, 250000)),
        ("TIMESTAMPTZ 'infinity'", None),
        ("TIMESTAMP_NS '2024-01-01 10:00:00.123456789'", dt.datetime(2024, 1, 1, 10, 0, 0, 123457)),
        ("TIMESTAMP_NS '-infinity'", None),
        ("TIMESTAMP_S '2024-01-01 10:00:00'", dt.datetime(2024, 1, 1, 10)),
        ("TIMESTAMP_MS 'infinity'", None),
        ("TIMESTAMP '290000-01-01'", None),
        ("DATE '0001-01-01 (BC)'", None),
        ("DATE '10000-01-01'", None),
        ("DATE '9999-12-31'", dt.date(9999, 12, 31)),
        ("255::UTINYINT", 255),
        ("18446744073709551615::UBIGINT", 2.0**64),
        ("170141183460469231731687303715884105727::HUGEINT", 2.0**127),
        ("12.345::DECIMAL(9, 3)", 12.345),
        ("0.1::FLOAT", 0.10000000149011612),
        ("'nan'::FLOAT", None),
        ("'b'::ENUM('b', 'a')", "b"),
        ("true", True),
        ("''", ""),
    ],
)
def test_a_cell_becomes_one_of_six_types(engine: Any, cell: str, wanted: Any) -> None:
    found = value(engine, col("c"), f"SELECT {cell} AS c")
    assert type(found) is type(wanted)
    assert found == wanted


def test_seconds_beyond_the_calendar_are_null(engine: Any) -> None:
    moments = pa.array([2**60, -(2**60), 0], pa.int64()).cast(pa.timestamp("s"))
    table = ibis.memtable(pa.table({"m": moments}))
    made = compile_expression(col("m"), table, {"m": "timestamp"})
    found = engine.to_pyarrow(table.select(v=made))["v"].to_pylist()
    assert found == [None, None, dt.datetime(1970, 1, 1)]


def test_enumerated_texts_compare_as_texts(engine: Any) -> None:
    sql = "SELECT 'b'::ENUM('b', 'a') AS c, 'a'::ENUM('b', 'a') AS d"
    assert value(engine, col("c") < col("d"), sql) is False


@pytest.mark.parametrize(
    ("cell", "kind", "wanted"),
    [
        ("64", "integer", 64),
        (" 1.5e3 ", "number", 1500.0),
        ("n/a", "number", None),
        ("Yes", "boolean", True),
        ("2024-02-29", "date", dt.date(2024, 2, 29)),
        ("2024-02-29T01:02Z", "timestamp", dt.datetime(2024, 2, 29, 1, 2)),
    ],
)
def test_texts_are_read_as_the_type_they_are_declared(
    engine: Any, cell: str, kind: str, wanted: Any
) -> None:
    sql = f"SELECT '{cell}' AS c"
    assert value(engine, col("c"), sql, {"c": kind}) == wanted


@pytest.mark.parametrize(
    ("expression", "wanted"),
    [
        (lit(0.1) + 0.2, 0.1 + 0.2),
        (lit(123456.78901234567) * 1, 123456.78901234567),
        (lit(5e-324) * 1, 5e-324),
        (lit(2**53 + 1) == 2.0**53, True),
        (lit(2**53 + 1) == 2**53, False),
        (-lit(-(2**31)), 2**31),
        (lit(dt.datetime(2024, 1, 1, 0, 0, 59, 999999)), dt.datetime(2024, 1, 1, 0, 0, 59, 999999)),
        (lit(2.0**52 + 1).round(), 2**52 + 1),
        (lit(0.49999999999999994).round(), 0),
        (lit(-2.5).round(), -3),
        (lit(1e300).round(15), 1e300),
        (lit(-7) % 3, -1.0),
        (lit(-7) // 2, -4),
        (lit(-7.9).cast("integer"), -7),
        (lit("Z") < "a", True),
        (lit("é") > "z", True),
        (lit("日本").length(), 2),
        (lit("日本").like("_本"), True),
        (lit("100%").like("100\\%"), True),
        (lit("100x").like("100\\%"), False),
        (lit("a.b\n").like("a.b\\\\%"), False),
        (lit("a\\b\n").like("a\\\\b%"), True),
        (lit("a\n").like("a\\%"), False),
        (lit("x").replace("", "y"), "x"),
        (lit(dt.date(2024, 12, 30)).weekday(), 1),
        (lit(dt.date(2024, 12, 29)).weekday(), 7),
        (lit(None) == None, None),  # noqa: E711
        (lit(1) != None, None),  # noqa: E711
        ((lit(1) == None) & False, False),  # noqa: E711
        ((lit(1) == None) | True, True),  # noqa: E711
        (lit(None).clip(0, 1), None),
        (lit(5).clip(None, 3), 3),
        (when(lit(None), 1), None),
    ],
)
def test_values_at_the_edges(engine: Any, expression: Any, wanted: Any) -> None:
    made = expression.otherwise(None) if hasattr(expression, "when") else expression
    found = value(engine, made, "SELECT 1 AS c")
    assert type(found) is type(wanted)
    assert found == wanted


@pytest.mark.parametrize(
    ("cell", "kind"),
    [("1.5::DOUBLE", "text"), ("TIME '10:00'", "text"), ("DATE '2024-01-01'", "number")],
)
def test_a_column_that_cannot_be_what_it_is_declared_is_refused(
    engine: Any, cell: str, kind: str
) -> None:
    with raises_code("E-COLUMN-TYPE", match="the column 'c' is declared as"):
        value(engine, col("c"), f"SELECT {cell} AS c", {"c": kind})


def test_replacing_cannot_grow_without_end(engine: Any) -> None:
    grown: Expression = col("c")
    for _ in range(5):
        grown = grown.replace("a", "a" * 100)
    assert value(engine, grown, "SELECT 'a' AS c") is None
    assert (
        value(engine, col("c").replace("a", "aa"), "SELECT repeat('a', 10000) AS c") == "a" * 20000
    )


def joined(parts: list[Any]) -> Expression:
    text: Expression = parts[0]
    for each in parts[1:]:
        text = text + each
    return text


def test_many_texts_are_joined(engine: Any) -> None:
    text = joined([col("c"), *"abcdefghij" * 9, col("c").lower()])
    assert value(engine, text, "SELECT 'Ä' AS c") == "Ä" + "abcdefghij" * 9 + "ä"
    assert value(engine, text, "SELECT NULL::VARCHAR AS c") is None
    assert value(engine, text.length().cast("text") + "!", "SELECT 'Ä' AS c") == "92!"


@pytest.mark.parametrize("letter", ["a", "ß", "🙂"])
@pytest.mark.parametrize(("length", "is_null"), [(2500, False), (2501, True), (60_000, True)])
def test_a_joined_text_has_at_most_10_000_characters(
    engine: Any, letter: str, length: int, *, is_null: bool
) -> None:
    c = col("c")
    row = f"SELECT repeat('{letter}', {length}) AS c"
    for text in (joined([c] * 4), (c + c) + (c + c), c + (c + (c + c))):
        assert value(engine, text, row) == (None if is_null else letter * 10_000)
        assert value(engine, text.is_null(), row) is is_null
        assert value(engine, text.cast("number").is_null(), row)
        assert value(engine, text.length(), row) == (None if is_null else 10_000)


def test_a_text_that_became_too_long_is_not_shortened_by_more_of_it(engine: Any) -> None:
    long = joined([col("c")] * 5).left(3)
    assert value(engine, long + "x", "SELECT repeat('a', 2001) AS c") is None


def test_an_expression_that_would_write_a_huge_query_is_refused(engine: Any) -> None:
    nested: Expression = col("c")
    for _ in range(30):
        nested = 1 / nested
    with raises_code("E-QUESTION-TOO-LARGE"):
        value(engine, nested, "SELECT 1.5 AS c")
    pieces: Expression = col("c")
    for _ in range(30):
        pieces = pieces.left(3)
    with raises_code("E-QUESTION-TOO-LARGE"):
        value(engine, pieces, "SELECT 'a' AS c")


@pytest.mark.parametrize("name", ["lower", "right", "abs", "not", "negative"])
def test_the_deepest_expressions_compile(engine: Any, name: str) -> None:
    again: dict[str, Callable[[Any], Any]] = {
        "lower": lambda each: each.lower(),
        "right": lambda each: each.right(3),
        "abs": abs,
        "not": operator.invert,
        "negative": operator.neg,
    }
    column = {
        "lower": "'a'",
        "right": "'a'",
        "abs": "1.5::DOUBLE",
        "not": "true",
        "negative": "1.5::DOUBLE",
    }[name]
    deepest: Expression = col("c")
    while deepest.nested < MOST_NESTED:
        deepest = again[name](deepest)
    assert value(engine, deepest, f"SELECT {column} AS c") is not None


def test_long_chains_compile(engine: Any) -> None:
    total: Expression = col("c")
    for place in range(98):
        total = total + place
    assert value(engine, total, "SELECT 1 AS c") == 1 + sum(range(98))


def test_importing_the_language_loads_no_engine() -> None:
    code = "import sys, sfumato.tables.expressions as e; e.col('a') + 1\n"
    code += "print(sorted({'ibis', 'duckdb', 'pandas', 'pyarrow', 'sqlglot'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
