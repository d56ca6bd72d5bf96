"""Quantiles of beta laws are as their tails say, whatever the library's own quantiles are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.special
from scipy.special import betainc, betaincc

from sfumato.numeric.beta import beta_above, beta_below

LEVELS = (0.25, 0.025, 2.5e-4, 1e-12)
FIRST = np.array([1.0, 2, 2, 1000, 1000, 9117, 500_000, 3])
SECOND = np.array([1.0, 1, 10**9, 1000, 9117, 1000, 500_000, 10**15])


@pytest.mark.parametrize("level", LEVELS)
def test_tails_are_the_level(level: float) -> None:
    assert betainc(FIRST, SECOND, beta_below(FIRST, SECOND, level)) == pytest.approx(level)
    assert betaincc(SECOND, FIRST, beta_above(SECOND, FIRST, level)).max() <= level * (1 + 1e-7)
    assert betaincc(FIRST, SECOND, beta_above(FIRST, SECOND, level)) == pytest.approx(level)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("garbage", [0.0, 0.02, 0.75, 1.0, np.nan])
def test_wrong_quantiles_are_found_again(
    level: float, garbage: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    below, above = beta_below(FIRST, SECOND, level), beta_above(FIRST, SECOND, level)

    def wrong(first: Any, second: Any, level: Any) -> Any:
        return np.full(np.shape(first), garbage)

    monkeypatch.setattr(scipy.special, "betaincinv", wrong)
    monkeypatch.setattr(scipy.special, "betainccinv", wrong)
    assert beta_below(FIRST, SECOND, level) == pytest.approx(below, rel=1e-3, abs=0)
    assert beta_above(FIRST, SECOND, level) == pytest.approx(above, rel=1e-3, abs=0)


def test_a_single_law_has_a_single_quantile() -> None:
    assert np.shape(beta_below(2, 1, 0.25)) == ()
    assert float(beta_above(1, 2, 0.25)) == pytest.approx(0.5)


def test_floats_near_one_are_on_the_safe_side() -> None:
    """Between neighbouring floats there, the tail is a thousand times the level, or nothing."""
    above = beta_above([10.0**15], [2.0], 1e-3)
    assert betaincc(10.0**15, 2.0, above) <= 1e-3
    assert betaincc(10.0**15, 2.0, np.nextafter(above, 0)) > 1e-3
