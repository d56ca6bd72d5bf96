"""What expressions give in an engine, row by row, beside what they give in DuckDB."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

from sfumato.data import open_source
from sfumato.tables.expressions import compile_expression
from tests.tables.expressions.test_reference import alike

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    import pyarrow as pa

    from sfumato.data import Source
    from sfumato.tables.expressions import Expression

#: So many expressions are asked for at once.
TOGETHER = 24


def answered(
    source: Source, types: Mapping[str, str], asked: Iterable[Expression]
) -> list[list[Any]]:
    """What expressions give on every row of a table, in the order of the column ``n``."""
    rows = source.table
    values = {
        f"e{place}": compile_expression(each, rows, types) for place, each in enumerate(asked)
    }
    answer = source.fetch(rows.select(n=rows["n"], **values)).sort_by("n")
    return [column.to_pylist() for column in answer.columns[1:]]


def differing(
    source: Source, rows: pa.Table, types: Mapping[str, str], asked: Iterable[Expression]
) -> dict[str, tuple[int, Any, Any]]:
    """The expressions that give something else than in DuckDB, which holds the rows in memory.

    Each with the first row on which they differ, and both values.
    """
    embedded = open_source(rows)
    found: dict[str, tuple[int, Any, Any]] = {}
    for some in _parts(asked):
        both = (answered(each, types, some) for each in (source, embedded))
        for expression, ours, theirs in zip(some, *both, strict=True):
            pairs = enumerate(zip(ours, theirs, strict=True))
            other = [(place, *pair) for place, pair in pairs if not alike(*pair)]
            found |= {str(expression): other[0]} if other else {}
    return found


def kept(source: Source, types: Mapping[str, str], conditions: Iterable[Expression]) -> list[int]:
    """Of how many rows each condition is true, where it decides which rows are read."""
    rows = source.table
    counts = []
    for each in conditions:
        chosen = rows.filter(compile_expression(each, rows, types))
        counts += source.fetch(chosen.aggregate(count=chosen.count()))["count"].to_pylist()
    return counts


def _parts(asked: Iterable[Expression]) -> Iterator[list[Expression]]:
    left = iter(asked)
    while part := list(islice(left, TOGETHER)):
        yield part
