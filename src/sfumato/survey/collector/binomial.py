"""Bounds on a mean probability, from how many of many coins fell on one side."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sfumato.numeric.beta import beta_above, beta_below

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Counts = NDArray[np.int64]

__all__ = ["chance_above", "chance_below"]

#: What a division of floats may be off by, and more.
_ROUNDING = 1e-15


def chance_below(counts: Counts, coins: int, alpha: float) -> Floats:
    """Return lower bounds on the mean probability of coins; each fails with at most ``alpha``.

    The bounds of :cite:t:`clopper1934`.  Coins need not be alike: they only need to be independent.
    Beyond one from its mean, a count of unlike coins has no more mass than that of alike ones
    :cite:p:`hoeffding1956distribution`, and nearer than that nothing is excluded, for a count of a
    mean above 1 is no less than its mean with probability over 1/4 :cite:p:`greenberg2014tight`.
    Where the mean is at most 1, the probability of any coin at all is at most the sum of all
    probabilities: hence alpha/coins as the bound of a count of 1.

    Parameters
    ----------
    counts
        How many coins fell on the side, for each of several sides.
    coins
        How many there are.
    alpha
        The probability that one bound may be wrong, at most 1/4.
    """
    seen = np.maximum(np.asarray(counts, dtype=np.float64), 1.0)
    found = beta_below(seen, coins - seen + 1.0, alpha)
    found = np.where(seen == 1, alpha / coins * (1 - _ROUNDING), found)
    return np.where(np.asarray(counts) == 0, 0.0, found)


def chance_above(counts: Counts, coins: int, alpha: float) -> Floats:
    """Return upper bounds on the mean probability of coins; each fails with at most ``alpha``."""
    missed = np.maximum(coins - np.asarray(counts, dtype=np.float64), 1.0)
    found = beta_above(coins - missed + 1.0, missed, alpha)
    found = np.where(missed == 1, np.nextafter(1 - alpha / coins, 1.0), found)
    return np.where(np.asarray(counts) == coins, 1.0, found)
