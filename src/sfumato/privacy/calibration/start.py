"""How much noise is about right: where a search begins."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from sfumato.privacy.theorems import analytic_sigma

if TYPE_CHECKING:
    from sfumato.privacy.calibration.target import Target

__all__ = ["first_guess"]

#: Beyond this e^x - 1 and e^x are the same float.
_LARGE = 40.0


def first_guess(target: Target) -> float:
    """Return about the least noise, in sensitivities, by the central limit theorem.

    Many steps lose privacy as one Gaussian step does, the losses' variances added up.  A Poisson
    sample of rate q brings the χ²-divergence of a step down by q².  Steps with an ε of their own
    never need more than basic composition.
    """
    losses = 1 / analytic_sigma(epsilon=target.epsilon, delta=target.delta)
    of_step, rate = losses / math.sqrt(target.count), float(target.rate)
    if not target.kind.pure:
        return 1 / math.sqrt(math.log1p((of_step / rate) ** 2)) if rate < 1 else 1 / of_step
    return 1 / _before_sampling(max(of_step, float(target.epsilon) / target.count), rate)


def _before_sampling(epsilon: float, rate: float) -> float:
    """Return the ε of a step which is brought down to ``epsilon`` by a sample."""
    if epsilon > _LARGE:
        return epsilon - math.log(rate)
    return math.log1p(math.expm1(epsilon) / rate)
