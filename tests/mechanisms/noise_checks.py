"""Checks of noise against its distribution, and of that against guarantees, each able to fail."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from flint import arb
from scipy.stats import chi2

from sfumato.errors import InputError
from sfumato.numeric import as_ball, float_above, working_precision

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from fractions import Fraction

    from numpy.typing import NDArray

    from sfumato.mechanisms.distributions.output import OutputDistribution

#: A right distribution is refused no more often than this.
FALSE_ALARM = 1e-6
BITS = 192

#: What is no parameter of any mechanism.
NO_POSITIVE_NUMBERS = [0, -1, float("nan"), float("inf"), True, "one", None, [], 1j, "-1/2"]
#: What no mechanism for numbers takes as a value.
NO_VALUES = ["1", b"1", None, True, 1j, object(), {1: 2}, {1}, [[1, 2], [3]], ["1"], [True]]


def fit(draws: NDArray[Any], distribution: OutputDistribution[Any], edges: Sequence[Any]) -> float:
    """The chance that its draws are spread over the cells between edges so unevenly."""
    with working_precision(BITS):
        below = [float(distribution.cumulative(edge)) for edge in edges]
    expected = np.diff([0.0, *below, 1.0]) * len(draws)
    assert expected.min() > 5, "the cells are too narrow for a chi-square test"
    counts = np.searchsorted(np.sort(draws), np.array(edges, dtype=draws.dtype), side="right")
    observed = np.diff([0, *counts, len(draws)])
    return float(chi2.sf(((observed - expected) ** 2 / expected).sum(), len(edges)))


def worst_ratio(
    one: OutputDistribution[Any], other: OutputDistribution[Any], outcomes: Iterable[Any]
) -> arb:
    """The greatest ratio of the probabilities of an outcome under two distributions."""
    with working_precision(BITS):
        worst = arb(0)
        for outcome in outcomes:
            worst = worst.max(one.ball(outcome) / other.ball(outcome))
        return worst


def keeps(
    one: OutputDistribution[Any],
    other: OutputDistribution[Any],
    outcomes: Iterable[Any],
    epsilon: Any,
) -> bool:
    """Whether no outcome is more than e^ε times likelier, to some fifty digits."""
    with working_precision(BITS):
        bound = as_ball(epsilon).exp() * (1 + arb(2) ** -150)
        return bool(worst_ratio(one, other, outcomes) <= bound)


def missed(distribution: OutputDistribution[Any], value: Fraction, distance: Fraction) -> float:
    """An upper bound on the probability of an output farther from a value than a distance."""
    with working_precision(BITS):
        below = distribution.cumulative(value - distance) - distribution.ball(value - distance)
        return float_above(1 - distribution.cumulative(value + distance) + below)


def residues(outputs: NDArray[np.float64], step: float) -> set[float]:
    """What outputs leave over above the multiples of a step, a power of two: their low bits."""
    return set(np.unique(np.mod(outputs, step)).tolist())


def refuses(build: Callable[[], object]) -> str:
    """The one sentence with which something is refused."""
    with pytest.raises(InputError) as refusal:
        build()
    sentence = str(refusal.value)
    assert sentence
    assert "\n" not in sentence
    return sentence
