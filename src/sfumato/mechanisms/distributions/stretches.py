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
    """Return a mixture of distributions that are told by stretches, over the same outcomes.

    The odds of each part are multiplied by the sums of all others, so that none is divided.

    Parameters
    ----------
    parts
        The probability of each part, and its stretches: a first and a last outcome, and the odds
        of each outcome between.
    """
    cuts = sorted({edge for _, each in parts for low, high, _ in each for edge in (low, high + 1)})
    scaled = [_scaled(parts, place) for place in range(len(parts))]
    return [
        (low, after - 1, Exponentials.sum(_odds(each, low) for each in scaled))
        for low, after in pairwise(cuts)
    ]


def _scaled(
    parts: Sequence[tuple[Fraction, Stretches]], place: int
) -> list[tuple[int, int, Exponentials]]:
    """Return one part with its odds times its probability and the sums of all others."""
    factor = Exponentials(parts[place][0])
    for other, (_, distribution) in enumerate(parts):
        if other != place:
            factor = factor * _total(distribution)
    return [(low, high, odds * factor) for low, high, odds in parts[place][1]]


def _total(distribution: Stretches) -> Exponentials:
    return Exponentials.sum((high - low + 1) * odds for low, high, odds in distribution)


def _odds(distribution: Stretches, outcome: int) -> Exponentials:
    place = bisect_right(distribution, outcome, key=lambda each: each[0]) - 1
    inside = place >= 0 and outcome <= distribution[place][1]
    return distribution[place][2] if inside else Exponentials(0)
