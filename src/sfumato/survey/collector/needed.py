"""How many people a survey needs for estimates as exact as is wanted, and the other way round."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from sfumato.documents import check_known
from sfumato.errors import InputError
from sfumato.numeric import float_below, read_count, shown
from sfumato.refusal import Argument
from sfumato.survey.client.draws import read_fraction
from sfumato.survey.client.questions import ChoiceQuestion, NumberQuestion, Question
from sfumato.survey.collector.means import mean_bounds
from sfumato.survey.collector.shares import (
    chance_of_error,
    check_survey,
    read_confidence,
    share_bounds,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from sfumato.survey.client.survey import Survey

    Counts = NDArray[np.int64]
    Widths = Callable[[Counts, int], NDArray[np.float64]]


_MOST = 10**12
_TRIED = 129
_NEXT = 9


def needed(of: Survey | Question, *, within: Any, confidence: Any = 0.95) -> int:
    """Return the number of people for whom every interval is at most ``within`` to either side.

    Whatever they answer, and however the coins fall: half the length of each interval, of all
    choices of a question, is then at most ``within``, for a few more people as well.

    Parameters
    ----------
    of
        A question, or a survey: then the most that one of its questions needs.
    within
        Half the length, for all questions of a survey: as a share, which for a mean is that of its
        range.  For a question, or by the names of some questions, a mean's is in its own units.
    confidence
        The confidence of the intervals.

    Examples
    --------
    >>> import sfumato as sf
    >>> survey = sf.Survey({"cheated": {"choices": ["yes", "no"], "truth": "2/3"}})
    >>> sf.survey.needed(survey, within=0.05)
    3515
    >>> survey = sf.Survey({"hours": {"bounds": (0, 24), "epsilon": 1}})
    >>> sf.survey.needed(survey, within=0.05) == sf.survey.needed(survey, within={"hours": 1.2})
    True
    """
    level = read_confidence(confidence)
    if isinstance(of, (ChoiceQuestion, NumberQuestion)):
        return _for_question(of, _half(of, within), level)
    check_survey(of)
    halves = half_lengths(of, within)
    return max(_for_question(of.questions[name], half, level) for name, half in halves.items())


@overload
def within(of: Question, *, people: int, confidence: Any = 0.95) -> float: ...
@overload
def within(of: Survey, *, people: int, confidence: Any = 0.95) -> dict[str, float]: ...
def within(
    of: Survey | Question, *, people: int, confidence: Any = 0.95
) -> float | dict[str, float]:
    """Return how far intervals reach to either side at most, with so many people.

    It holds whatever they answer, and however the coins fall; shares that are small or large are
    known better.  ``needed`` asks the other way round.

    Parameters
    ----------
    of
        A question, or a survey: then the answer is for each of its questions, by its name.
    people
        How many reports there will be.
    confidence
        The confidence of the intervals.

    Returns
    -------
    float or dict
        Half the length of the longest interval: of a choice as a share, of a mean in its own units.

    Examples
    --------
    >>> import sfumato as sf
    >>> survey = sf.Survey({"cheated": {"choices": ["yes", "no"], "truth": "2/3"}})
    >>> round(sf.survey.within(survey.questions["cheated"], people=500), 3)
    0.134
    >>> sf.survey.within(survey, people=3515)["cheated"] <= 0.05
    True
    """
    level, count = read_confidence(confidence), _read_people(people)
    if isinstance(of, (ChoiceQuestion, NumberQuestion)):
        return _reached(of, count, level)
    check_survey(of)
    return {name: _reached(each, count, level) for name, each in of.questions.items()}


def _read_people(people: Any) -> int:
    count = read_count(people, "people")
    if count > _MOST:
        raise InputError(
            "E-ARGUMENT-RANGE",
            "{argument} must be at most {most:,}, not {people}",
            "write 1000, say",
            most=_MOST,
            people=shown(people),
            argument=Argument("people"),
        )
    return count


def _reached(question: Question, people: int, confidence: Fraction) -> float:
    widths, most_each = _intervals(question, confidence)
    return float(_range(question)) * _widest(widths, people, people * most_each) / 2


def half_lengths(survey: Survey, within: Any) -> dict[str, Fraction]:
    """Return half the length that is wanted of each question's intervals, in its own units.

    Parameters
    ----------
    survey
        What is asked.
    within
        A share for all questions, or by their names what is wanted of some in their own units; ""
        names all others, as a share.
    """
    given = within if isinstance(within, Mapping) else {"": within}
    check_known(filter(None, given), survey.questions, "question")
    if not given:
        raise InputError(
            "E-ARGUMENT-MISSING", "no question is named", "write within={{'cheated': 0.05}}, say"
        )
    return {
        name: _half(each, given[name]) if name in given else _read_share(given[""]) * _range(each)
        for name, each in survey.questions.items()
        if name in given or "" in given
    }


def _half(question: Question, within: Any) -> Fraction:
    if isinstance(question, ChoiceQuestion):
        return _read_share(within)
    half, most = read_fraction(within), _range(question) / 2
    if half is None or not 0 < half <= most:
        raise InputError(
            "E-ARGUMENT-RANGE",
            "{argument} must be above 0 and at most {most:g}, half the range of "
            "{question!r}, not {within}",
            "write {other_most:g}, say",
            most=float(most),
            question=question.name,
            within=shown(within),
            other_most=float(most / 10),
            argument=Argument("within"),
        )
    return half


def _read_share(within: Any) -> Fraction:
    half = read_fraction(within)
    if half is None or not 0 < half <= Fraction(1, 2):
        raise InputError(
            "E-ARGUMENT-RANGE",
            "{argument} must be a share above 0 and at most 0.5, not {within}",
            "write 0.05 for 5 points",
            within=shown(within),
            argument=Argument("within"),
        )
    return half


def _range(question: Question) -> Fraction:
    if isinstance(question, ChoiceQuestion):
        return Fraction(1)
    lower, upper = question.bounds
    return upper - lower


def _for_question(question: Question, half: Fraction, confidence: Fraction) -> int:
    return _least_people(*_intervals(question, confidence), float(half / _range(question)))


def _intervals(question: Question, confidence: Fraction) -> tuple[Widths, int]:
    """Return the lengths of a question's intervals, and what one person adds at most to a count."""
    if isinstance(question, ChoiceQuestion):
        protocol, alpha = question.protocol, chance_of_error(question.protocol, confidence)
        return lambda counts, people: _cut(*share_bounds(protocol, counts, people, alpha)), 1
    window, error = question.protocol, float_below((1 - confidence) / 2)
    return (
        lambda totals, people: _cut(*mean_bounds(window, totals, people, error)),
        window.marks - 1,
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
            raise InputError(
                "E-ARGUMENT-RANGE",
                "more than {most:,} people would be needed",
                "allow a wider interval",
                most=_MOST,
            )
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return _lasting(enough, high)


def _lasting(enough: Callable[[int], bool], people: int) -> int:
    """Return the first number from which on the next few are enough too.

    Among a few dozen people, one more can make the longest interval longer.
    """
    while few := [more for more in range(people, people + _NEXT) if not enough(more)]:
        people = few[-1] + 1
    return people


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
