"""Random questions of neighbouring tables: one person's cells decide nothing, on any engine.

Whether a question is answered, what is said if it is not, and what it costs is the same with and
without the person; and without noise it is what DuckDB answers.
"""

from __future__ import annotations

import math
import os
from random import Random
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest

from sfumato.errors import SfumatoError
from sfumato.tables.run.dry import queries_of
from tests.engines import ENGINES
from tests.totality.cells import neighbours
from tests.totality.questions import Writer
from tests.totality.storages import NESTED, PEOPLE, ROWS, held_columns

if TYPE_CHECKING:
    from sfumato.tables import PrivateTable
    from tests.engines import Engines
    from tests.totality.questions import Question

SWEEP = os.environ.get("SFUMATO_TEST_PROFILE") == "sweep"
#: How many tables, and how many questions of each.
SIZE = (
    {"postgres": (40, 50), "spark": (10, 20)} if SWEEP else {"postgres": (2, 12), "spark": (1, 8)}
)


def everywhere(rows: pa.Table) -> pa.Table:
    """Rows as all engines can hold them."""
    columns = {
        field.name: _everywhere(rows[field.name].combine_chunks(), field.type)
        for field in rows.schema
        if field.name not in NESTED
    }
    return pa.table(columns)


def _everywhere(column: pa.Array, kind: pa.DataType) -> pa.Array:
    micro = pa.timestamp("us")
    if pa.types.is_string(kind):
        return pa.array([each and each.replace("\0", "") for each in column.to_pylist()])
    if pa.types.is_uint64(kind):
        return column.cast(pa.decimal128(20, 0))
    if pa.types.is_timestamp(kind) and kind.unit == "ns":
        numbers = column.cast(pa.int64()).to_pylist()
        return pa.array([each and each // 1000 for each in numbers], pa.int64()).cast(micro)
    return column.cast(micro) if pa.types.is_timestamp(kind) else column


def outcome(question: Question, table: PrivateTable) -> tuple[str, list[Any]]:
    """What is told of a question, and what it gives before noise."""
    try:
        plan = question.ask(table).plan(epsilon=1)
    except SfumatoError as refused:
        return f"refused: {refused}", []
    cost = str(plan.guarantee)
    try:
        sums = [table.source.fetch(query).to_pylist() for _, query in queries_of(plan)]
    except SfumatoError as failed:
        return f"{cost}, failed: {failed}", []
    return cost, [sorted((list(row.values()) for row in each), key=repr) for each in sums]


def are_near(one: Any, other: Any) -> bool:
    """Whether sums are the same but for the last digit of a logarithm or a power."""
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(are_near, one, other))
    if isinstance(one, (str, bool)) or None in {one, other} or not _is_number(one):
        return bool(one == other)
    return math.isclose(one, other, rel_tol=1e-9, abs_tol=2)


def _is_number(value: Any) -> bool:
    return hasattr(value, "__float__")


@pytest.mark.parametrize("engine", ENGINES[1:])
def test_one_person_decides_nothing_about_random_questions(engines: Engines, engine: str) -> None:
    random = Random(5)  # noqa: S311 - questions are no secret
    tables, questions = SIZE[engine]
    answered = 0
    for place in range(tables):
        people = place % 2 == 0
        declared = PEOPLE if people else ROWS
        both = [everywhere(each) for each in neighbours(random)]
        without, with_person = (engines.held(engine, each, **declared) for each in both)
        embedded = engines.held("duckdb", both[1], **declared)
        writer = Writer(random, columns=held_columns(without), people=people)
        for _ in range(questions):
            question = writer.question()
            told, sums = outcome(question, with_person)
            asked = str(question.ask(embedded))
            assert told == outcome(question, without)[0], asked
            assert "failed" not in told, asked
            assert are_near(sums, outcome(question, embedded)[1]), asked
            answered += bool(sums)
    assert answered > tables * questions / 2
