"""Kullback-Leibler and Rényi divergence of distributions known as formulas, by rigorous quadrature.

Between breakpoints the integrand is analytic, and the quadrature of the ball-arithmetic library
encloses its integral :cite:p:`johansson2018integration`; from the last point to infinity it is
bounded through the tails' envelopes.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from flint import acb, arb, fmpq

from sfumato.errors import NoEnclosureError
from sfumato.numeric import as_fmpq
from sfumato.translation import mark

if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction

    from sfumato.information.continuous.log_densities import Curve
    from sfumato.information.continuous.pairs import BallPair, Cell


_GOAL_BITS = 72
_MOST_STEPS = 64
_MOST_EVALUATIONS = 50_000
_UNSETTLED = (
    mark("the integral did not settle within the work allowed, so no bound is proved"),
    mark("the distributions may differ too much in scale, or the order may be too large"),
)


def kl_integral(pair: BallPair) -> arb:
    """Return the integral of ``p log p/q``."""
    total = arb(0)
    for cell in pair.cells:
        if pair.is_singular(cell):
            return arb.pos_inf()
        heads, tail = _truncated(pair, cell, fmpq(1), _GOAL_BITS)
        for head in heads:
            total += _quadrature(pair, head, lambda p, q: p.exp() * (p - q), _GOAL_BITS)
        if tail is not None:
            total += _kl_of_tail(pair, tail)
    return total


def log_power_integral(pair: BallPair, order: fmpq, bits: int = 0) -> arb:
    """Return the logarithm of the integral of ``p**order * q**(1 - order)``.

    ``bits`` asks for that much more accuracy, for orders near one.
    """
    cells = [cell for cell in pair.cells if not pair.is_singular(cell)]
    if order > 1 and len(cells) < len(pair.cells):
        return arb.pos_inf()
    parts = [_truncated(pair, cell, order, _GOAL_BITS + bits) for cell in cells]
    tails = [_tail(pair, each, order) for _, each in parts if each is not None]
    if any(lower.diverges for lower, _ in tails):
        return arb.pos_inf()
    heads = list(chain.from_iterable(each for each, _ in parts))
    peak = max((_log_mass(pair, cell, order) for cell in heads), default=0.0)
    total = arb(0)
    for head in heads:
        total += _quadrature(
            pair, head, lambda p, q: (order * p + (1 - order) * q - peak).exp(), _GOAL_BITS + bits
        )
    for _, upper in tails:
        total += arb(0).union((upper.start - peak).exp() / upper.fall)
    if heads and not total > 0:
        raise NoEnclosureError("E-BOUND-UNPROVED", *_UNSETTLED)
    return peak + total.log() if heads else arb.neg_inf()


def _truncated(
    pair: BallPair, cell: Cell, order: fmpq, bits: int
) -> tuple[list[Cell], Cell | None]:
    """Cut an infinite cell where its rest is below ``exp(-bits)`` of the peak, or infinite."""
    heads: list[Cell] = []
    peak, log_reach = -float("inf"), _log(cell.reach)
    while not cell.is_finite:
        lower, upper = _tail(pair, cell, order)
        peak = max(peak, _log_size(pair, cell, order, cell.anchor[0]) + log_reach)
        if lower.diverges or (upper.decays and _log_rest(upper) < peak - bits):
            return heads, cell
        if len(heads) >= _MOST_STEPS:
            raise NoEnclosureError("E-BOUND-UNPROVED", *_UNSETTLED)
        parts = cell.split()
        heads += [each for each in parts if each.is_finite]
        cell = next(each for each in parts if not each.is_finite)
    return [cell], None


def _tail(pair: BallPair, cell: Cell, order: fmpq) -> tuple[Curve, Curve]:
    """Return curves below and above ``order * log p + (1 - order) * log q`` on a tail."""
    p, q = pair.tails(cell)
    small, large = (q.upper, q.lower) if order > 1 else (q.lower, q.upper)
    return (
        p.lower.weighted(order, small, 1 - order),
        p.upper.weighted(order, large, 1 - order),
    )


def _log_rest(curve: Curve) -> float:
    return float(curve.start - arb(curve.fall).log())


def _kl_of_tail(pair: BallPair, cell: Cell) -> arb:
    """Bound the tail: p under an exponential, the ratio under the sum of its two bounds."""
    p, q = pair.tails(cell)
    ratios = (p.upper.minus(q.lower), p.lower.minus(q.upper))
    fall = p.upper.fall
    size = sum((abs(each.start) + abs(each.fall) / fall for each in ratios), arb(0))
    size += sum((abs(each.bend) / (fall * fall) for each in ratios), arb(0))
    most = size * p.upper.start.exp() / fall
    return (-most).union(most)


def _log_size(pair: BallPair, cell: Cell, order: fmpq, point: Fraction) -> float:
    """Return roughly the log integrand at a point of a cell."""
    p, q = pair.pieces(cell)
    x = acb(as_fmpq(point))
    return float((order * p.log_density(x) + (1 - order) * q.log_density(x)).real.mid())


def _log_mass(pair: BallPair, cell: Cell, order: fmpq) -> float:
    """Return roughly the logarithm of the integral over a finite cell."""
    low, high = cell.ends
    return _log(high - low) + max(_log_size(pair, cell, order, each) for each in (low, high))


def _log(number: Fraction) -> float:
    return float(arb(as_fmpq(number)).log())


def _quadrature(pair: BallPair, cell: Cell, integrand: Callable[[acb, acb], acb], bits: int) -> arb:
    p, q = pair.pieces(cell)

    def evaluate(x: acb, analytic: bool) -> acb:  # noqa: FBT001 - the library's signature
        return integrand(p.log_density(x, analytic=analytic), q.log_density(x, analytic=analytic))

    low, high = (acb(as_fmpq(each)) for each in cell.ends)
    goal = arb(2) ** -bits
    whole = acb.integral(
        evaluate, low, high, rel_tol=goal, abs_tol=goal, eval_limit=_MOST_EVALUATIONS
    )
    if not whole.is_finite():
        raise NoEnclosureError("E-BOUND-UNPROVED", *_UNSETTLED)
    return whole.real
