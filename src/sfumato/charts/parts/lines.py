"""Several lines in one picture, told apart by colour and by dash; labels that hide no dot."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from sfumato.charts.parts.style import DASHES, PALETTE, WIDTH, altair, rows
from sfumato.errors import InputError
from sfumato.numeric import shown
from sfumato.printing import MAIN, cut
from sfumato.privacy import Guarantee

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


#: How many characters a name may have, and how many pixels a letter and a symbol take.
_LONGEST, _LETTER, _SYMBOL = 40, 6, 45


class Side(NamedTuple):
    """How a label is aligned, and how far it is across and down from its dot."""

    align: str
    dx: int
    dy: int


#: Above to the right where there is room.
SIDES = tuple(
    Side(align, dx, dy) for dy in (-12, 12) for align, dx in (("left", 16), ("right", -16))
)


def lines(
    points: Iterable[Mapping[str, Any]],
    names: Sequence[str],
    *,
    interpolate: str | None = None,
    **axes: Any,
) -> Any:
    """Return a line through the points of each "name", in their order."""
    look = {} if interpolate is None else {"interpolate": interpolate}
    drawn = altair().Chart(rows(points)).mark_line(strokeWidth=2, **look)
    return drawn.encode(**axes, **told_apart(names))


def told_apart(names: Sequence[str], *, legend: bool = True, field: str = "name") -> dict[str, Any]:
    """Return how lines of a field are told apart; one line needs no legend."""
    alt, count = altair(), len(names)
    if count == 1:
        return {"color": alt.ColorValue(MAIN)}
    kept = [(each * -(-count // len(each)))[:count] for each in (PALETTE, DASHES)]
    shown_as = {
        "orient": "bottom",
        "columns": _columns(names),
        "symbolType": "stroke",
        "symbolSize": 500,
        "labelLimit": _LETTER * _LONGEST,
    }
    shared: dict[str, Any] = {"title": None, "sort": None, "legend": shown_as if legend else None}
    channels = {"color": alt.Color, "strokeDash": alt.StrokeDash}
    return {
        name: channel(f"{field}:N", **shared, scale=alt.Scale(domain=[*names], range=each))
        for (name, channel), each in zip(channels.items(), kept, strict=True)
    }


def _columns(names: Sequence[str]) -> int:
    """Return how many names stand in a row, so that rows are few and about equally long."""
    room = max(1, WIDTH // (_SYMBOL + _LETTER * max(map(len, names))))
    return math.ceil(len(names) / math.ceil(len(names) / room))


def named_lines(names: Sequence[object]) -> list[str]:
    """Return names for a legend: short, and no two alike."""
    kept: list[str] = []
    for place, name in enumerate(names, 1):
        short = cut(str(name), _LONGEST)
        kept.append(f"{short} ({place})" if short in kept else short)
    return kept


def read_named(guarantees: Any) -> dict[str, Guarantee]:
    """Return guarantees by the names of their lines, or refuse in one sentence."""
    given = guarantees if isinstance(guarantees, Mapping) else {}
    if not given or not all(isinstance(each, Guarantee) for each in given.values()):
        raise InputError(
            "E-ARGUMENT-TYPE",
            "give guarantees by their names, such as {{'basic': sf.PureDP(epsilon=1)}}, not "
            "{guarantees}",
            guarantees=shown(guarantees),
        )
    return dict(zip(named_lines(list(given)), given.values(), strict=True))


def sides(
    dots: Sequence[tuple[float, float]], labels: Sequence[str], width: float, height: float
) -> list[Side]:
    """Return the side of each dot on which its label is furthest from all that is there.

    Parameters
    ----------
    dots
        Where they are: how far from the left, and from the top.
    labels
        What is written beside each.
    width, height
        The size of the picture.
    """
    taken = list(dots)
    found = []
    for dot, label in zip(dots, labels, strict=True):
        long = _LETTER * len(label)
        others = [each for each in taken if each != dot]
        best = max(SIDES, key=lambda side: _room(side, dot, long, others, (width, height)))
        taken.append(_middle(best, dot, long))
        found.append(best)
    return found


def _middle(side: Side, dot: tuple[float, float], long: float) -> tuple[float, float]:
    half = math.copysign(long / 2, side.dx)
    return dot[0] + side.dx + half, dot[1] + side.dy


def _room(
    side: Side,
    dot: tuple[float, float],
    long: float,
    others: Sequence[tuple[float, float]],
    size: tuple[float, float],
) -> float:
    """Return how far a label is from all others, up to its own length; less than 0 outside."""
    x, y = _middle(side, dot, long)
    inside = long / 2 <= x <= size[0] - long / 2 and 0 <= y <= size[1]
    nearest = min((math.dist((x, y), each) for each in others), default=math.inf)
    return min(nearest, long) if inside else -1.0
