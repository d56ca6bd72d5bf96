"""The Gaussian mechanism: its exact privacy profile, and the noise that a guarantee needs.

Noise of standard deviation σ on a value of L2 sensitivity Δ is as hard to see through as telling
N(0, 1) from N(μ, 1) with μ = Δ/σ, and the profile of that pair is known in closed form
:cite:p:`balle2018improving`.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

from flint import arb

from sfumato.errors import InputError
from sfumato.numeric import Enclosure, as_ball, float_above, nearest_float, shown, working_precision
from sfumato.privacy.parameters import read_delta, read_epsilon, read_positive
from sfumato.privacy.theorems.certified import (
    EpsilonLike,
    NumberLike,
    crossing,
    crossing_above_zero,
    enclosed,
    least_float,
    log_ratio,
    read_probability,
    rounded_up,
)

if TYPE_CHECKING:
    from sfumato.privacy.parameters import Epsilon


_BITS = 128
#: Beyond so many deviations the profile is below every float, and every δ that can be written.
_FAR_OUT = 10**4
#: From here on five terms of its series give the Mills ratio to 27 digits.
_SERIES_FROM = 10**3


def gaussian_profile(epsilon: arb, mu: arb) -> arb:
    """Return δ(ε) = Φ(μ/2 - ε/μ) - e^ε Φ(-μ/2 - ε/μ) as a ball, at the precision in force.

    Far out the second term is φ(μ/2 - ε/μ) times the Mills ratio at μ/2 + ε/μ.

    Parameters
    ----------
    epsilon
        0 or more.
    mu
        Above 0: the distance of the two means, in standard deviations.
    """
    near, far = mu / 2 - epsilon / mu, mu / 2 + epsilon / mu
    if near < -_FAR_OUT:
        return arb(0).union(_normal_above(arb(_FAR_OUT)))
    if far > _SERIES_FROM:
        return _normal_above(-near) - _normal_density(near) * _mills_ratio(far)
    return _normal_above(-near) - epsilon.exp() * _normal_above(far)


def gaussian_delta(*, mu: NumberLike, epsilon: EpsilonLike) -> Enclosure:
    """Return the least δ for which Gaussian noise is (ε, δ)-differentially private.

    Exact, for every ε :cite:p:`balle2018improving`.  Proof: :doc:`/proofs/gaussian-privacy`.

    Parameters
    ----------
    mu
        The L2 sensitivity over the standard deviation.  For several Gaussian mechanisms, adaptive
        or not, with μ fixed in advance: the root of the sum of squares.
    epsilon
        0 or more; ``Ln(2)`` for ln 2 exactly.

    Examples
    --------
    >>> from sfumato.privacy.theorems import gaussian_delta
    >>> print(gaussian_delta(mu=1, epsilon=1))
    [0.12693673750664394, 0.12693673750664397]
    """
    ratio, level = read_positive(mu, "mu"), read_epsilon(epsilon)
    return enclosed(lambda: gaussian_profile(as_ball(level), as_ball(ratio)), most=1.0)


def gaussian_epsilon(*, mu: NumberLike, delta: NumberLike) -> Enclosure:
    """Return the least ε for which Gaussian noise is (ε, δ)-differentially private.

    The inverse of :func:`gaussian_delta`; infinite at δ = 0.
    Proof: :doc:`/proofs/gaussian-privacy`.

    Parameters
    ----------
    mu
        The L2 sensitivity over the standard deviation.
    delta
        From 0 up to, and without, 1.

    Examples
    --------
    >>> from sfumato.privacy.theorems import gaussian_epsilon
    >>> round(gaussian_epsilon(mu=1, delta=1e-5).upper, 9)
    4.377178096
    """
    ratio, allowed = read_positive(mu, "mu"), read_delta(delta)
    if allowed == 0:
        return Enclosure(math.inf, math.inf)

    def excess(level: float) -> arb:
        return log_ratio(gaussian_profile(as_ball(level), as_ball(ratio)), as_ball(allowed))

    return crossing_above_zero(excess, _tail_epsilon(ratio, allowed))


def classical_sigma(
    *, epsilon: EpsilonLike, delta: NumberLike, sensitivity: NumberLike = 1
) -> float:
    """Return the textbook's Gaussian noise, Δ √(2 ln(1.25/δ)) / ε, rounded up.

    Theorem A.1 of :cite:p:`dwork2014`, proved for 0 < ε < 1 only and refused beyond: from ε of
    about 8.4 (at δ = 1e-5) the noise is in truth too small.  :func:`analytic_sigma` holds for
    every ε and is less.  Proof: :doc:`/proofs/gaussian`.

    Parameters
    ----------
    epsilon
        Above 0 and below 1.
    delta
        Above 0 and below 1.
    sensitivity
        Δ, the L2 sensitivity.

    Examples
    --------
    >>> from sfumato.privacy.theorems import classical_sigma
    >>> round(classical_sigma(epsilon=0.5, delta=1e-5), 9)
    9.689610525
    """
    level, allowed, distance = _read_calibration(epsilon, delta, sensitivity)
    if not 0 < level < 1:
        raise InputError(
            "E-CALIBRATION-UNPROVED",
            "the classical Gaussian calibration is proved for epsilon above 0 and below 1, "
            "not {epsilon}",
            "write sf.calibrate(...), which uses the analytic one",
            epsilon=shown(epsilon),
        )

    def sigma() -> arb:
        deviations = (2 * as_ball(Fraction(5, 4) / allowed).log()).sqrt()
        return deviations * as_ball(distance) / as_ball(level)

    return least_float(sigma)


def analytic_sigma(
    *, epsilon: EpsilonLike, delta: NumberLike, sensitivity: NumberLike = 1
) -> float:
    """Return the least Gaussian noise that is (ε, δ)-differentially private, rounded up.

    The analytic calibration of :cite:p:`balle2018improving`: the σ at which the exact profile of
    :func:`gaussian_delta` meets δ.  Proof: :doc:`/proofs/gaussian`.

    Parameters
    ----------
    epsilon
        0 or more.
    delta
        Above 0 and below 1.
    sensitivity
        Δ, the L2 sensitivity.

    Examples
    --------
    >>> from sfumato.privacy.theorems import analytic_sigma
    >>> round(analytic_sigma(epsilon=1, delta=1e-5), 12)
    3.730631634816
    """
    level, allowed, distance = _read_calibration(epsilon, delta, sensitivity)

    def excess(sigma: float) -> arb:
        return log_ratio(gaussian_profile(as_ball(level), 1 / as_ball(sigma)), as_ball(allowed))

    def is_enough(sigma: float) -> bool:
        return nearest_float(lambda: excess(sigma)) <= 0

    high = _enough_sigma(level, allowed)
    if math.isinf(high):
        return high
    low = high / 2
    while low > 0 and is_enough(low):
        low, high = low / 2, low
    with working_precision(_BITS):
        return rounded_up(as_ball(crossing(excess, low, high).upper) * as_ball(distance))


def _read_calibration(
    epsilon: EpsilonLike, delta: NumberLike, sensitivity: NumberLike
) -> tuple[Epsilon, Fraction, Fraction]:
    return (
        read_epsilon(epsilon),
        read_probability(delta, "delta"),
        read_positive(sensitivity, "sensitivity"),
    )


def _tail_epsilon(mu: Fraction, delta: Fraction) -> float:
    """Return an ε above which the privacy loss, N(μ²/2, μ²), lies with probability below δ."""
    with working_precision(_BITS):
        ball = as_ball(mu)
        return float_above(ball * ball / 2 + ball * (-2 * as_ball(delta).log()).sqrt())


def _enough_sigma(epsilon: Epsilon, delta: Fraction) -> float:
    """Return a σ that is surely enough: by the tail of the loss, or since δ(0) ≤ μ/√(2π)."""
    with working_precision(_BITS):
        log, level = -2 * as_ball(delta).log(), as_ball(epsilon)
        by_tail = 2 * level / ((log + 2 * level).sqrt() + log.sqrt())
        by_distance = as_ball(delta) * (2 * arb.pi()).sqrt()
        return float_above(1 / by_tail.max(by_distance))


def _normal_above(z: arb) -> arb:
    """Return the probability that a standard normal number is above z."""
    return (z / arb(2).sqrt()).erfc() / 2


def _normal_density(z: arb) -> arb:
    return (-z * z / 2).exp() / (2 * arb.pi()).sqrt()


def _mills_ratio(x: arb) -> arb:
    """Return (1 - Φ(x)) / φ(x): between any two successive sums of its alternating series."""
    total = term = 1 / x
    for odd in (1, 3, 5, 7, 9):
        before, term = total, -odd * term / (x * x)
        total = before + term
    return before.union(total)
