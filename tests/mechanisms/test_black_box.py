"""Black-box experiments: draws alone tell neighbours apart no better than is promised.

The event that separates two values best is chosen on one half of the draws and counted on the
other.  By the bounds of Clopper and Pearson its probability is above p on the one value and below
q on the other, but for a chance of 1e-6: then ε is at least ln((p - δ)/q).  So a right mechanism
is accused with probability at most 1e-6, whatever the event.  There are so many draws that a wrong
one is missed with probability at most 1e-6 by the event that is best by its exact law.  The seeds
are fixed: no test passes or fails by chance.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from scipy.stats import beta

import sfumato as sf
from sfumato.mechanisms import (
    ExponentialMedian,
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

#: How often each of the two bounds fails.
ALPHA = 5e-7
#: Draws of a mechanism that gives many at once, and of one that does not.
MANY, FEW = 1_000_000, 1_000
THRESHOLDS = 64
#: The last bit of a float near 1/4: those that come from a sum with 1 do without finer ones.
LAST_BIT = 2.0**-54


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


def has_fine_bits(draws: Draws) -> Draws:
    return np.asarray(np.round(draws / LAST_BIT) * LAST_BIT != draws)


def events(draws: Draws) -> list[Callable[[Draws], Draws]]:
    """What to choose from: half lines and low bits of numbers, and single outcomes of all else."""
    if draws.dtype.kind not in "fi":
        return [partial(np.equal, outcome) for outcome in np.unique(draws)]
    cuts = np.unique(np.nanquantile(draws, np.linspace(0, 1, THRESHOLDS)))
    lines = [partial(side, cut) for side in (np.less, np.greater_equal) for cut in cuts]
    return [np.isnan, has_fine_bits, *lines]


def least_epsilon(hits: Any, others: Any, size: int, delta: float) -> Any:
    """A lower bound on ε from how often events were seen on two values; -inf shows nothing."""
    hits, others = np.asarray(hits), np.asarray(others)
    low = np.where(hits > 0, beta.ppf(ALPHA, np.maximum(hits, 1), size - hits + 1), 0.0)
    high = np.where(others < size, beta.isf(ALPHA, others + 1, np.maximum(size - others, 1)), 1.0)
    with np.errstate(divide="ignore"):
        return np.log(np.maximum(low - delta, 0.0) / high)


def shown_epsilon(one: Draws, other: Draws, delta: float) -> float:
    """The ε that draws on two values prove, by an event that was chosen on their first halves."""
    half = len(one) // 2
    known = events(np.concatenate([one[:half], other[:half]]))
    seen, others = ([np.sum(event(each[:half])) for event in known] for each in (one, other))
    bounds = least_epsilon([seen, others], [others, seen], half, delta)
    swapped, chosen = np.unravel_index(np.argmax(bounds), bounds.shape)
    first, second = (other, one) if swapped else (one, other)
    hits, misses = (np.sum(known[chosen](each[half:])) for each in (first, second))
    return float(least_epsilon(hits, misses, half, delta))


@dataclass(frozen=True)
class Experiment:
    """A mechanism with a promise, and how it and one that breaks the promise are drawn from."""

    mechanism: Any
    right: Sampler
    wrong: Sampler
    values: tuple[Any, Any]
    right_size: int
    wrong_size: int

    @property
    def promised(self) -> float:
        """The ε of the promise."""
        return float(self.mechanism.guarantee.exact_epsilon)

    def shown(self, sampler: Sampler, size: int) -> float:
        """The ε that so many draws of a sampler prove, at the δ of the promise."""
        one, other = (sampler(value, size, seed) for seed, value in enumerate(self.values, 1))
        delta = getattr(self.mechanism.guarantee, "exact_delta", 0)
        return shown_epsilon(one, other, float(delta))

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
    """Discrete Gaussian noise: one number has the promise, many are drawn at once."""
    right = sf.DiscreteGaussian(epsilon=1, delta=1e-5)
    many, wrong = (
        sf.DiscreteGaussian(sigma=right.sigma / each, dimensions=MANY) for each in (1, 2)
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


def half_the_noise(
    kind: Callable[..., Any], values: tuple[Any, Any], size: int, **given: Any
) -> Experiment:
    """Noise for ε = 4 where ε = 2 is promised."""
    return one_each(kind(epsilon=2, **given), kind(epsilon=4, **given), values, size)


EXPERIMENTS = [
    in_bulk(sf.Laplace(scale=1, sensitivity=1), sf.Laplace(scale=0.5, sensitivity=1), (0.0, 1.0)),
    in_bulk(sf.DiscreteLaplace(scale=1), sf.DiscreteLaplace(scale=0.5), (0, 1)),
    in_bulk(
        gaussian := sf.Gaussian(epsilon=1, delta=1e-5, sensitivity=1),
        sf.Gaussian(sigma=gaussian.sigma / 2, sensitivity=1),
        (0.0, 1.0),
    ),
    half_the_scale(),
    in_bulk(sf.RandomizedResponse(epsilon=1), sf.RandomizedResponse(epsilon=2), (0, 1)),
    in_bulk(
        sf.mechanisms.PartitionSelection(epsilon=1, delta=1e-5),
        sf.mechanisms.PartitionSelection(epsilon=2, delta=1e-5),
        (5, 6),
    ),
    half_the_noise(sf.mechanisms.Staircase, (0.0, 1.0), 2 * FEW, sensitivity=1),
    as_if_monotone(sf.Exponential, 4 * FEW),
    as_if_monotone(sf.PermuteAndFlip, 4 * FEW),
    as_if_monotone(sf.mechanisms.ReportNoisyMax, 7 * FEW),
    without_noise_on_queries(),
    half_the_noise(ExponentialMedian, ([0] * 3, [0] * 3 + [10]), 5 * FEW, bounds=(0, 10)),
    noise_for_local_sensitivity(),
    half_the_noise(
        partial(SampleAndAggregate, sum), ([], [4]), 2 * FEW, bounds=(0, 4), blocks=2, default=0
    ),
    without_a_test(),
]


def test_every_mechanism_is_tried() -> None:
    tried = {type(each.mechanism) for each in EXPERIMENTS}
    assert tried == {type(subject.mechanism()) for subject in SUBJECTS}


@pytest.mark.parametrize("experiment", EXPERIMENTS, ids=str)
def test_draws_show_no_more_than_is_promised(experiment: Experiment) -> None:
    """False alarm at most 1e-6."""
    assert experiment.shown(experiment.right, experiment.right_size) <= experiment.promised


@pytest.mark.parametrize("experiment", EXPERIMENTS, ids=str)
def test_draws_show_a_broken_promise(experiment: Experiment) -> None:
    """Missed with probability at most 1e-6."""
    assert experiment.shown(experiment.wrong, experiment.wrong_size) > experiment.promised


def test_draws_show_noise_that_was_added_in_floats() -> None:
    """Low bits tell 0 from 1 for certain, whatever the noise: missed with probability 1e-100."""
    experiment = EXPERIMENTS[0]
    assert experiment.shown(laplace_in_floats, MANY) > 5 * experiment.promised
