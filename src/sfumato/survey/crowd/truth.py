"""What people reported and what is true, summed side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.survey.client.questions import NumberQuestion
from sfumato.survey.collector.decoding import pair_tally_of, tally_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from sfumato.survey.client.questions import ChoiceQuestion, Question
    from sfumato.survey.collector.tally import PairTally, Tally

    ByQuestion = Mapping[str, NDArray[Any]]

__all__ = ["PairSums", "QuestionSums"]


class QuestionSums:
    """The reports on one question in sums, and the true answers."""

    tally: Tally

    def __init__(self, question: Question) -> None:
        self._question = question
        self._truth: Any = 0

    def add(self, answers: ByQuestion, reports: ByQuestion) -> None:
        """Count some more people."""
        question = self._question
        tally = tally_of(question, reports[question.name])
        self.tally = self.tally + tally if hasattr(self, "tally") else tally
        self._truth = self._truth + self._summed(answers[question.name])

    def _summed(self, answers: NDArray[Any]) -> Any:
        if isinstance(self._question, NumberQuestion):
            return float(answers.sum())
        return np.bincount(answers, minlength=len(self._question.choices))

    @property
    def true(self) -> Any:
        """How many people have each answer; for a number the mean."""
        question = self._question
        if not isinstance(question, NumberQuestion):
            return self._truth
        mean, (lower, upper) = self._truth / self.tally.people, question.bounds
        return float(lower) + mean * float(upper - lower)


class PairSums:
    """The reports on two questions in sums, and how many people have each pair of answers."""

    tally: PairTally

    def __init__(self, first: ChoiceQuestion, second: ChoiceQuestion) -> None:
        self._first, self._second = first, second
        self.true = np.zeros((len(first.choices), len(second.choices)), dtype=np.int64)

    def add(self, answers: ByQuestion, reports: ByQuestion) -> None:
        """Count some more people."""
        first, second = self._first, self._second
        tally = pair_tally_of(first, reports[first.name], second, reports[second.name])
        self.tally = self.tally + tally if hasattr(self, "tally") else tally
        places = answers[first.name] * self.true.shape[1] + answers[second.name]
        self.true += np.bincount(places, minlength=self.true.size).reshape(self.true.shape)
