"""A distribution of one's own, given as float callables together with what is declared about it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from numbers import Real
from typing import Any

from flint import arb

from sfumato.errors import InputError
from sfumato.information.continuous.distributions import (
    ContinuousDistribution,
    Number,
    plain_number,
)
from sfumato.numeric import Ln, as_ball, exact, float_above, shown
from sfumato.translation import mark

_SUPPORT = "support must be its two ends in order, such as (0, math.inf)"
_LIMITS = mark("limits must be two numbers, what log p/q tends to at each end of the support")


@dataclass(frozen=True)
class Declared:
    """A distribution known through float functions, and through what you declare about them.

    Every enclosure made from it is **conditional on the declaration**: between neighbouring
    breakpoints (of both, with the ends of the support) ``log p/q`` is continuous up to the ends
    and monotone; and each number ``v`` the functions return lies within
    ``accuracy * max(1, abs(v))`` of the true one.  Nothing of this can be proved from outside;
    ``verify`` refuses what a few points contradict.

    Parameters
    ----------
    cdf, log_density
        Functions of a float.
    breakpoints
        Where the log-likelihood ratio to the other distribution of the pair turns.
    support
        The ends between which the density is positive.
    limits
        What ``log`` of this density over the other tends to at the two ends of the common
        support.  Needed for the max, KL and Rényi divergences where an end is infinite.
        ``Ln(2)``, integers and Fractions are exact; other floats are within ``accuracy``.
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
    breakpoints: Sequence[Number] = ()
    support: tuple[Number, Number] = (-math.inf, math.inf)
    limits: tuple[Number | Ln, Number | Ln] | None = None
    accuracy: float = 1e-12

    def __post_init__(self) -> None:
        if not all(map(callable, (self.cdf, self.log_density))):
            raise InputError(
                "E-ARGUMENT-TYPE",
                "cdf and log_density must be functions of a float, such as norm.cdf",
            )
        object.__setattr__(self, "breakpoints", _breakpoints(self.breakpoints))
        object.__setattr__(self, "support", _two_ends(self.support, _SUPPORT))
        if Ln in map(type, self.support) or not self.support[0] < self.support[1]:
            raise InputError("E-BOUNDS-FORM", _SUPPORT)
        if self.limits is not None:
            object.__setattr__(self, "limits", _two_ends(self.limits, _LIMITS))
        object.__setattr__(self, "accuracy", _accuracy(self.accuracy))

    def limit(self, end: int) -> arb | None:
        """Return a ball around the limit at the lower (0) or the upper (1) end, if declared.

        Examples
        --------
        >>> here = Declared(lambda x: x, lambda x: 0.0, limits=(0, 1.5), accuracy=0.25)
        >>> here.limit(0), here.limit(1).contains(1.25)
        (0, True)
        """
        if self.limits is None:
            return None
        value = self.limits[end]
        if isinstance(value, float) and math.isfinite(value) and value != 0:
            return self.blurred(value)
        return as_ball(value)

    def blurred(self, value: float) -> arb:
        """Return a ball around a number that is right to within the declared accuracy.

        Examples
        --------
        >>> Declared(lambda x: x, lambda x: 0.0, accuracy=0.25).blurred(2.0).contains(1.5)
        True
        """
        return arb(value, self.accuracy * max(1.0, abs(value)))


#: A distribution that ball arithmetic can evaluate, or one that was declared.
AnyDistribution = ContinuousDistribution | Declared


def _breakpoints(given: Any) -> tuple[Number, ...]:
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise InputError(
            "E-ARGUMENT-TYPE", "breakpoints must be a list of numbers, such as (-1, 1)"
        )
    return tuple(plain_number(each, mark("a breakpoint")) for each in given)


def _accuracy(given: Any) -> float:
    value = exact(plain_number(given, "accuracy"))
    if not 0 <= value < 1:
        raise InputError(
            "E-ARGUMENT-RANGE",
            "accuracy must be from 0 to below 1, not {given}",
            "such as 1e-12",
            given=shown(given),
        )
    return float_above(value)


def _two_ends(given: Any, allowed: str) -> tuple[Number | Ln, Number | Ln]:
    """Return two numbers, infinite ones among them, or refuse with what is allowed."""
    ends = tuple(given) if isinstance(given, Iterable) else ()
    if len(ends) != len(("low", "high")):
        raise InputError("E-BOUNDS-FORM", allowed)
    low, high = (_end(each, allowed) for each in ends)
    return low, high


def _end(value: Any, allowed: str) -> Number | Ln:
    if isinstance(value, Ln):
        return value
    if not isinstance(value, (Real, Decimal)) or value != value:
        raise InputError("E-BOUNDS-FORM", allowed)
    return float(value) if abs(value) == math.inf else plain_number(value, mark("an end"))
