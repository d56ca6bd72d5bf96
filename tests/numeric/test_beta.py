"""Quantiles of beta distributions: their tails as by ball arithmetic and SciPy, on a wide grid."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import pytest
from flint import arb
from scipy.special import betainc, betaincc, betaincinv

from sfumato.numeric import working_precision
from sfumato.numeric.beta import beta_above, beta_below, beta_quantile
from tests.cases import rings

if TYPE_CHECKING:
    from numpy.typing import NDArray

LEVELS = (0.25, 0.025, 2.5e-4, 1e-12)
FIRST = np.array([1.0, 2, 2, 1000, 1000, 9117, 500_000, 3])
SECOND = np.array([1.0, 1, 10**9, 1000, 9117, 1000, 500_000, 10**15])
#: Those of the bounds of Clopper and Pearson, and some that nobody asks for.
ALL_LEVELS = (0.999, 0.9, 0.5, 0.025, 1e-6, 1e-9, 2.4e-12, 1e-100, 1e-290)
TRIALS = (1, 2, 3, 7, 40, 1000, 1999, 9056, 10**5, 10**7, 10**9)


def distributions(trials: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The parameters of the bounds for counts of so many: none but one, some, nearly all, all."""
    some = (1, 2, 5, trials // 1000, trials // 9, trials // 2, trials - trials // 9, trials - 1)
    hits = np.unique([each for each in (*some, trials) if 1 <= each <= trials]).astype(np.float64)
    return hits, trials - hits + 1


def mass_below(first: float, second: float, point: arb) -> arb:
    return point.beta_lower(int(first), int(second), regularized=True)


@pytest.mark.parametrize("level", LEVELS)
def test_tails_are_the_level(level: float) -> None:
    assert betainc(FIRST, SECOND, beta_below(FIRST, SECOND, level)) == pytest.approx(level)
    assert betaincc(SECOND, FIRST, beta_above(SECOND, FIRST, level)).max() <= level * (1 + 1e-7)
    assert betaincc(FIRST, SECOND, beta_above(FIRST, SECOND, level)) == pytest.approx(level)


@pytest.mark.parametrize("level", ALL_LEVELS)
@pytest.mark.parametrize("trials", rings(TRIALS, first=[1, 3, 1999, 10**7]))
def test_no_mass_is_above_the_level_as_balls_prove(trials: int, level: float) -> None:
    """And it is less by a millionth at most, wherever floats are close enough to each other."""
    first, second = distributions(trials)
    below, above = beta_below(first, second, level), beta_above(second, first, level)
    most, least = arb(level), arb(level) * (1 - 2e-6)
    with working_precision(128):
        for one, other, low, high in zip(first, second, below, above, strict=True):
            next_low = math.nextafter(low, 1) if low > 0.5 else low
            assert mass_below(one, other, arb(low)) <= most
            assert mass_below(one, other, arb(next_low)) >= least
            next_high = math.nextafter(high, 0) if high > 0.5 else high
            assert mass_below(one, other, 1 - arb(high)) <= most
            assert mass_below(one, other, 1 - arb(next_high)) >= least


@pytest.mark.parametrize("level", [level for level in ALL_LEVELS if 1e-99 < level < 0.99])
def test_quantiles_are_as_those_of_scipy(level: float) -> None:
    """But for a parameter of 1000 exactly, at which SciPy 1.17 is far off."""
    for trials in TRIALS:
        first, second = distributions(trials)
        apart = (first != 1000) & (second != 1000)
        found = beta_quantile(first[apart], second[apart], level)
        expected = betaincinv(first[apart], second[apart], level)
        assert found == pytest.approx(expected, rel=1e-7, abs=0)


def test_many_distributions_at_once_are_as_one_by_one() -> None:
    hits = np.arange(1.0, 2001.0).reshape(40, 50)
    together = beta_below(hits, 2001 - hits, 0.025)
    assert together.shape == (40, 50)
    for place in ((0, 0), (10, 11), (10, 12), (25, 37), (39, 49)):
        alone = float(beta_below(hits[place], 2001 - hits[place], 0.025))
        assert together[place] == pytest.approx(alone, rel=1e-12)
    assert (np.diff(together.ravel()) > 0).all()


def test_no_distribution_has_no_quantile() -> None:
    assert beta_below(np.array([]), np.array([]), 0.5).shape == (0,)


def test_a_single_distribution_has_a_single_quantile() -> None:
    assert np.shape(beta_below(2, 1, 0.25)) == ()
    assert float(beta_above(1, 2, 0.25)) == pytest.approx(0.5)


def test_floats_near_one_are_on_the_safe_side() -> None:
    """Between neighbouring floats there, the tail is a thousand times the level, or nothing."""
    above = beta_above([10.0**15], [2.0], 1e-3)
    assert betaincc(10.0**15, 2.0, above) <= 1e-3
    assert betaincc(10.0**15, 2.0, np.nextafter(above, 0)) > 1e-3
    below = beta_below([10.0**15], [2.0], 1e-3)
    assert betainc(10.0**15, 2.0, below) <= 1e-3
    assert betainc(10.0**15, 2.0, np.nextafter(below, 1)) > 1e-3
