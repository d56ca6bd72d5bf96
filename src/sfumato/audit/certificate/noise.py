"""Whether noise hides what one change can move, at the cost that is charged for it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import ceil, erfc, exp, sqrt
from typing import TYPE_CHECKING

from sfumato.audit.certificate.parts import refute
from sfumato.privacy.events import DiscreteLaplace, Pure, ZeroConcentrated

if TYPE_CHECKING:
    from sfumato.audit.certificate.parts import Part
    from sfumato.privacy.events import Event

__all__ = ["Noise", "check_noise", "read_noise"]

#: σ is the least multiple of 2^-20 that is enough.
_SIGMA = Fraction(1, 2**20)
#: From this σ on, the tail of whole numbers is that of all numbers from half a step before.
_COARSE = 8
_FARTHEST = 40


@dataclass(frozen=True)
class Noise:
    """Whole-number noise.

    Parameters
    ----------
    kind
        "discrete_laplace" or "discrete_gaussian".
    spread
        The scale, or σ, in fine steps.
    """

    kind: str
    spread: Fraction

    @property
    def is_gaussian(self) -> bool:
        """Whether it is Gaussian."""
        return self.kind == "discrete_gaussian"

    def beyond(self, steps: int) -> float:
        """Return how likely it is that the noise is greater than so many steps in size."""
        if self.is_gaussian and self.spread < _COARSE:
            return _summed(float(self.spread), steps)
        if self.is_gaussian:
            return erfc(float((steps + Fraction(1, 2)) / self.spread) / sqrt(2))
        return 2 * exp(-float((steps + 1) / self.spread)) / (1 + exp(-1 / float(self.spread)))


@lru_cache(maxsize=1024)
def _summed(sigma: float, steps: int) -> float:
    """Return how likely whole-number Gaussian noise is greater than so many steps, exactly."""
    weights = [exp(-((step / sigma) ** 2) / 2) for step in range(ceil(_FARTHEST * sigma) + 1)]
    return 2 * sum(weights[steps + 1 :]) / (weights[0] + 2 * sum(weights[1:]))


def read_noise(part: Part) -> Noise:
    """Return what was added."""
    kind = part["noise"].text("discrete_laplace", "discrete_gaussian")
    field = "scale" if kind == "discrete_laplace" else "sigma"
    found = Noise(kind, part.record("noise", field)[field].fraction())
    if found.spread <= 0:
        refute("{name} is not above 0", name=part.name)
    return found


def check_noise(noise: Noise, sensitivity: Fraction, event: Event, name: str) -> None:
    """Check that noise is what an event says, on what one change can move.

    Laplace noise of scale b on a sensitivity S in the norm L1 costs ε = S/b; Gaussian noise of σ
    on a sensitivity in L2 costs ρ = S²/(2σ²), in any number of dimensions.
    """
    if noise.is_gaussian:
        _check_gaussian(noise.spread, sensitivity, event, name)
    else:
        _check_laplace(noise.spread, sensitivity, event, name)


def _check_laplace(scale: Fraction, sensitivity: Fraction, event: Event, name: str) -> None:
    match event:
        case DiscreteLaplace():
            same = event.scale == scale and Fraction(event.sensitivity) == sensitivity
        case Pure():
            same = event.epsilon == sensitivity / scale
        case _:
            same = False
    if not same:
        spent = float(sensitivity / scale)
        refute(
            "{name}: its noise costs ε = {spent:.6g}, and its event says something else",
            name=name,
            spent=spent,
        )


def _check_gaussian(sigma: Fraction, sensitivity: Fraction, event: Event, name: str) -> None:
    if not isinstance(event, ZeroConcentrated) or event.rho <= 0:
        refute("{name}: Gaussian noise is charged as a ρ, and the event is none", name=name)
    spent = sensitivity**2 / (2 * sigma**2)
    if spent == event.rho:
        return
    least = sensitivity**2 / (2 * event.rho)
    on_the_grid = (sigma / _SIGMA).denominator == 1
    if not (on_the_grid and sigma**2 >= least > (sigma - _SIGMA) ** 2):
        refute(
            "{name}: its noise costs ρ = {spent:.6g}, and its event says something else",
            name=name,
            spent=float(spent),
        )
