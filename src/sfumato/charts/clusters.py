"""Centres of private k-means between their bounds, and what another ε would cost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from sfumato.charts.parts.answers import in_a_sentence
from sfumato.charts.parts.lines import SIDES, sides
from sfumato.charts.parts.style import WIDTH, altair, finished, headed, rows, words
from sfumato.errors import InputError, UnknownNameError
from sfumato.printing import INK, MAIN, OTHER, all_of_these, counted, setting
from sfumato.refusal import Argument
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sfumato.learning import FittedModel, KMeans
    from sfumato.printing import Chart


#: How many centres and coordinates are drawn, and up to how many of the latter are named above.
_MOST_CENTRES, _MOST_COORDINATES, _MOST_NAMED = 40, 12, 4
#: How many panels stand side by side, how wide each is, how high a centre is in them, and a box.
_ACROSS, _NARROW, _STEP, _BOX = 3, 200, 26, 360
_FAINT_DOT = 0.45
#: Of the ε that was used, those that are written below the cost at others.
_PARTS = (0.1, 0.2, 0.5, 1, 2, 5, 10)
_HOLLOW = mark("hollow: too few points to be distinguished from noise")
_BARRED = mark(
    "bars are noise of the last step alone: not how spread points are, nor what earlier "
    "steps missed; a bar that is not seen is shorter than its dot"
)


def kmeans(
    model: KMeans,
    *,
    of: Literal["centres", "cost"] = "centres",
    names: Sequence[str] | None = None,
) -> Chart:
    """Draw what private k-means found; no point of the data is drawn.

    Parameters
    ----------
    model
        The fitted model.
    of
        ``"centres"``: in the box of the bounds, or for more than two coordinates one panel each.
        ``"cost"``: the mean square distance that is expected at another ε.
    names
        What coordinates are called, where the points that it was fitted to had no names.

    Examples
    --------
    >>> import numpy as np
    >>> import sfumato as sf
    >>> model = sf.KMeans(n_clusters=2, epsilon=1, bounds=(0, 1)).fit(np.zeros((99, 3)))
    >>> len(sf.charts.kmeans(model).concat)
    3
    """
    if of not in _DRAWINGS:
        raise UnknownNameError(kind=mark("drawing of k-means"), name=of, known=_DRAWINGS)
    from sfumato.learning import found_by

    return _DRAWINGS[of](found_by(model, names))


def _centres(found: FittedModel) -> Chart:
    from sfumato.learning import DEVIATIONS

    order = np.argsort(-found.shares, kind="stable")[:_MOST_CENTRES]
    kept = sorted(order.tolist())
    axes = range(min(len(found.names), _MOST_COORDINATES))
    named = (
        found.names
        if len(found.names) <= _MOST_NAMED
        else [tr("{names} coordinates", names=len(found.names))]
    )
    title = tr(
        "{centres} by {columns}, ± {deviations} standard deviations of noise",
        centres=counted(len(found.shares), "centre"),
        columns=in_a_sentence(named),
        deviations=DEVIATIONS,
    )
    beneath = _notes(found, len(kept), len(axes))
    if len(found.names) == 2:
        return finished(_box(found, kept), title, *beneath, width=WIDTH, height=_BOX)
    if len(found.names) == 1:
        return headed(_line(found, kept, 0, WIDTH, labelled=True), title, *beneath)
    panels = [_line(found, kept, each, _NARROW, labelled=each % _ACROSS == 0) for each in axes]
    return headed(altair().concat(*panels, columns=_ACROSS), title, *beneath)


def _notes(found: FittedModel, centres: int, coordinates: int) -> list[str]:
    every = len(found.shares)
    hidden = [
        *(
            [tr("the {centres} largest of {every} centres", centres=centres, every=every)]
            if centres < every
            else []
        ),
        *(
            [tr("the first {coordinates} coordinates", coordinates=coordinates)]
            if coordinates < len(found.names)
            else []
        ),
    ]
    return [
        *([tr("NOT PRIVATE: drawn from a seed")] if found.model.seeded_ else []),
        str(found.model.guarantee_),
        *_domain(found),
        tr("axes go from bound to bound; the area of a dot goes with its share, by noisy counts"),
        tr(_BARRED),
        *([] if all(found.seen) else [tr(_HOLLOW)]),
        *([tr("shown are {hidden}", hidden=all_of_these(hidden))] if hidden else []),
    ]


def _domain(found: FittedModel) -> list[str]:
    """Return in which ball points lie, where they lie in one."""
    domain = found.model.plan_.domain
    return [] if domain is None else [tr("points lie in {domain}", domain=domain)]


def _outline(found: FittedModel) -> list[dict[str, float]]:
    """Return the corners of the ball of two coordinates, in their order; none of a box."""
    if found.model.plan_.domain is None:
        return []
    (left, low), (right, high) = found.bounds
    x, y = (left + right) / 2, (low + high) / 2
    corners = [(left, y), (x, high), (right, y), (x, low), (left, y)]
    return [{"x": across, "y": up, "turn": turn} for turn, (across, up) in enumerate(corners)]


def _box(found: FittedModel, kept: Sequence[int]) -> Any:
    """Return the centres of two coordinates in the box of their bounds, and the ball if any."""
    alt = altair()
    spots = _spots(found, kept, 0, 1)
    base = alt.Chart(rows(spots))
    x, y = (_along(found, axis) for axis in (0, 1))
    across, up = alt.X("x:Q", **x), alt.Y("y:Q", **y)
    bars = base.mark_rule(color=INK, clip=True)
    outline = alt.Chart(rows(_outline(found))).mark_line(color=OTHER, strokeDash=[6, 3])
    return alt.layer(
        *([outline.encode(x=across, y=up, order="turn:Q")] if _outline(found) else []),
        _dots(base).encode(x=across, y=up),
        bars.encode(x=alt.X("x_low:Q", **x), x2=alt.X2("x_high:Q"), y=up),
        bars.encode(x=across, y=alt.Y("y_low:Q", **y), y2=alt.Y2("y_high:Q")),
        *(each.encode(x=across, y=up) for each in _labels(found, spots)),
    )


def _labels(found: FittedModel, spots: Sequence[Mapping[str, Any]]) -> Iterator[Any]:
    """Yield the labels of dots, all of one side together."""
    (left, low), (right, high) = found.bounds
    dots = [
        (
            WIDTH * (each["x"] - left) / (right - left),
            _BOX * (high - each["y"]) / (high - low),
        )
        for each in spots
    ]
    placed = sides(dots, [each["centre"] for each in spots], WIDTH, _BOX)
    for side in SIDES:
        there = [each for each, its in zip(spots, placed, strict=True) if its == side]
        if there:
            yield words(altair().Chart(rows(there)), "centre", **side._asdict())


def _line(found: FittedModel, kept: Sequence[int], axis: int, width: int, *, labelled: bool) -> Any:
    """Return the centres one below the other, along one coordinate."""
    alt = altair()
    base = alt.Chart(rows(_spots(found, kept, axis, axis))).encode(
        y=alt.Y(
            "centre:N",
            sort=None,
            title=tr("centre, and its share") if labelled else None,
            axis=alt.Axis(labels=labelled, ticks=False, domain=False, grid=True),
        )
    )
    along = _along(found, axis)
    dots = _dots(base).encode(x=alt.X("x:Q", **along))
    bars = base.mark_rule(color=INK, clip=True).encode(
        x=alt.X("x_low:Q", **along), x2=alt.X2("x_high:Q")
    )
    return alt.layer(dots, bars).properties(width=width, height=_STEP * len(kept))


def _spots(found: FittedModel, kept: Sequence[int], across: int, up: int) -> list[dict[str, Any]]:
    places, errors = found.model.cluster_centers_, found.errors
    return [
        {
            "centre": f"{number + 1} ({100 * found.shares[number]:.0f} %)",
            "share": float(found.shares[number]),
            "seen": found.seen[number],
            **_ends("x", places[number, across], errors[number, across]),
            **_ends("y", places[number, up], errors[number, up]),
        }
        for number in kept
    ]


def _ends(name: str, place: Any, error: Any) -> dict[str, float]:
    return {
        name: float(place),
        f"{name}_low": float(place - error),
        f"{name}_high": float(place + error),
    }


def _along(found: FittedModel, axis: int) -> dict[str, Any]:
    alt = altair()
    low, high = (each[axis] for each in found.bounds)
    return {
        "title": found.names[axis],
        "scale": alt.Scale(domain=[low, high], nice=False, zero=False),
        "axis": alt.Axis(tickCount=6, labelFlush=False, labelOverlap="greedy"),
    }


def _dots(base: Any) -> Any:
    alt = altair()
    filled = alt.condition("datum.seen", alt.value(_FAINT_DOT), alt.value(0))
    size = alt.Size("share:Q", scale=alt.Scale(domain=[0, 1], range=[50, 1500]), legend=None)
    dots = base.mark_circle(fill=MAIN, stroke=MAIN, strokeWidth=1.5, strokeOpacity=1, opacity=1)
    return dots.encode(size=size, fillOpacity=filled, tooltip=["centre:N"])


def _cost(found: FittedModel) -> Chart:
    alt = altair()
    if not found.is_private:
        raise InputError(
            "E-CHART-NONE",
            "no noise was added, and there is no ε whose cost could be drawn",
            "draw {centres}, or fit with a finite epsilon",
            centres=Argument("of", "centres"),
        )
    used, most = found.epsilon, float(found.most_cost)
    points = [{"epsilon": epsilon, "cost": min(cost, most)} for epsilon, cost in found.costs]
    middle = len(points) // 2
    ticks = alt.Axis(values=[float(f"{part * used:.3g}") for part in _PARTS])
    x = alt.X("epsilon:Q", title="ε", scale=alt.Scale(type="log", nice=False), axis=ticks)
    measured = (
        tr("mean square distance") if found.cost is not None else tr("added mean square distance")
    )
    y = alt.Y(
        "cost:Q",
        title=tr("{measured}, coordinates in [-1, 1]", measured=measured),
        axis=alt.Axis(tickCount=6),
    )
    below, above = points[: middle + 1], points[middle:]
    layers = [
        alt.Chart(rows(below)).mark_line(color=MAIN, strokeDash=[2, 3]).encode(x=x, y=y),
        alt.Chart(rows(above)).mark_line(color=MAIN).encode(x=x, y=y),
        *_marked(above[0]["cost"], used, x, y),
        *([] if found.cost is None else _level(min(found.cost, most), used, x, y)),
    ]
    few = [] if all(found.seen) else [tr("centres with too few points are not in it")]
    cut_off = tr(
        "cut off at {most}, which one centre in the middle costs at most", most=setting(most)
    )
    return finished(
        alt.layer(*layers),
        found.added,
        tr("an estimate from what was released: {guarantee}", guarantee=found.model.guarantee_),
        tr(
            "solid: only noise of the last step is scaled, as 1/ε; dotted: below ε = {used} "
            "earlier steps miss more too, and the true cost is higher",
            used=setting(used),
        ),
        *(
            [tr("there is no mean square distance to add it to: {untold}", untold=found.untold)]
            * bool(found.untold)
        ),
        *few,
        *([cut_off] if found.costs[0][1] > most else []),
    )


def _marked(cost: float, used: float, x: Any, y: Any) -> list[Any]:
    said = {
        "epsilon": used,
        "cost": cost,
        "text": tr("ε = {used}, which was used", used=setting(used)),
    }
    base = altair().Chart(rows([said])).encode(x=x, y=y)
    dot = base.mark_point(color=MAIN, filled=True, size=90, opacity=1)
    return [dot, words(base, "text", align="left", dx=6, dy=-12)]


def _level(cost: float, used: float, x: Any, y: Any) -> list[Any]:
    alt = altair()
    ends = [{"epsilon": each, "cost": cost} for each in (used / 10, used * 10)]
    said = {**ends[1], "text": tr("without noise of the last step")}
    line, text = (alt.Chart(rows(each)).encode(x=x, y=y) for each in (ends, [said]))
    return [
        line.mark_line(color=OTHER, strokeDash=[6, 3]),
        words(text, "text", align="right", dy=14, color=OTHER),
    ]


_DRAWINGS = {"centres": _centres, "cost": _cost}
