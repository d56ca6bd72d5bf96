"""An answer: what was released, as bytes that can be read again, and its columns in order."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import date, datetime
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.errors import InputError
from sfumato.privacy import read_confidence
from sfumato.tables.column import declaring
from sfumato.tables.expressions import lit, type_of
from sfumato.tables.expressions.collation import meant_by
from sfumato.tables.expressions.values import value_type
from sfumato.tables.plan.bounds import FoundBounds
from sfumato.tables.plan.cells import CellOutput, ReleasedCells
from sfumato.tables.plan.measurements import ChosenLimit
from sfumato.tables.plan.noise import NoisySums, SumNoise
from sfumato.tables.plan.outline import with_bounds
from sfumato.tables.plan.partition_selection import ordered
from sfumato.tables.tree.aggregates import After, Head, NonNegative, SortBy, TopK
from sfumato.translation import mark

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from sfumato.tables.plan.cells import Look
    from sfumato.tables.plan.measurements import Contribution
    from sfumato.tables.plan.outline import Outline
    from sfumato.tables.plan.outputs import Output
    from sfumato.tables.sample_aggregation import BlockSample
    from sfumato.tables.tree.rows import Question


_VERSION = 1

_ORDERS = {"<", "<=", ">", ">="}
_NUMBERS = {"integer", "number"}
#: What is written beside a column of each type.
_WRITE = {
    **dict.fromkeys(_NUMBERS, mark("a number, such as 100")),
    "text": mark("a text, such as 'a'"),
    "boolean": mark("true or false"),
    "date": mark("a date, such as 2024-01-31"),
    "timestamp": mark("a timestamp, such as 2024-01-31 12:00:00"),
}


@dataclass(frozen=True)
class ReleasedContent:
    """Everything that was released, and nothing else.

    Parameters
    ----------
    keys
        The groups, in order.
    sums
        The noisy sums of each measurement, in fine steps, one a group.
    limits
        What was chosen privately, by ``Measurement.limited_by``.
    bounds
        The bounds that were found privately, by the column.
    sampled
        The answers of functions on blocks of people, by name.
    cells
        What each step released that looks at cells, group by group.
    seeded
        Whether the noise came from a seed, so that nothing is private.
    """

    keys: tuple[tuple[Any, ...], ...]
    sums: tuple[tuple[int, ...], ...]
    limits: dict[str, ChosenLimit]
    bounds: dict[str, FoundBounds] = field(default_factory=dict)
    sampled: dict[str, float] = field(default_factory=dict)
    cells: tuple[tuple[int, ...], ...] = ()
    seeded: bool = False

    def to_bytes(self) -> bytes:
        """Return the one way to write it."""
        document = {
            "version": _VERSION,
            "keys": [[written_value(each) for each in row] for row in self.keys],
            "sums": [[str(each) for each in column] for column in self.sums],
            "limits": {
                name: [each.most, each.left_out, each.at_most] for name, each in self.limits.items()
            },
            "bounds": {name: _written_bounds(each) for name, each in self.bounds.items()},
            "sampled": self.sampled,
            "cells": [[str(each) for each in column] for column in self.cells],
            "seeded": self.seeded,
        }
        return json.dumps(document, sort_keys=True, separators=(",", ":")).encode()

    @classmethod
    def from_bytes(cls, content: bytes) -> ReleasedContent:
        """Return what was written."""
        document = json.loads(content)
        return cls(
            keys=tuple(tuple(_read(each) for each in row) for row in document["keys"]),
            sums=tuple(tuple(map(int, column)) for column in document["sums"]),
            limits={name: ChosenLimit(*each) for name, each in document["limits"].items()},
            bounds={name: _found_bounds(each) for name, each in document["bounds"].items()},
            sampled=document["sampled"],
            cells=tuple(tuple(map(int, column)) for column in document["cells"]),
            seeded=document["seeded"],
        )


def _written_bounds(found: FoundBounds) -> list[Any]:
    return [str(found.low), str(found.high), found.left_out, found.at_most, found.seen]


def _found_bounds(document: list[Any]) -> FoundBounds:
    low, high, left_out, at_most, seen = document
    return FoundBounds(Fraction(low), Fraction(high), left_out, at_most, seen)


def written_value(key: Any) -> Any:
    """Return a value of an answer as JSON can hold it, a date apart from its text."""
    if isinstance(key, datetime):
        return {"timestamp": key.isoformat()}
    if isinstance(key, date):
        return {"date": key.isoformat()}
    return key


def _read(key: Any) -> Any:
    if not isinstance(key, dict):
        return key
    ((kind, text),) = key.items()
    return date.fromisoformat(text) if kind == "date" else datetime.fromisoformat(text)


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
        return self._at([place for place in places if done.holds(column[place])])

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """Yield the rows."""
        return zip(*self.columns.values(), strict=True)

    def __len__(self) -> int:
        return len(next(iter(self.columns.values()), []))

    def _at(self, places: list[int]) -> AnswerColumns:
        return AnswerColumns(
            {name: [column[place] for place in places] for name, column in self.columns.items()}
        )


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


def answer_type(query: Question, name: str) -> str:
    """Return the type of a column of the answer: that of a key or a chosen value, or a number."""
    chosen = {
        column: each.of
        for asked, each in query.aggregates
        if isinstance(each, TopK)
        for column in each.answer_columns(asked)
    }
    if name not in query.keys and name not in chosen:
        return "number"
    schema = query.steps.types
    return schema[name] if name in query.keys else type_of(chosen[name], schema)


def check_letters(query: Question, name: str, sign: str, value: Any) -> None:
    """Refuse to put texts of the answer in order beside what looks like a number or a date."""
    meant = meant_by(value) if sign in _ORDERS and isinstance(value, str) else None
    if meant is None:
        return
    column = query.steps.known.get(name)
    declare = None if column is None or name not in query.keys else declaring(column, meant)
    raise InputError(
        "E-COMPARISON-TYPE",
        "{name:.60} {sign} {value!r:.60} would compare letter by letter, since {name:.60} is text",
        "{declare}cast it to {meant} before it is asked for, or compare after the answer "
        "where letters are meant",
        name=name,
        sign=sign,
        value=value,
        declare=declare or "",
        meant=meant,
    )


def read_compared(value: Any, name: str, kind: str) -> Any:
    """Return a value that a column of a type can be compared with, or say what to write."""
    plain = lit(value).value
    given = value_type(plain)
    if kind in _WRITE and given != kind and not {given, kind} <= _NUMBERS:
        raise InputError(
            "E-COMPARISON-TYPE",
            "{name!r:.60} in the answer is of type {kind} and is compared with a value of "
            "type {given}",
            "write {write}",
            name=name,
            kind=kind,
            given=given,
            write=_WRITE[kind],
        )
    return plain
