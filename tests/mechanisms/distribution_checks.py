"""Questions to an output distribution: how likely cells of outputs are, and how likely errors."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from sfumato.numeric import float_above
from tests.mechanisms.choosing import falls_short
from tests.mechanisms.noise_checks import missed

if TYPE_CHECKING:
    from collections.abc import Callable

    from flint import arb

    from sfumato.mechanisms import FiniteDistribution, OutputDistribution

    Cells = Callable[[Any], list[arb]]


def points(distribution: FiniteDistribution[Any]) -> list[arb]:
    """The probability of each outcome."""
    return [distribution.ball(outcome) for outcome in distribution.outcomes]


def between(*edges: Any) -> Cells:
    """The probabilities of the cells that end with the edges, and of what lies beyond the last."""

    def cells(distribution: OutputDistribution[Any]) -> list[arb]:
        ends = [distribution.cumulative(edge) for edge in sorted(edges)]
        return [ends[0], *(high - low for low, high in pairwise(ends)), 1 - ends[-1]]

    return cells


def gated(*edges: Any) -> Cells:
    """The same, with None for an output of its own."""

    def cells(distribution: OutputDistribution[Any]) -> list[arb]:
        refused, (first, *rest) = distribution.ball(None), between(*edges)(distribution)
        return [refused, first - refused, *rest]

    return cells


def outside(value: Any, centre: Any = None) -> Callable[[Any, Fraction], float]:
    """How likely what is released for a value lies farther from its centre than a distance."""
    true = Fraction(value if centre is None else centre)
    return lambda mechanism, distance: missed(mechanism.distribution(value), true, distance)


def wrong_choice(mechanism: Any, distance: Fraction) -> float:
    """How likely the worse of two candidates is chosen that are just farther apart."""
    return float_above(falls_short(mechanism, float(distance) * (1 + 2**-40), 2))


def false_answer(mechanism: Any, distance: Fraction) -> float:
    """How likely an answer is not the true one."""
    return float_above(1 - mechanism.distribution("yes").ball("yes")) if distance == 0 else 0.0


def dropped(mechanism: Any, people: Fraction) -> float:
    """How likely a group of so many people is not kept."""
    return float_above(mechanism.distribution(math.floor(people)).ball(outcome=False))


def false_alarm(mechanism: Any, distance: Fraction) -> float:
    """How likely a query so far below the threshold is said to be above."""
    return float_above(mechanism.distribution([mechanism.threshold - distance]).ball((True,)))


def unsplit(mechanism: Any, lead: Fraction) -> float:
    """How likely a first cell so far above its bar is not split."""
    root = mechanism.threshold + math.floor(lead)
    return float_above(mechanism.distribution([root, 0]).ball(((0, 0),)))


def off_rank(mechanism: Any, ranks: Fraction) -> float:
    """How likely the point that more values than that have in common is missed."""
    return float_above(1 - mechanism.distribution([5] * (math.floor(ranks) + 1)).ball(5))


def off_weight(mechanism: Any, distance: Fraction) -> float:
    """How likely a point is missed whose weight is so great that all others are farther off."""
    beside = distance * (1 + Fraction(1, 2**20)) + abs(mechanism.offset)
    weight = beside / min(mechanism.rank, 1 - mechanism.rank)
    return float_above(1 - mechanism.distribution([0] * 31 + [weight] + [0] * 31).ball(31))


def off_mean(mechanism: Any, distance: Fraction) -> float:
    """How likely the mean of the answers 1 and 3 is missed by more than a distance."""
    return missed(mechanism.distribution_of_answers([1, 3]), Fraction(2), distance)


def off_answers(mechanism: Any, ranks: Fraction) -> float:
    """How likely the one answer of all blocks is missed; never by more ranks than answers."""
    answers = [5] * mechanism.blocks
    off = 1 - mechanism.distribution_of_answers(answers).ball(5)
    return float_above(off) if ranks < len(answers) else 0.0


def if_released(value: Any, centre: int) -> Callable[[Any, Fraction], float]:
    """How likely a number, if one is released, lies farther from its centre than a distance."""
    return lambda mechanism, distance: missed(
        mechanism.distribution(value).value, Fraction(centre), distance
    )
