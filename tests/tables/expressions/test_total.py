"""No expression fails because of a row, where the bare engine does and quotes the cell (Y3)."""

from __future__ import annotations

import math
import operator
from functools import reduce
from typing import TYPE_CHECKING, Any

import ibis
import pytest

from sfumato.tables.expressions import col, column_types, compile_expression, type_of
from tests.tables.expressions.nasty import CANARY, NOT_FINITE, ROWS, arranged

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sfumato.tables.expressions import Expression

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")

ARRANGED = arranged()


@pytest.fixture(scope="module")
def engine() -> Iterator[Any]:
    backend = ibis.duckdb.connect()
    backend.con.execute(ROWS)
    yield backend
    backend.disconnect()


def answers(engine: Any, expressions: list[Expression]) -> list[list[Any]]:
    """What each expression gives on every row, all of them in one query."""
    table = engine.table("nasty")
    schema = column_types(table.schema())
    values = {
        f"e{place}": compile_expression(each, table, schema)
        for place, each in enumerate(expressions)
    }
    answer = engine.to_pyarrow(table.order_by("id").select(**values))
    return [column.to_pylist() for column in answer.columns]


def raises(engine: Any, bare: str) -> str | None:
    """What the bare engine says of a column of SQL, or None if it answers."""
    try:
        engine.con.execute(f"SELECT {bare} FROM nasty").fetchall()  # noqa: S608
    except Exception as error:  # noqa: BLE001
        return str(error)
    return None


def test_there_are_enough_of_them() -> None:
    assert len(ARRANGED) >= 200


def test_what_raises_in_the_bare_engine_has_a_value_on_every_row(engine: Any) -> None:
    for start in range(0, len(ARRANGED), 40):
        found = answers(engine, [ours for ours, _ in ARRANGED[start : start + 40]])
        assert all(len(column) == 6 for column in found)


def test_it_has_one_as_a_filter_too(engine: Any) -> None:
    table = engine.table("nasty")
    schema = column_types(table.schema())
    conditions = [ours for ours, _ in ARRANGED if type_of(ours, schema) == "boolean"]
    for start in range(0, len(conditions), 30):
        either = reduce(operator.or_, conditions[start : start + 30])
        kept = table.filter(compile_expression(either, table, schema))
        assert engine.to_pyarrow(kept.count()).as_py() <= 6


def test_the_bare_engine_raises_and_tells_the_cell(engine: Any) -> None:
    """Otherwise the tests above could not fail."""
    said = {bare: raises(engine, bare) for _, bare in ARRANGED}
    assert [bare for bare, message in said.items() if message is None] == []
    assert sum(CANARY in (message or "") for message in said.values()) >= 20


def test_arithmetic_gives_no_nan_and_no_infinity(engine: Any) -> None:
    for expression, column in zip(NOT_FINITE, answers(engine, NOT_FINITE), strict=True):
        assert all(each is None or math.isfinite(each) for each in column), str(expression)
        assert None in column


def test_a_double_beyond_2_62_is_no_whole_number(engine: Any) -> None:
    for beside, found in [(4e18, 4 * 10**18), (6e18, None)]:
        value = col("id") * 0.0 + beside
        columns = answers(engine, [value.floor(), value.ceil(), value.round()])
        assert columns == [[found] * 6] * 3


def test_a_column_s_own_infinity_goes_to_the_bound_and_its_nan_to_null(engine: Any) -> None:
    x = col("x")
    assert answers(engine, [x.clip(0, 10), x > 5, x.is_null(), -x]) == [
        [None, 10.0, 0.0, None, 10.0, 0.0],
        [None, True, False, None, True, False],
        [True, False, False, True, False, False],
        [None, -math.inf, math.inf, None, -1e300, 0.0],
    ]
