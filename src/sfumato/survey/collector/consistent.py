"""Shares that can be shares: 0 or more, in their intervals, and 1 together."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from sfumato.numeric import bracket_threshold
from sfumato.survey.collector.estimates import ShareEstimates
from sfumato.survey.collector.pair_estimates import PairEstimates

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

__all__ = ["made_consistent", "nearest_shares", "tightened"]

Shares = TypeVar("Shares", ShareEstimates, PairEstimates)

_ROUNDING, _STEP = 1e-12, 1e-15


def made_consistent(found: Shares) -> Shares:
    """Return estimates that can all be true: within tightened intervals, and 1 together.

    Where the intervals as found leave no such shares, which happens only where one of them does
    not cover, they stay as they are, and the shares are the nearest that are 0 or more.
    """
    lower, upper = found.lower.ravel(), found.upper.ravel()
    if lower.sum() <= 1 <= upper.sum():
        lower, upper = tightened(lower, upper)
        shares = nearest_shares(found.shares.ravel(), lower, upper)
    else:
        shares = nearest_shares(found.shares.ravel(), np.zeros_like(lower), np.ones_like(upper))
    shape = found.shares.shape
    return replace(
        found,
        shares=shares.reshape(shape),
        lower=lower.reshape(shape),
        upper=upper.reshape(shape),
    )


def tightened(lower: Floats, upper: Floats) -> tuple[Floats, Floats]:
    """Return intervals that cover as before, cut to what the others leave of a sum of 1.

    Wherever all true shares are in their intervals, they are in these as well.
    """
    least = 1 - (upper.sum() - upper) - _ROUNDING
    most = 1 - (lower.sum() - lower) + _ROUNDING
    return np.maximum(lower, least), np.minimum(upper, most)


def nearest_shares(shares: Floats, lower: Floats, upper: Floats) -> Floats:
    """Return the shares nearest to these that are within bounds and sum to 1.

    Nearest in Euclidean distance: all are moved by the same amount, and then into their bounds
    :cite:p:`wang2020consistency`.
    """

    def moved(by: float) -> Floats:
        return np.clip(shares - by, lower, upper)

    ends = float((shares - upper).min()) - 1, float((shares - lower).max()) + 1
    if moved(ends[0]).sum() <= 1:
        return upper
    if moved(ends[1]).sum() > 1:
        return lower
    found = bracket_threshold(lambda by: bool(moved(by).sum() <= 1), *ends, tolerance=_STEP)
    return moved(found.high)
