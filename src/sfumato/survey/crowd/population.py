"""People who are made up: how they answer, drawn some at a time."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate, pairwise
from math import lcm
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.documents import check_known
from sfumato.errors import InputError
from sfumato.numeric import shown
from sfumato.refusal import Argument, Declaration
from sfumato.sampling import many_below
from sfumato.survey.client.draws import read_fraction
from sfumato.survey.client.questions import ChoiceQuestion, NumberQuestion, Question
from sfumato.survey.collector.pairs import read_pairs

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sfumato.sampling import BitSource
    from sfumato.survey.client.survey import Survey

    Answers = Mapping[str, NDArray[Any]]


#: Up to this total of weights, who answers what is looked up in a table.
_TABLE = 1 << 20
_FLOAT_BITS = 53


class Habit(ABC):
    """How people answer one question, or two that hang together."""

    @abstractmethod
    def answers(self, people: int, source: BitSource) -> Answers:
        """Return the answers of some people, drawn apart from each other, by question."""


@dataclass(frozen=True, eq=False)
class Chosen(Habit):
    """Choices that are drawn by whole weights.

    Parameters
    ----------
    names
        The questions.
    shape
        How many choices each has.
    weights
        A weight for each choice, or for each combination of choices row by row.
    """

    names: tuple[str, ...]
    shape: tuple[int, ...]
    weights: NDArray[np.int64]

    def answers(self, people: int, source: BitSource) -> Answers:
        """Return the answers of some people."""
        drawn = many_below(int(self._ends[-1]), people, source=source)
        places = self._place(drawn)
        parts = [places] if len(self.shape) == 1 else np.unravel_index(places, self.shape)
        return dict(zip(self.names, parts, strict=True))

    @cached_property
    def _ends(self) -> NDArray[np.int64]:
        return np.cumsum(self.weights)

    @cached_property
    def _table(self) -> NDArray[np.int64]:
        return np.repeat(np.arange(len(self.weights)), self.weights)

    def _place(self, drawn: NDArray[np.int64]) -> NDArray[np.int64]:
        if self._ends[-1] == len(self.weights) and self.weights.all():
            return drawn
        if self._ends[-1] <= _TABLE:
            return self._table.take(drawn)
        return np.searchsorted(self._ends, drawn, side="right")


@dataclass(frozen=True)
class UniformNumbers(Habit):
    """Numbers that are spread evenly over an interval between the bounds.

    Parameters
    ----------
    name
        The question.
    low, high
        The interval, where the lower bound is 0 and the upper one is 1.
    """

    name: str
    low: float
    high: float

    def answers(self, people: int, source: BitSource) -> Answers:
        """Return the answers of some people."""
        if self.low == self.high:
            return {self.name: np.full(people, self.low)}
        words = source.words(people) >> np.uint64(64 - _FLOAT_BITS)
        even = np.ldexp(words.astype(np.float64), -_FLOAT_BITS)
        return {self.name: self.low + (self.high - self.low) * even}


#: Weights sum to this at most: other shares are rounded to about a billionth.
_FINEST = 2**30
_NEARLY_ONE = Fraction(1, 10**6)


def read_shares(survey: Survey, shares: Any) -> list[Habit]:
    """Return how people answer each question of a survey.

    Parameters
    ----------
    survey
        What is asked.
    shares
        For each question's name what ``simulate`` takes.
    """
    given = _read_names(survey, shares)
    habits: list[Habit] = [_joint(survey, pair, given[pair]) for pair in given if _is_pair(pair)]
    told = [name for pair in given if _is_pair(pair) for name in pair] + [
        name for name in given if not _is_pair(name)
    ]
    for name in told:
        if told.count(name) > 1:
            raise InputError(
                "E-ARGUMENT-TWICE",
                "how people answer {name!r} is given twice",
                "write it once",
                name=name,
            )
    alone = [name for name in survey.questions if name not in told or name in given]
    return habits + [_habit(survey.questions[name], given.get(name)) for name in alone]


def _is_pair(name: Any) -> bool:
    return isinstance(name, tuple)


def _read_names(survey: Survey, shares: Any) -> dict[Any, Any]:
    if shares is None:
        return {}
    if not isinstance(shares, Mapping):
        raise InputError(
            "E-SHARES-FORM",
            "{shares} are given by question",
            'write shares={{"cheated": {{"yes": 0.3}}}}, say',
            shares=Argument("shares"),
        )
    read_pairs(survey, [name for name in shares if _is_pair(name)])
    check_known((name for name in shares if not _is_pair(name)), survey.questions, "question")
    return dict(shares)


def _habit(question: Question, given: Any) -> Habit:
    if isinstance(question, ChoiceQuestion):
        shares = _read_choices(question, given)
        return Chosen((question.name,), (len(question.choices),), _weights(shares))
    return _read_numbers(question, given)


def _read_choices(question: ChoiceQuestion, given: Any) -> list[Fraction]:
    count = len(question.choices)
    if given is None:
        return [Fraction(1, count)] * count
    if isinstance(given, Mapping):
        return _completed(question, given)
    return _read_row(question.name, given, count)


def _completed(question: ChoiceQuestion, given: Mapping[Any, Any]) -> list[Fraction]:
    """Return the shares of all choices: those that are not named have equal parts of the rest."""
    named = {question.read(choice): _read_share(question.name, given[choice]) for choice in given}
    rest, others = 1 - sum(named.values(), Fraction()), len(question.choices) - len(named)
    if rest < 0 or (not others and rest > _NEARLY_ONE):
        raise _not_one(question.name, 1 - rest)
    places = range(len(question.choices))
    return [named.get(place, rest / max(others, 1)) for place in places]


def _read_row(name: str, given: Any, count: int) -> list[Fraction]:
    row = list(given) if isinstance(given, (Sequence, np.ndarray)) else []
    if len(row) != count or isinstance(given, str):
        raise InputError(
            "E-SHARES-FORM",
            "the shares of {name!r} must be {count}, one for each choice",
            "write a list of {count} numbers that sum to 1",
            name=name,
            count=count,
        )
    shares = [_read_share(name, each) for each in row]
    together = sum(shares, Fraction())
    if abs(together - 1) > _NEARLY_ONE:
        raise _not_one(name, together)
    return shares


def _joint(survey: Survey, pair: tuple[str, str], given: Any) -> Habit:
    sizes = [_choices(survey, name) for name in pair]
    try:
        flat = [each for row in given for each in row]
    except TypeError:
        flat = []
    shares = _read_row(" and ".join(pair), flat, sizes[0] * sizes[1])
    return Chosen(pair, (sizes[0], sizes[1]), _weights(shares))


def _choices(survey: Survey, name: str) -> int:
    question = survey.questions[name]
    return len(question.choices) if isinstance(question, ChoiceQuestion) else 0


def _read_share(name: str, given: Any) -> Fraction:
    share = read_fraction(given)
    if share is None or not 0 <= share <= 1:
        raise InputError(
            "E-SHARES-FORM",
            "a share of {name!r} must be a number from 0 to 1, not {given}",
            "write 0.3, say",
            name=name,
            given=shown(given),
        )
    return share


def _not_one(name: str, together: Fraction) -> InputError:
    return InputError(
        "E-PROBABILITIES-SUM",
        "the shares of {name!r} must sum to 1, not {together:g}",
        "leave one choice out for the rest",
        name=name,
        together=float(together),
    )


def _weights(shares: list[Fraction]) -> NDArray[np.int64]:
    """Return whole weights as the shares are, or nearly so where those would be too large."""
    ends = list(accumulate(shares))
    common = lcm(*(share.denominator for share in shares))
    if ends[-1] != 1 or common > _FINEST:
        ends, common = [end / ends[-1] for end in ends], _FINEST
    whole = [round(end * common) for end in ends]
    return np.array([end - start for start, end in pairwise([0, *whole])], dtype=np.int64)


def _read_numbers(question: NumberQuestion, given: Any) -> Habit:
    if given is None:
        return UniformNumbers(question.name, 0.0, 1.0)
    ends = given if isinstance(given, (tuple, list)) else (given, given)
    if len(ends) != 2 or any(read_fraction(each) is None for each in ends):
        raise InputError(
            "E-SHARES-FORM",
            "the answers to {question!r} are given by one number that all people answer, or "
            "by two between which they lie",
            "write {shares}, say",
            question=question.name,
            shares=Declaration("shares", question.name, (2, 8)),
        )
    low, high = sorted(float(question.read(each)) for each in ends)
    return UniformNumbers(question.name, low, high)
