"""How well two datasets are told apart, against what a claim allows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.audit import allowed_edge
from sfumato.charts.parts.lines import told_apart
from sfumato.charts.parts.style import FAINT, MAIN, altair, in_percent, rows
from sfumato.translation import tr

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.audit import Claim

    Curve = Sequence[tuple[float, float]]

__all__ = ["rates"]

_MOST_DOTS = 40
_BLIND = ((0.0, 0.0), (1.0, 1.0))


def rates(observed: Curve, claim: Claim, name: str) -> Any:
    """Return a curve of (false, true positive rate) over the region that a claim allows.

    Parameters
    ----------
    observed
        The curve, by rising false positive rate.
    claim
        What was claimed.
    name
        What the curve is, for the legend.
    """
    allowed = allowed_edge(claim)
    edge, blind = tr("allowed by {claim}", claim=claim), tr("random guessing")
    lines = {name: observed, edge: allowed, blind: _BLIND}
    return altair().layer(_area(allowed), _lines(lines), *_dots(observed))


def _axes() -> dict[str, Any]:
    alt, scale, axis = altair(), altair().Scale(domain=[0, 1]), in_percent()
    return {
        "x": alt.X("wrong:Q", title=tr("false positive rate"), scale=scale, axis=axis),
        "y": alt.Y("right:Q", title=tr("true positive rate"), scale=scale, axis=axis),
    }


def _lines(lines: Mapping[str, Curve]) -> Any:
    points = [
        {"name": name, "place": place, "wrong": wrong, "right": right}
        for name, curve in lines.items()
        for place, (wrong, right) in enumerate(curve)
    ]
    drawn = altair().Chart(rows(points)).mark_line(strokeWidth=2)
    return drawn.encode(**_axes(), order="place:Q", **told_apart(list(lines)))


def _area(points: Curve) -> Any:
    return _points(points).mark_area(color=FAINT, opacity=0.5)


def _dots(points: Curve) -> list[Any]:
    """Mark the points of a curve that has few."""
    few = len(points) <= _MOST_DOTS
    return [_points(points).mark_point(color=MAIN, filled=True, opacity=1)] if few else []


def _points(points: Curve) -> Any:
    kept = [{"wrong": wrong, "right": right} for wrong, right in points]
    return altair().Chart(rows(kept)).encode(**_axes())
