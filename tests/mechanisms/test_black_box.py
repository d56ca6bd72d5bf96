"""Black-box experiments: draws alone tell neighbours apart no better than is guaranteed.

The audit room judges the draws, so a right mechanism is accused with probability at most 1e-6.
That it would be accused if it were wrong is shown by its twin, with too little noise.  The seeds
are fixed: no test passes or fails by chance.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import sfumato as sf
from sfumato.audit import AuditReport, audit
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
from sfumato.sampling import SeededSource
from tests.mechanisms.subjects import SUBJECTS, always_far

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Draws = NDArray[Any]
    Sampler = Callable[[Any, int, int], Draws]

pytestmark = pytest.mark.full

#: Draws of a mechanism that gives many at once, and of one that does not.
MANY, FEW = 1_000_000, 1_000


def together(mechanism: Any) -> Sampler:
    """Draws from one release of an array."""

    def draw(value: Any, size: int, seed: int) -> Draws:
        values = np.full(size, value)
        return np.asarray(mechanism.release(values, source=SeededSource(seed)).value)

    return draw


def one_by_one(mechanism: Any) -> Sampler:
    """Draws from one release each; NaN where None is released, and text for what is no number."""

    def draw(value: Any, size: int, seed: int) -> Draws:
        source = SeededSource(seed)
        found = [mechanism.release(value, source=source).value for _ in range(size)]
        numbers = {type(each) for each in found} <= {float, type(None)}
        return np.array(found, dtype=float) if numbers else np.array(list(map(str, found)))

    return draw


def laplace_in_floats(value: Any, size: int, seed: int) -> Draws:
    """NumPy's noise of scale 1, added in floats."""
    return np.asarray(value + np.random.default_rng(seed).laplace(size=size))


@dataclass(frozen=True)
class Experiment:
    """A mechanism with a guarantee, and how it and one that breaks the guarantee are drawn from."""

    mechanism: Any
    right: Sampler
    wrong: Sampler
    values: tuple[Any, Any]
    right_size: int
    wrong_size: int

    def shown(self, sampler: Sampler, size: int) -> AuditReport:
        """What so many draws of a sampler prove about the guarantee."""
        seeds, guarantee = count(1), self.mechanism.guarantee
        return audit(
            lambda value, draws: sampler(value, draws, next(seeds)),
            *self.values,
            epsilon=guarantee.exact_epsilon,
            delta=getattr(guarantee, "exact_delta", 0),
            samples=size,
        )

    def __str__(self) -> str:
        return type(self.mechanism).__name__


def in_bulk(right: Any, wrong: Any, values: tuple[Any, Any]) -> Experiment:
    return Experiment(right, together(right), together(wrong), values, MANY, MANY)


