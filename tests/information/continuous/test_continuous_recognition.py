"""What is taken for a continuous distribution, what is refused, and in which words."""

from __future__ import annotations

import math
import statistics
import subprocess
import sys
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.stats as stats
from flint import arb

from sfumato.errors import InputError, NoEnclosureError
from sfumato.information import kl_divergence as kl
from sfumato.information.continuous import (
    Exponential,
    Gaussian,
    Laplace,
    Logistic,
    Mixture,
    Uniform,
)
from sfumato.information.continuous.adapters import as_continuous, as_formula, is_continuous
from sfumato.information.continuous.measures import renyi
from tests.refusing import raises_code


@pytest.mark.parametrize(
    ("given", "distribution"),
    [
        (stats.norm(1, 2), Gaussian(1, 2)),
        (stats.norm(scale=2), Gaussian(0, 2)),
        (stats.norm(np.float64(1), scale=np.array([2.0])), Gaussian(1, 2)),
        (stats.laplace(loc=3), Laplace(3, 1)),
        (stats.logistic(1, 2), Logistic(1, 2)),
        (stats.expon(1, 2), Exponential(2, 1)),
        (stats.uniform(1, 2), Uniform(1, 3)),
        (stats.Normal(mu=1.0, sigma=2.0), Gaussian(1, 2)),
        (stats.Normal(), Gaussian(0, 1)),
        (stats.Uniform(a=1.0, b=3.0), Uniform(1, 3)),
        (
            stats.Mixture([stats.Normal(), stats.Uniform(a=0.0, b=1.0)], weights=[0.25, 0.75]),
            Mixture([0.25, 0.75], [Gaussian(0, 1), Uniform(0, 1)]),
        ),
        (statistics.NormalDist(1, 2), Gaussian(1, 2)),
        (Gaussian(1, 2), Gaussian(1, 2)),
    ],
)
def test_known_distributions_are_read(given: Any, distribution: Any) -> None:
    assert as_continuous(given, "p") == distribution
    assert is_continuous(given)


@pytest.mark.parametrize(
    "distribution", [stats.norm, stats.laplace, stats.logistic, stats.expon, stats.uniform]
)
def test_scipy_and_we_mean_the_same_distribution(distribution: Any) -> None:
    frozen = distribution(0.5, 2)
    for x in (-1.0, 0.75, 2.25, 4.0):
        assert float(as_formula(frozen, "p").cdf(arb(x))) == pytest.approx(frozen.cdf(x), abs=1e-12)


def test_arrays_mappings_and_columns_are_not_distributions() -> None:
    finite = [[0.5, 0.5], np.array([1, 2]), {"a": 1}, pd.Series([0.5, 0.5]), None, 3]
    assert not any(map(is_continuous, finite))


class OnlyPoints:
    """A user's own density."""

    def pdf(self, x: float) -> float:
        return math.exp(-x)

    def cdf(self, x: float) -> float:
        return 1 - math.exp(-x)


@pytest.mark.parametrize(
    "distribution",
    [
        stats.t(3),
        OnlyPoints(),
        2 * stats.Normal(),
        stats.rv_continuous(name="norm")(),
        stats.rv_histogram((np.array([1, 1]), np.array([0, 1, 2]))),
    ],
    ids=["t", "own", "scaled", "an impostor's name", "histogram"],
)
def test_densities_known_at_points_are_refused_with_the_reason(distribution: Any) -> None:
    with raises_code("E-DISTRIBUTION-UNKNOWN", "p", kind=NoEnclosureError):
        kl(distribution, Gaussian(0, 1), base=math.e)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (lambda: kl(stats.norm(0, -1), Gaussian(0, 1), base=math.e), "sd must"),
        (
            lambda: kl(stats.norm([0, 1]), Gaussian(0, 1), base=math.e),
            "mean is not a finite number",
        ),
        (lambda: kl([0.5, 0.5], Gaussian(0, 1)), "p is not a"),  # type: ignore[call-overload]
        (lambda: kl(Gaussian(0, 1), {"a": 1}), "q is not a"),  # type: ignore[call-overload]
        (lambda: Gaussian(math.nan, 1), "mean is not a finite number"),
        (lambda: Laplace(0, 0), "scale must"),
        (lambda: Logistic(math.inf, 1), "mean is not a finite number"),
        (lambda: Exponential(1, math.inf), "shift is not a finite number"),
        (lambda: Uniform(1, 1), "low must lie below high"),
        (lambda: Mixture([1], [Gaussian(0, 1), Gaussian(1, 1)]), "1 weights for 2 distributions"),
        (lambda: Mixture([0.5, 0.6], [Gaussian(0, 1), Gaussian(1, 1)]), "weights sums to 1.1"),
        (lambda: Mixture([1], ["norm"]), "a mixture takes distributions"),  # type: ignore[list-item]
        (lambda: Mixture([], []), "weights is empty"),
    ],
)
def test_bad_input_is_one_sentence(given: Any, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence) as caught:
        given()
    assert "\n" not in str(caught.value)


def test_discrete_distributions_are_sent_to_the_finite_room() -> None:
    with raises_code("E-DISTRIBUTION-UNKNOWN", "p", kind=NoEnclosureError):
        kl(stats.poisson(3), Gaussian(0, 1), base=math.e)


def test_an_order_beyond_the_work_allowed_is_refused_not_guessed() -> None:
    with raises_code("E-BOUND-UNPROVED", kind=NoEnclosureError):
        renyi(Exponential(1), Exponential(2), order=1e300, base=math.e)


def test_importing_the_room_does_not_import_scipy() -> None:
    script = "import sys, sfumato.information.continuous; sys.exit('scipy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0
