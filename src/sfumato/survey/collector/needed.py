"""How many people a survey needs, for estimates as exact as is wanted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.errors import InputError, UnknownNameError
from sfumato.numeric import float_below, shown
from sfumato.survey.client.questions import ChoiceQuestion
from sfumato.survey.client.ratios import read_fraction
from sfumato.survey.client.survey import Survey
from sfumato.survey.collector.means import mean_bounds
from sfumato.survey.collector.reading import read_confidence
from sfumato.survey.collector.shares import chance_of_error, share_bounds

if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction

    from numpy.typing import NDArray

    from sfumato.survey.client.questions import Question

    Counts = NDArray[np.int64]
    Widths = Callable[[Counts, int], NDArray[np.float64]]

__all__ = ["needed"]

_MOST = 10**12
_TRIED = 129


def needed(of: Survey | Question, *, within: Any, confidence: Any = 0.95) -> int:
    """Return the number of people for whom every interval is at most ``within`` to either side.

    Whatever they answer, and however the coins fall: half the length of each interval, of all
    choices of a question, is then at most ``within``.

    Parameters
    ----------
    of
        A question, or a survey: then the most that one of its questions needs.
    within
        Half the length: of shares from 0 to 1, or of a mean in the question's units.  For a survey
        it may be given for some questions by name.
    confidence
        The confidence of the intervals.

    Examples
    --------
    >>> import sfumato as sf
    >>> from sfumato.survey.collector.needed import needed
    >>> survey = sf.Survey({"cheated": {"choices": ["yes", "no"], "truth": "2/3"}})
    >>> needed(survey, within=0.05)
    3515
    """
    level = read_confidence(confidence)
    if not isinstance(of, Survey):
        return _for_question(of, within, level)
    wanted = within if isinstance(within, Mapping) else dict.fromkeys(of.questions, within)
    for name in wanted:
        if name not in of.questions:
            raise UnknownNameError(kind="question", name=str(name), known=of.questions)
    if not wanted:
        message = "no question is named; write within={'cheated': 0.05}, say"
        raise InputError(message)
    return max(_for_question(of.questions[name], each, level) for name, each in wanted.items())


def _for_question(question: Question, within: Any, confidence: Fraction) -> int:
    half = read_fraction(within)
    if half is None or half <= 0:
        message = f"within must be a number above 0, not {shown(within)}; write 0.05, say"
        raise InputError(message)
    if isinstance(question, ChoiceQuestion):
        protocol, alpha = question.protocol, chance_of_error(question.protocol, confidence)
        return _least_people(
            lambda counts, people: _cut(*share_bounds(protocol, counts, people, alpha)),
            1,
            float(half),
        )
    window, alpha = question.protocol, float_below((1 - confidence) / 2)
    return _least_people(
        lambda totals, people: _cut(*mean_bounds(window, totals, people, alpha)),
        window.marks - 1,
        float(half / (question.upper - question.lower)),
    )


def _cut(lower: NDArray[np.float64], upper: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the lengths of intervals, once they are cut to what is possible."""
    return np.clip(upper, 0.0, 1.0) - np.clip(lower, 0.0, 1.0)


def _least_people(widths: Widths, most_each: int, half: float) -> int:
    def enough(people: int) -> bool:
        return _widest(widths, people, people * most_each) <= 2 * half

    high = 1
    while not enough(high):
        high *= 2
        if high > _MOST:
            message = f"more than {_MOST:,} people would be needed; allow a wider interval"
            raise InputError(message)
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def _widest(widths: Widths, people: int, most: int) -> float:
    """Return the greatest length over all outcomes 0 to ``most``.

    Lengths grow towards the middle outcome and shrink beyond it, or beyond where an end is cut, so
    that the search closes in on one peak.
    """
    low, high = 0, most
    while True:
        tried = np.unique(
            np.linspace(low, high, min(_TRIED, high - low + 1)).round().astype(np.int64)
        )
        found = widths(tried, people)
        best = int(found.argmax())
        if tried.size == high - low + 1:
            return float(found[best])
        low, high = int(tried[max(best - 1, 0)]), int(tried[min(best + 1, tried.size - 1)])
