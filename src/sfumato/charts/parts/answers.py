"""An answer as what is drawn of it: its groups by their labels, and what was asked of each."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sfumato.charts.files import is_picture
from sfumato.data import quoted
from sfumato.errors import InputError, UnknownNameError
from sfumato.tables import (
    Histogram,
    JoinPeople,
    JoinPublic,
    Quantile,
    Quantiles,
    calendar_units,
    in_words,
    with_intervals,
)
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from sfumato.data import Source
    from sfumato.tables import Aggregate, AnswerColumns, PublicTable, Question, Release, Step


_FEWEST_IN_ORDER = 3
_MOST = 40
#: Up to here an axis tells every two whole numbers apart.
_FURTHEST = 2**53


@dataclass(frozen=True)
class ChartedAggregate:
    """One aggregate of an answer."""

    name: str
    asked: Aggregate
    columns: tuple[str, ...]

    @property
    def axis(self) -> str:
        """What the axis of its values is called."""
        return f"{self.name} = {self.asked}"

    def label(self, column: str) -> str:
        """Return what one of its columns is called: a bin, or the share below a quantile."""
        if isinstance(self.asked, Histogram):
            bins = self.asked.answer_columns(self.name)
            return dict(zip(bins, self.asked.labels, strict=True))[column]
        several = isinstance(self.asked, Quantiles) and not isinstance(self.asked, Quantile)
        return tr("{share} are below", share=share_below(column)) if several else column


@dataclass(frozen=True)
class ChartedAnswer:
    """The groups of an answer, and all of its columns."""

    answers: AnswerColumns
    keys: tuple[str, ...]
    units: Mapping[str, str] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.answers)

    @property
    def by(self) -> str:
        """What rows are grouped by, in words."""
        return in_a_sentence(self.keys)

    def labels(self, keys: Sequence[str] | None = None) -> list[str]:
        """Return the label of each group; no two are alike."""
        chosen = self.keys if keys is None else keys
        rows = list(zip(*(self.answers.columns[name] for name in chosen), strict=True))
        seen: dict[str, list[Any]] = {}
        found = []
        for row in rows:
            parts = zip(row, chosen, strict=True)
            label = " · ".join(in_words(each, self.units.get(name, "")) for each, name in parts)
            alike = seen.setdefault(label, [])
            if row not in alike:
                alike.append(row)
            place = alike.index(row)
            found.append(f"{label} {place + 1}" if place else label)
        return found

    @property
    def sizes(self) -> list[int]:
        """How many different values each column of groups has."""
        return [len(set(self.labels([name]))) for name in self.keys]

    def point(self, column: str, place: int) -> dict[str, Any]:
        """Return a value, both ends of its interval, and all of it in words."""
        ends = [self.answers.columns.get(f"{column}{end}") for end in ("", "_low", "_high")]
        found = [each[place] for each in ends if each is not None]
        value, low, high = (*found, None, None)[:3]
        return {"value": value, "low": low, "high": high, "shown": self._shown[column][place]}

    @cached_property
    def _shown(self) -> dict[str, list[str]]:
        """The values of each column with their intervals, in words."""
        columns = self.answers.columns
        ends = {
            name: [
                columns[each] for each in (name, f"{name}_low", f"{name}_high") if each in columns
            ]
            for name in columns
        }
        return {name: with_intervals(*each) for name, each in ends.items()}

    @property
    def order(self) -> str:
        """How groups are in order: "Q" for numbers, "T" for moments, nothing where they are not."""
        if len(self.keys) != 1 or len(self) < _FEWEST_IN_ORDER:
            return ""
        groups = self.answers.columns[self.keys[0]]
        if all(isinstance(each, date) for each in groups):
            return "T"
        return "Q" if all(map(_has_a_place, groups)) else ""

    @property
    def positions(self) -> list[Any]:
        """Where groups that are in order are on an axis."""
        return [_moment(each) for each in self.answers.columns[self.keys[0]]]

    def largest(self, column: str) -> tuple[ChartedAnswer, str]:
        """Return the groups with the largest values where there are too many, and a note of it."""
        count = len(self)
        if count <= _MOST:
            return self, ""
        values = self.answers.columns[column]
        kept = sorted(range(count), key=lambda place: _height(values[place]), reverse=True)[:_MOST]
        columns = {
            name: [each[place] for place in kept] for name, each in self.answers.columns.items()
        }
        note = tr(
            "the {most} largest by {column} of {count:,} groups; {others:,} not shown",
            most=_MOST,
            column=column,
            count=count,
            others=count - _MOST,
        )
        return ChartedAnswer(type(self.answers)(columns), self.keys, self.units), note


def read_answer(answer: Release, confidence: Any) -> ChartedAnswer:
    """Return what is drawn of an answer."""
    units = calendar_units(answer.plan.query)
    return ChartedAnswer(answer.answers(confidence=confidence), answer.plan.keys.names, units)


def parts_of(answer: Release, value: str | None) -> list[ChartedAggregate]:
    """Return what was asked, or the part of it that has a name."""
    asked = answer.plan.query.aggregates
    parts = [ChartedAggregate(name, each, each.answer_columns(name)) for name, each in asked]
    if value is None:
        return parts
    named = [each for each in parts if each.name == value]
    single = [replace(each, columns=(value,)) for each in parts if value in each.columns]
    if not named and not single:
        _check_no_file(value)
        known = dict.fromkeys(name for each in parts for name in (each.name, *each.columns))
        raise UnknownNameError(kind=mark("value of the answer"), name=value, known=known)
    return (named or single)[:1]


def _check_no_file(value: str) -> None:
    """Refuse the name of a file where that of a value belongs."""
    if is_picture(value):
        raise InputError(
            "E-ARGUMENT-CHOICE",
            "{value!r:.60} is no value of the answer",
            "to draw into a file, write to={value!r:.60}",
            value=value,
        )


def share_below(column: str) -> str:
    """Return the share of the rows that is below the quantile in a column."""
    return f"{column.rpartition('_q')[2]} %"


def in_a_sentence(names: Sequence[str]) -> str:
    """Return names one after the other, and the last after an "and"."""
    *others, last = names
    return tr("{others} and {last}", others=", ".join(others), last=last) if others else last


def _is_number(value: Any) -> bool:
    if isinstance(value, float):
        return math.isfinite(value)
    return isinstance(value, int) and not isinstance(value, bool)


def _has_a_place(value: Any) -> bool:
    """Whether a group has a place of its own on an axis, which has no more digits than a float."""
    return _is_number(value) and abs(value) <= _FURTHEST


def _height(value: Any) -> float:
    return value if _is_number(value) else -math.inf


def _moment(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.replace(tzinfo=None).isoformat() + "Z"
    return f"{value.isoformat()}T00:00:00Z" if isinstance(value, date) else value


def question(query: Question) -> str:
    """Return what was asked, and of which table, without the folders of any file."""
    source = query.table.source
    asked = tr("{query} of {name}", query=query, name=source.name)
    for each in (source, *_joined(query.steps)):
        if each.path is not None:
            asked = asked.replace(each.name, quoted(Path(each.path.name)))
    return asked


def _joined(steps: Iterable[Step]) -> Iterator[Source | PublicTable]:
    """Yield the tables that were joined."""
    for step in steps:
        if isinstance(step, JoinPublic):
            yield step.other
        if isinstance(step, JoinPeople):
            yield step.other.source
            yield from _joined(step.other.steps)