def one_each(right: Any, wrong: Any, values: tuple[Any, Any], size: int) -> Experiment:
    return Experiment(right, one_by_one(right), one_by_one(wrong), values, FEW // 2, size)


def broken(mechanism: Any, **changes: Any) -> Any:
    """A mechanism in which something is not as it should be."""
    mechanism.__dict__.update(changes)
    return mechanism


def half_the_scale() -> Experiment:
    """Discrete Gaussian noise: one number has the guarantee, many are drawn at once."""
    right = sf.mechanisms.DiscreteGaussian(epsilon=1, delta=1e-5)
    many, wrong = (
        sf.mechanisms.DiscreteGaussian(sigma=right.sigma / each, dimensions=MANY) for each in (1, 2)
    )
    return Experiment(right, together(many), together(wrong), (0, 1), MANY, MANY)


def as_if_monotone(kind: Callable[..., Any], size: int) -> Experiment:
    """A choice without the factor 2, where one utility rises and another falls."""
    right, wrong = (kind(epsilon=2, sensitivity=1, monotone=each) for each in (False, True))
    return one_each(right, wrong, ([0, 2], [1, 1]), size)


def without_noise_on_queries() -> Experiment:
    """The sparse vector of Algorithm 5 of Lyu, Su and Li, which compares the queries themselves."""
    right, wrong = (SparseVector(epsilon=2, sensitivity=1) for _ in range(2))
    return one_each(right, broken(wrong, query_scale=Fraction(1, 10**4)), ([0, 1], [1, 0]), 2 * FEW)


def noise_for_local_sensitivity() -> Experiment:
    """The median with noise for its sensitivity at the table alone, which tells that it is 0."""
    right, wrong = (SmoothMedian(epsilon=2, bounds=(0, 10)) for _ in range(2))
    return one_each(right, broken(wrong, beta=Fraction(1000)), ([5] * 3, [5, 5, 10]), FEW)


def without_a_test() -> Experiment:
    """The median with noise for a proposed sensitivity that nobody tests."""
    given: dict[str, Any] = {"epsilon": 2, "delta": 0.05, "proposed": 1, "bounds": (0, 10)}
    right, wrong = (ProposeTestRelease.median(**given) for _ in range(2))
    values = [0, 0, 0, 10, 10], [0, 0, 10, 10, 10]
    return one_each(right, broken(wrong, distance=always_far), values, FEW)


def without_a_step() -> Experiment:
    """A tree whose bar does not rise: each level of a path tells again what the first one told."""
    right, wrong = (PrivateTree(epsilon=2, depth=3) for _ in range(2))
    return one_each(right, broken(wrong, step=0), ([0] * 8, [1, *[0] * 7]), 2 * FEW)


def another_rate() -> Experiment:
    """A Poisson sample in which everybody is."""
    right, wrong = (
        PoissonSampled(sf.mechanisms.DiscreteLaplace(epsilon=3), rate="1/10", of=sum)
        for _ in range(2)
    )
    return one_each(right, broken(wrong, rate=Fraction(1)), ([0, 0], [0, 0, 1]), 2 * FEW)


def always_the_first() -> Experiment:
    """A sample of a fixed size for which nothing is drawn."""
    noise = sf.mechanisms.DiscreteLaplace(epsilon=3, relation=sf.privacy.Substitute())
    right, wrong = (FixedSizeSampled(noise, size=1, population=10, of=sum) for _ in range(2))
    first = np.array([0, *[-1] * 9])
    same = broken(wrong, _drawn=lambda _units, _source: first)
    return one_each(right, same, ([0] * 10, [1, *[0] * 9]), 2 * FEW)


def half_the_noise(
    kind: Callable[..., Any], values: tuple[Any, Any], size: int, **given: Any
) -> Experiment:
    """Noise for ε = 4 where ε = 2 is guaranteed."""
    return one_each(kind(epsilon=2, **given), kind(epsilon=4, **given), values, size)


def quantile_at_four_times_the_epsilon() -> Experiment:
    """A choice whose utilities all move the same way, so that half of ε does not show."""
    right, wrong = (ExponentialQuantile(epsilon=each, rank=0.5, sensitivity=1) for each in (2, 8))
    return one_each(right, wrong, ([1, 1], [1, 2]), 3 * FEW)


EXPERIMENTS = [
    in_bulk(
        sf.mechanisms.Laplace(scale=1, sensitivity=1),
        sf.mechanisms.Laplace(scale=0.5, sensitivity=1),
        (0.0, 1.0),
    ),
    in_bulk(
        sf.mechanisms.DiscreteLaplace(scale=1), sf.mechanisms.DiscreteLaplace(scale=0.5), (0, 1)
    ),
    in_bulk(
        gaussian := sf.mechanisms.Gaussian(epsilon=1, delta=1e-5, sensitivity=1),
        sf.mechanisms.Gaussian(sigma=gaussian.sigma / 2, sensitivity=1),
        (0.0, 1.0),
    ),
    half_the_scale(),
    in_bulk(
        sf.mechanisms.RandomizedResponse(epsilon=1),
        sf.mechanisms.RandomizedResponse(epsilon=2),
        (0, 1),
    ),
    in_bulk(
        sf.mechanisms.PartitionSelection(epsilon=1, delta=1e-5),
        sf.mechanisms.PartitionSelection(epsilon=2, delta=1e-5),
        (5, 6),
    ),
    one_each(
        sf.mechanisms.Tabulated([[3, 1], [1, 3]], neighbours="all"),
        sf.mechanisms.Tabulated([[9, 1], [1, 9]], neighbours="all"),
        (0, 1),
        2 * FEW,
    ),
    half_the_noise(sf.mechanisms.Staircase, (0.0, 1.0), 2 * FEW, sensitivity=1),
    as_if_monotone(sf.mechanisms.Exponential, 4 * FEW),
    as_if_monotone(sf.mechanisms.PermuteAndFlip, 4 * FEW),
    as_if_monotone(sf.mechanisms.ReportNoisyMax, 7 * FEW),
    without_noise_on_queries(),
    without_a_step(),
    half_the_noise(ExponentialMedian, ([0] * 3, [0] * 3 + [10]), 5 * FEW, bounds=(0, 10)),
    quantile_at_four_times_the_epsilon(),
    noise_for_local_sensitivity(),
    half_the_noise(
        partial(SampleAndAggregate, sum), ([], [4]), 2 * FEW, bounds=(0, 4), blocks=2, default=0
    ),
    without_a_test(),
    another_rate(),
    always_the_first(),
]


def test_every_mechanism_is_tried() -> None:
    tried = {type(each.mechanism) for each in EXPERIMENTS}
    assert tried == {type(subject.mechanism()) for subject in SUBJECTS}


@pytest.mark.parametrize("experiment", EXPERIMENTS, ids=str)
def test_draws_show_no_more_than_is_guaranteed(experiment: Experiment) -> None:
    """False alarm at most 1e-6."""
    assert not experiment.shown(experiment.right, experiment.right_size).violated


@pytest.mark.parametrize("experiment", EXPERIMENTS, ids=str)
def test_draws_show_a_broken_guarantee(experiment: Experiment) -> None:
    """The power of the experiment above."""
    assert experiment.shown(experiment.wrong, experiment.wrong_size).violated


def test_draws_show_noise_that_was_added_in_floats() -> None:
    """Low bits tell 0 from 1 for certain, whatever the noise: missed with probability 1e-100."""
    experiment = EXPERIMENTS[0]
    assert experiment.shown(laplace_in_floats, MANY).epsilon > 5
