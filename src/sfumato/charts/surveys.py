"""What a survey found: shares and means with intervals, cross-tables, and the truth if known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.charts.parts.panels import MOST_COLUMNS, cells, diamonds, intervals, stacked
from sfumato.charts.parts.style import headed
from sfumato.printing import counted, setting
from sfumato.survey import (
    MOST_ROWS,
    MeanEstimate,
    ShareEstimates,
    interval_text,
    largest_places,
    number_text,
    percent,
)
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.printing import Chart
    from sfumato.survey import Estimate, PairEstimates, Results


_SHARE = mark("share in %")
_MADE_UP = mark("these people are made up; a diamond is the truth, which no real survey knows")


def survey(results: Results, *, name: str | tuple[str, str] | None = None) -> Chart:
    """Draw the estimates of a survey with their intervals, one panel for each question.

    Parameters
    ----------
    results
        What was estimated.
    name
        The question, or the pair of questions, to draw; all by default.

    Examples
    --------
    >>> import sfumato as sf
    >>> survey = sf.Survey({"cheated": {"choices": ["yes", "no"], "truth": "2/3"}}, name="class")
    >>> chart = sf.charts.survey(sf.survey.simulate(survey, 400).estimate())
    >>> chart.to_dict()["title"]["text"]
    ['class: estimates from the reports of 400 people']
    """
    names = list(results) if name is None else [name]
    panels = [_panel(results, each) for each in names]
    people = tr("person") if results.people == 1 else tr("people")
    title = tr(
        "{name}: estimates from the reports of {people:,} {noun}",
        name=results.survey.name,
        people=results.people,
        noun=people,
    )
    beneath = [*results.notes(), *([tr(_MADE_UP)] if results.truth else [])]
    hidden = [line for each in names for line in _left_out(results[each])]
    return headed(stacked(panels), title, *beneath, *hidden)


def _panel(results: Results, name: str | tuple[str, str]) -> Any:
    found = results[name]
    if isinstance(found, MeanEstimate):
        return _mean(found, results.survey.questions[found.question].text, results.truth)
    if isinstance(found, ShareEstimates):
        asked = results.survey.questions[found.question].text
        return _shares(found, asked or found.question, results.truth.get(found.question, {}))
    return _pairs(found)


def _mean(found: MeanEstimate, asked: str, truth: Mapping[str, Any]) -> Any:
    point = {"group": found.question, "shown": number_text(found), **_ends(found, 1)}
    low, high = found.bounds
    axis = tr(
        "mean of {asked}, from {low} to {high} allowed",
        asked=asked or found.question,
        low=setting(low),
        high=setting(high),
    )
    true = {found.question: truth[found.question]} if found.question in truth else {}
    return _with_truth(intervals([point], axis, bars=False), true, axis, None)


def _shares(found: ShareEstimates, asked: str, truth: Mapping[str, float]) -> Any:
    shown = found.largest(MOST_ROWS)
    widest = max(each.upper - each.lower for _, each in shown)
    points = [
        {"group": choice, "shown": _share_text(each, widest), **_ends(each, 100)}
        for choice, each in shown
    ]
    panel = intervals(points, tr(_SHARE), groups=asked, bars=True)
    true = {choice: 100 * truth[choice] for choice, _ in shown if truth}
    return _with_truth(panel, true, tr(_SHARE), asked)


def _pairs(found: PairEstimates) -> Any:
    widest = float((found.upper - found.lower).max())
    down = largest_places(found.shares.sum(axis=1), MOST_ROWS)
    across = largest_places(found.shares.sum(axis=0), MOST_COLUMNS)
    points = [
        {
            "row": row,
            "column": column,
            "value": 100 * found[row, column].value,
            "figure": f"{percent(found[row, column].value, widest)} %",
            "off": interval_text(found[row, column], widest),
        }
        for row in (found.rows[each] for each in down)
        for column in (found.columns[each] for each in across)
    ]
    first, second = found.questions
    return cells(points, tr(_SHARE), down=first, across=second, from_0=True)


def _ends(found: Estimate, scale: float) -> dict[str, float]:
    return {
        "value": scale * found.value,
        "low": scale * found.lower,
        "high": scale * found.upper,
    }


def _share_text(found: Estimate, widest: float) -> str:
    return f"{percent(found.value, widest)} % ({interval_text(found, widest)})"


def _with_truth(panel: Any, truth: Mapping[str, float], axis: str, groups: str | None) -> Any:
    """Return a panel with a diamond at what is true of each group, where that is known."""
    if not truth:
        return panel
    points = [{"group": group, "truth": value} for group, value in truth.items()]
    return panel + diamonds(points, axis, groups=groups, size=70)


def _left_out(found: MeanEstimate | ShareEstimates | PairEstimates) -> list[str]:
    """Return what of an estimate is not in the picture."""
    if isinstance(found, MeanEstimate):
        return []
    if isinstance(found, ShareEstimates):
        return _largest_of(len(found), MOST_ROWS, found.question)
    (down, across), both = found.questions, " by ".join(found.questions)
    return [
        *_largest_of(len(found.rows), MOST_ROWS, f"{both}: {down}"),
        *_largest_of(len(found.columns), MOST_COLUMNS, f"{both}: {across}"),
    ]


def _largest_of(count: int, most: int, called: str) -> list[str]:
    if count <= most:
        return []
    rest = tr("{count:,} not shown", count=count - most)
    return [
        tr(
            "{called}: the {most} largest of {choices}; {rest}",
            called=called,
            most=most,
            choices=counted(count, "choice"),
            rest=rest,
        )
    ]
