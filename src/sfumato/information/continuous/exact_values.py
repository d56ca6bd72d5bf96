"""Divergences that are known as rationals, so that ties are decided; None where there is none."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

from sfumato.information.continuous.symmetric import Gaussian, Laplace, Logistic, Symmetric
from sfumato.numeric import exact

if TYPE_CHECKING:
    from sfumato.information.continuous.cells import Point
    from sfumato.information.continuous.measures import AnyDistribution

__all__ = ["exact_maximum", "exact_renyi", "half_line_above", "half_line_of_maximum"]


def exact_maximum(p: AnyDistribution, q: AnyDistribution) -> Fraction | None:
    """Return the max divergence: the shift in scales, of two such distributions of one scale."""
    if p == q:
        return Fraction(0)
    shift = _shift(p, q)
    return abs(shift) if shift is not None and isinstance(p, (Laplace, Logistic)) else None


def exact_renyi(p: AnyDistribution, q: AnyDistribution, order: Fraction) -> Fraction | None:
    """Return the Rényi divergence of two Gaussians of one standard deviation."""
    if p == q:
        return Fraction(0)
    shift = _shift(p, q)
    return order * shift**2 / 2 if shift is not None and isinstance(p, Gaussian) else None


def half_line_of_maximum(p: AnyDistribution, q: AnyDistribution) -> tuple[Point, Point] | None:
    """Return a half line on which ``log p/q`` is everywhere the max divergence, if one is known."""
    shift = _shift(p, q)
    if not shift or not isinstance(p, Laplace):
        return None
    mean = exact(p.mean)
    return (-math.inf, mean) if shift > 0 else (mean, math.inf)


def half_line_above(
    p: AnyDistribution, q: AnyDistribution, level: Fraction
) -> tuple[Point, Point] | None:
    """Return the half line on which ``log p/q`` is at least a level, of Gaussians or Laplaces.

    For Laplace distributions of one scale the level must be less than their max divergence; None
    where there is no such half line, or none is known.
    """
    shift = _shift(p, q)
    if not shift or not isinstance(p, (Gaussian, Laplace)) or not isinstance(q, Symmetric):
        return None
    spread, middle = exact(p.spread), (exact(p.mean) + exact(q.mean)) / 2
    if isinstance(p, Gaussian):
        end = middle - level * spread / shift
    elif abs(level) < abs(shift):
        end = middle - level * spread / 2 * (1 if shift > 0 else -1)
    else:
        return None
    return (-math.inf, end) if shift > 0 else (end, math.inf)


def _shift(p: AnyDistribution, q: AnyDistribution) -> Fraction | None:
    """Return by how many spreads a symmetric distribution lies above one that is else the same."""
    if not (isinstance(p, Symmetric) and isinstance(q, Symmetric) and type(p) is type(q)):
        return None
    spread = exact(q.spread)
    return (exact(q.mean) - exact(p.mean)) / spread if exact(p.spread) == spread else None
