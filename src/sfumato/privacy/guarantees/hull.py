"""The exact privacy profile of a guarantee that is a set of (ε, δ) points.

With x = e^ε, the least δ of output distributions P, Q is H(x) = ∫ max(0, p - x q), which is convex
in x, falls from H(0) = 1, and satisfies H(1/x) = 1 - (1 - H'(x)) / x for the H' of the pair Q, P.
A guarantee holds for both orders, so a point (x, δ) comes with its mirror image
(1/x, 1 - (1 - δ)/x), and H lies below every chord between known points: below their lower convex
hull.  No better bound exists, since the hull is itself the H of a pair: it is convex, lies above
max(0, 1 - x), and the mirror maps lines to lines, so that it is its own image.  For one point this
is the curve of randomized response, the hardest (ε, δ)-private pair
:cite:p:`kairouz2015composition`.

The arithmetic is rational where every e^ε is, and in balls otherwise.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from flint import arb

from sfumato.numeric import (
    Enclosure,
    as_ball,
    cached_property,
    float_below,
    rational_exponential,
    working_precision,
)
from sfumato.privacy.theorems.certified import rounded_up

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sfumato.privacy.parameters import Epsilon

    Point = tuple[Epsilon, Fraction]


_BITS = 256


def least_delta(points: Sequence[Point], epsilon: Epsilon) -> Enclosure:
    """Return the least δ at an ε that holds for every mechanism with the points.

    Parameters
    ----------
    points
        Pairs of ε and δ that hold together: ε rising, δ falling.
    epsilon
        Where to read the curve.
    """
    known = [delta for each, delta in points if each <= epsilon]
    if len(known) == len(points):
        return _enclosure(known[-1], known[-1])
    with working_precision(_BITS):
        exact = _all_rational([epsilon, *(each for each, _ in points)])
        vertices = _vertices(points, exact=exact)
        edge = _edge_where(_lower_hull(vertices), lambda right: right.exponent > epsilon)
        value = edge.height(_growth(epsilon, exact=exact))
        most = rounded_up(known[-1]) if known else 1.0
        return _enclosure(value - edge.excess(vertices), value, most=most)


def least_epsilon(points: Sequence[Point], delta: Fraction) -> Enclosure:
    """Return the least ε at a δ that holds for every mechanism with the points."""
    if delta < points[-1][1]:
        return Enclosure(math.inf, math.inf)
    enough, known = next(point for point in points if point[1] <= delta)
    with working_precision(_BITS):
        exact = _all_rational([each for each, _ in points])
        vertices = _vertices(points, exact=exact)
        edge = _edge_where(_lower_hull(vertices), lambda right: right.exponent >= enough)
        excess, height = edge.excess(vertices), _number(delta, exact=exact)
        if known == delta and edge.right.exponent == enough and excess == 0:
            return _enclosure(_ball(enough), _ball(enough))
        lower, upper = _logarithm(edge.growth(height + excess)), _logarithm(edge.growth(height))
        return _enclosure(lower, upper, most=rounded_up(_ball(enough)))


@dataclass(frozen=True)
class _Vertex:
    """A point of the curve: ε, e^ε - 1, and δ there."""

    exponent: Epsilon | float
    growth: Any
    height: Any

    def mirror(self) -> _Vertex:
        factor = 1 + self.growth
        return _Vertex(-self.exponent, -self.growth / factor, (self.growth + self.height) / factor)


@dataclass(frozen=True)
class _Edge:
    """The line through two vertices, read from the right one to keep small heights accurate."""

    left: _Vertex
    right: _Vertex

    @cached_property
    def fall(self) -> Any:
        return (self.left.height - self.right.height) / (self.right.growth - self.left.growth)

    def height(self, growth: Any) -> Any:
        return self.right.height + (self.right.growth - growth) * self.fall

    def growth(self, height: Any) -> Any:
        return self.right.growth - (height - self.right.height) / self.fall

    def excess(self, vertices: list[_Vertex]) -> Any:
        """Return how far the line may lie above a vertex: 0 where it is surely an edge."""
        others = (each for each in vertices if each is not self.left and each is not self.right)
        gaps = (self.height(each.growth) - each.height for each in others)
        return max([0, *(gap.upper() if isinstance(gap, arb) else gap for gap in gaps)])


def _vertices(points: Sequence[Point], *, exact: bool) -> list[_Vertex]:
    """Return the points with their mirror images and the point at x = 0, from left to right."""
    origin = _Vertex(
        -math.inf, _number(Fraction(-1), exact=exact), _number(Fraction(1), exact=exact)
    )
    known = [
        _Vertex(epsilon, _growth(epsilon, exact=exact), _number(delta, exact=exact))
        for epsilon, delta in points
    ]
    mirrored = [each.mirror() for each in reversed(known) if each.exponent > 0]
    return [origin, *mirrored, *known]


def _lower_hull(vertices: list[_Vertex]) -> list[_Vertex]:
    """Return the vertices at which the curve surely bends upwards, and the two ends."""
    hull: list[_Vertex] = []
    for vertex in vertices:
        while len(hull) > 1 and not _Edge(hull[-2], hull[-1]).fall > _Edge(hull[-1], vertex).fall:
            hull.pop()
        hull.append(vertex)
    return hull


def _edge_where(hull: list[_Vertex], holds: Callable[[_Vertex], bool]) -> _Edge:
    """Return the edge whose right end is the first vertex that meets a condition."""
    index = next(index for index, vertex in enumerate(hull) if holds(vertex))
    return _Edge(hull[index - 1], hull[index])


def _all_rational(exponents: Sequence[Epsilon]) -> bool:
    return all(rational_exponential(each) is not None for each in exponents)


def _growth(epsilon: Epsilon, *, exact: bool) -> Any:
    rational = rational_exponential(epsilon)
    return rational - 1 if exact and rational is not None else as_ball(epsilon).expm1()


def _number(value: Fraction, *, exact: bool) -> Any:
    return value if exact else as_ball(value)


def _logarithm(growth: Any) -> arb:
    """Return ln(1 + growth), or 0 where the growth is negative."""
    return as_ball(growth).max(arb(0)).log1p()


def _ball(epsilon: Epsilon) -> Fraction | arb:
    return epsilon if isinstance(epsilon, Fraction) else epsilon.ball()


def _enclosure(lower: Fraction | arb, upper: Fraction | arb, most: float = math.inf) -> Enclosure:
    top = min(max(0.0, rounded_up(upper)), most)
    return Enclosure(min(max(0.0, float_below(lower)), top), top)


_GOLDEN = (math.sqrt(5) - 1) / 2
_STEPS = 40


def least_value(function: Callable[[float], float], grid: Sequence[float]) -> float:
    """Return the least value met on a grid, and by golden sections around its best point.

    It serves where every point gives a valid bound, and the search decides only how tight.
    """
    values = [function(point) for point in grid]
    best = values.index(min(values))
    low, high = grid[max(best - 1, 0)], grid[min(best + 1, len(grid) - 1)]
    return min(values[best], _by_golden_sections(function, low, high))


def _by_golden_sections(function: Callable[[float], float], low: float, high: float) -> float:
    left, right = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
    at_left, at_right = function(left), function(right)
    least = min(at_left, at_right)
    for _ in range(_STEPS):
        if at_left <= at_right:
            high, right, at_right = right, left, at_left
            left = high - _GOLDEN * (high - low)
            at_left = function(left)
        else:
            low, left, at_left = left, right, at_right
            right = low + _GOLDEN * (high - low)
            at_right = function(right)
        least = min(least, at_left, at_right)
    return least


_ERROR_BITS = 128
#: Where the best ε is first looked for: 0, and the powers of two that e^ε survives.
_GRID = (0.0, *(2.0**power for power in range(-20, 10)))


def false_negative_rate(
    *, epsilon: Epsilon, delta: float | Fraction, false_positive_rate: Fraction
) -> float:
    """Return the least false negative rate under (ε, δ)-DP, rounded down.

    It is the greatest of 1 - δ - e^ε α, e^-ε (1 - δ - α) and 0, and some mechanism attains it
    :cite:p:`kairouz2015composition`.
    """
    with working_precision(_ERROR_BITS):
        alarms, kept = as_ball(false_positive_rate), 1 - as_ball(delta)
        factor = _exponential(epsilon)
        steep, flat = kept - factor * alarms, (kept - alarms) / factor
        return max(0.0, float_below(steep), float_below(flat))


def greatest_false_negative_rate(
    delta: Callable[[Fraction], float], false_positive_rate: Fraction
) -> float:
    """Return the greatest bound that a search finds among the points of a curve from ε to δ.

    Every point gives a valid bound, so the search decides only how tight it is.
    """

    def negative_rate(point: float) -> float:
        epsilon = Fraction(point)
        return -false_negative_rate(
            epsilon=epsilon, delta=delta(epsilon), false_positive_rate=false_positive_rate
        )

    return -least_value(negative_rate, _GRID) + 0.0


def _exponential(epsilon: Epsilon) -> arb:
    """Return e^ε, rounded once where ε is the logarithm of a rational."""
    rational = rational_exponential(epsilon)
    return as_ball(epsilon).exp() if rational is None else as_ball(rational)
