"""The divergences of two continuous distributions, as enclosures."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from flint import arb, fmpq

from sfumato.information.continuous import closed_forms
from sfumato.information.continuous.adapters import as_continuous
from sfumato.information.continuous.closed_forms import exact_shift
from sfumato.information.continuous.declared import AnyDistribution, Declared
from sfumato.information.continuous.declared_pair import (
    DeclaredPair,
    convex_integral,
    entropy_function,
    power_function,
)
from sfumato.information.continuous.distributions import (
    Number,
    plain_number,
)
from sfumato.information.continuous.families import Gaussian, Laplace, Logistic, Symmetric
from sfumato.information.continuous.integral import kl_integral, log_power_integral
from sfumato.information.continuous.pairs import (
    BallPair,
    DensityPair,
    Point,
    bits_to_tell_apart,
    joined,
)
from sfumato.information.continuous.region import (
    Work,
    excess_mass,
    greatest_log_ratio,
    least_level,
    singular_mass,
)
from sfumato.numeric import (
    Enclosure,
    Ln,
    as_ball,
    as_fmpq,
    exact,
    float_above,
    float_below,
    working_precision,
)

if TYPE_CHECKING:
    from collections.abc import Callable


_BITS = 128
_MOST_EXTRA_BITS = 4096


def renyi(p: Any, q: Any, *, order: Number, base: float) -> Enclosure:
    """Enclose the Rényi divergence of an order from 0 to infinity.

    Parameters
    ----------
    p, q
        Distributions of this package, SciPy's, or declared ones.
    order
        The order, exactly; 0, 1 and infinity are the limits.
    base
        The base of the logarithm.
    """
    if order == math.inf:
        return maximum(p, q, delta=0, base=base)
    distributions = as_continuous(p, "p"), as_continuous(q, "q")
    if distributions[0] == distributions[1]:
        return Enclosure(0.0, 0.0)
    alpha = exact(plain_number(order, "order"))
    with working_precision(bits_for(*distributions) + 2 * _extra_bits(alpha)):
        value = _renyi_ball(*distributions, as_fmpq(alpha), _extra_bits(alpha))
        return _enclosure(value, value, base, least=0.0)


def maximum(p: Any, q: Any, *, delta: Number, base: float) -> Enclosure:
    """Enclose the delta-approximate max divergence.

    Parameters
    ----------
    p, q
        Distributions of this package, SciPy's, or declared ones.
    delta
        The probability that may be set aside.
    base
        The base of the logarithm.
    """
    distributions = as_continuous(p, "p"), as_continuous(q, "q")
    with working_precision(bits_for(*distributions)):
        if delta == 0:
            low, high = _maximum_balls(*distributions)
            return _enclosure(low, high, base, least=0.0)
        limit = as_ball(delta)
        low, high = least_level(excess_of(*distributions, against=limit), limit)
        return _enclosure(low, high, base, least=-math.inf)


def hockey_stick(p: Any, q: Any, *, epsilon: Number | Ln) -> Enclosure:
    """Enclose the hockey-stick divergence, the integral of ``max(0, p - exp(epsilon) q)``.

    Parameters
    ----------
    p, q
        Distributions of this package, SciPy's, or declared ones.
    epsilon
        The level, a number or an exact ``Ln``.
    """
    distributions = as_continuous(p, "p"), as_continuous(q, "q")
    with working_precision(bits_for(*distributions)):
        return _probability(excess_of(*distributions)(_level(epsilon)))


def statistical_distance(p: Any, q: Any) -> Enclosure:
    """Enclose the statistical distance, the greatest gap in the probability of any event.

    Parameters
    ----------
    p, q
        Distributions of this package, SciPy's, or declared ones.
    """
    distributions = as_continuous(p, "p"), as_continuous(q, "q")
    with working_precision(bits_for(*distributions)):
        formula = closed_forms.statistical_distance(*distributions)
        return _probability(excess_of(*distributions)(arb(0)) if formula is None else formula)


def bits_for(p: AnyDistribution, q: AnyDistribution) -> int:
    """Return the working precision: more where the distributions are narrow for where they lie."""
    points = (exact(each) for each in (*p.breakpoints, *q.breakpoints))
    return _BITS + min(2 * bits_to_tell_apart(points), _MOST_EXTRA_BITS)


def _extra_bits(order: Fraction) -> int:
    """Return the bits that dividing by ``order - 1``, or multiplying by the order, costs."""
    gap = abs(order - 1)
    bits = gap.numerator.bit_length() - gap.denominator.bit_length() if gap > 0 else 0
    return min(abs(bits), _MOST_EXTRA_BITS)


def _renyi_ball(p: AnyDistribution, q: AnyDistribution, order: fmpq, bits: int) -> arb:
    if order == 0:
        shared = _shared_mass(pair_of(p, q))
        return arb.pos_inf() if shared.is_zero() else -shared.log()
    if order == 1:
        formula = closed_forms.kl(p, q)
        return _kl_ball(pair_of(p, q)) if formula is None else formula
    formula = closed_forms.renyi(p, q, order)
    if formula is not None:
        return formula
    return _log_power(pair_of(p, q), order, bits) / (order - 1)


def _kl_ball(pair: BallPair | DeclaredPair) -> arb:
    if isinstance(pair, BallPair):
        return kl_integral(pair)
    if any(map(pair.is_singular, pair.cells)):
        return arb.pos_inf()
    return convex_integral(pair, entropy_function)


def _log_power(pair: BallPair | DeclaredPair, order: fmpq, bits: int) -> arb:
    if isinstance(pair, BallPair):
        return log_power_integral(pair, order, bits)
    if order > 1 and any(map(pair.is_singular, pair.cells)):
        return arb.pos_inf()
    if all(map(pair.is_singular, pair.cells)):
        return arb.neg_inf()
    return abs(convex_integral(pair, power_function(order))).log()


def _shared_mass(pair: DensityPair) -> arb:
    """Return the mass that q gives to where p has a density, from as few cells as possible."""
    shared = [cell for cell in pair.cells if not pair.is_singular(cell)]
    if not shared:
        return arb(0)
    alike = joined(replace(cell, stretch=shared[0].stretch) for cell in shared)
    return sum((pair.masses(cell)[1] for cell in alike), arb(0))


def _maximum_balls(p: AnyDistribution, q: AnyDistribution) -> tuple[arb, arb]:
    if p == q:
        return arb(0), arb(0)
    formula = closed_forms.maximum(p, q)
    if formula is not None:
        return formula, formula
    pair = pair_of(p, q)
    if any(map(pair.is_singular, pair.cells)):
        return arb.pos_inf(), arb.pos_inf()
    if isinstance(pair, DeclaredPair):
        pair.refuse_unknown_ends()
    return greatest_log_ratio(pair)


def _level(epsilon: Number | Ln) -> arb:
    return arb(float(epsilon)) if epsilon in (math.inf, -math.inf) else as_ball(epsilon)


def excess_of(
    p: AnyDistribution, q: AnyDistribution, against: arb | None = None
) -> Callable[[arb], arb]:
    """Return the hockey-stick divergence as a function of the level; see ``excess_mass``."""
    pair, work = pair_of(p, q), Work()

    def at(level: arb) -> arb:
        if level <= arb.neg_inf():
            return arb(1)
        if level >= arb.pos_inf():
            return singular_mass(pair)
        if p == q:
            return (-level.expm1()).max(0)
        formula = closed_forms.hockey_stick(p, q, level)
        if formula is not None:
            return formula
        return excess_mass(pair, level, against=against, work=work)

    return at


def pair_of(p: AnyDistribution, q: AnyDistribution) -> BallPair | DeclaredPair:
    """Return two distributions side by side."""
    if isinstance(p, Declared) or isinstance(q, Declared):
        return DeclaredPair(p, q)
    return BallPair(p, q)


def _enclosure(low: arb, high: arb, base: float, *, least: float) -> Enclosure:
    unit = arb(1) if base == math.e else arb(base).log()
    return Enclosure(
        max(least, float_below(low / unit) + 0.0), max(least, float_above(high / unit) + 0.0)
    )


def _probability(ball: arb) -> Enclosure:
    return Enclosure(min(1.0, max(0.0, float_below(ball))), min(1.0, max(0.0, float_above(ball))))


def exact_maximum(p: AnyDistribution, q: AnyDistribution) -> Fraction | None:
    """Return the max divergence: the shift in scales, of two such distributions of one scale."""
    if p == q:
        return Fraction(0)
    shift = exact_shift(p, q)
    return abs(shift) if shift is not None and isinstance(p, (Laplace, Logistic)) else None


def exact_renyi(p: AnyDistribution, q: AnyDistribution, order: Fraction) -> Fraction | None:
    """Return the Rényi divergence of two Gaussians of one standard deviation."""
    if p == q:
        return Fraction(0)
    shift = exact_shift(p, q)
    return order * shift**2 / 2 if shift is not None and isinstance(p, Gaussian) else None


def half_line_of_maximum(p: AnyDistribution, q: AnyDistribution) -> tuple[Point, Point] | None:
    """Return a half line on which ``log p/q`` is everywhere the max divergence, if one is known."""
    shift = exact_shift(p, q)
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
    shift = exact_shift(p, q)
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
