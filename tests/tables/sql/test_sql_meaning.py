"""Row expressions mean what they mean in a database, wherever a database does not fail."""

from __future__ import annotations

from functools import cache
from typing import Any

import pyarrow as pa
import pytest

from sfumato.tables.expressions import compile_expression
from sfumato.tables.sql.expressions import row_expression
from sfumato.tables.sql.names import NamedRows
from sfumato.tables.sql.parsing import parse_select
from tests.tables.sql.clinic import ROWS, clinic

SAME = [
    "age + 1",
    "1 - age",
    "age * cost",
    "cost / 4",
    "65 // 10",
    "age % 7",
    "MOD(age, 7)",
    "ABS(age) ** 2",
    "-age",
    "NOT smoker",
    "smoker AND age > 0",
    "smoker OR age > 0",
    "age BETWEEN -35 AND 61",
    "age NOT BETWEEN -35 AND 61",
    "sex IN ('F', 'M')",
    "sex NOT IN ('F')",
    "ward LIKE '%1'",
    "ward NOT LIKE 'it_s'",
    "sex IS NULL",
    "sex IS NOT NULL",
    "CASE WHEN age < 0 THEN 'a' WHEN smoker THEN 'b' END",
    "CASE sex WHEN 'F' THEN 1 WHEN 'f' THEN 2 ELSE 3 END",
    "IF(smoker, 1, 2)",
    "COALESCE(sex, ward)",
    "NULLIF(sex, 'F')",
    "ROUND(cost)",
    "FLOOR(cost)",
    "CEIL(cost)",
    "SIGN(age)",
    "LEAST(age, 0)",
    "GREATEST(age, cost)",
    "LN(ABS(age))",
    "LOG10(ABS(age))",
    "LOG(10, ABS(age))",
    "EXP(cost / 100)",
    "SQRT(ABS(age))",
    "LOWER(sex)",
    "UPPER(ward)",
    "LENGTH(ward)",
    "SUBSTRING(ward, 2, 2)",
    "SUBSTRING(ward FROM 2)",
    "LEFT(ward, 2)",
    "RIGHT(ward, 2)",
    "REPLACE(ward, 't', 'T')",
    "sex || ward",
    "CONCAT(sex, ward)",
    "STARTS_WITH(ward, 'A')",
    "CONTAINS(ward, '''')",
    "EXTRACT(YEAR FROM born)",
    "EXTRACT(ISODOW FROM born)",
    "DATE_PART('quarter', born)",
    "MONTH(born)",
    "DAY(born)",
    "DAYOFYEAR(born)",
    "HOUR(admitted)",
    "MINUTE(admitted)",
    "SECOND(admitted)",
    "DATE_TRUNC('hour', admitted)",
    "DATEDIFF('day', born, admitted)",
    "born - DATE '2000-01-01'",
    "born + 366",
    "born - 366",
    "admitted + INTERVAL 31 DAY",
    "admitted - INTERVAL '31 days'",
    "born >= '2000-01-01'",
    "admitted < '2024-01-31 23:59:59'",
    "CAST(age AS VARCHAR)",
    "age::BOOLEAN",
    "smoker::INT",
    "admitted::DATE",
    "born::TIMESTAMP",
    "TRY_CAST(ward AS DATE)",
    # what binds more tightly
    "1 - 2 - 3 + 4",
    "2 + 3 * 4 - 10 / 4",
    "100 / 10 / 5",
    "-5 % 3",
    "-7.5 % 2",
    "2 * 7 % 4",
    "-2 ** 2",
    "-ABS(age) ** 2",
    "2 ** 3 ** 2",
    "2 ^ 2 * 3",
    "- age + 1",
    "-age::BIGINT",
    "age::VARCHAR || 'x'",
    "NOT smoker = TRUE",
    "NOT smoker AND smoker",
    "age = 61 OR smoker AND age < 0",
    "age BETWEEN 0 AND 61 OR smoker",
    "NOT age IS NULL",
    "NOT age IN (61)",
    "NOT age BETWEEN 0 AND 61",
    "'a' || 'b' = 'ab'",
    "sex || 'x' LIKE '%x'",
    "age + 1 BETWEEN 60 AND 60 + 2",
    "(age > 0) = smoker",
    "age > 0 AND NOT smoker OR cost > 50",
]
#: Where ours differs, as the package says.
OTHERWISE = {
    "age // 10": ([6, 6, -4, None], [6, 6, -3, None]),
    "CAST(cost + 0.25 AS INT)": ([10, -2, 0, 100], [11, -2, 0, 100]),
}


@cache
def ours() -> dict[str, list[Any]]:
    """The values of each expression on each row, by way of our language."""
    rows, texts = clinic().source.table, [*SAME, *OTHERWISE]
    select = parse_select(selecting(texts)).select
    names = NamedRows.of(clinic(), "t").names
    made = [row_expression(each, names) for each in select.expressions]
    values = {f"v{i}": compile_expression(each, rows, names.schema) for i, each in enumerate(made)}
    found = clinic().source.fetch(rows.select(**values))
    return dict(zip(texts, found.to_pydict().values(), strict=True))


@cache
def bare() -> dict[str, list[Any]]:
    """What the engine itself says; this text is ours, not an analyst's."""
    import duckdb

    texts = [*SAME, *OTHERWISE]
    with duckdb.connect() as engine:
        engine.register("t", pa.table(ROWS))
        rows = engine.execute(selecting(texts)).fetchall()
    return dict(zip(texts, map(list, zip(*rows, strict=True)), strict=True))


def selecting(texts: list[str]) -> str:
    return " ".join(["SELECT", ", ".join(texts), "FROM t"])


@pytest.mark.parametrize("text", SAME)
def test_an_expression_has_the_values_of_the_engine(text: str) -> None:
    for found, expected in zip(ours()[text], bare()[text], strict=True):
        near = pytest.approx(expected) if isinstance(expected, float) else expected
        assert found == near


@pytest.mark.parametrize("text", OTHERWISE)
def test_what_differs_is_documented(text: str) -> None:
    assert (ours()[text], bare()[text]) == OTHERWISE[text]
