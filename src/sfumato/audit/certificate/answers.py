"""Whether the answer that is stated follows from what was released."""

from __future__ import annotations

from fractions import Fraction
from operator import eq, ge, gt, le, lt, ne
from typing import TYPE_CHECKING, Any

from sfumato.audit.certificate.document import DocumentPart, plain_value, refute
from sfumato.audit.certificate.formulas import formula_for, noise_of
from sfumato.audit.certificate.intervals import Expected, noisy, of_one
from sfumato.audit.certificate.measured import PublicCells, check_choices
from sfumato.audit.certificate.question import AskedAggregate, top_values
from sfumato.privacy.events import Exponential, Laplace

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sfumato.audit.certificate.intervals import Beyond
    from sfumato.audit.certificate.setting import QuestionSetting
    from sfumato.audit.certificate.steps import Taken

    Row = dict[str, Expected]

_KINDS = {
    "histogram": "count_bins",
    "quantiles": "choose_quantiles",
    "minimum": "choose_extreme",
    "maximum": "choose_extreme",
    "top_k": "choose_values",
    "sample_aggregate": "sample",
}
#: Steps that are for no one aggregate.
_ASIDE = ("find_keys", "find_bounds", "choose_limit")
#: That of the intervals of an extreme.
_CONFIDENCE = Fraction(19, 20)
_SIGNS = {"<": lt, "<=": le, ">": gt, ">=": ge, "=": eq, "==": eq, "<>": ne, "!=": ne}


def selected_rows(
    asked: AskedAggregate,
    step: Taken,
    cells: tuple[int, ...],
    setting: QuestionSetting,
    confidence: Fraction,
) -> list[Row]:
    """Return the answers of one aggregate, one a group, from what was chosen in cells."""
    if step.kind != _KINDS.get(asked.kind):
        refute("{name!r:.60} is made of a step of another kind", asked)
    if asked.kind == "sample_aggregate":
        return [_sampled(asked, step, setting)]
    public = _looked_at(asked, step)
    groups = _by_group(asked, public, cells, len(setting.content.keys))
    if asked.kind == "histogram":
        tail = of_one(noise_of(step), Fraction(1, setting.fine))
        return [_histogram(asked, public, group, setting.fine, tail) for group in groups]
    _check_choices(asked, step)
    if asked.kind == "top_k":
        return [_favourites(asked, public, group) for group in groups]
    read = _quantiles if asked.kind == "quantiles" else _extreme
    return [read(asked, public, group, confidence) for group in groups]


def _looked_at(asked: AskedAggregate, step: Taken) -> PublicCells:
    """Return the cells, which have to be of the column that was asked for, and of its rows."""
    column, cells = asked.columns[0], step.cells
    if step.measured.present != (() if asked.kind == "top_k" else column.present):
        refute("{name!r:.60} is of other rows than were looked at", asked)
    if cells is None:
        refute("a step that chooses has no cells")
    if cells.of != column.of:
        refute("{name!r:.60} is of another column than was looked at", asked)
    if cells.column is not None and (cells.column.low, cells.column.high) != column.bounds:
        refute("{name!r:.60} is looked at between other bounds than its own", asked)
    return cells


def _by_group(
    asked: AskedAggregate, public: PublicCells, cells: tuple[int, ...], groups: int
) -> list[tuple[int, ...]]:
    """Return what was released for each group; as many as there should be, all of them cells."""
    size = _released(asked)
    if len(cells) != size * groups:
        refute(
            "{name!r:.60} has {count} parts in the content, not {expected}",
            asked,
            count=len(cells),
            expected=size * groups,
        )
    if asked.kind != "histogram" and not all(0 <= cell < public.count for cell in cells):
        refute("{name!r:.60} is a cell that is not there", asked)
    return [cells[place : place + size] for place in range(0, len(cells), size)]


def _check_choices(asked: AskedAggregate, step: Taken) -> None:
    """Check that as many choices are charged as were made.

    Values are chosen one after the other; quantiles in ⌈log2(m + 1)⌉ levels, with two choices for
    the interval of each.
    """
    method, count = "exponential", 1
    if asked.kind == "top_k":
        method = asked.part["method"].text("exponential", "permute_and_flip")
        count = len(asked.answers)
    elif asked.kind == "quantiles":
        ranks = len(asked.part["ranks"].list())
        count = ranks.bit_length() + (0 if asked.part.get("confidence") is None else 2 * ranks)
    check_choices(step.event, count, method, f"{asked.name!r:.60}")


def _released(asked: AskedAggregate) -> int:
    """Return how many numbers are released for each group."""
    part = asked.part
    if asked.kind == "histogram":
        return len(part["edges"].list()) - 1
    if asked.kind == "quantiles":
        return len(part["ranks"].list()) * (1 if part.get("confidence") is None else 3)
    return len(asked.answers)


