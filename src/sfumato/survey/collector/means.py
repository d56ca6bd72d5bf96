"""The mean of numbers that were randomised: an unbiased estimate, and an interval."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import log, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.numeric import float_below
from sfumato.survey.collector.estimates import MeanEstimate
from sfumato.survey.collector.shares import chance_above, chance_below, read_confidence

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sfumato.survey.client.protocols import Window
    from sfumato.survey.client.questions import NumberQuestion
    from sfumato.survey.collector.tally import Tally

    Floats = NDArray[np.float64]


#: Of the probability that one end is wrong, what goes to the end itself, and to the variance.
_END, _SPREAD = 0.95, 0.1
_ROUNDING = 1e-12


def estimate_mean(
    question: NumberQuestion, tally: Tally, *, confidence: Any = 0.95
) -> MeanEstimate:
    """Return the mean of the numbers that answer a question.

    The mean mark moves straight with the mean number, so that it is read off a line, unbiased.

    Parameters
    ----------
    question
        The question.
    tally
        How many of how many reports have each mark.
    confidence
        How often the interval covers, at least.
    """
    window, people = question.protocol, tally.people
    total, variance = _moments(window, tally)
    start, rise = window.line
    alpha = float_below((1 - read_confidence(confidence)) / 2)
    bounds = mean_bounds(window, np.array([total]), people, alpha, variance=float(variance))
    low, high = (float(each[0]) for each in bounds)
    lower, upper = question.bounds
    span, least, most = (float(each) for each in (upper - lower, lower, upper))
    number = (Fraction(total, people) - start) / rise
    return MeanEstimate(
        float(lower + (upper - lower) * number),
        span * sqrt(max(float(variance), _variances(window)[0]) / people),
        min(max(least + span * low, least), most),
        min(max(least + span * high, least), most),
        question=question.name,
        bounds=(least, most),
        outside=low > 1 or high < 0,
    )


def mean_bounds(
    window: Window,
    totals: NDArray[np.int64],
    people: int,
    alpha: float,
    *,
    variance: float | Floats | None = None,
) -> tuple[Floats, Floats]:
    """Return bounds on mean numbers from 0 to 1, which are both right but for twice ``alpha``.

    With two marks the total is a count of coins.  With more, Bernstein's inequality for the mean of
    independent reports, which need not be alike, has their mean variance in it
    :cite:p:`boucheron2013concentration`.  It is bounded by the protocol, and by the sample: the
    root of the sample's variance falls short of it by at most the range of reports times
    √(2 ln(1/δ)/(n - 1)), but for a probability of δ :cite:p:`maurer2009empirical`.

    Parameters
    ----------
    window
        How numbers are randomised.
    totals
        The sums of all marks, of several such surveys.
    people
        How many reports each has.
    alpha
        The probability that one bound may be wrong.
    variance
        How much what one report says varies in the sample of each; without it, the worst case is
        taken.
    """
    start, rise = map(float, window.line)
    if window.marks == 2:
        low, high = chance_below(totals, people, alpha), chance_above(totals, people, alpha)
        return (low - start) / rise, (high - start) / rise
    means = (totals / people - start) / rise
    most = (window.marks - 1 - start) / rise
    level = log(1 / (_END * alpha)) / people
    spread = _spread(window, people, alpha, variance)
    reach = (spread * sqrt(2 * level) + most * level / 3) * (1 + _ROUNDING) + _ROUNDING
    return means - reach, means + reach


def _spread(
    window: Window, people: int, alpha: float, variance: float | Floats | None
) -> float | Floats:
    """Return a bound on the root of the mean variance of what reports say."""
    worst = sqrt(_variances(window)[1] + 0.25)
    if variance is None or people == 1:
        return worst
    extent = float((window.marks - 1) / window.line[1])
    missed = extent * sqrt(2 * log(1 / (_SPREAD * alpha)) / (people - 1))
    found: Floats = np.minimum(worst, np.sqrt(variance) + missed)
    return found


def _moments(window: Window, tally: Tally) -> tuple[int, Fraction]:
    """Return the sum of all marks, and the sample's variance of what they say."""
    counts = tally.counts.tolist()
    total = sum(mark * count for mark, count in enumerate(counts))
    square = sum(mark**2 * count for mark, count in enumerate(counts))
    apart = Fraction(tally.people * square - total**2, tally.people * max(tally.people - 1, 1))
    return total, apart / window.line[1] ** 2


@lru_cache(maxsize=64)
def _variances(window: Window) -> tuple[float, float]:
    """Return the least and the greatest variance that the protocol itself gives a report."""
    points = [Fraction(point, window.points - 1) for point in range(window.points)]
    found = [float(window.variance(point)) for point in points]
    return min(found), max(found)
