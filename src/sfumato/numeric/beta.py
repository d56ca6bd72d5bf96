"""Quantiles of beta laws, each checked by its tail.

SciPy's quantiles are good to many digits nearly everywhere, and not at some laws of which a
parameter is 1000 exactly.  Its tails are right there, so that they decide.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float64]
    Function = Callable[..., Any]

__all__ = ["beta_above", "beta_below"]

#: How much of the level a quantile's tail may be, as shares of it.
_LEAST, _MOST = 1 - 1e-3, 1 + 1e-7
#: From this level on, one minus the mass below has digits enough to tell that from the mass above.
_PLAIN = 1e-6
#: The bits of 1.0, as a whole number.
_ONE = 0x3FF0000000000000


def beta_below(first: ArrayLike, second: ArrayLike, level: float) -> Floats:
    """Return the points below which beta laws have mass ``level``, or up to 0.1 % less.

    No point has a mass of more than 1 + 1e-7 times the level below it, as SciPy computes it.

    Parameters
    ----------
    first, second
        The parameters of the laws.
    level
        The mass, above 0 and below 1.

    Examples
    --------
    >>> from sfumato.numeric.beta import beta_below
    >>> beta_below([1, 2, 1000], [1, 1, 34234], 0.25).round(6)
    array([0.25   , 0.5    , 0.02778])
    """
    from scipy.special import betainc, betaincinv

    return _checked(betaincinv, (betainc,), (first, second), level, rising=True)


def beta_above(first: ArrayLike, second: ArrayLike, level: float) -> Floats:
    """Return the points above which beta laws have mass ``level``, or up to 0.1 % less.

    Where floats near 1 are too far apart for that, it is the next float above.

    Examples
    --------
    >>> from sfumato.numeric.beta import beta_above
    >>> beta_above([1, 1, 1000], [1, 2, 34234], 0.25).round(6)
    array([0.75    , 0.5     , 0.028973])
    """
    from scipy.special import betainc, betaincc, betainccinv

    def missed(one: Floats, other: Floats, points: Floats) -> Floats:
        """Return the mass above points in a hundredth of the time that ``betaincc`` takes."""
        return np.asarray(1.0 - betainc(one, other, points))

    tails = (missed, betaincc) if level >= _PLAIN else (betaincc,)
    return _checked(betainccinv, tails, (first, second), level, rising=False)


def _checked(
    quantile: Function,
    tails: tuple[Function, ...],
    parameters: tuple[ArrayLike, ArrayLike],
    level: float,
    *,
    rising: bool,
) -> Floats:
    """Return a library's quantiles, found again by its last tail where no tail is the level."""
    one, other = np.broadcast_arrays(*parameters)
    found = np.array(quantile(one, other, level), dtype=np.float64)
    wrong = np.ones(found.shape, dtype=np.bool_)
    for tail in tails:
        wrong[wrong] = ~_is_level(tail(one[wrong], other[wrong], found[wrong]), level)
    if wrong.any():
        found[wrong] = _bisected(
            lambda points: tails[-1](one[wrong], other[wrong], points) <= level,
            np.zeros(int(wrong.sum()), dtype=np.int64),
            rising=rising,
        )
    return found


def _is_level(reached: Floats, level: float) -> NDArray[np.bool_]:
    """Tell which tails are the level; those that are no number are not."""
    return np.asarray((reached >= _LEAST * level) & (reached <= _MOST * level))


def _bisected(
    within: Callable[[Floats], NDArray[np.bool_]], low: NDArray[np.int64], *, rising: bool
) -> Floats:
    """Return the last floats whose tails are within a level, coming from where tails are 0.

    Floats from 0 to 1 are in the order of their bits, so that to halve these finds the least of
    points to all of its digits.
    """
    high = np.full_like(low, _ONE)
    for _ in range(_ONE.bit_length()):
        middle = (low + high) // 2
        goes_up = within(middle.view(np.float64)) == rising
        low, high = np.where(goes_up, middle, low), np.where(goes_up, high, middle)
    return (low if rising else high).view(np.float64)
