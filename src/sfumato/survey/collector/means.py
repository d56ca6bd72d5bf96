"""The mean of numbers that were randomised: an estimate without bias, and an interval."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache, partial
from math import sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.numeric import float_below
from sfumato.survey.client.draws import law_of
from sfumato.survey.collector.binomial import chance_above, chance_below
from sfumato.survey.collector.chernoff import Laws, mean_above, mean_below
from sfumato.survey.collector.estimates import MeanEstimate
from sfumato.survey.collector.reading import read_confidence

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sfumato.survey.client.protocols import Window
    from sfumato.survey.client.questions import NumberQuestion
    from sfumato.survey.collector.tally import Tally

    Floats = NDArray[np.float64]

__all__ = ["estimate_mean", "mean_bounds"]


def estimate_mean(
    question: NumberQuestion, tally: Tally, *, confidence: Any = 0.95
) -> MeanEstimate:
    """Return the mean of the numbers that answer a question.

    The mean mark moves straight with the mean number, so that it is read off a line, without bias.

    Parameters
    ----------
    question
        The question.
    tally
        How many of how many reports have each mark.
    confidence
        How often the interval covers, at least.

    Examples
    --------
    >>> import numpy as np
    >>> import sfumato as sf
    >>> from sfumato.survey.collector.means import estimate_mean
    >>> from sfumato.survey.collector.tally import Tally
    >>> survey = sf.Survey({"hours": {"lower": 0, "upper": 24, "epsilon": "ln(2)"}})
    >>> print(estimate_mean(survey.questions["hours"], Tally(9000, np.array([5000, 4000]))))
    8 (7.258 to 8.744)
    """
    window, people = question.protocol, tally.people
    counts = tally.counts.tolist()
    total = sum(mark * count for mark, count in enumerate(counts))
    start, rise = window.line
    alpha = float_below((1 - read_confidence(confidence)) / 2)
    low, high = (float(each[0]) for each in mean_bounds(window, np.array([total]), people, alpha))
    span = question.upper - question.lower
    least, most = float(question.lower), float(question.upper)
    return MeanEstimate(
        float(question.lower + span * (Fraction(total, people) - start) / rise),
        float(span) * sqrt(_variance(window, counts, people) / people),
        min(max(least + float(span) * low, least), most),
        min(max(least + float(span) * high, least), most),
        question=question.name,
        bounds=(least, most),
        outside=low > 1 or high < 0,
    )


def mean_bounds(
    window: Window, totals: NDArray[np.int64], people: int, alpha: float
) -> tuple[Floats, Floats]:
    """Return bounds on mean numbers from 0 to 1, each wrong with chance at most ``alpha``.

    With two marks the total is a count of coins.  With more, E exp(λ mark) grows convexly from
    point to point, so that among all people of a mean it is greatest where each is at 0 or at 1,
    and the bounds are those of :func:`sfumato.survey.collector.chernoff.mean_below`.

    Parameters
    ----------
    window
        How numbers are randomised.
    totals
        The sums of all marks, of several such surveys.
    people
        How many reports each has.
    alpha
        The chance that one bound may be wrong.

    Examples
    --------
    >>> import numpy as np
    >>> from sfumato.survey.client.protocols import Window
    >>> from sfumato.survey.client.ratios import read_loss
    >>> from sfumato.survey.collector.means import mean_bounds
    >>> window = Window(read_loss(3))
    >>> [each.round(3) for each in mean_bounds(window, np.array([3000]), 1000, 0.025)]
    [array([0.45]), array([0.55])]
    """
    start, rise = map(float, window.line)
    if window.marks == 2:
        bounds = chance_below(totals, people, alpha), chance_above(totals, people, alpha)
        return (bounds[0] - start) / rise, (bounds[1] - start) / rise
    means, laws = (totals / people - start) / rise, _laws(window)
    return mean_below(means, people, alpha, laws), mean_above(means, people, alpha, laws)


@lru_cache(maxsize=64)
def _laws(window: Window) -> Laws:
    """Return the laws at 0 and at 1 of what a mark says of the number."""
    start, rise = window.line
    values = np.array([float((mark - start) / rise) for mark in range(window.marks)])
    ends = [law_of(partial(window.randomize, Fraction(end))) for end in (0, 1)]
    zeros, ones = ([[float(law.get(mark, 0)) for mark in range(window.marks)]] for law in ends)
    return Laws(values, np.array(zeros), np.array(ones))


def _variance(window: Window, counts: list[int], people: int) -> float:
    """Return how much what one report says varies, and no less than the protocol alone makes it."""
    marks = range(window.marks)
    mean = Fraction(sum(mark * count for mark, count in zip(marks, counts, strict=True)), people)
    square = Fraction(sum(mark**2 * count for mark, count in zip(marks, counts, strict=True)))
    seen = (square / people - mean**2) / window.line[1] ** 2
    points = (Fraction(point, window.points - 1) for point in range(window.points))
    return float(max(seen, min(map(window.variance, points))))
