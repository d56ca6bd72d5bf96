"""Entropy as a picture: of one event, and of two."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from sfumato.charts.parts.lines import lines
from sfumato.charts.parts.style import (
    SQUARE,
    altair,
    finished,
    in_bits,
    in_figures,
    of_shares,
    rows,
    words,
)
from sfumato.errors import InputError
from sfumato.information import Joint, entropy, mutual_information
from sfumato.numeric import check_probability, shown
from sfumato.printing import FAINT, GREY, INK, MAIN, cut, listed
from sfumato.translation import tr

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from decimal import Decimal
    from fractions import Fraction

    from sfumato.printing import Chart

    Chance = float | Fraction | Decimal


#: How many places a curve has, and how many cells a map has across.
_EVENLY, _CELLS = 200, 50
#: How far cells lie over the next one, so that no seam is seen.
_OVER = 0.003
#: How long a name may be in a legend.
_NAME = 24
_HALF = 0.5
#: On which side of a dot its label is.
_RIGHT: dict[str, Any] = {"align": "left", "dx": 8}
_LEFT: dict[str, Any] = {"align": "right", "dx": -8}


def information_content(probabilities: Iterable[Chance] = (0.5, 0.25, 0.125)) -> Chart:
    """Draw the information content -log2 p of an event, by its probability.

    Parameters
    ----------
    probabilities
        Of events to mark, each above 0.

    Examples
    --------
    >>> import sfumato as sf
    >>> sf.charts.information_content([0.5, 0.25]).to_dict()["title"]["text"]
    ['an event that is half as likely tells one bit more']
    """
    marked = [float(check_probability(each, "probabilities")) for each in _column(probabilities)]
    if not marked or min(marked) <= 0:
        raise InputError(
            "E-ARGUMENT-RANGE",
            "{name} must be above 0, not {value}",
            "write {write}, say",
            name="probabilities",
            value=shown(min(marked, default=0)),
            write="[0.5, 0.25]",
        )
    low = min(*marked, 1 / 16)
    places = [low ** (step / _EVENLY) for step in range(_EVENLY + 1)]
    dots = [_dot(each, -math.log2(each)) for each in marked]
    return finished(
        _curve(
            places,
            lambda p: -math.log2(p),
            dots,
            tr("information content in bits"),
            **_RIGHT,
            dy=-8,
        ),
        tr("an event that is half as likely tells one bit more"),
        tr("information content −log2 p of an event of probability p"),
    )


def binary_entropy(probability: Chance = _HALF) -> Chart:
    """Draw the entropy of an event that happens or not, by its probability.

    Parameters
    ----------
    probability
        Of an event to mark.

    Examples
    --------
    >>> import sfumato as sf
    >>> sf.charts.binary_entropy(0.25).to_dict()["title"]["text"]
    ['an event of probability 0.25 has an entropy of 0.8113 bits']
    """
    at = float(check_probability(probability, "probability"))
    side = _RIGHT if at <= _HALF else _LEFT
    places = [step / _EVENLY for step in range(_EVENLY + 1)]
    return finished(
        _curve(places, _of_event, [_dot(at, _of_event(at))], tr("entropy in bits"), **side, dy=10),
        tr(
            "an event of probability {p} has an entropy of {bits}",
            p=in_figures(at),
            bits=in_bits(_of_event(at)),
        ),
        tr("−p log2 p − (1−p) log2 (1−p): at most 1 bit, where it is as likely as not"),
    )


def two_events(first: Chance = _HALF, second: Chance = _HALF) -> Chart:
    """Draw the joint entropy of two independent events, by their probabilities.

    Parameters
    ----------
    first, second
        Probabilities of two events to mark.

    Examples
    --------
    >>> import sfumato as sf
    >>> sf.charts.two_events(0.5, 0.25).to_dict()["title"]["text"]
    ['two independent events: 1 + 0.8113 = 1.811 bits']
    """
    alt = altair()
    one, other = (float(check_probability(each, "probability")) for each in (first, second))
    steps = [(step / _CELLS, (step + 1) / _CELLS) for step in range(_CELLS)]
    cells = [
        {
            "x": x,
            "x2": min(1.0, x2 + _OVER),
            "y": y,
            "y2": min(1.0, y2 + _OVER),
            "bits": _of_event((x + x2) / 2) + _of_event((y + y2) / 2),
        }
        for x, x2 in steps
        for y, y2 in steps
    ]
    across = of_shares(alt.X, "x", tr("probability of the first event"))
    up = of_shares(alt.Y, "y", tr("probability of the second event"))
    shaded = (
        alt.Chart(rows(cells))
        .mark_rect()
        .encode(
            x=across,
            x2=alt.X2("x2:Q"),
            y=up,
            y2=alt.Y2("y2:Q"),
            color=alt.Color(
                "bits:Q",
                title=tr("bits"),
                scale=alt.Scale(domain=[0, 2], range=["#f7fbff", MAIN]),
                legend=alt.Legend(values=[0, 0.5, 1, 1.5, 2]),
            ),
        )
    )
    whole = _of_event(one) + _of_event(other)
    dot = [{"x": one, "y": other, "label": in_bits(whole)}]
    base = alt.Chart(rows(dot)).encode(x=across, y=up)
    added = f"{in_figures(_of_event(one))} + {in_figures(_of_event(other))} = {in_bits(whole)}"
    side = _RIGHT if one <= _HALF else _LEFT
    colour = "white" if whole > 1 else INK
    return finished(
        shaded
        + base.mark_point(color=colour, filled=True, size=60, opacity=1)
        + words(base, fontSize=12, color=colour, **side),
        tr("two independent events: {added}", added=added),
        tr("the entropies of independent events add up, to 2 bits at most"),
        **SQUARE,
    )


def joint(table: Any, *, between: Any = None) -> Chart:
    """Draw how the entropies of two variables, or two groups, overlap in their mutual information.

    The bars are true to scale: H(X, Y) = H(X | Y) + I(X; Y) + H(Y | X).

    Parameters
    ----------
    table
        A `Joint`, or what one is made of.
    between
        The two groups, each one variable or several; a joint of two variables needs none.

    Examples
    --------
    >>> import sfumato as sf
    >>> table = sf.information.Joint([[2, 1], [1, 2]], variables=["truth", "answer"])
    >>> sf.charts.joint(table).to_dict()["title"]["text"]
    ['answer tells 0.0817 bits about truth, whose entropy is 1 bit']
    """
    held = table if isinstance(table, Joint) else Joint(table)
    shared = mutual_information(held, between=between)
    (left, x), (right, y) = (_names(held, each) for each in between or held.variables)
    first, second = entropy(held.marginal(left)), entropy(held.marginal(right))
    alone = max(0.0, first - shared)
    ends = (0.0, alone, max(first, alone), max(first, alone) + max(0.0, second - shared))
    kinds = [
        tr("H({x} | {y}) = {bits}", x=x, y=y, bits=in_figures(ends[1])),
        tr("I({x}; {y}) = {bits}", x=x, y=y, bits=in_figures(shared)),
        tr("H({x} | {y}) = {bits}", x=y, y=x, bits=in_figures(ends[3] - ends[2])),
    ]
    bars = {f"H({x})": (0, 1), f"H({y})": (1, 2), f"H({x}, {y})": (0, 1, 2)}
    return finished(
        _overlapping(bars, kinds, ends),
        tr(
            "{y} tells {shared} about {x}, whose entropy is {bits}",
            x=x,
            y=y,
            shared=in_bits(shared),
            bits=in_bits(first),
        ),
        tr("entropy in bits; what two variables share is their mutual information"),
        height=120,
    )


def _overlapping(
    bars: dict[str, tuple[int, ...]], kinds: Sequence[str], ends: Sequence[float]
) -> Any:
    alt, labels = altair(), [*bars]
    found = [
        {"label": label, "kind": kinds[part], "low": ends[part], "high": ends[part + 1]}
        for label, parts in bars.items()
        for part in parts
    ]
    totals = [
        {
            "label": label,
            "high": ends[parts[-1] + 1],
            "note": in_figures(ends[parts[-1] + 1] - ends[parts[0]]),
        }
        for label, parts in bars.items()
    ]
    y = alt.Y("label:N", sort=labels, title=None, axis=alt.Axis(labelLimit=180))
    colour = alt.Color(
        "kind:N",
        sort=[*kinds],
        scale=alt.Scale(domain=[*kinds], range=[MAIN, INK, FAINT]),
        legend=alt.Legend(title=None, orient="bottom", columns=3, labelLimit=220),
    )
    x = alt.X("low:Q", title=tr("bits"), axis=alt.Axis(tickCount=6))
    drawn = alt.Chart(rows(found)).mark_bar(height=20)
    drawn = drawn.encode(y=y, x=x, x2=alt.X2("high:Q"), color=colour)
    notes = alt.Chart(rows(totals)).encode(y=y, x=alt.X("high:Q"))
    return drawn + words(notes, "note", align="left", dx=5)


def _curve(
    places: Iterable[float], value: Any, dots: Sequence[Any], title: str, **beside: Any
) -> Any:
    alt = altair()
    points = [{"name": "", "p": p, "bits": value(p)} for p in places]
    axes = {
        "x": of_shares(alt.X, "p", tr("probability of the event")),
        "y": alt.Y("bits:Q", title=title, axis=alt.Axis(tickCount=6)),
    }
    base = alt.Chart(rows(dots)).encode(**axes)
    falling = (
        alt.Chart(rows(dots))
        .mark_rule(color=GREY, strokeDash=[2, 3])
        .encode(x=axes["x"], y=axes["y"], y2=alt.YDatum(0))
    )
    marks = base.mark_point(color=INK, filled=True, size=50, opacity=1)
    return lines(points, [""], **axes) + falling + marks + words(base, **beside)


def _dot(p: float, bits: float) -> dict[str, Any]:
    return {"p": p, "bits": bits, "label": in_bits(bits)}


def _of_event(p: float) -> float:
    return entropy([p, 1 - p])


def _column(values: Any) -> list[Any]:
    return list(values) if hasattr(values, "__iter__") else [values]


def _names(table: Joint, group: Any) -> tuple[list[Any], str]:
    """Return the variables of a group, and what to call it: X and Y where they have no names."""
    axes = table.axes(group)
    unnamed = table.variables == (0, 1)
    said = "XY"[axes[0]] if unnamed else listed([str(table.variables[axis]) for axis in axes])
    return [table.variables[axis] for axis in axes], cut(said, _NAME)
