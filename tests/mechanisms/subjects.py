"""Every mechanism with what the common contract needs to try it: the place to add a new one."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import sfumato as sf
from sfumato.mechanisms.estimators.exponential_median import ExponentialMedian
from sfumato.mechanisms.estimators.propose_test_release import ProposeTestRelease
from sfumato.mechanisms.estimators.sample_aggregate import SampleAndAggregate
from sfumato.mechanisms.estimators.smooth_median import SmoothMedian
from sfumato.mechanisms.sparse.vector import SparseVector
from sfumato.numeric import as_ball, float_above, working_precision
from tests.mechanisms.choosing import falls_short
from tests.mechanisms.noise_checks import BITS, missed

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from flint import arb

    from sfumato.mechanisms import FiniteLaw, Law, Mechanism

    Cells = Callable[[Any], list[arb]]

#: A column with a narrow middle, and one in which the middle has jumped after one substitution.
LEVEL, JUMPED = [0, 0, 0, 10, 10], [0, 0, 10, 10, 10]


@dataclass(frozen=True)
class Subject:
    """One mechanism, with inputs that put its promise to the test.

    Parameters
    ----------
    make, parameters
        What builds it, from which parameters.
    pairs
        Private values, and how many changes lie between them; the promise is nearly attained.
    cells
        The probabilities of the cells into which all outputs are parted, under a law.
    twin
        Parameters that leave too little noise for the promise: half of it where it is tight.
    misses
        An upper bound on the probability of an error above a distance, by the law.
    asked
        What ``error`` is told besides the confidence.
    tight
        Whether no error bound could be smaller by 30 %.
    closed
        Whether values are those of a public list, and all others are refused.
    """

    make: Callable[..., Mechanism[Any, Any]]
    parameters: Mapping[str, Any]
    pairs: Sequence[tuple[Any, Any, int]]
    cells: Cells
    misses: Callable[[Any, Fraction], float]
    twin: Mapping[str, Any] = field(default_factory=lambda: {"epsilon": 2})
    asked: Mapping[str, Any] = field(default_factory=dict)
    tight: bool = True
    closed: bool = False

    def mechanism(self, **changes: Any) -> Any:
        """The mechanism, or one with other parameters."""
        return self.make(**{**self.parameters, **changes})

    def __str__(self) -> str:
        given = (
            f"{name}={getattr(value, '__name__', value)}" for name, value in self.parameters.items()
        )
        return f"{self.make.__qualname__}({', '.join(given)})"


def points(law: FiniteLaw[Any]) -> list[arb]:
    """The probability of each outcome."""
    return [law.ball(outcome) for outcome in law.outcomes]


def between(*edges: Any) -> Cells:
    """The probabilities of the cells that end with the edges, and of what lies beyond the last."""

    def cells(law: Law[Any]) -> list[arb]:
        ends = [law.cumulative(edge) for edge in sorted(edges)]
        return [ends[0], *(high - low for low, high in pairwise(ends)), 1 - ends[-1]]

    return cells


def gated(*edges: Any) -> Cells:
    """The same, with None for an output of its own."""

    def cells(law: Law[Any]) -> list[arb]:
        refused, (first, *rest) = law.ball(None), between(*edges)(law)
        return [refused, first - refused, *rest]

    return cells


def outside(value: Any, centre: Any = None) -> Callable[[Any, Fraction], float]:
    """How likely what is released for a value lies farther from its centre than a distance."""
    true = Fraction(value if centre is None else centre)
    return lambda mechanism, distance: missed(mechanism.law(value), true, distance)


def wrong_choice(mechanism: Any, distance: Fraction) -> float:
    """How likely the worse of two candidates is chosen that are just farther apart."""
    return _above(falls_short(mechanism, float(distance) * (1 + 2**-40), 2))


def false_answer(mechanism: Any, distance: Fraction) -> float:
    """How likely an answer is not the true one."""
    return _above(1 - mechanism.law("yes").ball("yes")) if distance == 0 else 0.0


def dropped(mechanism: Any, people: Fraction) -> float:
    """How likely a group of so many people is not kept."""
    return _above(mechanism.law(math.floor(people)).ball(False))


def false_alarm(mechanism: Any, distance: Fraction) -> float:
    """How likely a query so far below the threshold is said to be above."""
    return _above(mechanism.law([mechanism.threshold - distance]).ball((True,)))


def off_rank(mechanism: Any, ranks: Fraction) -> float:
    """How likely the point that more values than that have in common is missed."""
    return _above(1 - mechanism.law([5] * (math.floor(ranks) + 1)).ball(5))


def off_mean(mechanism: Any, distance: Fraction) -> float:
    """How likely the mean of the answers 1 and 3 is missed by more than a distance."""
    return missed(mechanism.law_of_answers([1, 3]), Fraction(2), distance)


def off_answers(mechanism: Any, ranks: Fraction) -> float:
    """How likely the one answer of all blocks is missed."""
    answers = [5] * mechanism.blocks
    return _above(1 - mechanism.law_of_answers(answers).ball(5)) if ranks < len(answers) else 0.0


def off_median(mechanism: Any, distance: Fraction) -> float:
    """How likely the median, if it is released, is missed by more than a distance."""
    return missed(mechanism.law([4] * 9).value, Fraction(4), distance)


def _above(chance: arb) -> float:
    with working_precision(BITS):
        return float_above(chance + as_ball(0))


def always_far(rows: Any) -> float:
    """The distance of rows of zeros and ones, whose sum no neighbour moves by more than 1."""
    return math.inf


REALS = between(*(Fraction(k, 4) for k in range(-60, 61)), Fraction(1, 2) + Fraction(1, 2**20))
WHOLES = between(*range(-90, 91))
#: Where the likelihood ratio of normal laws passes e^ε, at which a threshold tells them apart best.
CROSSINGS = [Fraction(str(14.4)), Fraction(str(13.4)), Fraction(str(-13.4)), Fraction(str(-12.4))]
COLUMN = between(*(Fraction(k, 8) for k in range(-1, 82)), Fraction(1, 2**20), Fraction(79999, 8000))
UP_AND_DOWN = [([0, 9], [1, 8], 1), ([3, 3, 3], [4, 2, 2], 1), ([0, 9], [2, 7], 2)]
RISING = [([0, 9], [1, 9], 1), ([3, 3, 3], [4, 3, 3], 1), ([0, 9], [2, 9], 2)]


def choices(kind: Callable[..., Any]) -> list[Subject]:
    """A mechanism that chooses, for utilities of any kind and for monotone ones."""
    asked = {"candidates": 2}
    return [
        Subject(kind, {"epsilon": 1, "sensitivity": 1}, UP_AND_DOWN, points, wrong_choice, asked=asked),
        Subject(
            kind,
            {"epsilon": sf.Ln(3), "sensitivity": 1, "monotone": True},
            RISING,
            points,
            wrong_choice,
            twin={"epsilon": sf.Ln(9)},
            asked=asked,
        ),
    ]


SUBJECTS = [
    Subject(
        sf.Laplace,
        {"epsilon": 1, "sensitivity": 1},
        [(0.375, 1.375, 1), (Fraction(1, 3), Fraction(4, 3), 1), (0, 3, 3)],
        REALS,
        outside(0.375),
    ),
    Subject(
        sf.Laplace,
        {"scale": 4, "sensitivity": 2, "relation": sf.Substitute()},
        [(5, 3, 1), (2**60, 2**60 + 2, 1)],
        between(*range(-40, 40), *(2**60 + 64 * k for k in range(-9, 9))),
        outside(0.375),
        twin={"scale": 2},
    ),
    Subject(
        sf.Gaussian,
        {"epsilon": 1, "delta": 1e-5, "sensitivity": 1},
        [(0.5, -0.5, 1), (0, 1, 1), (0, 3, 3)],
        between(*range(-30, 31), *CROSSINGS),
        outside(0.375),
    ),
    Subject(
        sf.Gaussian,
        {"sigma": 2, "sensitivity": 1},
        [(0, 1, 1), (0, 2, 2)],
        REALS,
        outside(0.375),
        twin={"sigma": 1},
    ),
    Subject(sf.DiscreteLaplace, {"epsilon": 1}, [(5, 6, 1), (0, 3, 3)], WHOLES, outside(7)),
    Subject(
        sf.DiscreteLaplace,
        {"scale": 4, "sensitivity": 2, "relation": sf.Substitute()},
        [(5, 3, 1)],
        WHOLES,
        outside(7),
        twin={"scale": 2},
    ),
    Subject(
        sf.DiscreteGaussian,
        {"epsilon": 1, "delta": 1e-5},
        [(5, 6, 1), (0, 3, 3)],
        WHOLES,
        outside(7),
    ),
    Subject(
        sf.DiscreteGaussian,
        {"sigma": 4, "sensitivity": 2, "dimensions": 3},
        [(0, 2, 1), (3, -1, 2)],
        WHOLES,
        outside(7),
        twin={"sigma": 2},
    ),
    Subject(
        sf.Staircase,
        {"epsilon": 1, "sensitivity": 1},
        [(0.375, 1.375, 1), (0, 3, 3)],
        REALS,
        outside(0.375),
    ),
    Subject(
        sf.RandomizedResponse,
        {"truth": "2/3", "categories": ["yes", "no"]},
        [("yes", "no", 1)],
        points,
        false_answer,
        twin={"truth": "4/5"},
        tight=False,
        closed=True,
    ),
    Subject(
        sf.RandomizedResponse,
        {"epsilon": 2, "categories": ["yes", "no", "perhaps"]},
        [("yes", "no", 1), ("perhaps", "yes", 1)],
        points,
        false_answer,
        twin={"epsilon": 4},
        tight=False,
        closed=True,
    ),
    *choices(sf.Exponential),
    *choices(sf.PermuteAndFlip),
    *choices(sf.ReportNoisyMax),
    Subject(
        sf.PartitionSelection,
        {"epsilon": 1, "delta": 1e-5},
        [(0, 1, 1), (7, 8, 1), (11, 12, 1), (22, 23, 1), (9, 11, 2)],
        points,
        dropped,
    ),
    Subject(
        SparseVector,
        {"epsilon": 1, "sensitivity": 1, "threshold": 2},
        [([5, 5, 5, 5, -3], [4, 4, 4, 4, -2], 1), ([2, 2], [1, 3], 1), ([5, -3], [3, -1], 2)],
        points,
        false_alarm,
    ),
    Subject(
        SparseVector,
        {"epsilon": 1, "sensitivity": 1, "positives": 2, "monotone": True},
        [([-5, -5, -5, -5], [-4, -4, -4, -4], 1), ([3, -6, -6], [3, -5, -5], 1)],
        points,
        false_alarm,
    ),
    Subject(
        ExponentialMedian,
        {"epsilon": 1, "bounds": (0, 10)},
        [([0] * 4, [0] * 4 + [10], 1), ([], [5], 1), ([0] * 4, [0] * 4 + [10] * 2, 2)],
        COLUMN,
        off_rank,
    ),
    Subject(
        SmoothMedian,
        {"epsilon": 1, "bounds": (0, 10)},
        [(LEVEL, JUMPED, 1), ([5] * 5, [5] * 4 + [10], 1), ([0] * 5, [0] * 3 + [10] * 2, 2)],
        COLUMN,
        outside([4] * 9, 4),
        twin={"epsilon": 4},
        asked={"values": [4] * 9},
        tight=False,
    ),
    Subject(
        SmoothMedian,
        {"epsilon": 1, "delta": 0.01, "bounds": (0, 10)},
        [(LEVEL, JUMPED, 1), ([5] * 5, [5] * 4 + [10], 1)],
        COLUMN,
        outside([4] * 9, 4),
        twin={"epsilon": 4},
        asked={"values": [4] * 9},
        tight=False,
    ),
    Subject(
        SampleAndAggregate,
        {"function": sum, "epsilon": 1, "bounds": (0, 4), "blocks": 2, "default": 0},
        [([], [4], 1), ([1, 1, 0], [1, 1, 0, 4], 1), ([], [4, 4], 2)],
        REALS,
        off_mean,
    ),
    Subject(
        SampleAndAggregate,
        {
            "function": sum,
            "epsilon": 1,
            "bounds": (0, 10),
            "blocks": 32,
            "aggregate": "median",
            "default": 0,
            "relation": sf.Substitute(),
        },
        [([0], [10], 1), ([0, 0], [10, 10], 2)],
        COLUMN,
        off_answers,
        tight=False,
    ),
    Subject(
        ProposeTestRelease.median,
        {"epsilon": 1, "delta": 0.05, "proposed": 3, "bounds": (0, 10)},
        [(LEVEL, JUMPED, 1), ([1] * 11 + [4] * 10, [1] * 10 + [4] * 11, 1)],
        gated(*range(-40, 50)),
        off_median,
        twin={"epsilon": 4},
    ),
    Subject(
        ProposeTestRelease,
        {"epsilon": 1, "delta": 0.05, "proposed": 1, "distance": always_far, "query": sum},
        [([1, 1], [1, 1, 1], 1), ([1], [1, 1, 1], 2)],
        gated(*range(-40, 50)),
        lambda mechanism, distance: missed(mechanism.law([1, 1]).value, Fraction(2), distance),
        twin={"epsilon": 4},
    ),
]
