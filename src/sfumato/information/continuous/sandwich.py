"""Kullback-Leibler and Rényi divergence from masses and bounds of the ratio alone.

Both are integrals of ``q * f(p/q)`` with ``f`` convex.  On a cell with bounds on the ratio, a
tangent of ``f`` gives a lower and its chord an upper bound, both linear in the cell's masses.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING

from flint import arb

from sfumato.errors import NoEnclosureError

if TYPE_CHECKING:
    from collections.abc import Callable

    from flint import fmpq

    from sfumato.information.continuous.cells import Cell
    from sfumato.information.continuous.pairs import Pair

__all__ = ["Convex", "convex_integral", "entropy_function", "power_function"]

_GOAL = 1e-9
_MOST_CUTS = 1500


@dataclass(frozen=True)
class Convex:
    """A convex function of a ratio and its derivative, both as functions of its logarithm."""

    value: Callable[[arb], arb]
    slope: Callable[[arb], arb]


#: ``t log t``, the function of the Kullback-Leibler divergence.
entropy_function = Convex(lambda log: log.exp() * log, lambda log: log + 1)


def power_function(order: fmpq) -> Convex:
    """Return ``t ** order``, negated for an order below one, where it is concave."""
    sign = 1 if order > 1 else -1
    return Convex(
        lambda log: sign * (order * log).exp(),
        lambda log: sign * order * ((order - 1) * log).exp(),
    )


def convex_integral(pair: Pair, function: Convex) -> arb:
    """Return the integral of ``q * function(p/q)`` over the cells where both have a density."""
    number = count()
    open_cells = []
    for cell in pair.cells:
        if not pair.is_singular(cell):
            bounds = _bounds(pair, cell, function)
            open_cells.append((-_gap(bounds), next(number), cell, bounds))
    heapq.heapify(open_cells)
    for _ in range(_MOST_CUTS):
        if not open_cells or -open_cells[0][0] * len(open_cells) <= _GOAL:
            break
        for part in heapq.heappop(open_cells)[2].split():
            bounds = _bounds(pair, part, function)
            heapq.heappush(open_cells, (-_gap(bounds), next(number), part, bounds))
    return sum((low.union(high) for *_, (low, high) in open_cells), arb(0))


def _bounds(pair: Pair, cell: Cell, function: Convex) -> tuple[arb, arb]:
    p, q = pair.masses(cell)
    low, high = pair.log_ratio(cell)
    if not (low.is_finite() and high.is_finite()):
        raise NoEnclosureError(
            "E-DISTRIBUTION-UNBOUNDED",
            "log p/q has no finite bound on part of the line, so that no bound of its "
            "integral follows from the declaration",
            "declare finite limits, or a distribution with a formula",
        )
    low, high = low.lower(), high.upper()
    touch = _touching_point(p.mid(), q.mid(), low, high)
    slope = function.slope(touch)
    tangent = q * function.value(touch) + slope * (p - touch.exp() * q)
    rise = high.exp() - low.exp()
    if not rise > 0:
        return tangent, q * function.value(low.union(high))
    slope = (function.value(high) - function.value(low)) / rise
    return tangent, q * function.value(low) + slope * (p - low.exp() * q)


def _touching_point(p: arb, q: arb, low: arb, high: arb) -> arb:
    """Return the log of the mean ratio, where the tangent is Jensen's bound, or the middle."""
    mean = (p / q).log().mid()
    return mean if low <= mean <= high else (low + high).mid() / 2


def _gap(bounds: tuple[arb, arb]) -> float:
    return float(bounds[1].mid() - bounds[0].mid())
