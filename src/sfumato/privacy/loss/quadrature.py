"""Integrals of analytic functions by sums with a proven error.

A rule is a list of nodes with weights and a bound on what it misses.  The functions are
f(x) = density(x) times a factor that grows at most as e^growth off the real axis.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from sfumato.numeric import Disc

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Reals = NDArray[np.float64]

#: What a rule may miss, next to a total mass of 1.
MISSED = 1e-19
_LOG_MISSED = math.log(MISSED)
_POINTS = 32
#: The parameters of the ellipses in which a function is bounded.
_ELLIPSES = np.geomspace(1.05, 60.0, 40)
_MOST_PANELS = 1 << 9


@dataclass(frozen=True)
class QuadratureRule:
    """Nodes and weights; the integral is their sum up to ``missed``."""

    nodes: Disc
    weights: Disc
    missed: float


def gauss_legendre(
    start: float, end: float, log_bound: Callable[[Reals, Reals, Reals], Reals]
) -> QuadratureRule:
    """Return a rule over an interval, in as many equal panels as the bound asks for.

    ``log_bound(left, right, up)`` bounds ln abs f where the real part lies between ``left`` and
    ``right`` and the imaginary part within ``up``.  In the ellipse with foci at the ends of a
    panel and sum of half axes rho (half the panel), Gauss' rule of n points misses at most
    64/15 M rho^(-2n) / (1 - rho^-2), M the greatest value there :cite:p:`trefethen2013`.
    """
    panels = 1
    while panels < _MOST_PANELS and _worst(start, end, panels, log_bound) > _LOG_MISSED:
        panels *= 2
    missed = panels * math.exp(min(_worst(start, end, panels, log_bound), 700.0))
    edges = np.linspace(start, end, panels + 1)
    half = (end - start) / panels / 2
    points, weights = _points()
    nodes = (edges[:-1, None] + half + half * points).ravel()
    around = 1e-15 * (abs(start) + abs(end))
    return QuadratureRule(Disc(nodes, around), _tiled(half * weights, panels), missed)


def _worst(
    start: float, end: float, panels: int, log_bound: Callable[[Reals, Reals, Reals], Reals]
) -> float:
    """Return ln of what the rule misses in the worst panel, in the best of the ellipses."""
    half = (end - start) / panels / 2
    centre = start + half * (2 * np.arange(panels)[:, None] + 1)
    wide, tall = half * (_ELLIPSES + 1 / _ELLIPSES) / 2, half * (_ELLIPSES - 1 / _ELLIPSES) / 2
    most = log_bound(centre - wide, centre + wide, tall)
    fall = 2 * _POINTS * np.log(_ELLIPSES) + np.log1p(-(_ELLIPSES**-2.0))
    return float((most - fall + math.log(64 / 15 * half)).min(axis=1).max())


@cache
def _points() -> tuple[Reals, Reals]:
    return np.polynomial.legendre.leggauss(_POINTS)


def _tiled(weights: Reals, times: int) -> Disc:
    tiled = np.tile(weights, times)
    return Disc(tiled, tiled * 1e-14)
