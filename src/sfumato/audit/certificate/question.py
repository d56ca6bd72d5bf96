"""What was asked: what is done to rows before they are added up, and each aggregate of them.

A person's rows come and go together in all that is done here: what becomes of them depends on
them, and on public tables, alone.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from sfumato.audit.certificate.document import DocumentPart, plain_value, refute
from sfumato.audit.certificate.setting import (
    DATES,
    TYPES,
    CertifiedColumn,
    QuestionSetting,
    as_declared,
    check_person,
    column_of,
    declared_columns,
    is_boolean,
    read_bounds,
    read_declared,
    read_expression,
    said,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.audit.certificate.steps import Taken

    Columns = dict[str, CertifiedColumn]

_OF_PERSON = {
    "count": ("of",),
    "sum": ("of", "bounds"),
    "mean": ("of", "bounds", "rows"),
    "minimum": ("of", "bounds"),
    "maximum": ("of", "bounds"),
}
_WAYS = ("inner", "left")
_OF_COLUMN = ("of", "bounds")


def known_columns(types: DocumentPart, steps: DocumentPart, policy: DocumentPart) -> Columns:
    """Return what is known of each column after some steps.

    A column that is computed anew is another column: what was declared of its name is forgotten,
    unless it was only renamed, or is declared for the derived column.
    """
    found = declared_columns(types, policy)
    for step in steps.list():
        kind = step["step"].text()
        if kind not in _STEPS:
            refute(
                "{name} is a step {kind!r:.60}, which this program does not know", step, kind=kind
            )
        found = _STEPS[kind](step, found, policy)
    return found


def _filter(step: DocumentPart, known: Columns, _policy: DocumentPart) -> Columns:
    read_expression(step.record("step", "condition")["condition"], known)
    return known


def _derive(step: DocumentPart, known: Columns, policy: DocumentPart) -> Columns:
    found: Columns = {}
    for each in step.record("step", "columns")["columns"].list():
        each.record("name", "value", "type")
        read_expression(each["value"], known)
        name, kind = each["name"].text(), each["type"].text(*TYPES, "other", "null")
        _check_new(each, name, found, policy)
        source = column_of(each["value"])
        column = CertifiedColumn(kind, declared=False) if source is None else known[source]
        if column.type != kind:
            refute(
                "{name} is said to be of type {kind}, and what it renames is not", each, kind=kind
            )
        found[name] = as_declared(name, column, policy)
    return known | found


def _check_new(part: DocumentPart, name: str, beside: Columns, policy: DocumentPart) -> None:
    """Check that a column is no person's id: who has another one is another person."""
    if name == read_declared(policy).person:
        refute("{name} replaces the column of the person's id", part)
    if name in beside:
        refute("{name} has the name of a column that is made in the same step", part)


def _declare(step: DocumentPart, known: Columns, _policy: DocumentPart) -> Columns:
    found = {}
    for each in step.record("step", "columns")["columns"].list():
        name = each.record("name", "declared")["name"].text()
        if name not in known:
            refute("{name} declares a column that is not there", each)
        found[name] = replace(said(known[name], each["declared"]), declared=True)
    return known | found


def _join_public(step: DocumentPart, known: Columns, policy: DocumentPart) -> Columns:
    """Return what is known beside a public table, of which everything is public.

    Where each row is protected by itself, it comes beside one public row at most.
    """
    step.record("step", "on", "how", "most", "digest", "columns")
    how, most = step["how"].text(*_WAYS), step["most"].whole(1)
    if most > 1 and read_declared(policy).person is None:
        refute("{name} makes several rows of one, and each row is protected by itself", step)
    pairs = [[each.text() for each in pair.list()] for pair in step["on"].list()]
    matched = {theirs: ours for ours, theirs in pairs}
    public = {each["name"].text(): each for each in step["columns"].list()}
    if not set(matched) <= set(public) or not set(matched.values()) <= set(known):
        refute("{name} joins by columns that are not there", step)
    taken, alike = {}, {}
    for name, part in public.items():
        column = _public(part, is_key=name in matched, how=how)
        if name not in matched:
            taken[name] = as_declared(name, column, policy)
        elif how == "inner":
            alike[matched[name]] = _fallen_back(known[matched[name]], column)
    if set(taken) & set(known):
        refute("{name} joins a column of a name that is there", step)
    return known | alike | taken


