"""Which Rényi orders to look at for a budget, chosen from the budget alone."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING

from sfumato.numeric import any_float, as_ball, working_precision
from sfumato.privacy.events.wording import plain
from sfumato.privacy.filters.decimals import decimal_below

if TYPE_CHECKING:
    from flint import arb

    from sfumato.privacy.parameters import Epsilon

__all__ = ["best_order", "divergence_ball", "greatest_divergence", "log_of_inverse", "named_orders"]

_BITS = 256
_STEPS = 100
_DIGEST = 16
#: The logarithms of the least and the greatest distance of an order from 1.
_LEAST, _GREATEST = -14.0, 600.0


def best_order(epsilon: Epsilon, delta: Fraction) -> Fraction:
    """Return the order, to three digits, at which (ε, δ) leaves most room for Gaussian noise.

    With ρ the noise that fits, the best order α has ρ (α - 1)² + ln α = ln(1/δ) and
    ε = (2α - 1) ρ + ln(1 - 1/α); together, an equation in α whose left side falls.
    """
    target, log_inverse = any_float(epsilon), log_of_inverse(delta)

    def implied(above: float) -> float:
        rho = (log_inverse - math.log1p(above)) / above**2
        return (2 * above + 1) * rho - math.log1p(1 / above)

    low, high = _LEAST, min(max(log_inverse, 1.0), _GREATEST)
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if implied(math.exp(middle)) > target else (low, middle)
    return 1 + Fraction(f"{math.exp(low):.3g}")


def greatest_divergence(order: Fraction, epsilon: Epsilon, delta: Fraction) -> Fraction:
    """Return the greatest divergence of an order that implies (ε, δ), rounded down to a decimal.

    The inverse of the best conversion known for one order :cite:p:`canonne2020discrete`:
    r = ε - ln(1 - 1/α) + (ln δ + ln α)/(α - 1).  Negative where nothing fits.
    """
    with working_precision(_BITS):
        return decimal_below(divergence_ball(order, as_ball(epsilon), as_ball(delta)))


def divergence_ball(order: Fraction, epsilon: arb, delta: arb) -> arb:
    """Return a ball around the greatest divergence of an order that implies (ε, δ)."""
    a = as_ball(order)
    return epsilon - (-1 / a).log1p() + (delta.log() + a.log()) / (a - 1)


def named_orders(orders: tuple[Fraction, ...], weights: tuple[Fraction, ...] = ()) -> str:
    """Return words for orders and weights that are others for any other orders or weights."""
    exactly = ",".join(map(str, orders)) + ";" + ",".join(map(str, weights))
    digest = sha256(exactly.encode()).hexdigest()[:_DIGEST]
    first, last = plain(orders[0]), plain(orders[-1])
    if len(orders) == 1:
        return f"order {first} ({digest})"
    return f"orders {first} to {last}, {len(orders):,} in all ({digest})"


@lru_cache(maxsize=64)
def log_of_inverse(delta: Fraction) -> float:
    """Return about ln(1/δ), for a δ that may be below all floats."""
    with working_precision(_BITS):
        return float(-as_ball(delta).log())
