"""An answer beside the truth, for tables that are no secret."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.charts.answers.asking import question
from sfumato.charts.answers.reading import in_a_sentence, parts_of, read_answer
from sfumato.charts.parts.panels import intervals, stacked
from sfumato.charts.parts.style import OTHER, altair, headed, rows
from sfumato.tables.tree.aggregates import Count
from sfumato.translation import tr

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.charts.answers.reading import Drawn, Part
    from sfumato.printing.plotting import Chart
    from sfumato.tables.release.release import Release

__all__ = ["beside_the_truth"]

_CONFIDENCE = 0.95


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
    covered = [_is_covered(each) for several in points.values() for each in several]
    names = in_a_sentence(list(points))
    return headed(
        stacked([_panel(each, drawn, points[each.name]) for each in parts]),
        tr(
            "{names} by {keys}: {covered} intervals cover the truth",
            names=names,
            keys=drawn.by,
            covered=_count(covered),
        ),
        question(answer.plan.query),
        *answer.stated(confidence=_CONFIDENCE),
        tr("diamonds: the truth, {why}", why=why),
    )


def _points(part: Part, drawn: Drawn, truth: Sequence[float]) -> list[dict[str, Any]]:
    found = []
    for place, (group, true) in enumerate(zip(drawn.labels(), truth, strict=True)):
        point = drawn.point(part.columns[0], place)
        said = tr("{point}; truth: {part}", point=point["shown"], part=_figure(part, true))
        found.append({**point, "group": group, "truth": true, "shown": said})
    return found


def _figure(part: Part, true: float) -> str:
    return f"{true:,}" if isinstance(part.asked, Count) else f"{true:,.1f}"


def _panel(part: Part, drawn: Drawn, points: Sequence[Mapping[str, Any]]) -> Any:
    alt = altair()
    bars = intervals(points, part.axis, groups=drawn.by, bars=isinstance(part.asked, Count))
    diamonds = alt.Chart(rows(points)).mark_point(
        shape="diamond", filled=False, size=130, opacity=1, color=OTHER, strokeWidth=2
    )
    return alt.layer(
        bars,
        diamonds.encode(
            x=alt.X("truth:Q", title=part.axis), y=alt.Y("group:N", sort=None, title=drawn.by)
        ),
    )


def _is_covered(point: Mapping[str, Any]) -> bool:
    return bool(point["low"] <= point["truth"] <= point["high"])


def _count(covered: Sequence[bool]) -> str:
    several = len(covered)
    return (
        tr("all {several}", several=several)
        if all(covered)
        else tr("{covered} of {several}", covered=sum(covered), several=several)
    )
