"""The columns of an answer, computed from what was released."""

from __future__ import annotations

from dataclasses import dataclass
from operator import eq, ge, gt, le, lt, ne
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.errors import InputError
from sfumato.privacy import written
from sfumato.refusal import Argument, Bare
from sfumato.tables.plan.noise import NoisySums, SumNoise
from sfumato.tables.plan.outline import with_bounds
from sfumato.tables.plan.partition_selection import ordered
from sfumato.tables.plan.selection import CellOutput, ReleasedCells
from sfumato.tables.tree.postprocess import Having, Head, NonNegative, SortBy

if TYPE_CHECKING:
    from collections.abc import Iterator
    from fractions import Fraction

    from numpy.typing import NDArray

    from sfumato.tables.plan.contribution import Contribution
    from sfumato.tables.plan.outline import Outline
    from sfumato.tables.plan.outputs import Output
    from sfumato.tables.plan.sampled import BlockSample
    from sfumato.tables.plan.selection import Look
    from sfumato.tables.run.execute import ReleasedContent
    from sfumato.tables.tree.postprocess import After


_SIGNS = {"<": lt, "<=": le, ">": gt, ">=": ge, "=": eq, "==": eq, "<>": ne, "!=": ne}


@dataclass(frozen=True)
class AnswerColumns:
    """Columns of equal length, by name: keys, aggregates, and intervals if asked for."""

    columns: dict[str, list[Any]]

    @classmethod
    def of(cls, plan: Outline, content: ReleasedContent, confidence: Any = None) -> AnswerColumns:
        """Return the answer that was released, with intervals at a confidence."""
        level = None if confidence is None else read_confidence(confidence)
        plan = with_bounds(plan, content.bounds)
        contribution = plan.contribution.with_limits(content.limits)
        noisy = _noisy_sums(plan, content, contribution)
        columns: dict[str, list[Any]] = {}
        for place, name in enumerate(plan.keys.names):
            columns[name] = [row[place] for row in content.keys]
        seen = _seen(plan, content, contribution)
        answered = {
            each.name: each.answered(seen[each.look], level)
            if isinstance(each, CellOutput)
            else _answered(each, noisy, level)
            for each in plan.outputs
        }
        answered |= {
            each.name: _sampled(each, content.sampled[each.name], level) for each in plan.samples
        }
        if NonNegative() in plan.query.after:
            for output in plan.outputs:
                if output.is_never_negative:
                    answered[output.name] = _not_below_0(answered[output.name])
        for name, _ in plan.query.aggregates:
            columns |= answered[name]
        found = cls(columns)
        for done in plan.query.after:
            found = found.then(done)
        return found

    def then(self, done: After) -> AnswerColumns:
        """Return the answer after a step of post-processing."""
        places = list(range(len(self)))
        if isinstance(done, NonNegative):
            return self
        if isinstance(done, Head):
            return self._at(places[: done.count])
        column = self.columns[done.name]
        if isinstance(done, SortBy):
            order = {key: place for place, key in enumerate(ordered([(each,) for each in column]))}
            places.sort(key=lambda place: order[(column[place],)], reverse=done.descending)
            return self._at(places)
        return self._at([place for place in places if _holds(done, column[place])])

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """Yield the rows."""
        return zip(*self.columns.values(), strict=True)

    def __len__(self) -> int:
        return len(next(iter(self.columns.values()), []))

    def _at(self, places: list[int]) -> AnswerColumns:
        return AnswerColumns(
            {name: [column[place] for place in places] for name, column in self.columns.items()}
        )


def read_confidence(confidence: Any) -> Fraction:
    """Return a confidence, between 0 and 1."""
    found = written(confidence, "confidence")
    if not 0 < found < 1:
        raise InputError(
            "E-ARGUMENT-RANGE",
            "{confidence} must lie between 0 and 1, such as {example}",
            confidence=Argument("confidence"),
            example=Argument("confidence", Bare("0.95")),
        )
    return found


def _answered(output: Output, noisy: NoisySums, confidence: Fraction | None) -> dict[str, Any]:
    kind = int if output.whole else float
    values = output.value(noisy.sums)
    found = {output.name: [kind(each) for each in values]}
    if confidence is not None:
        span = output.bars(noisy, confidence)
        found[f"{output.name}_low"] = [kind(each) for each in np.minimum(span.low, values)]
        found[f"{output.name}_high"] = [kind(each) for each in np.maximum(span.high, values)]
    return found


def _not_below_0(columns: dict[str, Any]) -> dict[str, Any]:
    return {name: [max(each, 0) for each in column] for name, column in columns.items()}


def _seen(
    plan: Outline, content: ReleasedContent, contribution: Contribution
) -> dict[Look, ReleasedCells]:
    left_out = {name: each.left_out for name, each in content.limits.items()}
    return {
        step.look: ReleasedCells(step, cells, contribution, left_out.get(step.limited_by, 0.0))
        for step, cells in zip(plan.looks, content.cells, strict=True)
    }


def _sampled(step: BlockSample, value: float, confidence: Fraction | None) -> dict[str, Any]:
    """Return what a function gave, between its bounds."""
    low, high = map(float, step.asked.bounds)
    reach = 0.0 if confidence is None else step.reach(confidence)
    ends = {"": value, "_low": value - reach, "_high": value + reach}
    shown = {f"{step.name}{end}": [min(max(each, low), high)] for end, each in ends.items()}
    return shown if confidence is not None else {step.name: shown[step.name]}


def _holds(done: Having, value: Any) -> bool:
    if value is None:
        return False
    try:
        return bool(_SIGNS[done.sign](value, done.value))
    except TypeError:
        return False


def _noisy_sums(plan: Outline, content: ReleasedContent, contribution: Contribution) -> NoisySums:
    """Return the noisy sums of a release, in natural units, with what was added to them."""
    cells = max(len(content.keys), 1)
    sums, noises, left_out = {}, {}, {}
    for step, column in zip(plan.measures, content.sums, strict=True):
        measurement = step.measurement
        unit = float(measurement.step) / contribution.fine
        sums[measurement] = _floats(column, unit)
        noises[measurement] = SumNoise(step.mechanism(contribution, cells), unit)
        chosen = content.limits.get(measurement.limited_by)
        left_out[measurement] = 0.0 if chosen is None else chosen.at_most
    return NoisySums(sums, noises, left_out)


def _floats(column: tuple[int, ...], unit: float) -> NDArray[np.float64]:
    return np.array([float(each) for each in column], dtype=np.float64) * unit
