"""Whether the answer that is stated follows from what was released."""

from __future__ import annotations

from operator import eq, ge, gt, le, lt, ne
from typing import TYPE_CHECKING, Any

from sfumato.audit.certificate.content import plain_value
from sfumato.audit.certificate.expected import Expected
from sfumato.audit.certificate.formulas import formula_for
from sfumato.audit.certificate.parts import refute
from sfumato.audit.certificate.selected import selected_rows

if TYPE_CHECKING:
    from collections.abc import Iterable
    from fractions import Fraction

    from sfumato.audit.certificate.asked import Asked
    from sfumato.audit.certificate.parts import Part
    from sfumato.audit.certificate.setting import Setting
    from sfumato.audit.certificate.taken import Taken

    Row = dict[str, Expected]

__all__ = ["check_answers", "derived_rows"]

_SIGNS = {"<": lt, "<=": le, ">": gt, ">=": ge, "=": eq, "==": eq, "<>": ne, "!=": ne}
_SUMS = ("measure",)
_ASIDE = ("find_keys", "find_bounds", "choose_limit")


def derived_rows(
    asked: list[Asked], made_of: Part, steps: list[Taken], setting: Setting, confidence: Fraction
) -> list[Row]:
    """Return the answer that follows from what was released, before anything is done to it.

    Each aggregate has to be made of the steps that are there for it, and each step is there for
    one.
    """
    made_of.record(*(each.name for each in asked))
    readings, looks = _readings(steps, setting), _looks(steps, setting)
    rows: list[Row] = [{} for _ in setting.content.keys]
    used: set[int] = set()
    for each in asked:
        places = [place.whole() for place in made_of[each.name].list()]
        if not places or not all(place < len(steps) for place in places):
            refute("{name!r:.60} is made of steps that are not there", name=each.name)
        used |= set(places)
        mine = [steps[place] for place in places]
        if mine[0].kind in _SUMS:
            found = _summed(each, mine, readings, setting)
        elif len(mine) > 1 or mine[0].kind in _ASIDE:
            refute("{name!r:.60} is made of steps that are not for it", name=each.name)
        else:
            cells = looks.get(mine[0].place, ())
            found = selected_rows(each, mine[0], cells, setting, confidence)
        if len(found) != len(rows):
            refute("{name!r:.60} is not answered for each group", name=each.name)
        for row, more in zip(rows, found, strict=True):
            row.update(more)
    _check_used(steps, used)
    return rows


def _check_used(steps: list[Taken], used: set[int]) -> None:
    for step in steps:
        if step.kind not in _ASIDE and step.place not in used:
            refute("steps[{place}] is for no aggregate that was asked for", place=step.place)


def check_answers(
    answers: Part, query: Part, asked: list[Asked], rows: list[Row], setting: Setting
) -> None:
    """Check that the stated answer is the one that follows, with what was done to it."""
    answers.record("confidence", "columns")
    confidence = answers["confidence"].fraction()
    keys = [each.text() for each in query["keys"].list()]
    names, stated = _stated(answers["columns"])
    if names != [*keys, *(name for each in asked for name in _columns(each))]:
        refute("answers.columns are not those of the query, in their order")
    after = query["after"].list()
    shown = [_not_below_0(row) for row in rows] if _is_nonnegative(after) else rows
    expected = dict(zip(map(_typed, setting.content.keys), shown, strict=True))
    for row in stated:
        key = _typed(row[name] for name in keys)
        if key not in expected:
            refute("answers.columns has a group that was not released")
        _check_row(row, expected[key], asked, confidence)
    given = {_typed(row[name] for name in keys): row for row in stated}
    whole = [given.get(key) or _shown(key, keys, row) for key, row in expected.items()]
    if stated != _after(after, whole):
        refute("answers.columns is not what is left of the answer after what is done to it")


def _typed(values: Iterable[Any]) -> tuple[tuple[type, Any], ...]:
    """Return the values of a group with their types, so that 0 and 0.0 are not false."""
    return tuple((type(each), each) for each in values)


def _columns(asked: Asked) -> list[str]:
    """Return the columns of an aggregate: what was chosen among values has no intervals."""
    ends = ("",) if asked.kind == "top_k" else ("", "_low", "_high")
    return [f"{name}{end}" for name in asked.answers for end in ends]


