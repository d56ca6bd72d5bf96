"""Rényi's entropies and divergences by their order."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from sfumato.charts.parts.lines import lines
from sfumato.charts.parts.profiles import of_relation
from sfumato.charts.parts.style import altair, finished, in_bits, in_figures, rows, words
from sfumato.errors import InputError
from sfumato.information import entropy, renyi_divergence
from sfumato.numeric import digits_above
from sfumato.printing import INK
from sfumato.translation import mark, said, tr

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from sfumato.printing import Chart
    from sfumato.privacy import Guarantee


#: How many orders are drawn.
_EVENLY = 120
#: The orders that an axis names, and how it finds them from their places.
_TICKS = (0, 0.5, 1, 2, 5, math.inf)
_ORDER = "datum.value == 1 ? '∞' : format(datum.value / (1 - datum.value), '.1~f')"
_ENTROPIES = {0: mark("Hartley"), 1: mark("Shannon"), 2: mark("collision"), math.inf: mark("min")}
_DIVERGENCES = {1: mark("Kullback–Leibler"), math.inf: mark("max divergence")}
#: The orders of a Rényi guarantee that are drawn, and the one that a title reads.
_FIRST, _LAST, _READ = 1.1, 100.0, 2


def orders(p: Any, q: Any = None) -> Chart:
    """Draw the Rényi entropy of a distribution by its order, or the divergence from another.

    Parameters
    ----------
    p
        A distribution.
    q
        Another one, over the same outcomes: the divergence D(p‖q) is drawn, in nats.

    Examples
    --------
    >>> import sfumato as sf
    >>> sf.charts.orders([4, 2, 1, 1]).to_dict()["title"]["text"]
    ['the Rényi entropy falls with its order: from 2 bits to 1 bit']
    """
    if q is None:
        low, high, drawn = _drawn(lambda order: entropy(p, order=order), _ENTROPIES, tr("bits"))
        title = tr(
            "the Rényi entropy falls with its order: from {first} to {last}",
            first=in_bits(low),
            last=in_bits(high),
        )
    else:
        low, high, drawn = _drawn(
            lambda order: renyi_divergence(p, q, order=order), _DIVERGENCES, tr("nats")
        )
        title = tr(
            "the Rényi divergence grows with its order: from {first} to {last} nats",
            first=in_figures(low),
            last=in_figures(high),
        )
    return finished(drawn, title, tr("the axis of orders is bent, so that ∞ is on it"))


def renyi(guarantees: Mapping[str, Guarantee]) -> Chart:
    """Draw the bounds on the Rényi divergence by their order."""
    alt = altair()
    steps = [_FIRST * (_LAST / _FIRST) ** (step / _EVENLY) for step in range(_EVENLY + 1)]
    points = [
        {"name": name, "order": order, "epsilon": bound}
        for name, each in guarantees.items()
        for order in steps
        if math.isfinite(bound := each.renyi(order))
    ]
    if not points:
        raise InputError(
            "E-CHART-NONE",
            "no Rényi divergence is bounded by this guarantee",
            "draw its profile: plot()",
        )
    x = alt.X(
        "order:Q",
        title=tr("order α"),
        scale=alt.Scale(type="log", domain=[1, _LAST]),
        axis=alt.Axis(values=[1, 2, 5, 10, 20, 50, 100]),
    )
    y = alt.Y("epsilon:Q", title=tr("ε: the greatest Rényi divergence"))
    drawn = lines(points, list(guarantees), x=x, y=y)
    return finished(drawn, _title(guarantees), of_relation(guarantees))


def _title(guarantees: Mapping[str, Guarantee]) -> str:
    levels = {name: _level(each) for name, each in guarantees.items()}
    if len(levels) == 1:
        return tr(
            "the Rényi divergence of order {order} is at most {level}",
            order=_READ,
            level=next(iter(levels.values())),
        )
    read = [tr("{level} for {name}", level=level, name=name) for name, level in levels.items()]
    return tr("at order {order}: ε = {listed}", order=_READ, listed=", ".join(read))


def _level(guarantee: Guarantee) -> str:
    bound = guarantee.renyi(_READ)
    return digits_above(bound, 4) if math.isfinite(bound) else "∞"


def _drawn(
    measured: Callable[[float], float], named: Mapping[float, str], unit: str
) -> tuple[float, float, Any]:
    """Return the first and the last value, and a curve with some of its orders named."""
    alt, places = altair(), [step / _EVENLY for step in range(_EVENLY + 1)]
    values = [(at, measured(_order(at))) for at in places]
    points = [{"name": "", "at": at, "value": value} for at, value in values if value < math.inf]
    if not points:
        raise InputError(
            "E-CHART-NONE",
            "the divergence is infinite at every order",
            "give distributions that have an outcome in common",
        )
    dots: list[dict[str, Any]] = [
        {"at": _share(order), "value": value, "label": f"{said(name)} {in_figures(value)}"}
        for order, name in named.items()
        if (value := measured(order)) < math.inf
    ]
    axis = alt.Axis(values=[_share(each) for each in _TICKS], labelExpr=_ORDER)
    x = alt.X("at:Q", title=tr("order α"), scale=alt.Scale(domain=[0, 1]), axis=axis)
    y = alt.Y("value:Q", title=unit, scale=alt.Scale(domainMin=0, zero=True))
    falls = values[0][1] > values[-1][1]
    base = alt.Chart(rows(dots)).encode(x=x, y=y)
    parts = [
        words(alt.Chart(rows([dot])).encode(x=x, y=y), **_side(dot["at"], falls=falls))
        for dot in dots
    ]
    marks = base.mark_point(color=INK, filled=True, size=50, opacity=1)
    drawn = alt.layer(lines(points, [""], x=x, y=y), marks, *parts)
    return values[0][1], values[-1][1], drawn


def _side(at: float, *, falls: bool) -> dict[str, Any]:
    """Return where the name of a dot is written, so that the curve does not cross it."""
    last = at == 1
    below = last if falls else not last
    align = {"align": "right", "dx": -6} if last else {"align": "left", "dx": 6}
    return {**align, "dy": 12 if below else -10}


def _share(order: float) -> float:
    """Return where an order has its place on an axis from 0 to 1."""
    return 1.0 if order == math.inf else order / (1 + order)


def _order(share: float) -> float:
    return math.inf if share >= 1 else share / (1 - share)
