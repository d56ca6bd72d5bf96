"""The least noise whose certified cost is within a target, by a secant that proves its result."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

from sfumato.errors import NoEnclosureError

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.privacy.calibration.target import CalibrationTrial

__all__ = ["first_kept", "least_noise"]

#: A trial that leaves no more than this share of ε unspent is as good as the least.
_TIGHT = 4e-11
#: Amounts of noise that differ by no more than this share are the same.
_SAME = 1e-11
_MOST_TRIALS = 80
#: From then on the interval is halved, in case the cost jumps.
_MOST_SECANTS = 20
#: How far one step may go, in the logarithm of the noise.
_FARTHEST = math.log(2)
_FLATTEST = -1 / 64


def least_noise(tried: Callable[[Fraction], CalibrationTrial], start: float) -> CalibrationTrial:
    """Return the trial of the least noise that keeps the target.

    The cost falls as the noise grows, nearly as a power of it, so that a secant through the
    logarithms of both meets the target within a few trials.  Whatever is returned was seen to
    keep it.

    Parameters
    ----------
    tried
        What an amount of noise costs.
    start
        The amount to begin with.
    """
    search = _Search(start)
    while not search.is_over():
        search.learn(tried(Fraction(search.noise)))
    return _found(search.best)


def first_kept(tried: Callable[[Fraction], CalibrationTrial], noise: Fraction) -> CalibrationTrial:
    """Return the trial of an amount of noise, or of the next above it that keeps the target.

    For an amount from a closed form, which rounding or a bound that is not quite as tight may
    leave a little too small.
    """
    for power in range(_MOST_TRIALS):
        trial = tried(noise)
        if trial.kept:
            return trial
        noise *= 1 + Fraction(2**power, 10**12)
    return _found(None)


def _found(trial: CalibrationTrial | None) -> CalibrationTrial:
    if trial is None:
        raise NoEnclosureError(
            "E-EPSILON-TOO-SMALL",
            "no noise is found that certainly keeps this guarantee",
            "ask for a greater epsilon",
        )
    return trial


class _Search:
    """An interval around the least noise, and the next amount to try."""

    def __init__(self, start: float) -> None:
        self.noise = start
        self.best: CalibrationTrial | None = None
        self._low, self._high = 0.0, math.inf
        self._last: CalibrationTrial | None = None
        self._slope = -1.0
        self._trials = 0

    def is_over(self) -> bool:
        tight = self.best is not None and (
            self.best.excess >= -_TIGHT or self._high <= self._low * (1 + _SAME)
        )
        return tight or self._trials >= _MOST_TRIALS

    def learn(self, trial: CalibrationTrial) -> None:
        self._trials += 1
        if trial.kept:
            self.best, self._high = trial, trial.noise
        else:
            self._low = trial.noise
        self._slope = _slope(self._last, trial, self._slope)
        self._last = trial
        self.noise = self._inside(trial.noise * math.exp(_step(trial.excess, self._slope)))

    def _inside(self, noise: float) -> float:
        """Return an amount strictly inside the interval: the one proposed, or its middle."""
        bounded = self._low > 0 and self._high < math.inf
        if bounded and (self._trials > _MOST_SECANTS or not self._low < noise < self._high):
            return math.sqrt(self._low) * math.sqrt(self._high)
        return noise


def _slope(last: CalibrationTrial | None, trial: CalibrationTrial, before: float) -> float:
    """Return how fast the cost falls between two trials, in logarithms of both."""
    if last is None or last.noise == trial.noise:
        return before
    slope = (trial.excess - last.excess) / math.log(trial.noise / last.noise)
    return slope if -math.inf < slope < _FLATTEST else before


def _step(excess: float, slope: float) -> float:
    """Return how far to go to spend all but half of what may be left, in the logarithm of noise."""
    return min(max((excess + _TIGHT / 2) / -slope, -_FARTHEST), _FARTHEST)
