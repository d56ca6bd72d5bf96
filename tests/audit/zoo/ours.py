"""The mechanisms of the project, each with neighbours that put its guarantee to the test."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato import mechanisms
from sfumato.privacy import Substitute
from sfumato.sampling import SeededSource
from tests.audit.zoo.animal import Animal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.audit.zoo.animal import Draw

__all__ = ["ANIMALS", "together"]

SEEDS = 1 << 62
TABULATED = mechanisms.Tabulated([[8, 3, 1], [4, 4, 4], [1, 3, 8]], neighbours="all")
ONE_NUMBER = mechanisms.DiscreteGaussian(epsilon=1, delta=1e-5)


def together(mechanism: Any) -> Draw:
    """Draw from a mechanism that answers for many numbers at once: here the sum of the table."""

    def draw(generator: np.random.Generator, table: Sequence[Any], n: int) -> Any:
        values = np.full(n, sum(table))
        return mechanism.release(values, source=_source(generator)).value

    return draw


def one_by_one(mechanism: Any) -> Draw:
    """Draw from a mechanism that is given the table itself: rows, utilities or queries."""

    def draw(generator: np.random.Generator, table: Sequence[Any], n: int) -> list[Any]:
        source = _source(generator)
        return [mechanism.release(list(table), source=source).value for _ in range(n)]

    return draw


def alone(mechanism: Any) -> Draw:
    """Draw from a mechanism that is given the one value of the table."""

    def draw(generator: np.random.Generator, table: Sequence[Any], n: int) -> list[Any]:
        source = _source(generator)
        return [mechanism.release(table[0], source=source).value for _ in range(n)]

    return draw


def discrete_gaussian(generator: np.random.Generator, table: Sequence[int], n: int) -> Any:
    """Draw from a mechanism whose guarantee is for one number, as from one for a vector of them."""
    many = mechanisms.DiscreteGaussian(sigma=ONE_NUMBER.sigma, dimensions=n)
    return together(many)(generator, table, n)


def _source(generator: np.random.Generator) -> SeededSource:
    return SeededSource(int(generator.integers(SEEDS)))


def _animal(
    mechanism: Any, draw: Draw, d0: Sequence[Any], d1: Sequence[Any], *, samples: int = 1_000
) -> Animal:
    guarantee = mechanism.guarantee
    return Animal(
        name=type(mechanism).__name__,
        draw=draw,
        d0=tuple(d0),
        d1=tuple(d1),
        epsilon=float(guarantee.exact_epsilon),
        delta=float(getattr(guarantee, "exact_delta", 0)),
        relation=mechanism.relation,
        samples=samples,
    )


def _sums(mechanism: Any, d0: Sequence[Any], d1: Sequence[Any]) -> Animal:
    return _animal(mechanism, together(mechanism), d0, d1)


def _tables(mechanism: Any, d0: Sequence[Any], d1: Sequence[Any]) -> Animal:
    return _animal(mechanism, one_by_one(mechanism), d0, d1, samples=400)


LEVEL, JUMPED = (0, 0, 0, 10, 10), (0, 0, 10, 10, 10)
BOUNDS = (0, 10)
ANIMALS = (
    _sums(mechanisms.Laplace(epsilon=1, sensitivity=1), (0.0,), (0.0, 1.0)),
    _sums(mechanisms.DiscreteLaplace(epsilon=1), (), (1,)),
    _sums(mechanisms.Gaussian(epsilon=1, delta=1e-5, sensitivity=1), (0.0,), (0.0, 1.0)),
    _animal(ONE_NUMBER, discrete_gaussian, (), (1,)),
    _sums(mechanisms.RandomizedResponse(epsilon=1), (0,), (1,)),
    _sums(mechanisms.PartitionSelection(epsilon=1, delta=0.01), (1, 1), (1, 1, 1)),
    _animal(
        TABULATED,
        alone(TABULATED),
        (0,),
        (2,),
        samples=400,
    ),
    _tables(mechanisms.Staircase(epsilon=1, sensitivity=1), (0.0,), (1.0,)),
    _tables(mechanisms.Exponential(epsilon=1, sensitivity=1), (0, 2), (1, 1)),
    _tables(mechanisms.PermuteAndFlip(epsilon=1, sensitivity=1), (0, 2), (1, 1)),
    _tables(mechanisms.ReportNoisyMax(epsilon=1, sensitivity=1), (0, 2), (1, 1)),
    _tables(
        mechanisms.SparseVector(epsilon=1, sensitivity=1, positives=2), (-1, -1, 1, 1), (0, 0, 0, 0)
    ),
    _tables(mechanisms.ExponentialMedian(epsilon=1, bounds=BOUNDS), (0,) * 4, (0,) * 4 + (10,)),
    _tables(mechanisms.SmoothMedian(epsilon=1, bounds=BOUNDS), LEVEL, JUMPED),
    _tables(
        mechanisms.SampleAndAggregate(sum, epsilon=1, bounds=BOUNDS, blocks=2, default=0),
        (),
        (10,),
    ),
    _tables(
        mechanisms.sampled(mechanisms.DiscreteLaplace(epsilon=2), of=sum, rate=0.25), (0,), (0, 1)
    ),
    _tables(
        mechanisms.sampled(
            mechanisms.DiscreteLaplace(epsilon=2, relation=Substitute()),
            of=sum,
            size=1,
            population=3,
        ),
        (0, 0, 0),
        (0, 0, 1),
    ),
    _tables(
        mechanisms.ProposeTestRelease.median(epsilon=1, delta=0.05, proposed=1, bounds=BOUNDS),
        LEVEL,
        JUMPED,
    ),
)