def _public(part: DocumentPart, *, is_key: bool, how: str) -> CertifiedColumn:
    """Return what is known of a public column; it may be missing where no row matched."""
    part.record("name", "type", "bounds", "values", "missing")
    kind, values = part["type"].text(*TYPES), part.get("values")
    missing = (how == "left" or part["missing"].flag()) and not is_key
    bounds = None if kind in DATES else read_bounds(part.get("bounds"))
    if values is None:
        return CertifiedColumn(kind, bounds)
    nothing = (None,) if missing else ()
    return CertifiedColumn(kind, bounds, (*map(plain_value, values.list()), *nothing))


def _fallen_back(known: CertifiedColumn, public: CertifiedColumn) -> CertifiedColumn:
    """Return what is declared of a column and, where nothing is, what is public of it."""
    return replace(
        known,
        bounds=public.bounds if known.bounds is None else known.bounds,
        values=public.values if known.values is None else known.values,
    )


def _join_people(step: DocumentPart, known: Columns, policy: DocumentPart) -> Columns:
    """Return what is known beside the rows of the same person in another table.

    Whoever is not in it has nothing there, so that no column of it is complete after a left join.
    """
    step.record("step", "on", "how", "policy", "columns", "steps")
    whole = step["how"].text(*_WAYS) == "inner"
    ours, theirs = read_declared(policy), read_declared(step["policy"])
    ids = [each.text() for each in step["on"].list()]
    if ours.person is None or ids != [ours.person, theirs.person]:
        refute("{name} joins two tables by something else than the person's id", step)
    if ours.relation != theirs.relation:
        refute("{name} joins tables that are protected against different changes", step)
    if policy.value.get("book") != step["policy"].value.get("book"):
        refute("{name} joins tables that are charged to different books", step)
    check_person(theirs, step["columns"])
    beside = known_columns(step["columns"], step["steps"], step["policy"])
    if ids[0] not in known or ids[1] not in beside:
        refute("{name} joins two tables by the person's id, which is not in both", step)
    del beside[ids[1]]
    if set(beside) & set(known):
        refute("{name} joins a column of a name that is there", step)
    return known | {
        name: replace(each, complete=each.complete and whole) for name, each in beside.items()
    }


def _per_person(step: DocumentPart, known: Columns, policy: DocumentPart) -> Columns:
    """Return what is known of one row a person, computed of their rows."""
    step.record("step", "person", "columns")
    person = read_declared(policy).person
    if person is None or step["person"].text() != person or person not in known:
        refute("{name} makes one row a person, and not by the column of their id", step)
    found = {person: known[person]}
    for each in step["columns"].list():
        kind = each["aggregate"].text(*_OF_PERSON)
        each.record("name", "aggregate", "type", *_OF_PERSON[kind])
        name = each["name"].text()
        _check_new(each, name, found, policy)
        found[name] = as_declared(name, _of_person(each, kind, known), policy)
    return found


def _of_person(part: DocumentPart, kind: str, known: Columns) -> CertifiedColumn:
    """Return what is known of a column that is computed of the rows of each person."""
    stated, of = part["type"].text(*TYPES, "null"), part.get("of")
    if of is not None:
        read_expression(of, known)
    if kind in ("count", "sum") or of is None:
        return CertifiedColumn(stated, declared=False)
    name = column_of(of)
    source = CertifiedColumn(stated) if name is None else known[name]
    given = read_bounds(part.get("bounds"))
    bounds = source.bounds if given is None else given
    bounds = None if isinstance(bounds, str) else bounds
    values = source.values if kind != "mean" and bounds is None else None
    return CertifiedColumn(stated, bounds, values, declared=False)


_STEPS: dict[str, Callable[[DocumentPart, Columns, DocumentPart], Columns]] = {
    "filter": _filter,
    "derive": _derive,
    "declare": _declare,
    "join_public": _join_public,
    "join_people": _join_people,
    "per_person": _per_person,
}


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

    @property
    def present(self) -> tuple[str, ...]:
        """What must not be missing in the rows that it is of."""
        return tuple(dict.fromkeys(name for each in self.columns for name in each.present))


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
        refute("{name} has other answers than its kind has", part)
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