def _stated(part: Part) -> tuple[list[str], list[dict[str, Any]]]:
    columns = {}
    for each in part.list():
        each.record("name", "values")
        columns[each["name"].text()] = [plain_value(value) for value in each["values"].list()]
    if len({len(each) for each in columns.values()}) != 1 or len(columns) < len(part.list()):
        refute("answers.columns are not of one length, or two of one name")
    rows = zip(*columns.values(), strict=True)
    return list(columns), [dict(zip(columns, row, strict=True)) for row in rows]


def _check_row(row: dict[str, Any], expected: Row, asked: list[Asked], level: Fraction) -> None:
    """Check the values of a group, and that intervals hold them and the noise."""
    for name, each in expected.items():
        if not each.allows(row[name]):
            refute("{name!r:.60} is not what follows from what was released", name=name)
    for name in (name for each in asked if each.kind != "top_k" for name in each.answers):
        low, value, high = (row[f"{name}{end}"] for end in ("_low", "", "_high"))
        if not all(type(each) in (int, float) for each in (low, value, high)):
            refute("{name!r:.60} has a confidence interval that is no pair of numbers", name=name)
        if not low <= value <= high or not expected[name].covered(low, high, level):
            refute(
                "{name!r:.60} has a confidence interval that does not cover its noise", name=name
            )


def _not_below_0(row: Row) -> Row:
    return {name: each.not_below_0() for name, each in row.items()}


def _is_nonnegative(after: list[Part]) -> bool:
    return any(each["after"].value == "nonnegative" for each in after)


def _shown(key: tuple[tuple[type, Any], ...], keys: list[str], row: Row) -> dict[str, Any]:
    values = (value for _, value in key)
    return dict(zip(keys, values, strict=True)) | {name: each.shown() for name, each in row.items()}


def _after(after: list[Part], rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return what is left of an answer once everything was done to it."""
    for part in after:
        rows = _done(part, rows)
    return rows


def _done(part: Part, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    match part["after"].text("nonnegative", "head", "sort_by", "having"):
        case "nonnegative":
            part.record("after")
            return rows
        case "head":
            return rows[: part.record("after", "count")["count"].whole()]
        case "sort_by":
            return _sorted(part.record("after", "name", "descending"), rows)
    part.record("after", "name", "sign", "value")
    name, sign = part["name"].text(), part["sign"].text(*_SIGNS)
    return [row for row in rows if _holds(row.get(name), sign, plain_value(part["value"]))]


def _sorted(part: Part, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    name = part["name"].text()
    if any(name not in row for row in rows):
        refute("{name} orders by a column that is not there", name=part.name)
    places = sorted(
        range(len(rows)),
        key=lambda place: (rows[place][name] is None, rows[place][name]),
        reverse=part["descending"].flag(),
    )
    return [rows[place] for place in places]


def _holds(value: Any, sign: str, than: Any) -> bool:
    if value is None:
        return False
    try:
        return bool(_SIGNS[sign](value, than))
    except TypeError:
        return False


def _summed(
    asked: Asked, steps: list[Taken], readings: dict[int, list[Fraction]], setting: Setting
) -> list[Row]:
    formula = formula_for(asked, steps, setting)
    found = []
    for group in range(len(setting.content.keys)):
        sums = {step.place: readings[step.place][group] for step in steps}
        expected = Expected(
            formula.value(sums),
            whole=formula.whole,
            never_negative=formula.never_negative,
            missed=None if formula.missed is None else formula.missed(sums),
            far=formula.far(sums),
        )
        found.append({asked.name: expected})
    return found


def _readings(steps: list[Taken], setting: Setting) -> dict[int, list[Fraction]]:
    """Return the noisy sums of each step in natural units, one a group."""
    measures = [each for each in steps if each.kind == "measure"]
    columns, groups = setting.content.sums, len(setting.content.keys)
    if len(columns) != len(measures) or any(len(each) != groups for each in columns):
        refute("the content has other sums than were measured, or of other groups")
    return {
        step.place: [each * step.measured.grid / setting.fine for each in column]
        for step, column in zip(measures, columns, strict=True)
    }


def _looks(steps: list[Taken], setting: Setting) -> dict[int, tuple[int, ...]]:
    looks = [each for each in steps if each.cells is not None]
    if len(looks) != len(setting.content.cells):
        refute("the content has other cells than were looked at")
    return {step.place: cells for step, cells in zip(looks, setting.content.cells, strict=True)}
