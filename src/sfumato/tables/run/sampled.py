"""Running a user's function on blocks of people, whose rows leave the engine for that alone."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.data import whole_numbers
from sfumato.tables.expressions import Column
from sfumato.tables.plan.partition_selection import Keys

if TYPE_CHECKING:
    from collections.abc import Callable

    import ibis.expr.types as ir
    import pyarrow as pa
    from numpy.typing import NDArray

    from sfumato.mechanisms import Released
    from sfumato.tables.plan.sampled import BlockSample
    from sfumato.tables.run.rows import EngineRows
    from sfumato.tables.tree.sampled import Sampled

_WHO = "who"


def release_sample(rows: EngineRows, step: BlockSample, *, source: Any) -> Released[float]:
    """Return the private aggregate of a function's answers on blocks of people."""
    gathered = gather(rows, step.asked, step.frame)
    mechanism = step.mechanism(lambda people: step.asked.function(gathered.block(people)))
    released: Released[float] = mechanism.release(np.arange(gathered.people), source=source)
    return released


@dataclass(frozen=True, eq=False)
class Gathered:
    """The rows of some columns, those of a person side by side, in an order of their own.

    The people are in the order of their ids, and the rows of one in the order of their values.
    So whoever else is there, some people have the same rows in the same order.

    Parameters
    ----------
    rows
        The columns that were asked for.
    starts
        Where the rows of each person start, and where the last of them end.
    frame
        The kind of frame that a block is.
    """

    rows: pa.Table = field(repr=False)
    starts: NDArray[np.int64]
    frame: str

    @property
    def people(self) -> int:
        """How many people there are."""
        return len(self.starts) - 1

    def block(self, people: NDArray[np.int64]) -> Any:
        """Return the rows of some people as a frame made of their values alone."""
        import pyarrow as pa

        counts = self.starts[people + 1] - self.starts[people]
        before = np.cumsum(counts) - counts
        places = np.repeat(self.starts[people] - before, counts) + np.arange(counts.sum())
        taken = self.rows.take(pa.array(places))
        columns = [pa.array(each.to_pylist(), type=each.type) for each in taken.columns]
        return _FRAMES[self.frame](pa.table(columns, names=taken.column_names))


def gather(rows: EngineRows, asked: Sampled, frame: str) -> Gathered:
    """Fetch the rows that a function is computed on."""
    import pyarrow as pa

    parts = {f"value{place}": rows.value(Column(name)) for place, name in enumerate(asked.columns)}
    answer = rows.source.fetch(_in_order(rows.grouped(Keys(), (), **parts), list(parts)))
    columns = {
        name: _one_zero(answer[part]) for name, part in zip(asked.columns, parts, strict=True)
    }
    who = whole_numbers(answer[_WHO])
    starts = np.append(np.flatnonzero(np.diff(who, prepend=-1)), len(who))
    return Gathered(pa.table(columns), starts, frame)


def _in_order(owned: ir.Table, values: list[str]) -> ir.Table:
    """Return the rows with the number of their person, in order of it and of the values."""
    import ibis

    person = [name for name in owned.columns if name not in values]
    rank = ibis.dense_rank() if person else ibis.row_number()
    who = rank.over(ibis.window(order_by=person or values))
    ranked = owned.mutate(**{_WHO: who.cast("int64")})
    return ranked.select([_WHO, *values]).order_by([_WHO, *values])


def _one_zero(column: Any) -> Any:
    """Return numbers in which 0 has one sign, so that rows of equal values are alike."""
    import pyarrow as pa
    import pyarrow.compute as pc

    return pc.add(column, 0.0) if pa.types.is_floating(column.type) else column


def _pandas(block: pa.Table) -> Any:
    import pandas as pd
    import pyarrow as pa

    kept = {pa.int64(): pd.Int64Dtype(), pa.bool_(): pd.BooleanDtype()}
    return block.to_pandas(types_mapper=kept.get, date_as_object=False)


def _polars(block: pa.Table) -> Any:
    import polars as pl

    return pl.from_arrow(block)


_FRAMES: dict[str, Callable[[pa.Table], Any]] = {
    "pandas": _pandas,
    "polars": _polars,
    "arrow": lambda block: block,
}
