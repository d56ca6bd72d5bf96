"""How much noise is about right: where a search begins."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from sfumato.privacy.theorems import analytic_sigma

if TYPE_CHECKING:
    from sfumato.privacy.calibration.target import CalibrationTarget

__all__ = ["first_guess"]

#: Beyond this e^x - 1 and e^x are the same float.
_LARGE = 40.0


def first_guess(target: CalibrationTarget) -> float:
    """Return about the least noise, in sensitivities.

    By the central limit theorem many steps lose as much as one Gaussian step, and what counts of
    each is its χ²-divergence, which a Poisson sample of rate q multiplies by q².  Steps with an ε
    of their own never need more noise than basic composition.
    """
    in_all = 1 / analytic_sigma(epsilon=target.epsilon, delta=target.delta)
    rate = float(target.rate)
    of_step = in_all / math.sqrt(target.count) / rate
    if target.kind.pure:
        basic = _before_sampling(float(target.epsilon) / target.count, rate)
        return 1 / max(2 * math.asinh(of_step / 2), basic)
    return 1 / of_step if rate == 1 else 1 / math.sqrt(math.log1p(of_step**2))


def _before_sampling(epsilon: float, rate: float) -> float:
    """Return the ε of a step that a sample brings down to ``epsilon``."""
    if epsilon > _LARGE:
        return epsilon - math.log(rate)
    return math.log1p(math.expm1(epsilon) / rate)
