"""An answer, by what it is: bars, dots, lines, histograms, tables, all with intervals."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from sfumato.charts.parts.answers import (
    ChartedAggregate,
    ChartedAnswer,
    in_a_sentence,
    parts_of,
    question,
    read_answer,
    share_below,
)
from sfumato.charts.parts.panels import (
    MOST_COLUMNS,
    OPEN,
    bins,
    cells,
    diamonds,
    intervals,
    is_open,
    nothing,
    stacked,
    trend,
)
from sfumato.charts.parts.style import PALETTE, headed, small_print
from sfumato.printing import cut, percentage
from sfumato.privacy import read_confidence
from sfumato.tables import Count, Histogram, People, Quantile, Quantiles, Sum, TopK
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.printing import Chart
    from sfumato.tables import Release

    Point = dict[str, Any]


#: What adds up over groups, so that bars from 0 can be compared.
_ADDED = (Count, People, Sum)
_CONFIDENCE, _MOST_OF_A_QUESTION = 0.95, 170
#: Up to so many groups of the second column are drawn across.
_WIDE = 8
_ROWS = mark("number of rows")


def release(answer: Release, *, value: str | None = None, confidence: Any = 0.95) -> Chart:
    """Draw an answer with its intervals, one panel for each value that was asked for.

    Counts and sums of groups are bars, other values dots; groups that are numbers or days are a
    line; two columns of groups are a table.  Of more than 40 groups the largest are drawn.

    Parameters
    ----------
    answer
        What was released.
    value
        The one to draw; all by default.
    confidence
        How likely it is that an interval covers.

    Examples
    --------
    >>> import sfumato as sf
    >>> patients = sf.table("examples/patients.csv", unit="row", keys={"sex": ["F", "M"]})
    >>> answer = patients.group_by("sex").agg(n=sf.count()).release(epsilon=1)
    >>> sf.charts.release(answer).to_dict()["title"]["text"]
    ['n by sex, with 95 % confidence intervals']
    """
    level = read_confidence(confidence)
    parts, drawn = parts_of(answer, value), read_answer(answer, level)
    panels, notes = _panels(parts, drawn)
    asked = cut(question(answer.plan.query), _MOST_OF_A_QUESTION)
    first = answer.notes.first
    below = [small_print([*map(str, first)])] if first else []
    return headed(
        stacked([*panels, *below]),
        _title(parts, drawn, percentage(level)),
        asked,
        *answer.stated(confidence=level),
        *notes,
        *(str(each) for each in answer.notes if each.code == "N-BINS-OPEN"),
        *of_open_ends(drawn),
    )


def beside_the_truth(
    answer: Release, truth: Mapping[str, Sequence[float]], *, why: str = "not private"
) -> Chart:
    """Draw the values of groups with their intervals, and what is so beside each.

    It is for teaching: the truth about people is not to be shown.

    Parameters
    ----------
    answer
        What was released, by one column of groups.
    truth
        For each value that was asked for, what it is in each group, in the order of the answer.
    why
        Why the truth may be seen.
    """
    parts, drawn = parts_of(answer, None), read_answer(answer, _CONFIDENCE)
    points = {each.name: _points(each, drawn, truth[each.name]) for each in parts}
    covered = [
        each["low"] <= each["truth"] <= each["high"]
        for several in points.values()
        for each in several
    ]
    names = in_a_sentence(list(points))
    return headed(
        stacked([_truth_panel(each, drawn, points[each.name]) for each in parts]),
        tr(
            "{names} by {keys}: {covered} intervals cover the truth",
            names=names,
            keys=drawn.by,
            covered=tr("all {several}", several=len(covered))
            if all(covered)
            else tr("{covered} of {several}", covered=sum(covered), several=len(covered)),
        ),
        question(answer.plan.query),
        *answer.stated(confidence=_CONFIDENCE),
        tr("diamonds: the truth, {why}", why=why),
    )


def _title(parts: Sequence[ChartedAggregate], drawn: ChartedAnswer, level: str) -> str:
    names = in_a_sentence([each.name for each in parts])
    by = tr(" by {by}", by=drawn.by) if drawn.keys else ""
    barred = any(f"{each}_low" in drawn.answers.columns for part in parts for each in part.columns)
    if barred and not by and len(parts) == 1 and len(parts[0].columns) == 1:
        shown = drawn.point(parts[0].columns[0], 0)["shown"]
        return tr(
            "{names} is {shown}, with {level} confidence", names=names, shown=shown, level=level
        )
    if not barred:
        return f"{in_a_sentence([each.axis for each in parts])}{by}"
    return tr("{names}{by}, with {level} confidence intervals", names=names, by=by, level=level)


def of_open_ends(drawn: ChartedAnswer) -> list[str]:
    """Say of intervals without an end how they are drawn."""
    values = (each for name, each in drawn.answers.columns.items() if name not in drawn.keys)
    return [OPEN] if any(is_open(each) for column in values for each in column) else []


def _panels(parts: Sequence[ChartedAggregate], drawn: ChartedAnswer) -> tuple[list[Any], list[str]]:
    if not len(drawn):
        return [nothing(tr("no group is shown"))], []
    if not drawn.keys or all(_has_room(each, drawn) for each in parts):
        return [_panel(each, drawn, table=_is_table(drawn)) for each in parts], []
    kept, note = drawn.largest(parts[0].columns[0])
    table = _is_table(kept) and not note
    return [_panel(each, kept, table=table) for each in parts], [note] if note else []


def _has_room(part: ChartedAggregate, drawn: ChartedAnswer) -> bool:
    """Whether all groups can be drawn, however many there are."""
    if drawn.order:
        return not _is_beside(part)
    return _is_table(drawn) and len(part.columns) == 1


def _is_beside(part: ChartedAggregate) -> bool:
    """Whether the values of a group are the cells of a row."""
    return isinstance(part.asked, (Histogram, TopK)) or len(part.columns) > len(PALETTE)


def _is_table(drawn: ChartedAnswer) -> bool:
    """Whether groups of two columns fit a table."""
    return len(drawn.keys) == 2 and max(drawn.sizes) <= MOST_COLUMNS


def _panel(part: ChartedAggregate, drawn: ChartedAnswer, *, table: bool) -> Any:
    if not drawn.keys:
        return _ungrouped(part, drawn)
    if table and len(part.columns) == 1:
        return _table(part, drawn)
    if _is_beside(part):
        return _beside(part, drawn)
    added = isinstance(part.asked, _ADDED)
    if drawn.order:
        points = _series(part, drawn, drawn.positions)
        return trend(points, part.axis, along=drawn.keys[0], kind=drawn.order, from_0=added)
    return intervals(_series(part, drawn, drawn.labels()), part.axis, groups=drawn.by, bars=added)


def _ungrouped(part: ChartedAggregate, drawn: ChartedAnswer) -> Any:
    if isinstance(part.asked, TopK):
        return _favourites(part, drawn)
    if isinstance(part.asked, Histogram):
        return _histogram(part, part.asked, drawn)
    points = [{"group": part.label(each), **drawn.point(each, 0)} for each in part.columns]
    return intervals(points, str(part.asked), bars=False)


def _series(part: ChartedAggregate, drawn: ChartedAnswer, groups: Sequence[Any]) -> list[Point]:
    several = len(part.columns) > 1
    return [
        {"group": group, **drawn.point(column, place)}
        | ({"series": part.label(column)} if several else {})
        for place, group in enumerate(groups)
        for column in part.columns
    ]


def _histogram(part: ChartedAggregate, asked: Histogram, drawn: ChartedAnswer) -> Any:
    columns = asked.answer_columns(part.name)
    edges = dict(zip(columns, pairwise(asked.edges), strict=True))
    points = [
        {
            "left": float(edges[each][0]),
            "right": float(edges[each][1]),
            "bin": part.label(each),
            **drawn.point(each, 0),
        }
        for each in part.columns
    ]
    return bins(points, tr(_ROWS), along=", ".join(map(str, asked.operands)))


def _favourites(part: ChartedAggregate, drawn: ChartedAnswer) -> Any:
    """Return the chosen values as words, one below the other."""
    points = [
        {"row": str(place), "column": str(part.asked), **_cell(drawn.point(each, 0))}
        for place, each in enumerate(part.columns, start=1)
    ]
    return cells(points, "", down="place", across="")


def _beside(part: ChartedAggregate, drawn: ChartedAnswer) -> Any:
    """Return a table with a row for each group, and a column for each of a few values."""
    points = [
        {"row": group, "column": _heading(part, column), **_cell(drawn.point(column, place))}
        for place, group in enumerate(drawn.labels())
        for column in part.columns[:MOST_COLUMNS]
    ]
    counted = isinstance(part.asked, Histogram)
    shade = tr(_ROWS) if counted else part.axis
    return cells(points, shade, down=drawn.by, across=part.axis, from_0=counted)


def _table(part: ChartedAggregate, drawn: ChartedAnswer) -> Any:
    """Return a table of two columns of groups, the longer one down if it is long."""
    down, across = (
        drawn.keys
        if drawn.sizes[1] <= _WIDE
        else sorted(drawn.keys, key=lambda name: -len(set(drawn.labels([name]))))
    )
    labels = zip(drawn.labels([down]), drawn.labels([across]), strict=True)
    points = [
        {"row": row, "column": column, **_cell(drawn.point(part.columns[0], place))}
        for place, (row, column) in enumerate(labels)
    ]
    added = isinstance(part.asked, _ADDED)
    return cells(points, part.axis, down=down, across=across, from_0=added)


def _heading(part: ChartedAggregate, column: str) -> str:
    if isinstance(part.asked, Histogram):
        return part.label(column)
    if isinstance(part.asked, Quantiles) and not isinstance(part.asked, Quantile):
        return share_below(column)
    return column.removeprefix(f"{part.name}_").replace("_", " ")


def _cell(point: Point) -> Point:
    """Return a value as it is written in a cell: the figure, and below it what it is off by."""
    figure, plus_minus, off = point["shown"].partition(" ± ")
    if plus_minus and point["low"] is not None:
        return {"value": point["value"], "figure": figure, "off": f"± {off}"}
    figure, ends = point["shown"], ""
    if point["low"] is not None:
        figure, _, ends = point["shown"].partition(" (")
    return {"value": point["value"], "figure": figure, "off": ends.removesuffix(")")}


def _points(part: ChartedAggregate, drawn: ChartedAnswer, truth: Sequence[float]) -> list[Point]:
    written = "," if isinstance(part.asked, Count) else ",.1f"
    found = []
    for place, (group, true) in enumerate(zip(drawn.labels(), truth, strict=True)):
        point = drawn.point(part.columns[0], place)
        said = tr("{point}; truth: {part}", point=point["shown"], part=f"{true:{written}}")
        found.append({**point, "group": group, "truth": true, "shown": said})
    return found


def _truth_panel(part: ChartedAggregate, drawn: ChartedAnswer, points: Sequence[Point]) -> Any:
    bars = intervals(points, part.axis, groups=drawn.by, bars=isinstance(part.asked, Count))
    return bars + diamonds(points, part.axis, groups=drawn.by, size=130)
