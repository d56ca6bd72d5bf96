"""A pair with at least one declared distribution: everything follows from values at points.

Kullback-Leibler and Rényi divergence are made from integrals of ``q * f(p/q)`` with ``f`` convex:
on a cell with bounds on the ratio, a
tangent of ``f`` gives a lower and its chord an upper bound, both linear in the cell's masses.
"""

from __future__ import annotations

import heapq
import math
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations, count
from typing import TYPE_CHECKING, Any

from flint import acb, arb, fmpq

from sfumato.errors import InputError, NoEnclosureError
from sfumato.information.continuous.declared import AnyDistribution, Declared
from sfumato.information.continuous.pairs import Cell, DensityPair, Point, cut_line, mass
from sfumato.numeric import any_float, as_fmpq, exact
from sfumato.refusal import Argument

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sfumato.information.continuous.distributions import ContinuousDistribution


_GOAL = 1e-9
_MOST_CUTS = 1500
#: Each stretch between breakpoints is halved so often.
_HALVINGS = 3
#: Below it the logarithm of a density that was a float before has lost its digits.
_UNDERFLOW = -700


class DeclaredPair:
    """A pair with at least one declared distribution; see ``DensityPair``."""

    def __init__(self, p: AnyDistribution, q: AnyDistribution) -> None:
        self._p, self._q = _view(p), _view(q)
        self.noise = 4 * max(self._p.accuracy, self._q.accuracy)
        cells = cut_line({*self._p.cuts, *self._q.cuts})
        self.cells = [cell for cell in cells if self._p.has_density(cell)]
        self._limits = (_limit(p, q, 0), _limit(p, q, 1))
        common = [cell for cell in self.cells if not self.is_singular(cell)]
        self._ends = (common[0].low, common[-1].high) if common else ()

    def is_singular(self, cell: Cell) -> bool:
        """See ``DensityPair``."""
        return not self._q.has_density(cell)

    def log_ratio(self, cell: Cell) -> tuple[arb, arb]:
        """See ``DensityPair``: between the values at the ends, because it was declared monotone."""
        if self.is_singular(cell):
            return arb.pos_inf(), arb.pos_inf()
        first, last = self.at_ends(cell)
        if first is None or last is None:
            return arb.neg_inf(), arb.pos_inf()
        return first.min(last), first.max(last)

    def attained(self, cell: Cell) -> arb:
        """See ``DensityPair``."""
        known = (each for each in self.at_ends(cell) if each is not None)
        return max(known, key=float, default=arb.neg_inf())

    def at_ends(self, cell: Cell) -> tuple[arb | None, arb | None]:
        """Return ``log p/q`` at the ends of a cell, None where it is not known."""
        return self._log_ratio_at(cell, cell.low), self._log_ratio_at(cell, cell.high)

    def masses(self, cell: Cell) -> tuple[arb, arb]:
        """See ``DensityPair``."""
        q = arb(0) if self.is_singular(cell) else self._q.mass(cell)
        return self._p.mass(cell), q

    def refuse_unknown_ends(self) -> None:
        """Refuse where nothing is known about the ratio at the ends of the support."""
        for cell in self.cells:
            if not self.is_singular(cell) and None in self.at_ends(cell):
                raise NoEnclosureError(
                    "E-ARGUMENT-MISSING",
                    "what log p/q tends to at the ends of the support is not known, so that "
                    "it has no proved bound",
                    "declare limits=(left, right) in Declared",
                )

    def _log_ratio_at(self, cell: Cell, point: Point) -> arb | None:
        limit = self._limits[self._ends.index(point)] if point in self._ends else None
        if limit is not None:
            return limit
        if not isinstance(point, Fraction):
            return None
        ratio = self._p.log_density(cell, point) - self._q.log_density(cell, point)
        return ratio if ratio.is_finite() else None


