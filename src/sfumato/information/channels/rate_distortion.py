"""The least information that an expected loss needs: Blahut's iteration, then Newton's.

At a slope s the best channel is p(y|x) ∝ q(y)·exp(-s·loss(x, y)), with the distribution q of its
own outputs :cite:p:`blahut1972`.  What is found is only proposed: the certificate proves it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.information.validate import Floats


_STEPS, _NEWTON_STEPS, _HALVINGS = 100, 60, 90
_CENTRING, _TO_THE_WALL, _LEAST_PROGRESS, _LEAST_WEIGHT = 0.1, 0.99, 1e-17, 1e-14
#: Keeps the system regular where columns repeat; relative to its mean diagonal.
_RIDGE = 1e-14
_STEEPEST = 1e4


@dataclass(frozen=True)
class CurvePoint:
    """A channel on the curve of rate against distortion, its outputs, and the slope there."""

    matrix: Floats
    outputs: Floats
    slope: float


class RateDistortion:
    """The curve of rate against distortion of a prior and a matrix of losses."""

    def __init__(self, prior: Floats, losses: Floats) -> None:
        self._prior, self._losses = prior, losses
        self._unit = float(losses.max() - losses.min()) or 1.0

    def where(self, low_enough: Callable[[Floats], bool]) -> tuple[CurvePoint, CurvePoint]:
        """Return two points, next to each other, between which a channel becomes low enough.

        Parameters
        ----------
        low_enough
            Holds of channels of a small slope, and of no steeper one once it fails, or the other
            way round: of two points the first is that of the smaller slope.
        """
        low, high = 1e-9 / self._unit, _STEEPEST / self._unit
        first, last = self.point(low), self.point(high)
        begins = low_enough(first.matrix)
        for _ in range(_HALVINGS):
            middle = (low * high) ** 0.5
            if not low < middle < high:
                break
            found = self.point(middle)
            if low_enough(found.matrix) == begins:
                low, first = middle, found
            else:
                high, last = middle, found
            if high / low < 1 + 1e-13:
                break
        return first, last

    def point(self, slope: float) -> CurvePoint:
        """Return the channel at a slope."""
        kernel = np.exp(-slope * (self._losses - self._losses.min(axis=1, keepdims=True)))
        outputs = self._newton(kernel, self._blahut(kernel))
        joint = kernel * outputs
        return CurvePoint(joint / joint.sum(axis=1, keepdims=True), outputs, slope)

    def _blahut(self, kernel: Floats) -> Floats:
        outputs = np.full(kernel.shape[1], 1 / kernel.shape[1])
        for _ in range(_STEPS):
            outputs = outputs * self._gains(kernel, outputs)
            outputs = _mixture(outputs)
        return outputs

    def _gains(self, kernel: Floats, outputs: Floats) -> Floats:
        gains: Floats = (self._prior / (kernel @ outputs)) @ kernel
        return gains

    def _newton(self, kernel: Floats, outputs: Floats) -> Floats:
        """Follow the central path gain + slack = 1, q·slack = μ as μ goes to zero."""
        gains = self._gains(kernel, outputs)
        slack = np.maximum(1 - gains, 1e-6)
        for _ in range(_NEWTON_STEPS):
            if outputs @ slack < _LEAST_PROGRESS and gains.max() < 1 + 1e-14:
                break
            target = _CENTRING * float(outputs @ slack) / len(outputs)
            scaled = kernel * (np.sqrt(self._prior) / (kernel @ outputs))[:, None]
            system = scaled.T @ scaled + np.diag(slack / outputs)
            system += _RIDGE * np.trace(system) / len(outputs) * np.eye(len(outputs))
            change: Any = np.linalg.solve(system, gains - 1 + target / outputs)
            other = target / outputs - slack - slack / outputs * change
            step = min(1.0, _room(outputs, change), _room(slack, other))
            outputs, slack = _mixture(outputs + step * change), slack + step * other
            gains = self._gains(kernel, outputs)
        return outputs


def _room(values: Floats, change: Floats) -> float:
    falling = change < 0
    return _TO_THE_WALL * float(np.min(-values[falling] / change[falling], initial=np.inf))


def _mixture(weights: Floats) -> Floats:
    lifted = np.maximum(weights, _LEAST_WEIGHT * weights.max())
    found: Floats = lifted / lifted.sum()
    return found
