"""The least noise whose certified cost is within the target, by a secant that proves its result."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from sfumato.errors import NoEnclosureError

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.privacy.calibration.target import Trial

__all__ = ["least_noise", "noise_from"]

#: A trial that leaves no more than this share of ε unspent is as good as the least.
_TIGHT = 1e-10
#: So close to each other two amounts of noise are the same, as shares of them.
_SAME = 1e-11
_MOST_TRIALS = 60
#: After so many the interval is halved, for a cost that jumps.
_MOST_SECANTS = 20
#: How far one step may go, in the logarithm of the noise.
_FARTHEST = math.log(16)
_STEEPEST, _FLATTEST = -64.0, -1 / 64


@dataclass(frozen=True)
class _Interval:
    """The greatest noise seen not to keep the target, and the least seen to keep it."""

    low: Trial | None = None
    high: Trial | None = None

    def narrowed(self, trial: Trial) -> _Interval:
        return _Interval(self.low, trial) if trial.kept else _Interval(trial, self.high)

    def is_tight(self) -> bool:
        if self.high is None:
            return False
        gap = math.inf if self.low is None else self.high.noise / self.low.noise - 1
        return self.high.excess >= -_TIGHT or gap <= _SAME

    def inside(self, noise: float) -> float:
        if self.low is None or self.high is None or self.low.noise < noise < self.high.noise:
            return noise
        return self.middle()

    def middle(self) -> float:
        if self.low is None or self.high is None:
            return math.nan
        return math.sqrt(self.low.noise) * math.sqrt(self.high.noise)


def least_noise(tried: Callable[[Fraction], Trial], start: float) -> Trial:
    """Return the trial of the least noise that keeps the target.

    The cost falls as the noise grows, nearly as a power of it, so a secant through the logarithms
    of both meets the target within a few trials.  Whatever is returned was seen to keep it.

    Parameters
    ----------
    tried
        What an amount of noise costs.
    start
        Where to begin.
    """
    interval, last, slope, noise = _Interval(), None, -1.0, start
    for trials in range(_MOST_TRIALS):
        trial = tried(Fraction(noise))
        interval = interval.narrowed(trial)
        if interval.is_tight():
            break
        slope = slope if last is None else _slope(last, trial, slope)
        last = trial
        noise = interval.inside(trial.noise * math.exp(_step(trial.excess, slope)))
        ...
    return _found(interval.high)