class _DeclaredView:
    """What a pair asks of a declared distribution."""

    def __init__(self, distribution: Declared) -> None:
        self.distribution, self.accuracy = distribution, distribution.accuracy
        ends = [each for each in distribution.support if abs(each) != math.inf]
        self.cuts = tuple(exact(each) for each in (*distribution.breakpoints, *ends))
        self._inner_cdf = cache(lambda x: self._asked(distribution.cdf, x, "cdf"))
        self._log_density = cache(lambda x: self._asked(distribution.log_density, x, "log_density"))

    def has_density(self, cell: Cell) -> bool:
        return self.distribution.support[0] < cell.middle < self.distribution.support[1]

    def log_density(self, cell: Cell, point: Fraction) -> arb:  # noqa: ARG002 - one function
        value = self._log_density(_as_float(point))
        return arb.nan() if value is None else value

    def mass(self, cell: Cell) -> arb:
        found = self._cdf(cell.high) - self._cdf(cell.low)
        if found < 0:
            raise InputError(
                "E-DISTRIBUTION-INCONSISTENT",
                "cdf must not fall, and returned less at a greater number",
            )
        return found.max(0).min(1)

    def _cdf(self, point: Point) -> arb:
        if point <= self.distribution.support[0]:
            return arb(0)
        if point >= self.distribution.support[1]:
            return arb(1)
        value = self._inner_cdf(_as_float(point))
        if value is None:
            return arb(0.5, 0.5)
        if not (value.is_finite() and value.overlaps(arb(0.5, 0.5))):
            raise InputError(
                "E-FUNCTION-RESULT",
                "cdf must return a probability, and returned a number outside 0 to 1",
            )
        return value

    def _asked(self, function: Callable[[float], Any], x: float, name: str) -> arb | None:
        """Return a ball around what a function says at a point, None where it fails."""
        value = _given(function, x, name)
        return None if value is None else self.distribution.blurred(value)


class _BallView:
    """What a pair asks of a distribution that ball arithmetic can evaluate."""

    accuracy = 0.0

    def __init__(self, distribution: ContinuousDistribution) -> None:
        self.distribution, self.cuts = distribution, distribution.breakpoints

    def has_density(self, cell: Cell) -> bool:
        return self.distribution.piece(cell.middle) is not None

    def log_density(self, cell: Cell, point: Fraction) -> arb:
        piece = self.distribution.piece(cell.middle)
        return arb.nan() if piece is None else piece.log_density(acb(as_fmpq(point))).real

    def mass(self, cell: Cell) -> arb:
        return mass(self.distribution, cell)


def _view(distribution: AnyDistribution) -> _DeclaredView | _BallView:
    if isinstance(distribution, Declared):
        return _DeclaredView(distribution)
    return _BallView(distribution)


def _limit(p: AnyDistribution, q: AnyDistribution, end: int) -> arb | None:
    """Return a limit of ``log p/q``: as p declares it, or as q does with the sign turned."""
    own = p.limit(end) if isinstance(p, Declared) else None
    turned = q.limit(end) if isinstance(q, Declared) else None
    if own is not None and turned is not None and not own.overlaps(-turned):
        raise InputError(
            "E-DISTRIBUTIONS-DIFFER",
            "the two distributions declare different limits of log p/q",
            "declare them once, or with opposite signs",
        )
    if own is None and turned is not None:
        return -turned
    return own


def _given(function: Callable[[float], Any], point: float, name: str) -> float | None:
    """Return the one number that a declared function gives; None where it fails, as log(0) does."""
    try:
        value = function(point)
    except (ValueError, ArithmeticError):
        return None
    if not isinstance(value, str) and getattr(value, "shape", ()) == ():
        with suppress(TypeError, ValueError, ArithmeticError):
            return float(value)
    raise InputError(
        "E-FUNCTION-RESULT",
        "{name} must return one number for one float, and returned something else",
        name=Argument(name),
    )


def _as_float(point: Point) -> float:
    number = float(point)
    if number != point:
        raise NoEnclosureError(
            "E-DISTRIBUTION-UNKNOWN",
            "a declared distribution can only be evaluated at floats, and a point between two "
            "neighbouring floats is needed",
            "use float breakpoints, or move the distribution nearer to zero",
        )
    return number


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


def convex_integral(pair: DensityPair, function: Convex) -> arb:
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


def _bounds(pair: DensityPair, cell: Cell, function: Convex) -> tuple[arb, arb]:
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