def _histogram(
    asked: AskedAggregate, cells: PublicCells, group: tuple[int, ...], fine: int, tail: Beyond
) -> Row:
    if cells.listed != tuple(each.fraction() for each in asked.part["edges"].list()):
        refute("{name!r:.60} is counted between other edges than asked for", asked)
    return {
        name: noisy(Fraction(cell, fine), tail, whole=True, never_negative=True)
        for name, cell in zip(asked.answers, group, strict=True)
    }


def _favourites(asked: AskedAggregate, cells: PublicCells, group: tuple[int, ...]) -> Row:
    """Return values that were chosen one after the other, each among those left."""
    values = cells.listed
    if values != top_values(asked) or len(set(group)) < len(group):
        refute("{name!r:.60} is chosen among other values than are public", asked)
    return {
        name: Expected(values[cell], given=True)
        for name, cell in zip(asked.answers, group, strict=True)
    }


def _quantiles(
    asked: AskedAggregate, cells: PublicCells, group: tuple[int, ...], confidence: Fraction
) -> Row:
    """Return quantiles and their intervals."""
    count, level = len(asked.part["ranks"].list()), asked.part.get("confidence")
    held = level is not None and confidence <= level.fraction()
    found: Row = {}
    for place, name in enumerate(asked.answers):
        ends = [group[place]] * 2 if level is None else sorted(group[place + count :: count])
        middle = sorted([*ends, group[place]])[1]
        found[name] = Expected(cells.value(middle))
        found |= _bars(name, cells, ends if held else [0, cells.count - 1])
    return found


def _extreme(
    asked: AskedAggregate, cells: PublicCells, group: tuple[int, ...], confidence: Fraction
) -> Row:
    """Return a value near an end, and how far that may be: at the bound at most."""
    (cell,), (name,), last = group, asked.answers, cells.count - 1
    ends = [cell, last] if asked.kind == "maximum" else [0, cell]
    shown = ends if confidence <= _CONFIDENCE else [0, last]
    return {name: Expected(cells.value(cell))} | _bars(name, cells, shown)


def _bars(name: str, cells: PublicCells, ends: list[int]) -> Row:
    """Return the intervals between two points, wide enough for what was rounded to them."""
    low, high = (cells.value(end) for end in ends)
    column, step = cells.column, Fraction(2) ** cells.exponent
    if column is not None and not (column.whole and cells.exponent == 0):
        low, high = max(low - step, column.low), min(high + step, column.high)
    return {f"{name}_low": Expected(low), f"{name}_high": Expected(high)}


def _sampled(asked: AskedAggregate, step: Taken, setting: QuestionSetting) -> Row:
    """Return a mean or a median of answers on blocks, of which one change moves one."""
    part = asked.part
    share = Fraction(1, part["blocks"].whole(1))
    wanted: type[Any] = Laplace if part["by"].text("mean", "median") == "mean" else Exponential
    event = step.event
    if step.sensitivity != share or not isinstance(event, wanted):
        refute("{name!r:.60}: one change moves one of its blocks, which is not claimed", asked)
    if isinstance(event, Laplace) and event.sensitivity != share:
        refute("{name!r:.60}: one change moves one of its blocks, which is not charged", asked)
    low, high = (each.fraction() for each in part["bounds"].list())
    if asked.name not in setting.content.sampled:
        refute("{name!r:.60} is not in the content", asked)
    value = Fraction(setting.content.sampled[asked.name])
    return {asked.name: Expected(min(max(value, low), high))}


