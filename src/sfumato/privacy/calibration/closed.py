"""Noise in closed form: pure guarantees, and Gaussian noise of which no sample is drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.numeric import Ln, as_ball, fraction_below, working_precision
from sfumato.privacy.calibration.digits import is_short
from sfumato.privacy.calibration.search import first_kept
from sfumato.privacy.theorems import analytic_sigma, classical_sigma

if TYPE_CHECKING:
    from fractions import Fraction

    from flint import arb

    from sfumato.privacy.calibration.target import CalibrationTarget, CalibrationTrial
    from sfumato.privacy.parameters import Epsilon

__all__ = ["analytic_trial", "classical_trial", "pure_trial"]

_BITS = 128


def pure_trial(target: CalibrationTarget) -> CalibrationTrial:
    """Return the noise of a pure guarantee: each step has ε/count, before it was brought down by q.

    A sample of rate q takes a step's e^ε - 1 to q (e^ε - 1).
    """
    exact = _exact_value(target) if target.rate == 1 else None
    if exact is not None:
        return target.of_value(exact)
    with working_precision(_BITS):
        of_step = as_ball(target.epsilon) / target.count
        before = (of_step.expm1() / as_ball(target.rate)).log1p()
        noise = _fraction_above(1 / before)
    return first_kept(target.tried, noise)


def analytic_trial(target: CalibrationTarget) -> CalibrationTrial:
    """Return the least Gaussian noise: many steps are one with √count times the sensitivity."""
    return _gaussian(target, analytic_sigma(epsilon=target.epsilon, delta=target.delta))


def classical_trial(target: CalibrationTarget) -> CalibrationTrial:
    """Return the textbook's Gaussian noise."""
    return _gaussian(target, classical_sigma(epsilon=target.epsilon, delta=target.delta))


def _gaussian(target: CalibrationTarget, sigma: float) -> CalibrationTrial:
    with working_precision(_BITS):
        noise = _fraction_above(as_ball(sigma) * as_ball(target.count).sqrt())
    return first_kept(target.tried, noise)


def _exact_value(target: CalibrationTarget) -> Epsilon | None:
    """Return count·Δ/ε, or ε/count of a choice, where it is a number with few digits."""
    epsilon, count, is_choice = target.epsilon, target.count, target.kind.is_choice
    if isinstance(epsilon, Ln):
        return epsilon if is_choice and count == 1 else None
    value = epsilon / count if is_choice else count * target.sensitivity / epsilon
    return value if is_short(value) else None


def _fraction_above(ball: arb) -> Fraction:
    return -fraction_below(-ball)
