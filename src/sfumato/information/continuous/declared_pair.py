"""A pair with at least one declared distribution: everything follows from values at points."""

from __future__ import annotations

import math
from contextlib import suppress
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any, Protocol

from flint import acb, arb

from sfumato.errors import InputError, NoEnclosureError
from sfumato.information.continuous.cells import Cell, Point, cut_line
from sfumato.information.continuous.declared import Declared
from sfumato.information.continuous.pairs import mass
from sfumato.numeric import as_fmpq, exact
from sfumato.refusal import Argument

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.information.continuous.distributions import ContinuousDistribution

__all__ = ["DeclaredPair", "single"]


class DeclaredPair:
    """A pair with at least one declared distribution; see ``Pair``."""

    def __init__(
        self, p: Declared | ContinuousDistribution, q: Declared | ContinuousDistribution
    ) -> None:
        self._p, self._q = _view(p), _view(q)
        self.noise = 4 * max(self._p.accuracy, self._q.accuracy)
        cells = cut_line({*self._p.cuts, *self._q.cuts})
        self.cells = [cell for cell in cells if self._p.has_density(cell)]
        self._limits = (_limit(p, q, 0), _limit(p, q, 1))
        common = [cell for cell in self.cells if not self.is_singular(cell)]
        self._ends = (common[0].low, common[-1].high) if common else ()

    def is_singular(self, cell: Cell) -> bool:
        """See ``Pair``."""
        return not self._q.has_density(cell)

    def log_ratio(self, cell: Cell) -> tuple[arb, arb]:
        """See ``Pair``: between the values at the ends, because it was declared monotone."""
        if self.is_singular(cell):
            return arb.pos_inf(), arb.pos_inf()
        first, last = self.at_ends(cell)
        if first is None or last is None:
            return arb.neg_inf(), arb.pos_inf()
        return first.min(last), first.max(last)

    def attained(self, cell: Cell) -> arb:
        """See ``Pair``."""
        known = (each for each in self.at_ends(cell) if each is not None)
        return max(known, key=float, default=arb.neg_inf())

    def at_ends(self, cell: Cell) -> tuple[arb | None, arb | None]:
        """Return ``log p/q`` at the ends of a cell, None where it is not known."""
        return self._log_ratio_at(cell, cell.low), self._log_ratio_at(cell, cell.high)

    def masses(self, cell: Cell) -> tuple[arb, arb]:
        """See ``Pair``."""
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


class _View(Protocol):
    """What a pair asks of either kind of distribution."""

    accuracy: float
    cuts: tuple[Fraction, ...]

    def has_density(self, cell: Cell) -> bool: ...

    def log_density(self, cell: Cell, point: Fraction) -> arb: ...

    def mass(self, cell: Cell) -> arb: ...


class _DeclaredView:
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
        """Return what a function says at a point, None where it fails, as a logarithm of zero."""
        try:
            value = function(x)
        except (ValueError, ArithmeticError):
            return None
        return self.distribution.blurred(single(value, name))


class _BallView:
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


def _view(distribution: Declared | ContinuousDistribution) -> _View:
    if isinstance(distribution, Declared):
        return _DeclaredView(distribution)
    return _BallView(distribution)


def _limit(
    p: Declared | ContinuousDistribution, q: Declared | ContinuousDistribution, end: int
) -> arb | None:
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


def single(value: Any, name: str) -> float:
    """Return the one number that a declared function gave; ``name`` is the function's."""
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
