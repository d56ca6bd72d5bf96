"""The trade-off of an attacker who tells neighbours apart: false negatives by false positives."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from sfumato.charts.curves.points import profile_points
from sfumato.charts.curves.readings import of_relation
from sfumato.charts.parts.lines import told_apart
from sfumato.charts.parts.style import GREY, INK, MAIN, altair, finished, in_percent, rows
from sfumato.translation import tr

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.charts.curves.points import Points
    from sfumato.printing.plotting import Chart
    from sfumato.privacy import Guarantee

__all__ = ["least_misses", "tradeoff"]

_ALARMS = 0.05
_GREATEST = 700.0


def tradeoff(guarantees: Mapping[str, Guarantee]) -> Chart:
    """Draw the least false negative rate at each false positive rate."""
    points = {name: profile_points(each) for name, each in guarantees.items()}
    curves = {name: _curve(each) for name, each in points.items()}
    shaded = _impossible(*curves.values(), *points.values()) if len(curves) == 1 else []
    drawn = altair().layer(*shaded, *_blind(), _lines(curves))
    return finished(
        drawn,
        _title({name: _missed(each) for name, each in points.items()}),
        of_relation(guarantees),
        "an attacker distinguishes two neighbouring tables by one output",
        width=360,
        height=360,
    )


def least_misses(points: Points, alarms: float) -> float:
    """Return the least false negative rate that (ε, δ) at these points leave at a rate."""
    return max(0.0, *(_bound(level, delta, alarms) for level, delta in points))


def _bound(level: float, delta: float, alarms: float) -> float:
    return max(start - fall * alarms for fall, start in _falls(level, delta))


def _falls(level: float, delta: float) -> list[tuple[float, float]]:
    """Return the two lines that (ε, δ) keeps misses above: how steep each is, where it starts."""
    factor = math.exp(min(level, _GREATEST))
    return [(factor, 1 - delta), (1 / factor, (1 - delta) / factor)]


def _curve(points: Points) -> Points:
    """Return the corners of the least misses, so that straight lines join them and pass none."""
    lines = _highest([(0.0, 0.0), *(line for point in points for line in _falls(*point))])
    corners = ((_crossing(one, other), other) for one, other in pairwise(lines))
    inner = [(rate, start - fall * rate) for rate, (fall, start) in corners if 0 < rate < 1]
    first, last = ((rate, least_misses(points, rate)) for rate in (0.0, 1.0))
    return [first, *sorted(inner), last]


def _highest(lines: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return the lines that are above all others somewhere, the steepest first."""
    kept: list[tuple[float, float]] = []
    for line in sorted(dict(sorted(lines)).items(), reverse=True):
        while len(kept) > 1 and _crossing(kept[-1], line) <= _crossing(*kept[-2:]):
            kept.pop()
        kept.append(line)
    return kept


def _crossing(steep: tuple[float, float], flat: tuple[float, float]) -> float:
    return (steep[1] - flat[1]) / (steep[0] - flat[0])


def _axes() -> dict[str, Any]:
    alt, scale, axis = altair(), altair().Scale(domain=[0, 1]), in_percent()
    return {
        "x": alt.X("alarms:Q", title=tr("false positive rate"), scale=scale, axis=axis),
        "y": alt.Y(
            "misses:Q", title=tr("false negative rate: the least possible"), scale=scale, axis=axis
        ),
    }


def _lines(curves: Mapping[str, Points]) -> Any:
    points = [
        {"name": name, "alarms": alarms, "misses": misses}
        for name, points in curves.items()
        for alarms, misses in points
    ]
    lines = altair().Chart(rows(points)).mark_line(strokeWidth=2)
    return lines.encode(**_axes(), **told_apart(list(curves)))


def _impossible(corners: Points, points: Points) -> list[Any]:
    """Shade what no attacker reaches, and say so inside where there is room."""
    alt = altair()
    shaded = [{"alarms": alarms, "misses": misses, "low": 0} for alarms, misses in corners]
    area = alt.Chart(rows(shaded)).mark_area(color=MAIN, opacity=0.12)
    drawn = area.encode(**_axes(), y2=alt.Y2("low:Q"))
    here = [{"alarms": 0.03, "misses": 0.05, "label": tr("no attacker gets here")}]
    label = alt.Chart(rows(here)).mark_text(align="left", color=INK)
    room = least_misses(points, 0.3) > 0.1
    return [drawn, label.encode(**_axes(), text=alt.Text("label:N"))] if room else [drawn]


def _blind() -> list[Any]:
    alt = altair()
    ends = alt.Chart(rows([{"alarms": 0, "misses": 1}, {"alarms": 1, "misses": 0}]))
    where = alt.Chart(rows([{"alarms": 0.72, "misses": 0.32, "label": tr("random guessing")}]))
    return [
        ends.mark_line(color=GREY, strokeDash=[4, 3]).encode(**_axes()),
        where.mark_text(align="left", color=GREY).encode(**_axes(), text=alt.Text("label:N")),
    ]


def _title(said: Mapping[str, str]) -> str:
    if len(said) == 1:
        missed = next(iter(said.values()))
        return tr(
            "a test with 5 % false positives misses at least {missed} of the cases it looks for",
            missed=missed,
        )
    each = [tr("{missed} under {name}", missed=missed, name=name) for name, missed in said.items()]
    return tr("a test with 5 % false positives misses at least {listed}", listed=", ".join(each))


def _missed(points: Points) -> str:
    return f"{math.floor(least_misses(points, _ALARMS) * 1000) / 10:g} %"
