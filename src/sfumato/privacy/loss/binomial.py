"""Binomial probabilities in floats, over the counts that matter, with a proven error."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from flint import arb

from sfumato.numeric import working_precision

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Reals = NDArray[np.float64]

#: Ln of one over the probability of a tail that is left out: a quarter of 1e-30.
RARE = math.log(4e30)
_BITS = 256


def near(ball: Callable[[], arb]) -> float:
    """Return a float within one unit in the last place of a number, given as a fine ball."""
    with working_precision(_BITS):
        return float(ball().mid())


def binomial(trials: int, share: Callable[[], arb], other: Callable[[], arb]) -> tuple[int, Reals]:
    """Return the least count that matters and the probabilities from there on.

    Each of the two tails left out has at most e^-RARE, by Bernstein's inequality.  From an exact
    value at the mode the others follow by products of ratios: each is wrong by at most 8 units in
    the last place for every step from there.

    Parameters
    ----------
    trials
        How many trials.
    share, other
        The probability of success, and of failure, as balls at the precision in force.
    """
    success, odds = near(share), near(lambda: share() / other())
    mean, variance = trials * success, trials * success * near(other)
    reach = RARE / 3 + math.sqrt(RARE**2 / 9 + 2 * RARE * variance) + 1
    first, last = max(math.floor(mean - reach), 0), min(math.ceil(mean + reach), trials)
    mode = min(max(round(mean), first), last)
    counts = np.arange(float(first), last + 1.0)
    rise = (trials - counts[:-1]) / counts[1:] * odds
    down = np.cumprod(1 / rise[: mode - first][::-1])[::-1]
    up = np.cumprod(rise[mode - first :])
    at_mode = near(lambda: _probability(mode, trials, share(), other()))
    return first, at_mode * np.concatenate([down, [1.0], up])


def _probability(count: int, trials: int, share: arb, other: arb) -> arb:
    ways = arb(trials + 1).lgamma() - arb(count + 1).lgamma() - arb(trials - count + 1).lgamma()
    return (ways + count * share.log() + (trials - count) * other.log()).exp()


def even_splits(counts: Reals) -> Reals:
    """Return how likely fair coins fall as evenly as they can, heads ahead if they must.

    It is the same for 2j - 1 and 2j coins.  The numbers of coins go up; each result is wrong by
    at most 2 units in the last place for every two coins more than the first.
    """
    pairs = np.ceil(counts / 2)
    first = int(pairs[0])
    ahead = np.arange(float(first), pairs[-1])
    falls = np.cumprod(np.append(1.0, (2 * ahead + 1) / (2 * ahead + 2)))
    return near(lambda: _even_split(first)) * falls[(pairs - first).astype(np.int64)]


def _even_split(pairs: int) -> arb:
    """Return gamma(j + 1/2) / (sqrt(pi) j!)."""
    return ((arb(pairs) + arb(0.5)).lgamma() - arb(pairs + 1).lgamma()).exp() / arb.pi().sqrt()
