"""Analysts who pick each randomized response after seeing all earlier answers: the best of them."""

from __future__ import annotations

import math
from functools import cache, lru_cache
from itertools import product
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from fractions import Fraction

    #: How often each kind of step was taken.
    Counts = tuple[int, ...]


def greatest_mean(
    epsilons: Sequence[Fraction],
    payoff: Callable[[Counts, float], float],
    allowed: Callable[[Counts], bool],
) -> float:
    """The greatest mean payoff, under the one table, of any way to choose steps and to stop.

    A step of ε adds ε to the loss with probability e^ε/(1 + e^ε), and -ε otherwise.  The payoff is
    a function of the steps taken and of their loss.  Backward induction over all histories that
    differ, so the figure is exact but for the rounding of floats.
    """
    levels = [float(each) for each in epsilons]

    @cache
    def value(counts: Counts, rises: Counts) -> float:
        loss = math.fsum(e * (2 * up - n) for e, n, up in zip(levels, counts, rises, strict=True))
        return max([payoff(counts, loss), *(following(kind, counts, rises) for kind in kinds)])

    def following(kind: int, counts: Counts, rises: Counts) -> float:
        after = _raised(counts, kind)
        if not admitted(after):
            return 0.0
        rise = 1 / (1 + math.exp(-levels[kind]))
        return rise * value(after, _raised(rises, kind)) + (1 - rise) * value(after, rises)

    kinds, admitted = range(len(levels)), lru_cache(maxsize=None)(allowed)
    start = (0,) * len(levels)
    return value(start, start)


def losses_in_advance(epsilons: Sequence[Fraction], counts: Counts) -> list[tuple[float, float]]:
    """The losses of steps fixed in advance, greatest first, with their probabilities."""
    found = []
    for rises in product(*(range(count + 1) for count in counts)):
        loss, probability = 0.0, 1.0
        for epsilon, count, up in zip(map(float, epsilons), counts, rises, strict=True):
            rise = 1 / (1 + math.exp(-epsilon))
            loss += epsilon * (2 * up - count)
            probability *= math.comb(count, up) * rise**up * (1 - rise) ** (count - up)
        found.append((loss, probability))
    return sorted(found, reverse=True)


def excess(epsilon: float, loss: float) -> float:
    """(1 - e^(ε - loss))₊, whose mean is the least δ at ε."""
    return max(0.0, -math.expm1(epsilon - loss))


def _raised(counts: Counts, kind: int) -> Counts:
    return tuple(count + (each == kind) for each, count in enumerate(counts))
