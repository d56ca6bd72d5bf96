"""Questions that tests of choices share: is a choice private on all neighbours, is a draw fair."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

from flint import arb

from sfumato.numeric import as_ball, working_precision
from sfumato.sampling import SeededSource

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from sfumato.mechanisms import FiniteDistribution
    from sfumato.mechanisms.choices.selection import Selection
    from sfumato.privacy.parameters import Epsilon

    Vector = tuple[Any, ...]

#: What equality up to the rounding of balls may come to, relatively.
SLACK = arb(2) ** -80
BOX = tuple(product(range(3), repeat=3))
#: All pairs of the box that differ by at most one in each coordinate.
NEIGHBOURS = [
    (one, other)
    for one, other in product(BOX, BOX)
    if all(abs(a - b) <= 1 for a, b in zip(one, other, strict=True))
]
#: Those of them in which nothing falls.
RISING = [pair for pair in NEIGHBOURS if all(a <= b for a, b in zip(*pair, strict=True))]
#: What is no positive number.
NOT_POSITIVE = [0, -1, float("nan"), float("inf"), True, None, "much", "", [1], 1j]
#: What is no confidence.
NO_CONFIDENCE = [0, 1, 1.5, float("nan"), True, None, "sure"]
#: What no utilities are, by type or shape.
NO_UTILITIES: list[Any] = [
    *([], {}, 3, "abc", None, {1, 2}, [[1, 2], [3, 4]], [1, "2"], [True, 2], [1j]),
    *({"red": "much"}, [[1], [2, 3]]),
]


def balls(distribution: FiniteDistribution[Any]) -> list[arb]:
    """All probabilities of a distribution."""
    with working_precision(128):
        return [distribution.ball(outcome) for outcome in distribution.outcomes]


def at_most(one: arb, other: arb, epsilon: Epsilon | int) -> bool:
    """Whether one probability is at most e^ε times another, up to the rounding of balls."""
    with working_precision(128):
        return bool(one <= as_ball(epsilon).exp() * other * (1 + SLACK))


def keeps_its_guarantee(
    distribution: Callable[[Vector], FiniteDistribution[Any]],
    pairs: Iterable[tuple[Vector, Vector]],
    epsilon: Epsilon | int,
) -> bool:
    """Whether no outcome is more than e^ε times likelier on a neighbour, in both directions."""
    pairs = list(pairs)
    chances = {vector: balls(distribution(vector)) for pair in pairs for vector in pair}
    return all(
        at_most(a, b, epsilon) and at_most(b, a, epsilon)
        for one, other in pairs
        for a, b in zip(chances[one], chances[other], strict=True)
    )


def best_or_not(mechanism: Selection, utilities: Sequence[int], draws: int) -> list[int]:
    """How often the first candidate was released, and how often another."""
    source = SeededSource(20)
    best = sum(mechanism.release(utilities, source=source).value == 0 for _ in range(draws))
    return [best, draws - best]


def falls_short(mechanism: Selection, shortfall: float, candidates: int) -> arb:
    """The probability to miss the best of candidates of which all others are this much worse."""
    best = mechanism.distribution([0] + (candidates - 1) * [-shortfall]).ball(0)
    return 1 - best
