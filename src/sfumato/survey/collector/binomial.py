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

#: What the quantiles and their tails may be off by: as a share of the level, and of the bound.
_LEVEL, _BOUND = 1e-6, 1e-9


def chance_below(counts: Counts, coins: int, alpha: float) -> Floats:
    """Return lower bounds on the mean chance of coins, each wrong with chance at most ``alpha``.

    The bounds of :cite:t:`clopper1934`.  Coins need not be alike: they only need to be
    independent.  Beyond one from its mean, a count of unlike coins has no more mass than that of
    alike ones :cite:p:`hoeffding1956distribution`, and nearer than that nothing is excluded, for a
    count of a mean above 1 is no less than its mean with chance over 1/4
    :cite:p:`greenberg2014tight`.  Where the mean is at most 1, the chance of any coin at all is at
    most the sum of all chances: hence alpha/coins as the bound of a count of 1.

    Parameters
    ----------
    counts
        How many coins fell on the side, for each of several sides.
    coins
        How many there are.
    alpha
        The chance that one bound may be wrong, at most 1/4.

    Examples
    --------
    >>> import numpy as np
    >>> from sfumato.survey.collector.binomial import chance_below
    >>> chance_below(np.array([0, 1, 20]), 40, 0.025).round(4)
    array([0.    , 0.0006, 0.338 ])
    """
    seen = np.maximum(np.asarray(counts, dtype=np.float64), 1.0)
    found = beta_below(seen, coins - seen + 1.0, alpha * (1 - _LEVEL)) * (1 - _BOUND)
    found = np.where(seen == 1, alpha / coins * (1 - _BOUND), found)
    return np.where(np.asarray(counts) == 0, 0.0, found)


def chance_above(counts: Counts, coins: int, alpha: float) -> Floats:
    """Return upper bounds on the mean chance of coins, each wrong with chance at most ``alpha``.

    Examples
    --------
    >>> import numpy as np
    >>> from sfumato.survey.collector.binomial import chance_above
    >>> chance_above(np.array([0, 20, 40]), 40, 0.025).round(4)
    array([0.0881, 0.662 , 1.    ])
    """
    missed = np.maximum(coins - np.asarray(counts, dtype=np.float64), 1.0)
    found = beta_above(coins - missed + 1.0, missed, alpha * (1 - _LEVEL)) * (1 + _BOUND)
    single = np.nextafter(1 - alpha / coins, 1.0)
    found = np.where(missed == 1, single, np.minimum(found, 1.0))
    return np.where(np.asarray(counts) == coins, 1.0, found)
