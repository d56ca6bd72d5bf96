"""Every mechanism with what the common contract needs to try it: the place to add a new one."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import sfumato as sf
from sfumato.mechanisms import (
    ExponentialMedian,
    ExponentialQuantile,
    FixedSizeSampled,
    PoissonSampled,
    PrivateTree,
    ProposeTestRelease,
    SampleAndAggregate,
    SmoothMedian,
    SparseVector,
)
from tests.mechanisms.distribution_checks import (
    between,
    dropped,
    false_alarm,
    false_answer,
    gated,
    if_released,
    off_answers,
    off_mean,
    off_rank,
    off_weight,
    outside,
    points,
    unsplit,
    wrong_choice,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from sfumato.mechanisms import Mechanism
    from tests.mechanisms.distribution_checks import Cells

#: A column with a narrow middle, and one in which the middle has jumped after one substitution.
LEVEL, JUMPED = [0, 0, 0, 10, 10], [0, 0, 10, 10, 10]


@dataclass(frozen=True)
class Subject:
    """One mechanism, with inputs that put its guarantee to the test.

    Parameters
    ----------
    make, parameters
        What builds it, from which parameters.
    pairs
        Private values, and how many changes lie between them; the guarantee is nearly attained.
    cells
        The probabilities of the cells into which all outputs are parted, under a distribution.
    twin
        Parameters that leave too little noise for the guarantee: half of it where it is tight.
    misses
        An upper bound on the probability of an error above a distance, by the distribution.
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


def always_far(rows: Any) -> float:
    """The distance of rows of zeros and ones, whose sum no neighbour moves by more than 1."""
    return math.inf


def cells(first: int, last: int = 0) -> list[int]:
    """Counts of the eight cells of a tree, of which all but two are empty."""
    return [first, 0, 0, 0, 0, 0, 0, last]


REALS = between(*(Fraction(k, 4) for k in range(-60, 61)), Fraction(1, 2) + Fraction(1, 2**20))
WHOLES = between(*range(-90, 91))
#: Where the likelihood ratio of normal distributions passes e^ε: there a threshold tells them apart
#: best.
CROSSINGS = [Fraction(each) for each in ("-13.9176", "-13.4176", "13.9176", "14.4176")]
NARROW = [Fraction(1, 2**20), 10 - Fraction(1, 2**7)]
COLUMN = between(*(Fraction(k, 8) for k in range(-1, 82)), *NARROW)
#: Many points without weight.
FLAT = [0] * 60
UP_AND_DOWN = [([0, 9], [1, 8], 1), ([3, 3, 3], [4, 2, 2], 1), ([0, 9], [2, 7], 2)]
RISING = [([0, 9], [1, 9], 1), ([3, 3, 3], [4, 3, 3], 1), ([0, 9], [2, 9], 2)]


def choices(kind: Callable[..., Any]) -> list[Subject]:
    """A mechanism that chooses, for utilities of any kind and for monotone ones."""
    asked = {"candidates": 2}
    return [
        Subject(
            kind, {"epsilon": 1, "sensitivity": 1}, UP_AND_DOWN, points, wrong_choice, asked=asked
        ),
        Subject(
            kind,
            {"epsilon": sf.numeric.Ln(3), "sensitivity": 1, "monotone": True},
            RISING,
            points,
            wrong_choice,
            twin={"epsilon": sf.numeric.Ln(9)},
            asked=asked,
        ),
    ]


