"""The least discrete Gaussian noise that keeps a guarantee, certified as it stands."""

from __future__ import annotations

from fractions import Fraction
from math import floor
from typing import TYPE_CHECKING

from sfumato.errors import InputError
from sfumato.mechanisms.distributions.integers import DiscreteGaussianNoise
from sfumato.numeric import Ln, as_ball, bracket_threshold, working_precision
from sfumato.privacy import events
from sfumato.privacy.calibration.digits import short_above
from sfumato.refusal import Argument, Bare
from sfumato.sampling import read_scale

if TYPE_CHECKING:
    from flint import arb

    from sfumato.privacy import ApproxDP
    from sfumato.privacy.parameters import Epsilon

__all__ = ["concentrated_rho", "exact_delta", "least_sigma"]

_BITS = 256
#: How close the noise is brought to the least, as a share of it.
_TOLERANCE = 2.0**-32


def concentrated_rho(sensitivity: Fraction | int, sigma: Fraction) -> Fraction:
    """Return ρ = Δ²/(2σ²) of noise on any number of coordinates :cite:p:`canonne2020discrete`."""
    return sensitivity**2 / (2 * sigma**2)


def exact_delta(*, epsilon: Epsilon, sigma: Fraction, sensitivity: int) -> arb:
    """Return the least δ of noise on one number as a ball, at the precision in force.

    A noise of k is more than e^ε times likelier than one of k + Δ from k = εσ²/Δ - Δ/2 on, so
    that δ = P(X ≥ k) - e^ε P(X ≥ k + Δ) for the least such k.
    """
    noise = DiscreteGaussianNoise(sigma)
    first = 1 + _last_unlikely(epsilon, sigma**2 / sensitivity, sensitivity)
    # By symmetry P(X ≥ k) is P(X ≤ -k), which is told from the side where it is small.
    seen, unseen = noise.cumulative(-first), noise.cumulative(-first - sensitivity)
    return seen - as_ball(epsilon).exp() * unseen


def _last_unlikely(epsilon: Epsilon, per_unit: Fraction, sensitivity: int) -> int:
    """Return the floor of ε·per_unit - Δ/2; that of a logarithm, no rational, by finer balls."""
    half = Fraction(sensitivity, 2)
    if not isinstance(epsilon, Ln):
        return floor(epsilon * per_unit - half)
    bits, found = _BITS, None
    while found is None:
        with working_precision(bits):
            edge = epsilon.ball() * as_ball(per_unit) - as_ball(half)
            found = edge.floor().unique_fmpz()
        bits *= 2
    return int(found)


def least_sigma(guarantee: ApproxDP, sensitivity: Fraction | int, dimensions: int) -> Fraction:
    """Return the least σ, within a sliver, for which a guarantee is proved.

    Of one number by the exact curve; of several by concentrated privacy.
    """
    if guarantee.exact_delta == 0:
        raise InputError(
            "E-DELTA-MISSING",
            "no Gaussian noise keeps delta = 0",
            "write {delta}, say, or use DiscreteLaplace",
            delta=Argument("delta", Bare("1e-6")),
        )

    def sigma(noise: float) -> Fraction:
        return read_scale(short_above(sensitivity * Fraction(noise)), "sigma")

    def is_enough(noise: float) -> bool:
        if dimensions == 1:
            return _is_kept(guarantee, sigma(noise), int(sensitivity))
        return _is_implied(guarantee, concentrated_rho(sensitivity, sigma(noise)))

    high = 1.0
    while not is_enough(high):
        high *= 2
    low = high / 2
    while is_enough(low):
        low, high = low / 2, low
    return sigma(bracket_threshold(is_enough, low, high, tolerance=high * _TOLERANCE).high)


def _is_kept(guarantee: ApproxDP, sigma: Fraction, sensitivity: int) -> bool:
    with working_precision(_BITS):
        delta = exact_delta(epsilon=guarantee.exact_epsilon, sigma=sigma, sensitivity=sensitivity)
        return bool(delta <= as_ball(guarantee.exact_delta))


def _is_implied(guarantee: ApproxDP, rho: Fraction) -> bool:
    from sfumato.privacy import compose

    whole = compose(events.ZeroConcentrated(rho=rho))
    return whole.epsilon(delta=guarantee.exact_delta) <= guarantee.exact_epsilon
