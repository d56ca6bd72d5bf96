"""From one way of counting privacy to another, always on the safe side.

Rényi and zero-concentrated guarantees become (ε, δ) by the bound of :cite:p:`balle2020hypothesis`
and :cite:p:`canonne2020discrete`: δ = e^{(α-1)(r-ε)} (1 - 1/α)^{α-1} / α, where r bounds the
divergence of order α.  Every order gives a valid bound, so the best one is sought in floats and
evaluated once in balls.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

from flint import arb

from sfumato.numeric import any_float, as_ball, working_precision
from sfumato.privacy.parameters import read_delta, read_epsilon
from sfumato.privacy.theorems.certified import (
    EpsilonLike,
    NumberLike,
    least_float,
    read_nonnegative,
    read_order,
)

if TYPE_CHECKING:
    from collections.abc import Callable


#: The orders that are sought lie above 1 by something between these.
_LEAST, _GREATEST = 1e-150, 1e150
_STEPS = 80


def renyi_to_epsilon(*, order: NumberLike, renyi: EpsilonLike, delta: NumberLike) -> float:
    """Return an ε that a Rényi divergence of one order implies at δ, rounded up.

    ε = r + ln((α-1)/α) - (ln δ + ln α)/(α-1), or 0 where that is negative; infinite at δ = 0.
    Proof: :doc:`/proofs/renyi-privacy`.

    Parameters
    ----------
    order
        α, above 1.
    renyi
        r, which the Rényi divergence of order α does not exceed, in either direction.
    delta
        From 0 up to, and without, 1.

    Examples
    --------
    >>> from sfumato.privacy.theorems import renyi_to_epsilon
    >>> round(renyi_to_epsilon(order=5, renyi=2.5, delta=1e-5), 6)
    4.752728
    """
    alpha, divergence, allowed = read_order(order), read_epsilon(renyi, "renyi"), read_delta(delta)
    if allowed == 0:
        return math.inf

    def epsilon() -> arb:
        a = as_ball(alpha)
        given = (as_ball(allowed).log() + a.log()) / (a - 1)
        return (as_ball(divergence) + (-1 / a).log1p() - given).max(arb(0))

    return least_float(epsilon)


def renyi_to_delta(*, order: NumberLike, renyi: EpsilonLike, epsilon: EpsilonLike) -> float:
    """Return a δ that a Rényi divergence of one order implies at ε, rounded up.

    δ = e^{(α-1)(r-ε)} (1 - 1/α)^{α-1} / α, at most 1: the inverse of :func:`renyi_to_epsilon`.
    Proof: :doc:`/proofs/renyi-privacy`.

    Parameters
    ----------
    order
        α, above 1.
    renyi
        r, which the Rényi divergence of order α does not exceed, in either direction.
    epsilon
        0 or more.

    Examples
    --------
    >>> from sfumato.privacy.theorems import renyi_to_delta
    >>> round(renyi_to_delta(order=5, renyi=2.5, epsilon=4.752728), 10)
    1e-05
    """
    alpha, divergence = read_order(order), read_epsilon(renyi, "renyi")
    level = read_epsilon(epsilon)

    def delta() -> arb:
        a = as_ball(alpha)
        loss = as_ball(divergence) - as_ball(level) + (-1 / a).log1p()
        return ((a - 1) * loss).exp() / a

    return min(1.0, least_float(delta))


def zcdp_to_epsilon(*, rho: NumberLike, delta: NumberLike) -> float:
    """Return an ε that ρ-zero-concentrated differential privacy implies at δ, rounded up.

    The least value of :func:`renyi_to_epsilon` with r = αρ over all orders.  Its derivative
    vanishes where ρ(α-1)² + ln α = ln(1/δ).  Proof: :doc:`/proofs/zero-concentrated-privacy`.

    Parameters
    ----------
    rho
        ρ, 0 or more: the divergence of every order α is at most αρ.
    delta
        From 0 up to, and without, 1.

    Examples
    --------
    >>> from sfumato.privacy.theorems import zcdp_to_epsilon
    >>> round(zcdp_to_epsilon(rho=0.5, delta=1e-5), 6)
    4.728387
    """
    slope, allowed = read_nonnegative(rho, "rho"), read_delta(delta)
    if allowed == 0 or slope == 0:
        return math.inf if slope else 0.0
    rate, wanted = any_float(slope), _log_of_inverse(allowed)
    order = _order_where(lambda above: rate * above**2 + math.log1p(above) >= wanted)
    return renyi_to_epsilon(order=order, renyi=order * slope, delta=allowed)


def zcdp_to_delta(*, rho: NumberLike, epsilon: EpsilonLike) -> float:
    """Return a δ that ρ-zero-concentrated differential privacy implies at ε, rounded up.

    The least value of :func:`renyi_to_delta` with r = αρ over all orders.  The derivative of its
    logarithm vanishes where (2α-1)ρ + ln(1 - 1/α) = ε.
    Proof: :doc:`/proofs/zero-concentrated-privacy`.

    Parameters
    ----------
    rho
        ρ, 0 or more: the divergence of every order α is at most αρ.
    epsilon
        0 or more.

    Examples
    --------
    >>> from sfumato.privacy.theorems import zcdp_to_delta
    >>> round(zcdp_to_delta(rho=0.5, epsilon=4.728387), 10)
    1e-05
    """
    slope, level = read_nonnegative(rho, "rho"), read_epsilon(epsilon)
    if slope == 0:
        return 0.0
    rate, wanted = any_float(slope), any_float(level)
    order = _order_where(
        lambda above: (2 * above + 1) * rate + math.log(above) - math.log1p(above) >= wanted
    )
    return renyi_to_delta(order=order, renyi=order * slope, epsilon=level)


def pure_to_zcdp(*, epsilon: EpsilonLike) -> float:
    """Return a ρ for which every ε-differentially private mechanism is ρ-zCDP: ε²/2, rounded up.

    Shown by :cite:p:`bun2016concentrated`.  Proof: :doc:`/proofs/zero-concentrated-privacy`.

    Examples
    --------
    >>> from sfumato.privacy.theorems import pure_to_zcdp
    >>> pure_to_zcdp(epsilon=1)
    0.5
    """
    level = read_epsilon(epsilon)
    return least_float(lambda: as_ball(level) * as_ball(level) / 2)


def pure_to_gaussian(*, epsilon: EpsilonLike) -> float:
    """Return the least μ for which every ε-differentially private mechanism is μ-GDP, rounded up.

    μ = 2 Φ⁻¹(e^ε/(1 + e^ε)).  Telling N(0, 1) from N(μ, 1) by the threshold μ/2 is randomized
    response with odds e^ε, of which every ε-private mechanism is a post-processing
    :cite:p:`kairouz2015composition`.  Proof: :doc:`/proofs/gaussian-privacy`.

    Examples
    --------
    >>> from sfumato.privacy.theorems import pure_to_gaussian
    >>> round(pure_to_gaussian(epsilon=1), 6)
    1.232035
    """
    level = read_epsilon(epsilon)

    def mu() -> arb:
        ball = as_ball(level)
        half = (ball / 2).tanh().erfinv() if level < 1 else (2 / (1 + ball.exp())).erfcinv()
        return 2 * arb(2).sqrt() * half

    return least_float(mu)


def _order_where(late: Callable[[float], bool]) -> Fraction:
    """Return the order, 1 and something, at which a condition on the something begins to hold."""
    low, high = math.log(_LEAST), math.log(_GREATEST)
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if late(math.exp(middle)) else (middle, high)
    return 1 + Fraction(math.exp(high))


def _log_of_inverse(delta: Fraction) -> float:
    with working_precision(128):
        return float(-as_ball(delta).log())
