"""Histograms, and the most frequent of declared values; how answers are made of cells."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.data.policy import TYPES, read_values
from sfumato.errors import InputError
from sfumato.mechanisms import Exponential, PermuteAndFlip
from sfumato.privacy import events
from sfumato.refusal import Declaration, Either
from sfumato.tables.column import types
from sfumato.tables.expressions import Column, type_of
from sfumato.tables.plan.cells import (
    BOUNDED_RANGE,
    PURE,
    BinTally,
    CellOutput,
    GridTally,
    Look,
    ValueTally,
    choice_epsilon,
)
from sfumato.tables.plan.quantiles import Extreme, ExtremeOutput, QuantilesOutput, Ranks
from sfumato.tables.tree.aggregates import Histogram, Maximum, Quantiles
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.mechanisms import DiscreteGaussian, DiscreteLaplace
    from sfumato.privacy.events import Event
    from sfumato.tables.column import KnownColumn
    from sfumato.tables.plan.cells import LookAtCells, ReleasedCells
    from sfumato.tables.plan.measurements import Contribution, Factor, Measurement
    from sfumato.tables.tree.aggregates import Extremum, TopK


_CONFIDENCE = 0.95
_MOST_LEFT_OUT = 0.99


@dataclass(frozen=True)
class Bins(Look):
    """The number of rows in each bin, with the noise of a count.

    A row is in one bin, so the sensitivity is that of a count over all bins and groups together:
    in L1 it is S, and in L2 no more than that of the counts of the groups, of which bins are parts.
    """

    tally: BinTally

    @property
    def importance(self) -> float:
        """As much as a count."""
        return 1.0

    def mechanism(
        self, step: LookAtCells, contribution: Contribution, groups: int
    ) -> DiscreteLaplace | DiscreteGaussian:
        """Return the noise, in fine steps."""
        cells = max(groups, 1) * self.tally.size
        return step.share.noise(step.sensitivity(contribution), cells, contribution.relation)

    def event(self, step: LookAtCells) -> Event:
        """Return what is charged for it."""
        if step.is_open:
            return step.share.event
        return self.mechanism(step, step.contribution, step.groups or 1).event

    def error(self, step: LookAtCells, contribution: Contribution, confidence: Any) -> float:
        """Return how far off the count of a bin is."""
        mechanism = self.mechanism(step, contribution, step.groups or 1)
        return mechanism.error(confidence=confidence) / contribution.fine

    def __str__(self) -> str:
        bins = tr("1 bin") if self.tally.size == 1 else tr("{size} bins", size=self.tally.size)
        return tr("count the rows in {bins} of {text}", bins=bins, text=self.tally.column.text)


@dataclass(frozen=True)
class HistogramOutput(CellOutput):
    """A count for each bin."""

    look: Bins

    misses_rows = True

    @property
    def is_never_negative(self) -> bool:
        """A count is not below 0."""
        return True

    def answered(self, seen: ReleasedCells, confidence: Fraction | None) -> dict[str, list[Any]]:
        """Return the counts, whole numbers, each with its confidence interval."""
        fine = seen.contribution.fine
        noisy = np.array([each / fine for each in seen.cells]).reshape(-1, self.look.tally.size)
        parts = {"": np.rint(noisy)}
        if confidence is not None:
            mechanism = self.look.mechanism(seen.step, seen.contribution, len(noisy))
            reach = mechanism.error(confidence=confidence) / fine
            most = (noisy + reach) / (1 - min(seen.left_out, _MOST_LEFT_OUT))
            parts["_low"] = np.floor(noisy - reach)
            parts["_high"] = np.ceil(np.maximum(noisy + reach, most))
        return {
            f"{name}{end}": [int(each) for each in part[:, place]]
            for place, name in enumerate(self.columns)
            for end, part in parts.items()
        }

    def expected(self, step: LookAtCells, contribution: Contribution) -> str:
        """Return the error of one bin."""
        return tr("± {step:.4g} in each bin", step=self.look.error(step, contribution, _CONFIDENCE))


#: How a value is chosen, and how the cost in ρ follows from that in ε.
METHODS: dict[str, tuple[type[Exponential | PermuteAndFlip], int]] = {
    "permute_and_flip": (PermuteAndFlip, PURE),
    "exponential": (Exponential, BOUNDED_RANGE),
}


@dataclass(frozen=True)
class Favourites(Look):
    """The values that most rows have, chosen one after the other, each among those left.

    A person who is added raises counts and lowers none, in each group by no more than their
    weight there: so a choice by counts at the rate ε/S loses ε·weight/S there, and ε in all
    groups together.  A substitution removes one person and adds another, which S counts both.
    The k choices of ε/k each compose.

    Parameters
    ----------
    count
        How many values are chosen, k.
    method
        "permute_and_flip" or "exponential".
    """

    tally: ValueTally
    count: int
    method: str

    @property
    def importance(self) -> float:
        """As the square of the number of choices."""
        return float(self.count**2)

    def mechanism(
        self, step: LookAtCells, contribution: Contribution
    ) -> Exponential | PermuteAndFlip:
        """Return what chooses one value by the counts of those left, in fine steps."""
        kind, ratio = METHODS[self.method]
        return kind(
            epsilon=choice_epsilon(step.share, Fraction(1, self.count), ratio=ratio),
            sensitivity=step.sensitivity(contribution),
            monotone=True,
            relation=contribution.relation,
        )

    def event(self, step: LookAtCells) -> Event:
        """Return what is charged for all choices."""
        one = self.mechanism(step, step.contribution).event
        return one if self.count == 1 else events.Composed(*[one] * self.count)

    def error(self, step: LookAtCells, contribution: Contribution, confidence: Any) -> float:
        """Return by how many rows a choice falls short of the best one."""
        mechanism = self.mechanism(step, contribution)
        short = mechanism.error(confidence=confidence, candidates=self.tally.size)
        return short / contribution.fine

    def __str__(self) -> str:
        most = (
            tr("most frequent")
            if self.count == 1
            else tr("{count} most frequent", count=self.count)
        )
        return tr(
            "choose the {most} of {size:,} values of {text}",
            most=most,
            size=self.tally.size,
            text=self.tally.text,
        )


@dataclass(frozen=True)
class FavouritesOutput(CellOutput):
    """The values that most rows have, the most frequent first."""

    look: Favourites

    has_interval = False

    def answered(self, seen: ReleasedCells, confidence: Fraction | None) -> dict[str, list[Any]]:  # noqa: ARG002
        """Return the values; a choice has no interval, whatever the confidence."""
        values, count = self.look.tally.values, self.look.count
        return {
            name: [values[cell] for cell in seen.cells[place::count]]
            for place, name in enumerate(self.columns)
        }

    def expected(self, step: LookAtCells, contribution: Contribution) -> str:
        """Return by how many rows a choice falls short."""
        short = self.look.error(step, contribution, _CONFIDENCE)
        return tr(
            "each a value with at most {short:.4g} rows fewer than the best that is left",
            short=short,
        )


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
