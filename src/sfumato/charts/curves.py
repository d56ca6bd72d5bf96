"""What a guarantee allows, and several of them side by side."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Literal

from sfumato.charts.parts.lines import lines, read_named
from sfumato.charts.parts.profiles import (
    LEAST,
    Points,
    delta_to_read,
    falls_to_nothing,
    filled,
    is_nothing,
    of_relation,
    profile_points,
    reading,
    readings,
)
from sfumato.charts.parts.style import altair, finished, rows, words
from sfumato.charts.renyi import renyi
from sfumato.charts.tradeoffs import beliefs, tradeoff
from sfumato.errors import InputError
from sfumato.numeric import digits_above, digits_below, shown
from sfumato.printing import GREY, INK, MAIN
from sfumato.privacy import read_delta
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.printing import Chart
    from sfumato.privacy import Guarantee
    from sfumato.privacy.theorems import NumberLike

    Of = Literal["profile", "trade-off", "posterior", "renyi"]


_GUARANTEED = mark("each (ε, δ) on the line or above it is guaranteed; the line is an upper bound")
#: Figures on an axis: as they are, or by powers of ten where they are tiny.
_PLAIN = {"labelExpr": "abs(datum.value) < 1e-4 ? format(datum.value, '~g') : datum.label"}
_POWER = "datum.value == 1 ? '1' : format(datum.value, '~e')"
#: A δ is small from here on; decades are few.
_SMALL, _FEW = 1e-3, 7
#: From a point on its own δ, which is guaranteed for every greater ε, and not what lies between.
_SAFE = "step-after"


def guarantee(
    guarantee: Guarantee, *, of: Of = "profile", delta: NumberLike | None = None
) -> Chart:
    """Draw what a guarantee allows.

    Parameters
    ----------
    guarantee
        The guarantee.
    of
        ``"profile"``: the least δ at each ε.  ``"trade-off"``: the least false negative rate at
        each false positive rate.  ``"posterior"``: how sure somebody can become about a person,
        by how sure they were.  ``"renyi"``: the greatest Rényi divergence at each order.
    delta
        Where the profile and the posterior are read; without it 0 for a pure guarantee, the δ of an
        (ε, δ), and 1e-6 for others.

    Examples
    --------
    >>> import sfumato as sf
    >>> chart = sf.charts.guarantee(sf.privacy.GaussianDP(mu=1))
    >>> chart.to_dict()["title"]["text"]
    ['ε = 4.887 is guaranteed at δ = 1e-06']
    """
    return guarantees({"": guarantee}, of=of, delta=delta)


def guarantees(
    guarantees: Mapping[str, Guarantee], *, of: Of = "profile", delta: NumberLike | None = None
) -> Chart:
    """Draw what several guarantees allow, in one picture.

    Parameters
    ----------
    guarantees
        The guarantees by the names of their lines.
    of, delta
        As in :func:`guarantee`.

    Examples
    --------
    >>> import sfumato as sf
    >>> chart = sf.charts.guarantees({"Laplace": sf.PureDP(epsilon=1),
    ...                               "Gaussian": sf.ApproxDP(epsilon=1, delta=1e-6)})
    >>> chart.to_dict()["title"]["text"]
    ['at δ = 1e-06: ε = 1 for Laplace, 1 for Gaussian']
    """
    named = read_named(guarantees)
    at = None if delta is None else float(read_delta(delta))
    kinds: dict[str, Any] = {
        "profile": lambda: _profile(named, delta=at),
        "trade-off": lambda: tradeoff(named),
        "posterior": lambda: beliefs(named, delta=at),
        "renyi": lambda: renyi(named),
    }
    if of not in kinds:
        raise InputError(
            "E-ARGUMENT-CHOICE",
            "of must be 'profile', 'trade-off', 'posterior' or 'renyi', not {of}",
            of=shown(of),
        )
    chart: Chart = kinds[of]()
    return chart


def _profile(guarantees: Mapping[str, Guarantee], *, delta: float | None) -> Chart:
    """Draw the least δ at each ε."""
    curves = {name: filled(profile_points(each)) for name, each in guarantees.items()}
    scale = _scale(guarantees, curves)
    drawn = altair().layer(
        *([_above(curves, scale)] if len(curves) == 1 else []),
        _lines(curves, scale),
        *_marked(guarantees, curves, scale, delta),
    )
    return finished(drawn, _title(guarantees, delta), of_relation(guarantees), tr(_GUARANTEED))


def _scale(guarantees: Mapping[str, Guarantee], curves: Mapping[str, Points]) -> Any:
    """Return a linear axis where every δ stays great or falls to 0, else a logarithmic one."""
    alt = altair()
    told = [curves[name] for name, each in guarantees.items() if not falls_to_nothing(each)]
    least = min((delta for points in told for _, delta in points if delta), default=1.0)
    if least > _SMALL:
        return alt.Scale(domain=[0, max(points[0][1] for points in curves.values()) or 1])
    decades = math.ceil(-math.log10(max(least, LEAST)))
    return alt.Scale(type="log", domain=[10.0**-decades, 1], clamp=True)


def _fields(scale: Any) -> dict[str, Any]:
    alt = altair()
    low = scale.to_dict()["domain"][0]
    axis = alt.Axis(labelExpr=_POWER, values=_decades(low)) if low else _PLAIN
    return {
        "x": alt.X("epsilon:Q", title="ε", scale=alt.Scale(nice=False), axis=_PLAIN),
        "y": alt.Y("delta:Q", title=tr("δ: what e^ε leaves over"), scale=scale, axis=axis),
    }


def _decades(low: float) -> list[float]:
    """Return some powers of ten, down to where the axis ends."""
    most = round(-math.log10(low))
    return [10.0**-power for power in range(0, most + 1, 1 if most <= _FEW else 2)]


def _lines(curves: Mapping[str, Points], scale: Any) -> Any:
    floor = scale.to_dict()["domain"][0]
    points = [
        {"name": name, "epsilon": level, "delta": max(delta, floor)}
        for name, points in curves.items()
        for level, delta in _shown(points, floor)
    ]
    return lines(points, list(curves), interpolate=_SAFE, **_fields(scale))


def _shown(points: Points, floor: float) -> Points:
    """Return a curve down to where the axis ends, and no further along it than one point."""
    end = next((place for place, (_, delta) in enumerate(points) if delta < floor), len(points))
    return points[: end + 1] if floor else points


def _above(curves: Mapping[str, Points], scale: Any) -> Any:
    """Shade what is guaranteed."""
    alt, (low, top) = altair(), scale.to_dict()["domain"]
    (points,) = curves.values()
    shaded = [
        {"epsilon": level, "delta": max(delta, low), "top": top}
        for level, delta in _shown(points, low)
    ]
    drawn = alt.Chart(rows(shaded)).mark_area(color=MAIN, opacity=0.08, interpolate=_SAFE)
    return drawn.encode(**_fields(scale), y2=alt.Y2("top:Q"))


def _marked(
    guarantees: Mapping[str, Guarantee],
    curves: Mapping[str, Points],
    scale: Any,
    delta: float | None,
) -> list[Any]:
    """Mark the point that the title reads, where the axes hold it."""
    alt, low = altair(), scale.to_dict()["domain"][0]
    ends = max(_shown(points, low)[-1][0] for points in curves.values())
    found = readings(guarantees, delta)
    kept = [
        {"epsilon": level, "delta": max(at, low), "label": f"ε = {digits_above(level, 4)}"}
        for level, at in found.values()
        if level <= ends and (at >= low or not at)
    ]
    base = alt.Chart(rows(kept)).encode(**_fields(scale))
    near: dict[str, Any] = {"align": "left", "dx": 4, "dy": -8}
    if any(row["epsilon"] > 0.9 * ends for row in kept):
        near |= {"align": "right", "dx": -8, "dy": 12}
    at = [{"epsilon": ends, "delta": each} for each in sorted({row["delta"] for row in kept})]
    across = (
        alt.Chart(rows(at)).mark_rule(color=GREY, strokeDash=[2, 3]).encode(y=_fields(scale)["y"])
    )
    dots = base.mark_point(color=INK, filled=True, size=50, opacity=1)
    labels = [words(base, **near)] if len(curves) == 1 else []
    return [*([across] if low else []), dots, *labels] if kept else []


def _title(guarantees: Mapping[str, Guarantee], delta: float | None) -> str:
    if len(guarantees) > 1:
        return reading(guarantees, delta)
    (guarantee,) = guarantees.values()
    at = delta_to_read(guarantee) if delta is None else delta
    level = guarantee.epsilon(delta=at)
    if is_nothing(level):
        return tr("no ε is guaranteed at δ = {at}", at=digits_below(at, 4))
    if at == 0:
        return tr("from ε = {level} on no δ is needed", level=digits_above(level, 4))
    return tr(
        "ε = {level} is guaranteed at δ = {at}",
        level=digits_above(level, 4),
        at=digits_above(at, 4),
    )
