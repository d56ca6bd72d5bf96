"""Random expressions on random tables: the engine never fails, and agrees with plain Python."""

from __future__ import annotations

import functools
import math
from typing import TYPE_CHECKING, Any

from hypothesis import given
from hypothesis import strategies as st

from sfumato.data.engines.embedded import EmbeddedEngine
from sfumato.tables.expressions import compile_expression, type_of
from tests.tables.expressions.reference import evaluate
from tests.tables.expressions.trees import ANY_TREE, SCHEMA, TABLES, frame, seen

if TYPE_CHECKING:
    from sfumato.tables.expressions import Expression


@functools.cache
def engine() -> EmbeddedEngine:
    return EmbeddedEngine([])


def answers(cells: dict[str, list[Any]], expressions: list[Expression]) -> list[list[Any]]:
    table = engine().read_frame(frame(cells), name="random", complaint="it cannot be read")
    values = {
        str(place): compile_expression(each, table, SCHEMA)
        for place, each in enumerate(expressions)
    }
    answer = engine().fetch(table.select(**values), complaint="it failed")
    return [column.to_pylist() for column in answer.columns]


@given(TABLES, st.lists(ANY_TREE, min_size=4, max_size=4))
def test_the_engine_agrees_with_plain_python(
    cells: dict[str, list[Any]], expressions: list[Expression]
) -> None:
    for expression, found in zip(expressions, answers(cells, expressions), strict=True):
        wanted = [evaluate(expression, row, SCHEMA) for row in seen(cells)]
        assert all(map(alike, found, wanted)), (str(expression), found, wanted)


def alike(found: Any, wanted: Any) -> bool:
    if type(found) is not type(wanted):
        return False
    if isinstance(found, float) and math.isfinite(found):
        return math.isclose(found, wanted, rel_tol=1e-12)
    return bool(found == wanted)


@given(ANY_TREE)
def test_every_random_expression_has_a_type(expression: Expression) -> None:
    assert type_of(expression, SCHEMA) in {*SCHEMA.values(), "null"}
