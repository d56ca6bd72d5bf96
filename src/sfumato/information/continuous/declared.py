"""A law of one's own, given as float callables together with what is declared about it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.errors import InputError
from sfumato.numeric import exact

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["Declared"]


@dataclass(frozen=True)
class Declared:
    """A law known through float functions, and through what you declare about them.

    Every enclosure made from it is **conditional on the declaration**: between neighbouring
    breakpoints (of both laws, with the ends of the support) ``log p/q`` is continuous up to the
    ends and monotone; and each number ``v`` the functions return lies within
    ``accuracy * max(1, abs(v))`` of the true one.  Nothing of this can be checked from outside.

    Parameters
    ----------
    cdf, log_density
        Functions of a float.
    breakpoints
        Where the log-likelihood ratio to the other law of the pair turns.
    support
        The ends between which the density is positive.
    limits
        What ``log`` of this density over the other tends to at the two ends of the common
        support.  Needed for the max, KL and Rényi divergences where an end is infinite.
    accuracy
        How far the functions' values may be from the truth.

    Examples
    --------
    >>> from scipy.stats import cauchy
    >>> from sfumato.information import statistical_distance
    >>> from sfumato.information.continuous import Declared
    >>> turns = (0.5 - 1.25**0.5, 0.5 + 1.25**0.5)
    >>> here = Declared(cauchy(0).cdf, cauchy(0).logpdf, turns, limits=(0, 0))
    >>> there = Declared(cauchy(1).cdf, cauchy(1).logpdf)
    >>> distance = statistical_distance(here, there)
    >>> 0.2951 < distance.lower <= distance.upper < 0.2952
    True
    """

    cdf: Callable[[float], float]
    log_density: Callable[[float], float]
    breakpoints: Sequence[float] = ()
    support: tuple[float, float] = (-math.inf, math.inf)
    limits: tuple[float, float] | None = None
    accuracy: float = 1e-12

    def __post_init__(self) -> None:
        object.__setattr__(self, "breakpoints", tuple(self.breakpoints))
        for each in self.breakpoints:
            exact(each, "a breakpoint")
        if not self.support[0] < self.support[1]:
            message = "support must be its two ends in order, such as (0, math.inf)"
            raise InputError(message)
        if self.limits is not None and any(map(math.isnan, self.limits)):
            message = "limits must be two numbers, what log p/q tends to at each end of the support"
            raise InputError(message)
        if not 0 <= self.accuracy < 1:
            message = f"accuracy must be from 0 to below 1, not {self.accuracy}; such as 1e-12"
            raise InputError(message)
