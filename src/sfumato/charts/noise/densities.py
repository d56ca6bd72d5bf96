"""Laplace densities: figure 5.1 of the textbook, with any distributions."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from sfumato.charts.parts.lines import named_lines, told_apart
from sfumato.charts.parts.style import altair, finished, rows
from sfumato.errors import InputError
from sfumato.numeric import any_float, shown
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sfumato.printing.plotting import Chart

__all__ = ["laplace_densities"]

_FIGURE = ((0, 1), (0, 2), (0, 4), (-5, 4))
_TITLE = mark("Laplace noise: the greater its scale λ, the wider it is")
_FORMULA = mark("density exp(−|x − μ|/λ) / (2λ): centre μ, scale λ, variance 2λ²")
_EVENLY, _AROUND, _REACH = 120, 40, 2.5


def laplace_densities(distributions: Iterable[tuple[float, float]] = _FIGURE) -> Chart:
    """Draw Laplace densities exp(-abs(x - μ)/λ)/(2λ) in one picture.

    Parameters
    ----------
    distributions
        Pairs of a centre μ and a scale λ above 0; without them the four of the textbook.

    Examples
    --------
    >>> import sfumato as sf
    >>> chart = sf.charts.laplace_densities([(0, 1), (0, 3)])
    >>> chart.to_dict()["title"]["text"]
    ['Laplace noise: the greater its scale λ, the wider it is']
    """
    read = _read(distributions)
    names = named_lines([f"μ = {centre:g}, λ = {scale:g}" for centre, scale in read])
    points = [
        {"name": name, "x": x, "density": math.exp(-abs(x - centre) / scale) / (2 * scale)}
        for name, (centre, scale) in zip(names, read, strict=True)
        for x in _places(read, centre, scale)
    ]
    alt = altair()
    lines = alt.Chart(rows(points)).mark_line(strokeWidth=2)
    drawn = lines.encode(
        x=alt.X("x:Q", title="x", scale=alt.Scale(nice=False)),
        y=alt.Y("density:Q", title=tr("density at x")),
        **told_apart(names),
    )
    return finished(drawn, tr(_TITLE), tr(_FORMULA))


def _places(distributions: list[tuple[float, float]], centre: float, scale: float) -> list[float]:
    """Return where a density is drawn: evenly over the axis, closer around its own peak."""
    low = min(each - _REACH * spread for each, spread in distributions)
    high = max(each + _REACH * spread for each, spread in distributions)
    evenly = [low + (high - low) * step / _EVENLY for step in range(_EVENLY + 1)]
    near = [centre + _REACH * scale * step / _AROUND for step in range(-_AROUND, _AROUND + 1)]
    return sorted({*evenly, *near})


def _read(distributions: Any) -> list[tuple[float, float]]:
    given = list(distributions) if isinstance(distributions, (list, tuple, set)) else []
    pairs = [_pair(each) for each in given]
    if not pairs or None in pairs:
        raise InputError(
            "E-ARGUMENT-TYPE",
            "distributions must be pairs of a centre and a scale above 0, such as [(0, 1), (0, 2)]"
            ", not {distributions}",
            distributions=shown(distributions),
        )
    return [pair for pair in pairs if pair is not None]


def _pair(given: Any) -> tuple[float, float] | None:
    if not isinstance(given, (tuple, list)) or len(given) != 2:
        return None
    centre, scale = (any_float(each) for each in given)
    return (centre, scale) if math.isfinite(centre) and 0 < scale < math.inf else None
