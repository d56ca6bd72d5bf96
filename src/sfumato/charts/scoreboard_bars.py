"""Whom the facts fit, and whether that is enough to declare a match."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.charts.parts.bars import MOST, Bar, bars, bars_height
from sfumato.charts.parts.style import finished
from sfumato.printing import NOT_PRIVATE, counted, figure
from sfumato.translation import tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.printing import Chart
    from sfumato.risk import ScoreboardReport


def scoreboard(report: ScoreboardReport) -> Chart:
    """Draw the best matches; of several people, by how much each stands out.

    The figures are exact, and the picture says so.

    Parameters
    ----------
    report
        What ``sfumato attack scoreboard`` found.

    Examples
    --------
    >>> import sfumato as sf
    >>> report = sf.risk.scoreboard("examples/ratings.csv", "examples/known-ratings.csv",
    ...                             person="user", item="film")
    >>> sf.charts.scoreboard(report).to_dict()["title"]["text"]
    ['found: user u37']
    """
    found = _people(report) if report.several else _candidates(report)
    axis = tr("stands out") if report.several else tr("score")
    answer, *rest = report.findings()
    hidden = len(found) - MOST
    return finished(
        bars(found[:MOST], axis, (tr("declared"), tr("not declared"))),
        answer,
        *rest[: 1 if report.several else 2],
        tr("{people:,} people", people=report.people),
        *([tr("{others} not shown", others=counted(hidden, "other"))] if hidden > 0 else []),
        NOT_PRIVATE,
        height=bars_height(min(len(found), MOST)),
    )


def _people(report: ScoreboardReport) -> Sequence[Bar]:
    return [
        Bar(f"{each.who}", each.eccentricity, f"{each.eccentricity:.4g}", each.declared)
        for each in report.matches
    ]


def _candidates(report: ScoreboardReport) -> Sequence[Bar]:
    match = report.match
    return [
        Bar(
            f"{report.columns[0]} {each.person}",
            each.score,
            figure(each.score),
            match.declared and each == match.candidates[0],
        )
        for each in match.candidates
    ]