def refuse_contradictions(p: AnyDistribution, q: AnyDistribution) -> None:
    """Refuse a pair of which the declaration and the functions cannot both be right.

    All that is used was declared: how far the functions may be from the truth, that ``log p/q``
    is monotone on a stretch, and that the functions belong to distributions with these supports.  A
    pair that passes may still be declared wrongly between the points that are looked at.
    """
    pair = DeclaredPair(p, q)
    stretches = [_parts(cell) for cell in pair.cells]
    points = [any_float(part.high) for parts in stretches for part in parts]
    declared = [each for each in (p, q) if isinstance(each, Declared)]
    for distribution in declared:
        _refuse_silence(distribution, points)
        _refuse_wrong_ends(distribution)
    for parts in stretches:
        if not pair.is_singular(parts[0]):
            with suppress(NoEnclosureError, OverflowError):
                seen = [part for part in parts if all(_is_seen(each, part) for each in declared)]
                _refuse_turns(pair, seen)
                _refuse_another_density(pair, seen)


def _parts(cell: Cell) -> list[Cell]:
    """Return a stretch cut into parts, in order."""
    parts = [cell]
    for _ in range(_HALVINGS):
        parts = [half for part in parts for half in part.split()]
    return parts


def _refuse_silence(distribution: Declared, points: Sequence[float]) -> None:
    """Refuse functions that give no number anywhere, which would be cut finer and finer."""
    low, high = distribution.support
    inside = [point for point in points if low < point < high]
    for name, function in (("cdf", distribution.cdf), ("log_density", distribution.log_density)):
        if inside and all(math.isnan(_value(function, point, name)) for point in inside):
            raise InputError(
                "E-FUNCTION-RESULT",
                "{name} gives no number at any of the {count} points that were tried between "
                "{min} and {max}",
                "give a function of a float that does, or declare the support",
                name=name,
                count=len(inside),
                min=min(inside),
                max=max(inside),
            )


def _value(function: Callable[[float], Any], point: float, name: str) -> float:
    """Return the number that a function gives at a point, NaN where it gives none."""
    given = _given(function, point, name)
    return math.nan if given is None else given


def _is_seen(distribution: Declared, part: Cell) -> bool:
    """Tell whether a density is large enough for floats at the finite ends of a part."""
    ends = [float(end) for end in (part.low, part.high) if not isinstance(end, float)]
    return not any(
        _value(distribution.log_density, end, "log_density") < _UNDERFLOW for end in ends
    )


def _refuse_wrong_ends(distribution: Declared) -> None:
    """Refuse a distribution function that is not 0 and 1 at the ends of a finite support."""
    for end, due in zip(distribution.support, (0, 1), strict=True):
        point = any_float(end)
        if math.isinf(point) or point != end:
            continue
        value = _value(distribution.cdf, point, "cdf")
        if math.isfinite(value) and not distribution.blurred(value).contains(due):
            raise InputError(
                "E-DISTRIBUTION-INCONSISTENT",
                "the declaration contradicts the functions: cdf is {value:.6g} at {point}, "
                "an end of the support, and must be {due} there",
                "give a cdf that reaches it, or declare the support that the distribution has",
                value=value,
                point=point,
                due=due,
            )


def _refuse_turns(pair: DeclaredPair, parts: Sequence[Cell]) -> None:
    """Refuse a stretch on which the log-ratio surely rises somewhere and falls elsewhere."""
    ends = [end for part in parts for end in pair.at_ends(part)]
    known: list[arb] = [each for each in ends if each is not None]
    steps = list(combinations(known, 2))
    if any(one < other for one, other in steps) and any(one > other for one, other in steps):
        raise InputError(
            "E-DISTRIBUTION-INCONSISTENT",
            "the declaration contradicts the functions: log p/q both rises and falls "
            "from {low} to {high}",
            "declare its turns as breakpoints, and the limits that it has",
            **_ends(parts),
        )


def _refuse_another_density(pair: DeclaredPair, parts: Sequence[Cell]) -> None:
    """Refuse probabilities whose ratio lies outside all ratios of the densities."""
    for part in parts:
        (least, most), (p, q) = pair.log_ratio(part), pair.masses(part)
        if p > most.exp() * q or p < least.exp() * q:
            raise InputError(
                "E-DISTRIBUTION-INCONSISTENT",
                "the declaration contradicts the functions: the ratio of the probabilities "
                "that cdf gives from {low} to {high} is none that the densities have there",
                "give the cdf and the log_density of one distribution, and declare the turns as "
                "breakpoints",
                **_ends([part]),
            )


def _ends(parts: Sequence[Cell]) -> dict[str, float]:
    return {"low": any_float(parts[0].low), "high": any_float(parts[-1].high)}
