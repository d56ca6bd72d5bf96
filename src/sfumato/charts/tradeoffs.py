"""The trade-off of an attacker who tells neighbours apart: false negatives by false positives."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from sfumato.charts.parts.lines import lines
from sfumato.charts.parts.profiles import (
    Points,
    common_delta,
    is_nothing,
    of_relation,
    profile_points,
    reading,
)
from sfumato.charts.parts.style import SQUARE, altair, finished, of_shares, rows, words
from sfumato.numeric import digits_above
from sfumato.printing import GREY, INK, MAIN
from sfumato.privacy import Posterior, allowance, epsilon_at, posterior, secret
from sfumato.translation import tr

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sfumato.printing import Chart
    from sfumato.privacy import Epsilon, Guarantee

    Levels = list[Epsilon | float]
    Band = list[tuple[float, Posterior]]
    Point = Mapping[str, object]


#: The rate of false positives that a title names.
_ALARMS = 0.05
#: The greatest exponent of a float.
_GREATEST = 700.0
#: How many priors a band of beliefs has, and from which width on its ends are named inside of it.
_EVENLY, _WIDE = 40, 0.6


def tradeoff(guarantees: Mapping[str, Guarantee]) -> Chart:
    """Draw the least false negative rate at each false positive rate."""
    points = {name: profile_points(each) for name, each in guarantees.items()}
    curves = {name: _curve(each) for name, each in points.items()}
    shaded = _impossible(*curves.values(), *points.values()) if len(curves) == 1 else []
    found = [
        {"name": name, "alarms": alarms, "misses": misses}
        for name, corners in curves.items()
        for alarms, misses in corners
    ]
    ends = [{"alarms": 0, "misses": 1}, {"alarms": 1, "misses": 0}]
    where = {"alarms": 0.72, "misses": 0.32, "label": tr("random guessing")}
    blind = _grey(ends, where, _axes(), align="left")
    drawn = altair().layer(*shaded, *blind, lines(found, list(curves), **_axes()))
    return finished(
        drawn,
        _title({name: _missed(each) for name, each in points.items()}),
        of_relation(guarantees),
        "an attacker distinguishes two neighbouring tables by one output",
        **SQUARE,
    )


def least_misses(points: Points, alarms: float) -> float:
    """Return the least false negative rate that (ε, δ) at these points leave at a rate."""
    falls = (line for point in points for line in _falls(*point))
    return max(0.0, *(start - fall * alarms for fall, start in falls))


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
    alt = altair()
    return {
        "x": of_shares(alt.X, "alarms", tr("false positive rate")),
        "y": of_shares(alt.Y, "misses", tr("false negative rate: the least possible")),
    }


def _grey(ends: Sequence[Point], where: Point, axes: Mapping[str, Any], **look: Any) -> list[Any]:
    """Return a line to compare with, and where it is said what it is."""
    line, said = (altair().Chart(rows(each)).encode(**axes) for each in (ends, [where]))
    return [line.mark_line(color=GREY, strokeDash=[4, 3]), words(said, color=GREY, **look)]


def _impossible(corners: Points, points: Points) -> list[Any]:
    """Shade what no attacker reaches, and say so inside where there is room."""
    alt = altair()
    shaded = [{"alarms": alarms, "misses": misses, "low": 0} for alarms, misses in corners]
    area = alt.Chart(rows(shaded)).mark_area(color=MAIN, opacity=0.12)
    drawn = area.encode(**_axes(), y2=alt.Y2("low:Q"))
    here = [{"alarms": 0.03, "misses": 0.05, "label": tr("no attacker gets here")}]
    label = words(alt.Chart(rows(here)).encode(**_axes()), align="left")
    room = least_misses(points, 0.3) > 0.1
    return [drawn, label] if room else [drawn]


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


def beliefs(guarantees: Mapping[str, Guarantee], *, delta: float | None) -> Chart:
    """Draw the least and the greatest belief after an output, by the belief before it."""
    at = common_delta(guarantees) if delta is None else delta
    levels = {name: epsilon_at(each, at) for name, each in guarantees.items()}
    bands = {name: _band(level) for name, level in levels.items()}
    only = [*bands.values()] if len(bands) == 1 else []
    ends = [{"before": each, "after": each} for each in (0, 1)]
    where = {"before": 0.3, "after": 0.26, "label": tr("nothing is learnt")}
    drawn = altair().layer(
        *map(_shade, only),
        *_grey(ends, where, _belief_axes(), angle=315),
        *_edges(bands),
        *(layer for band in only for layer in _even(band)),
    )
    title = _belief_title(guarantees, list(levels.values()), at)
    beneath = of_relation(guarantees), _allowed(list(levels.values()), at)
    return finished(drawn, title, *beneath, **SQUARE)


def _band(epsilon: Epsilon | float) -> Band:
    shares = [(1 - math.cos(math.pi * step / _EVENLY)) / 2 for step in range(_EVENLY + 1)]
    return [(share, _after(share, epsilon)) for share in shares]


def _after(prior: float, epsilon: Epsilon | float, delta: float = 0.0) -> Posterior:
    """Return how far a belief moves; anywhere where nothing is guaranteed."""
    if is_nothing(float(epsilon)):
        return Posterior(least=0.0, greatest=1.0, failure=0.0)
    return posterior(prior=prior, epsilon=epsilon, delta=delta)


def _belief_axes() -> dict[str, Any]:
    alt = altair()
    return {
        "x": of_shares(alt.X, "before", tr("prior: how sure before")),
        "y": of_shares(alt.Y, "after", tr("posterior: how sure after the output")),
    }


def _shade(band: Band) -> Any:
    shaded = [{"before": at, "after": to.greatest, "low": to.least} for at, to in band]
    area = altair().Chart(rows(shaded)).mark_area(color=MAIN, opacity=0.12)
    return area.encode(**_belief_axes(), y2=altair().Y2("low:Q"))


def _edges(bands: Mapping[str, Band]) -> Iterator[Any]:
    """Yield the greatest beliefs, and the least ones."""
    for side in ("greatest", "least"):
        points = [
            {"name": name, "before": at, "after": getattr(to, side)}
            for name, band in bands.items()
            for at, to in band
        ]
        yield lines(points, list(bands), **_belief_axes())


def _even(band: Band) -> list[Any]:
    """Mark what becomes of an even belief."""
    _, to = band[_EVENLY // 2]
    inside = -1 if to.greatest - to.least > _WIDE else 1
    ends = [
        (to.greatest, _at_most(to.greatest), -12 * inside),
        (to.least, _at_least(to.least), 12 * inside),
    ]
    return [layer for end in ends for layer in _mark(*end)]


def _mark(after: float, label: str, shift: int) -> list[Any]:
    alt = altair()
    base = alt.Chart(rows([{"before": 0.5, "after": after, "label": label}])).encode(
        **_belief_axes()
    )
    dot = base.mark_point(color=INK, filled=True, size=50, opacity=1)
    return [dot, words(base, dy=shift, fontWeight="bold")]


def _belief_title(guarantees: Mapping[str, Guarantee], levels: Levels, delta: float) -> str:
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
