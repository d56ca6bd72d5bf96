"""How sure somebody can become about a person, by how sure they were before."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from sfumato.charts.curves.readings import common_delta, is_nothing, of_relation, reading
from sfumato.charts.parts.lines import told_apart
from sfumato.charts.parts.style import GREY, INK, MAIN, altair, finished, in_percent, rows
from sfumato.numeric.digits import digits_above
from sfumato.privacy import Posterior, posterior
from sfumato.privacy.sentences import allowance, epsilon_at, secret
from sfumato.translation import tr

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.printing.plotting import Chart
    from sfumato.privacy import Guarantee
    from sfumato.privacy.parameters import Epsilon

    Levels = list[Epsilon | float]

__all__ = ["beliefs"]

_EVENLY, _WIDE = 40, 0.6


def beliefs(guarantees: Mapping[str, Guarantee], *, delta: float | None) -> Chart:
    """Draw the least and the greatest belief after an output, by the belief before it."""
    at = common_delta(guarantees) if delta is None else delta
    levels = {name: epsilon_at(each, at) for name, each in guarantees.items()}
    bands = {name: _band(level) for name, level in levels.items()}
    only = len(bands) == 1
    layers = [*([_shade(bands)] if only else []), *_same(), *_edges(bands)]
    drawn = altair().layer(*layers, *(_even(bands) if only else []))
    title = _title(guarantees, list(levels.values()), at)
    beneath = of_relation(guarantees), _allowed(list(levels.values()), at)
    return finished(drawn, title, *beneath, width=360, height=360)


def _band(epsilon: Epsilon | float) -> list[tuple[float, Posterior]]:
    shares = [(1 - math.cos(math.pi * step / _EVENLY)) / 2 for step in range(_EVENLY + 1)]
    return [(share, _after(share, epsilon)) for share in shares]


def _after(prior: float, epsilon: Epsilon | float, delta: float = 0.0) -> Posterior:
    """Return how far a belief moves; anywhere where nothing is guaranteed."""
    if is_nothing(float(epsilon)):
        return Posterior(least=0.0, greatest=1.0, failure=0.0)
    return posterior(prior=prior, epsilon=epsilon, delta=delta)


def _axes() -> dict[str, Any]:
    alt, scale, axis = altair(), altair().Scale(domain=[0, 1]), in_percent()
    before, after = tr("prior: how sure before"), tr("posterior: how sure after the output")
    return {
        "x": alt.X("before:Q", title=before, scale=scale, axis=axis),
        "y": alt.Y("after:Q", title=after, scale=scale, axis=axis),
    }


def _shade(bands: Mapping[str, list[tuple[float, Posterior]]]) -> Any:
    (band,) = bands.values()
    shaded = [{"before": at, "after": to.greatest, "low": to.least} for at, to in band]
    area = altair().Chart(rows(shaded)).mark_area(color=MAIN, opacity=0.12)
    return area.encode(**_axes(), y2=altair().Y2("low:Q"))


def _edges(bands: Mapping[str, list[tuple[float, Posterior]]]) -> list[Any]:
    """Draw the greatest beliefs, and the least ones."""
    return [
        altair()
        .Chart(
            rows(
                {"name": name, "before": at, "after": getattr(to, side)}
                for name, band in bands.items()
                for at, to in band
            )
        )
        .mark_line(strokeWidth=2)
        .encode(**_axes(), **told_apart(list(bands)))
        for side in ("greatest", "least")
    ]


def _same() -> list[Any]:
    alt = altair()
    ends = alt.Chart(rows([{"before": each, "after": each} for each in (0, 1)]))
    where = alt.Chart(rows([{"before": 0.3, "after": 0.26, "label": tr("nothing is learnt")}]))
    line = ends.mark_line(color=GREY, strokeDash=[4, 3]).encode(**_axes())
    said = where.mark_text(angle=315, color=GREY).encode(**_axes(), text=alt.Text("label:N"))
    return [line, said]


def _even(bands: Mapping[str, list[tuple[float, Posterior]]]) -> list[Any]:
    """Mark what becomes of an even belief."""
    (band,) = bands.values()
    _, to = band[_EVENLY // 2]
    inside = -1 if to.greatest - to.least > _WIDE else 1
    ends = [
        (to.greatest, _at_most(to.greatest), -12 * inside),
        (to.least, _at_least(to.least), 12 * inside),
    ]
    return [layer for end in ends for layer in _mark(*end)]


def _mark(after: float, label: str, shift: int) -> list[Any]:
    alt = altair()
    base = alt.Chart(rows([{"before": 0.5, "after": after, "label": label}])).encode(**_axes())
    dot = base.mark_point(color=INK, filled=True, size=50, opacity=1)
    said = base.mark_text(color=INK, dy=shift, fontWeight="bold").encode(text=alt.Text("label:N"))
    return [dot, said]


def _title(guarantees: Mapping[str, Guarantee], levels: Levels, delta: float) -> str:
    if len(guarantees) > 1:
        return tr(
            "{guarantees}; so far beliefs can move{delta}",
            guarantees=reading(guarantees, delta),
            delta=_but_for(delta),
        )
    (guarantee,) = guarantees.values()
    after = _after(0.5, levels[0], delta)
    return tr(
        "who was 50 % sure that {relation} becomes at most {greatest} sure of it, and at "
        "least {least}{failure}",
        relation=secret(guarantee.relation),
        greatest=_at_most(after.greatest),
        least=_at_least(after.least),
        failure=_but_for(after.failure),
    )


def _but_for(failure: float) -> str:
    """Say that δ lets some outputs tell more, where it does."""
    return tr("; some outputs may tell more") if failure else ""


def _allowed(levels: Levels, delta: float) -> str:
    """Say of which (ε, δ) it was read, and what δ takes from it."""
    failure = max(_after(0.5, level, delta).failure for level in levels)
    if not failure:
        return tr("it holds whatever the output")
    if len(levels) > 1:
        return tr("read at {delta}", delta=allowance(delta))
    level = digits_above(float(levels[0]), 4)
    return tr("read at ε = {level}, {delta}", level=level, delta=allowance(delta))


def _at_most(share: float) -> str:
    return f"{math.ceil(share * 1000) / 10:g} %"


def _at_least(share: float) -> str:
    return f"{math.floor(share * 1000) / 10:g} %"
