"""From aggregates to what is released of cells."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.data.policy.values import TYPES, read_values
from sfumato.errors import InputError
from sfumato.refusal import Declaration, Either
from sfumato.tables.expressions import Column, type_of
from sfumato.tables.known import types
from sfumato.tables.plan.selecting.bins import Bins, HistogramOutput
from sfumato.tables.plan.selecting.extremes import Extreme, ExtremeOutput
from sfumato.tables.plan.selecting.favourites import Favourites, FavouritesOutput
from sfumato.tables.plan.selecting.ranks import QuantilesOutput, Ranks
from sfumato.tables.plan.selecting.tallies import BinTally, GridTally, ValueTally
from sfumato.tables.tree.selections import Histogram, Maximum, Quantiles
from sfumato.translation import mark

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.tables.known import KnownColumn
    from sfumato.tables.plan.factors import Factor
    from sfumato.tables.plan.measurements import Measurement
    from sfumato.tables.plan.selecting.looks import CellOutput
    from sfumato.tables.tree.selections import Extremum, TopK


def numbers_output(
    name: str, aggregate: Quantiles | Extremum | Histogram, column: Factor, rows: Measurement
) -> CellOutput:
    """Return how an aggregate is made of the cells that the numbers of a column fall into."""
    columns = aggregate.answer_columns(name)
    if isinstance(aggregate, Histogram):
        bins = Bins(BinTally(rows, column, aggregate.edges))
        return HistogramOutput(name, columns, bins)
    tally = GridTally(rows, column)
    if isinstance(aggregate, Quantiles):
        ranks = Ranks(tally, aggregate.ranks, aggregate.confidence)
        return QuantilesOutput(name, columns, ranks)
    return ExtremeOutput(name, columns, Extreme(tally, isinstance(aggregate, Maximum)))


def favourites_output(
    name: str, aggregate: TopK, columns: Mapping[str, KnownColumn], rows: Measurement
) -> CellOutput:
    """Return how the most frequent values are chosen among those given or declared."""
    values = _values(aggregate, columns)
    count = aggregate.count or 1
    if count > len(values):
        raise InputError(
            "E-ARGUMENT-RANGE",
            "{aggregate} asks for {count:,} values, and there are {other_count:,} to choose from",
            "ask for at most that many",
            aggregate=aggregate,
            count=count,
            other_count=len(values),
        )
    tally = ValueTally(rows, str(aggregate.of), values, of=aggregate.of)
    look = Favourites(tally, count, aggregate.method)
    return FavouritesOutput(name, aggregate.answer_columns(name), look)


def _values(aggregate: TopK, columns: Mapping[str, KnownColumn]) -> tuple[Any, ...]:
    kind = type_of(aggregate.of, types(columns))
    if kind not in TYPES:
        raise InputError(
            "E-AGGREGATE-TYPE",
            "{aggregate} is asked of a column whose type has no values to choose from",
            aggregate=aggregate,
        )
    if aggregate.values is not None:
        return read_values(aggregate.values, kind)
    of = aggregate.of
    declared = columns[of.name].values if isinstance(of, Column) else None
    if declared is None:
        raise InputError(
            "E-KEYS-MISSING",
            "{aggregate} chooses among values that are known without looking at the data, "
            "and none are declared for {of}",
            "{values}declare them, as in {keys}",
            values=Either(mark("write values=['Lyon', 'Oslo'], or "), ""),
            aggregate=aggregate,
            of=of,
            keys=Declaration(
                "keys", of.name if isinstance(of, Column) else "city", ["Lyon", "Oslo"]
            ),
        )
    return tuple(each for each in declared if each is not None)