SUBJECTS = [
    Subject(
        sf.mechanisms.Laplace,
        {"epsilon": 1, "sensitivity": 1},
        [(0.375, 1.375, 1), (Fraction(1, 3), Fraction(4, 3), 1), (0, 3, 3)],
        REALS,
        outside(0.375),
    ),
    Subject(
        sf.mechanisms.Laplace,
        {"scale": 4, "sensitivity": 2, "relation": sf.privacy.Substitute()},
        [(5, 3, 1), (2**60, 2**60 + 2, 1)],
        between(*range(-40, 40), *(2**60 + 64 * k for k in range(-9, 9))),
        outside(0.375),
        twin={"scale": 2},
    ),
    Subject(
        sf.mechanisms.Gaussian,
        {"epsilon": 1, "delta": 1e-5, "sensitivity": 1},
        [(0.5, -0.5, 1), (0, 1, 1), (0, 3, 3)],
        between(*range(-30, 31), *CROSSINGS),
        outside(0.375),
    ),
    Subject(
        sf.mechanisms.Gaussian,
        {"sigma": 2, "sensitivity": 1},
        [(0, 1, 1), (0, 2, 2)],
        REALS,
        outside(0.375),
        twin={"sigma": 1},
    ),
    Subject(
        sf.mechanisms.DiscreteLaplace, {"epsilon": 1}, [(5, 6, 1), (0, 3, 3)], WHOLES, outside(7)
    ),
    Subject(
        sf.mechanisms.DiscreteLaplace,
        {"scale": 4, "sensitivity": 2, "relation": sf.privacy.Substitute()},
        [(5, 3, 1)],
        WHOLES,
        outside(7),
        twin={"scale": 2},
    ),
    Subject(
        sf.mechanisms.DiscreteGaussian,
        {"epsilon": 1, "delta": 1e-5},
        [(5, 6, 1), (0, 3, 3)],
        WHOLES,
        outside(7),
    ),
    Subject(
        sf.mechanisms.DiscreteGaussian,
        {"sigma": 4, "sensitivity": 2, "dimensions": 3},
        [(0, 2, 1), (3, -1, 2)],
        WHOLES,
        outside(7),
        twin={"sigma": 2},
    ),
    Subject(
        sf.mechanisms.Staircase,
        {"epsilon": 1, "sensitivity": 1},
        [(0.375, 1.375, 1), (0, 3, 3)],
        REALS,
        outside(0.375),
    ),
    Subject(
        sf.mechanisms.RandomizedResponse,
        {"truth": "2/3", "categories": ["yes", "no"]},
        [("yes", "no", 1)],
        points,
        false_answer,
        twin={"truth": "4/5"},
        tight=False,
        closed=True,
    ),
    Subject(
        sf.mechanisms.RandomizedResponse,
        {"epsilon": 2, "categories": ["yes", "no", "perhaps"]},
        [("yes", "no", 1), ("perhaps", "yes", 1)],
        points,
        false_answer,
        twin={"epsilon": 4},
        tight=False,
        closed=True,
    ),
    Subject(
        sf.mechanisms.Tabulated,
        {"channel": {"yes": {"yes": 3, "no": 1}, "no": {"yes": 1, "no": 3}}, "neighbours": "all"},
        [("yes", "no", 1)],
        points,
        false_answer,
        twin={"channel": {"yes": {"yes": 9, "no": 1}, "no": {"yes": 1, "no": 9}}},
        tight=False,
        closed=True,
    ),
    *choices(sf.mechanisms.Exponential),
    *choices(sf.mechanisms.PermuteAndFlip),
    *choices(sf.mechanisms.ReportNoisyMax),
    Subject(
        sf.mechanisms.PartitionSelection,
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
        PrivateTree,
        {"epsilon": 1, "depth": 3},
        [(cells(2), cells(3), 1), (cells(5, 1), cells(5, 2), 1), (cells(1, 3), cells(2, 4), 2)],
        points,
        unsplit,
    ),
    Subject(
        PrivateTree,
        {
            "epsilon": 8,
            "depth": 3,
            "sensitivity": 1,
            "threshold": 5,
            "relation": sf.privacy.Substitute(),
        },
        [(cells(7, 8), cells(8, 7), 1), (cells(3), cells(0, 3), 3), (cells(7), cells(8), 1)],
        points,
        unsplit,
        twin={"epsilon": 16},
    ),
    Subject(
        ExponentialMedian,
        {"epsilon": 1, "bounds": (0, 10)},
        [([0] * 4, [0] * 4 + [10], 1), ([], [5], 1), ([0] * 4, [0] * 4 + [10] * 2, 2)],
        COLUMN,
        off_rank,
    ),
    Subject(
        ExponentialQuantile,
        {"epsilon": 1, "rank": 0.5, "sensitivity": 1, "offset": 0},
        [
            ([0, 0, 4, *FLAT], [1, 0, 4, *FLAT], 1),
            ([0, 2, 0], [0, 2, 1], 1),
            ([0, 0, 4, *FLAT], [2, 0, 4, *FLAT], 2),
        ],
        points,
        off_weight,
        asked={"candidates": 3 + len(FLAT)},
    ),
    Subject(
        ExponentialQuantile,
        {
            "epsilon": 1,
            "rank": "1/4",
            "sensitivity": 3,
            "offset": 2,
            "relation": sf.privacy.Substitute(),
        },
        [([6, *FLAT, 6], [6, *FLAT, 9], 1), ([6, 0, 7, *FLAT], [6, 0, 4, *FLAT], 1)],
        points,
        off_weight,
        asked={"candidates": 3 + len(FLAT)},
        twin={"epsilon": 4},
        tight=False,
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
            "relation": sf.privacy.Substitute(),
        },
        [([0], [10], 1), ([0, 0], [10, 10], 2)],
        COLUMN,
        off_answers,
        tight=False,
    ),
    Subject(
        PoissonSampled,
        {"mechanism": sf.mechanisms.DiscreteLaplace(epsilon=1), "rate": "1/4", "of": sum},
        [([0, 0], [0, 0, 1], 1), ([], [1], 1), ([1], [1, 1, 1], 2)],
        WHOLES,
        outside([0, 0], 0),
        twin={"mechanism": sf.mechanisms.DiscreteLaplace(epsilon=2)},
    ),
    Subject(
        FixedSizeSampled,
        {
            "mechanism": sf.mechanisms.DiscreteLaplace(epsilon=1, relation=sf.privacy.Substitute()),
            "size": 2,
            "population": 3,
            "of": sum,
        },
        [([0, 0, 0], [0, 0, 1], 1), ([1, 0, 0], [1, 0, 1], 1), ([0, 0, 0], [1, 1, 0], 2)],
        WHOLES,
        outside([0, 0, 0], 0),
        twin={
            "mechanism": sf.mechanisms.DiscreteLaplace(epsilon=2, relation=sf.privacy.Substitute())
        },
    ),
    Subject(
        ProposeTestRelease.median,
        {"epsilon": 1, "delta": 0.05, "proposed": 3, "bounds": (0, 10)},
        [(LEVEL, JUMPED, 1), ([1] * 11 + [4] * 10, [1] * 10 + [4] * 11, 1)],
        gated(*range(-40, 50)),
        if_released([4] * 9, 4),
        twin={"epsilon": 4},
    ),
    Subject(
        ProposeTestRelease,
        {"epsilon": 1, "delta": 0.05, "proposed": 1, "distance": always_far, "query": sum},
        [([1, 1], [1, 1, 1], 1), ([1], [1, 1, 1], 2)],
        gated(*range(-40, 50)),
        if_released([1, 1], 2),
        twin={"epsilon": 4},
    ),
]
