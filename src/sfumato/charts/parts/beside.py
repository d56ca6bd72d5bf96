"""Where the label of a dot is, so that it lies on no other dot and ends in the picture."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["SIDES", "Side", "sides"]

_LETTER = 6


class Side(NamedTuple):
    """How a label is aligned, and how far it is across and down from its dot."""

    align: str
    dx: int
    dy: int


#: Above to the right where there is room.
SIDES = tuple(
    Side(align, dx, dy) for dy in (-12, 12) for align, dx in (("left", 16), ("right", -16))
)


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