def derived_rows(
    asked: list[AskedAggregate],
    made_of: DocumentPart,
    steps: list[Taken],
    setting: QuestionSetting,
    confidence: Fraction,
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
            refute("{name!r:.60} is made of steps that are not there", each)
        used |= set(places)
        mine = [steps[place] for place in places]
        if mine[0].kind == "measure":
            found = _summed(each, mine, readings, setting)
        elif len(mine) > 1 or mine[0].kind in _ASIDE:
            refute("{name!r:.60} is made of steps that are not for it", each)
        else:
            cells = looks.get(mine[0].place, ())
            found = selected_rows(each, mine[0], cells, setting, confidence)
        if len(found) != len(rows):
            refute("{name!r:.60} is not answered for each group", each)
        for row, more in zip(rows, found, strict=True):
            row.update(more)
    _check_used(steps, used)
    return rows


def _check_used(steps: list[Taken], used: set[int]) -> None:
    for step in steps:
        if step.kind not in _ASIDE and step.place not in used:
            refute("steps[{place}] is for no aggregate that was asked for", place=step.place)


def check_answers(
    answers: DocumentPart,
    query: DocumentPart,
    asked: list[AskedAggregate],
    rows: list[Row],
    setting: QuestionSetting,
) -> None:
    """Check that the stated answer is the one that follows, with what was done to it."""
    answers.record("confidence", "columns")
    confidence = answers["confidence"].fraction()
    keys = [each.text() for each in query["keys"].list()]
    names, stated = _stated(answers["columns"])
    if names != [*keys, *(name for each in asked for name in _columns(each))]:
        refute("answers.columns are not those of the query, in their order")
    after = query["after"].list()
    if any(each["after"].value == "nonnegative" for each in after):
        rows = [{name: each.not_below_0() for name, each in row.items()} for row in rows]
    expected = dict(zip(map(_typed, setting.content.keys), rows, strict=True))
    for row in stated:
        key = _typed(row[name] for name in keys)
        if key not in expected:
            refute("answers.columns has a group that was not released")
        _check_row(row, expected[key], asked, confidence)
    given = {_typed(row[name] for name in keys): row for row in stated}
    whole = [given.get(key) or _shown(key, keys, row) for key, row in expected.items()]
    for part in after:
        whole = _done(part, whole)
    if stated != whole:
        refute("answers.columns is not what is left of the answer after what is done to it")


def _typed(values: Iterable[Any]) -> tuple[tuple[type, Any], ...]:
    """Return the values of a group with their types, so that 0 and 0.0 are not false."""
    return tuple((type(each), each) for each in values)


def _columns(asked: AskedAggregate) -> list[str]:
    """Return the columns of an aggregate: what was chosen among values has no intervals."""
    ends = ("",) if asked.kind == "top_k" else ("", "_low", "_high")
    return [f"{name}{end}" for name in asked.answers for end in ends]


def _stated(part: DocumentPart) -> tuple[list[str], list[dict[str, Any]]]:
    columns = {}
    for each in part.list():
        each.record("name", "values")
        columns[each["name"].text()] = [plain_value(value) for value in each["values"].list()]
    if len({len(each) for each in columns.values()}) != 1 or len(columns) < len(part.list()):
        refute("answers.columns are not of one length, or two of one name")
    rows = zip(*columns.values(), strict=True)
    return list(columns), [dict(zip(columns, row, strict=True)) for row in rows]


def _check_row(
    row: dict[str, Any], expected: Row, asked: list[AskedAggregate], level: Fraction
) -> None:
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


def _shown(key: tuple[tuple[type, Any], ...], keys: list[str], row: Row) -> dict[str, Any]:
    values = (value for _, value in key)
    return dict(zip(keys, values, strict=True)) | {name: each.shown() for name, each in row.items()}


def _done(part: DocumentPart, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return what is left of an answer once something was done to it."""
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


def _sorted(part: DocumentPart, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    name = part["name"].text()
    if any(name not in row for row in rows):
        refute("{name} orders by a column that is not there", part)
    places = sorted(
        range(len(rows)),
        key=lambda place: (rows[place][name] is None, rows[place][name]),
        reverse=part["descending"].flag(),
    )
    return [rows[place] for place in places]


def _holds(value: Any, sign: str, than: Any) -> bool:
    try:
        return value is not None and bool(_SIGNS[sign](value, than))
    except TypeError:
        return False


def _summed(
    asked: AskedAggregate,
    steps: list[Taken],
    readings: dict[int, list[Fraction]],
    setting: QuestionSetting,
) -> list[Row]:
    formula = formula_for(asked, steps, setting)
    sums = [
        {step.place: readings[step.place][group] for step in steps}
        for group in range(len(setting.content.keys))
    ]
    return [{asked.name: formula(each)} for each in sums]


def _readings(steps: list[Taken], setting: QuestionSetting) -> dict[int, list[Fraction]]:
    """Return the noisy sums of each step in natural units, one a group."""
    measures = [each for each in steps if each.kind == "measure"]
    columns, groups = setting.content.sums, len(setting.content.keys)
    if len(columns) != len(measures) or any(len(each) != groups for each in columns):
        refute("the content has other sums than were measured, or of other groups")
    return {
        step.place: [each * step.measured.grid / setting.fine for each in column]
        for step, column in zip(measures, columns, strict=True)
    }


def _looks(steps: list[Taken], setting: QuestionSetting) -> dict[int, tuple[int, ...]]:
    looks = [each for each in steps if each.cells is not None]
    if len(looks) != len(setting.content.cells):
        refute("the content has other cells than were looked at")
    return {step.place: cells for step, cells in zip(looks, setting.content.cells, strict=True)}
