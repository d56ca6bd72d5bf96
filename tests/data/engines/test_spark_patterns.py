"""LIKE on Spark: the texts that DuckDB finds, each piece looked for once."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import pyarrow as pa
import pytest

from sfumato.data.engines.spark.dialect import written
from sfumato.tables.expressions.guards import like

if TYPE_CHECKING:
    from tests.engines import Engines

pytestmark = pytest.mark.full

SIGNS = ("a", "b", "%", "_", ".", "\\%", "\\\\", "*")
PATTERNS = [
    *("".join(each) for size in range(4) for each in product(SIGNS[:5], repeat=size)),
    *("".join(each) for each in product(SIGNS[2:], repeat=3)),
    *("%a%a%b%", "a%_b", "%.%.%", "\n%", "%\n", "$%^", "(?>%)", "ab%ba", "%" * 20 + "b", "_" * 4),
]
TEXTS = [
    *("".join(each) for size in range(4) for each in product("ab.", repeat=size)),
    *(
        "a\n",
        "\na",
        "a\nb",
        "\n",
        "a*",
        "a\\b",
        "a%b",
        "\\",
        "%",
        "_",
        "*",
        ".*",
        "𐀀",
        "a𐀀b",
        "$x^",
    ),
    *("(?>a)", "(?>)", "abba", "aba", "ab", "a\r", "a\u2028"),
]


def test_patterns_find_the_texts_that_they_find_in_duckdb(engines: Engines) -> None:
    rows = pa.table({"n": range(len(TEXTS)), "s": TEXTS})
    found = {}
    for engine in ("duckdb", "spark"):
        source = engines.source(engine, rows)
        columns = {
            f"p{place}": like(source.table.s, pattern) for place, pattern in enumerate(PATTERNS)
        }
        answer = source.fetch(source.table.select("n", **columns)).to_pylist()
        found[engine] = {row.pop("n"): list(row.values()) for row in answer}
    assert found["spark"] == found["duckdb"]


@pytest.mark.parametrize("pattern", ["%a%a%a%a%a%a%b", "%\\%%a%a%a%a%b"])
def test_no_pattern_is_tried_at_all_places_together(engines: Engines, pattern: str) -> None:
    # At all places together the last text would take 10^20 steps and more.
    rows = pa.table({"n": [0, 1], "s": ["%" + "a" * 9_000 + "b", "%" + "a" * 9_000]})
    source = engines.source("spark", rows)
    found = source.fetch(source.table.filter(like(source.table.s, pattern)).select("n"))
    assert found["n"].to_pylist() == [0]


def test_what_is_asked_of_a_comparison_is_not_taken_for_a_part_of_it() -> None:
    import ibis

    rows = ibis.table({"d": "date", "s": "string"}, name="rows")
    within = rows.d.between(ibis.date("2000-01-01"), rows.d)
    sql = written(
        rows.select(a=within.isnull(), b=within == within, c=rows.s.isin(["x"]).notnull())
    )
    assert sql.count("AND `t0`.`d`)") == 3
    assert "(`t0`.`s` IN ('x')) IS NOT NULL" in sql
