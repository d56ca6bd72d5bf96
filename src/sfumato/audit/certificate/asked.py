"""What was asked: each aggregate with its options, and the columns of its answer."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from sfumato.audit.certificate.columns import column_of, is_boolean, read_bounds, read_expression
from sfumato.audit.certificate.document import plain_value, refute

if TYPE_CHECKING:
    from sfumato.audit.certificate.document import DocumentPart
    from sfumato.audit.certificate.setting import QuestionSetting
    from sfumato.audit.certificate.steps import Taken

_OF_COLUMN = ("of", "bounds")
_FIELDS = {
    "count": ("of",),
    "people": (),
    "sum": _OF_COLUMN,
    "mean": (*_OF_COLUMN, "rows"),
    "variance": _OF_COLUMN,
    "std": _OF_COLUMN,
    "covariance": ("of", "other", "bounds", "other_bounds"),
    "quantiles": (*_OF_COLUMN, "ranks", "confidence"),
    "minimum": _OF_COLUMN,
    "maximum": _OF_COLUMN,
    "histogram": ("of", "edges"),
    "top_k": ("of", "count", "values", "method"),
    "sample_aggregate": ("columns", "bounds", "blocks", "by", "default", "code"),
}


@dataclass(frozen=True)
class AggregateColumn:
    """What an aggregate is of, with the bounds that follow from what is public.

    Parameters
    ----------
    of
        The text of the expression.
    bounds
        Those given, declared or found, 0 and 1 of what is true or false; None where it has none.
    complete
        Whether missing values count as the middle.
    values
        All that it can be, where that is public.
    """

    of: str
    bounds: tuple[Fraction, Fraction] | None
    complete: bool
    values: tuple[Any, ...] | None

    @property
    def present(self) -> tuple[str, ...]:
        """What must not be missing in the rows that count."""
        return () if self.complete else (self.of,)


@dataclass(frozen=True)
class AskedAggregate:
    """One aggregate.

    Parameters
    ----------
    name, kind
        What it is called, and what it is.
    answers
        The columns of its answer.
    part
        All of it.
    columns
        What it is of.
    """

    name: str
    kind: str
    answers: list[str]
    part: DocumentPart
    columns: list[AggregateColumn]


def read_asked(
    query: DocumentPart, steps: list[Taken], setting: QuestionSetting
) -> list[AskedAggregate]:
    """Return what was asked, with the bounds that hold for it."""
    bounded = {each.said["of"]: each.said["name"] for each in steps if each.kind == "find_bounds"}
    found = [_asked(part, bounded, setting) for part in query["aggregates"].list()]
    names = [each.name for each in found]
    if len(set(names)) < len(names) or not names:
        refute("query.aggregates are none, or two of one name")
    return found


def _asked(part: DocumentPart, bounded: dict[str, str], setting: QuestionSetting) -> AskedAggregate:
    kind = part["aggregate"].text(*_FIELDS)
    part.record("name", "aggregate", "answers", *_FIELDS[kind])
    columns = []
    for name, bounds in (("of", "bounds"), ("other", "other_bounds")):
        if name in _FIELDS[kind] and part.value[name] is not None:
            columns.append(_column(part[name], part.get(bounds), bounded, setting))
    answers = [each.text() for each in part["answers"].list()]
    asked = AskedAggregate(part["name"].text(), kind, answers, part, columns)
    if answers != _answers(asked):
        refute("{name} has other answers than its kind has", name=part.name)
    return asked


def _column(
    part: DocumentPart,
    given: DocumentPart | None,
    bounded: dict[str, str],
    setting: QuestionSetting,
) -> AggregateColumn:
    """Return a column with its bounds: those given, else those declared, else those found."""
    of, name = read_expression(part, setting.columns), column_of(part)
    known = None if name is None else setting.columns[name]
    bounds = read_bounds(given)
    if bounds is None and known is not None:
        bounds = known.bounds
    if bounds is None or isinstance(bounds, str):
        bounds = setting.content.bounds[bounded[of]] if of in bounded else None
    if bounds is None and is_boolean(part, setting.columns):
        bounds = Fraction(0), Fraction(1)
    complete, values = (False, None) if known is None else (known.complete, known.values)
    return AggregateColumn(of, bounds, complete, values)


def _answers(asked: AskedAggregate) -> list[str]:
    """Return the columns of an answer, by its kind and its options."""
    name, part = asked.name, asked.part
    match asked.kind:
        case "histogram":
            ends = [_shown(each.fraction()) for each in part["edges"].list()]
            return [f"{name}_{low}_to_{high}" for low, high in pairwise(ends)]
        case "top_k":
            count = part.get("count")
            if count is None:
                return [name]
            given = len(asked.answers) if count.whole(1) == len(asked.answers) else 0
            return [f"{name}_{place + 1}" for place in range(given)]
        case "quantiles" if asked.answers != [name]:
            ranks = [float(100 * each.fraction()) for each in part["ranks"].list()]
            return [f"{name}_q{rank:.12g}" for rank in ranks]
    return [name]


def top_values(asked: AskedAggregate) -> tuple[Any, ...] | None:
    """Return the values to choose from: those given, else those known; a missing one is none."""
    given, known = asked.part.get("values"), asked.columns[0].values
    if given is not None:
        return tuple(map(plain_value, given.list()))
    return None if known is None else tuple(each for each in known if each is not None)


def _shown(edge: Fraction) -> str:
    return str(edge.numerator) if edge.denominator == 1 else repr(float(edge))
