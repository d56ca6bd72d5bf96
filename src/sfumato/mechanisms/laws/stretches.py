"""Stretches of equally likely outcomes, and mixtures of them, with exact odds."""

from __future__ import annotations

from bisect import bisect_right
from itertools import pairwise
from typing import TYPE_CHECKING

from sfumato.numeric import Exponentials

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    Stretches = Sequence[tuple[int, int, Exponentials]]

__all__ = ["mixed_stretches"]


def mixed_stretches(
    parts: Sequence[tuple[Fraction, Stretches]],
) -> list[tuple[int, int, Exponentials]]:
    """Return a mixture of laws that are told by stretches, over the same outcomes.

    The odds of each part are multiplied by the sums of all others, so that none is divided.

    Parameters
    ----------
    parts
        The probability of each part, and its stretches: a first and a last outcome, and the odds
        of each outcome between.
    """
    cuts = sorted({edge for _, law in parts for low, high, _ in law for edge in (low, high + 1)})
    scaled = [_scaled(parts, place) for place in range(len(parts))]
    return [
        (low, after - 1, Exponentials.sum(_odds(law, low) for law in scaled))
        for low, after in pairwise(cuts)
    ]


def _scaled(
    parts: Sequence[tuple[Fraction, Stretches]], place: int
) -> list[tuple[int, int, Exponentials]]:
    """Return one part with its odds times its probability and the sums of all others."""
    factor = Exponentials(parts[place][0])
    for other, (_, law) in enumerate(parts):
        if other != place:
            factor = factor * _total(law)
    return [(low, high, odds * factor) for low, high, odds in parts[place][1]]


def _total(law: Stretches) -> Exponentials:
    return Exponentials.sum((high - low + 1) * odds for low, high, odds in law)


def _odds(law: Stretches, outcome: int) -> Exponentials:
    place = bisect_right(law, outcome, key=lambda each: each[0]) - 1
    inside = place >= 0 and outcome <= law[place][1]
    return law[place][2] if inside else Exponentials(0)
