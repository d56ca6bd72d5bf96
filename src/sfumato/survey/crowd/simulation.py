"""A whole survey simulated: people who are made up, their reports, and the tallies."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.numeric import read_count
from sfumato.sampling import read_source
from sfumato.survey.client.questions import ChoiceQuestion, NumberQuestion, Question
from sfumato.survey.collector.collection import Collection
from sfumato.survey.collector.decoding import pair_tally_of, tally_of
from sfumato.survey.collector.forms import report_width
from sfumato.survey.collector.pairs import read_pairs
from sfumato.survey.collector.shares import check_survey
from sfumato.survey.crowd.population import Habit, read_shares
from sfumato.survey.crowd.report_file import writing_reports
from sfumato.survey.crowd.reports import randomize_many

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from os import PathLike

    from numpy.typing import NDArray

    from sfumato.sampling import BitSource
    from sfumato.survey.client.survey import Survey
    from sfumato.survey.collector.results import Results
    from sfumato.survey.collector.tally import PairTally, Tally

    ByQuestion = Mapping[str, NDArray[Any]]


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


#: Cells of reports, and people, that are drawn at a time.
_CELLS, _PEOPLE, _MOST_CELLS = 1 << 21, 1 << 16, 1 << 30
_MOST_PEOPLE = 10**12


@dataclass(frozen=True, eq=False, repr=False)
class Simulation(Collection):
    """What was collected of people who are made up, and the truth beside it.

    Parameters
    ----------
    truth
        For each question how many people have each answer; for a number the mean of the answers.
    joint_truth
        For each pair of questions that was asked for, how many have each pair of answers.

    Examples
    --------
    >>> import sfumato as sf
    >>> survey = sf.Survey({"cheated": {"choices": ["yes", "no"], "truth": "2/3"}})
    >>> sf.survey.simulate(survey, 40, shares={"cheated": {"yes": 1}}).truth["cheated"]
    array([40,  0])
    """

    truth: Mapping[str, Any] = field(default_factory=dict)
    joint_truth: Mapping[tuple[str, str], NDArray[np.int64]] = field(default_factory=dict)

    def estimate(self, *, confidence: Any = 0.95, consistent: bool = False) -> Results:
        """Return what the reports say of the answers, with the truth beside it.

        Parameters
        ----------
        confidence, consistent
            As in ``Collection.estimate``.

        Examples
        --------
        >>> import sfumato as sf
        >>> survey = sf.Survey({"cheated": {"choices": ["yes", "no"], "truth": "2/3"}})
        >>> sf.survey.simulate(survey, 40, shares={"cheated": {"yes": 1}}).estimate().truth
        {'cheated': {'yes': 1.0, 'no': 0.0}}
        """
        found = super().estimate(confidence=confidence, consistent=consistent)
        truth = {name: self._truth_of(each) for name, each in self.survey.questions.items()}
        pair_truth = {
            pair: dict(zip(found[pair], (true.ravel() / self.people).tolist(), strict=True))
            for pair, true in self.joint_truth.items()
        }
        return replace(found, truth=truth, pair_truth=pair_truth)

    def _truth_of(self, question: Question) -> dict[str, float] | float:
        """Return the true shares by choice, or the true mean."""
        truth = self.truth[question.name]
        if not isinstance(question, ChoiceQuestion):
            return float(truth)
        return dict(zip(question.choices, (truth / self.people).tolist(), strict=True))


def simulate(
    survey: Survey,
    people: int,
    *,
    shares: Mapping[Any, Any] | None = None,
    pairs: Iterable[tuple[str, str]] = (),
    chunk: int | None = None,
    source: BitSource | None = None,
    progress: Callable[[float], None] | None = None,
    out: str | PathLike[str] | None = None,
) -> Simulation:
    """Return what a survey of made-up people collects, with the true answers beside it.

    People are drawn and counted some at a time, so that memory stays the same however many there
    are.  Each has one report; of a permanent answer it is the first.

    Parameters
    ----------
    survey
        What is asked.
    people
        How many answer.
    shares
        For each question's name how people answer it, apart from the other questions: the share
        of each choice, by its word or in a list (choices that are not named have equal parts of
        the rest); for a number, what all people answer, or two numbers between which answers are
        spread evenly.  For a pair of names, the shares of the pairs of answers, row by row.
        Questions that are not named have all answers alike.
    pairs
        Pairs of questions whose answers are to be estimated together.
    chunk
        How many people are drawn at a time.
    source
        Where random bits come from; the operating system, unless said otherwise.
    progress
        Told now and then which share of the people is done.
    out
        A file, .csv or .parquet, into which the reports are written; another one that is there is
        replaced once all are written.

    Examples
    --------
    >>> import sfumato as sf
    >>> survey = sf.Survey({"cheated": {"choices": ["yes", "no"], "truth": "2/3"}})
    >>> simulated = sf.survey.simulate(survey, 1_000_000, shares={"cheated": {"yes": 0.3}})
    >>> simulated.people, simulated.tallies["cheated"].people
    (1000000, 1000000)
    >>> abs(simulated.estimate()["cheated"]["yes"].value - 0.3) < 0.02
    True
    """
    check_survey(survey)
    total, asked = _read_people(people), read_pairs(survey, pairs)
    step = _step(survey, chunk)
    crowd = _SimulatedCrowd(survey, read_shares(survey, shares), asked, read_source(source))
    with nullcontext() if out is None else writing_reports(survey, out) as file:
        for done in range(0, total, step):
            reports = crowd.ask(min(step, total - done))
            if file is not None:
                file.write(reports, crowd.source)
            if progress is not None:
                progress(min(done + step, total) / total)
    return crowd.collected()


class _SimulatedCrowd:
    """People who are asked, and the sums of what they reported and of what is true."""

    def __init__(
        self,
        survey: Survey,
        habits: list[Habit],
        pairs: tuple[tuple[str, str], ...],
        source: BitSource,
    ) -> None:
        self.survey, self.habits, self.source = survey, habits, source
        self._single = {name: QuestionSums(each) for name, each in survey.questions.items()}
        self._pairs = {pair: PairSums(*_questions(survey, pair)) for pair in pairs}

    def ask(self, people: int) -> dict[str, NDArray[Any]]:
        """Return the reports of some more people, which are counted."""
        answers: dict[str, NDArray[Any]] = {}
        for habit in self.habits:
            answers.update(habit.answers(people, self.source))
        reports = {
            name: randomize_many(question, answers[name], source=self.source)
            for name, question in self.survey.questions.items()
        }
        for one in self._single.values():
            one.add(answers, reports)
        for two in self._pairs.values():
            two.add(answers, reports)
        return reports

    def collected(self) -> Simulation:
        """Return all that was counted."""
        tallies = {name: each.tally for name, each in self._single.items()}
        return Simulation(
            survey=self.survey,
            people=next(iter(tallies.values())).people,
            tallies=tallies,
            pairs={pair: each.tally for pair, each in self._pairs.items()},
            truth={name: each.true for name, each in self._single.items()},
            joint_truth={pair: each.true for pair, each in self._pairs.items()},
        )


def _questions(survey: Survey, pair: tuple[str, str]) -> list[ChoiceQuestion]:
    asked = [survey.questions[name] for name in pair]
    return [each for each in asked if isinstance(each, ChoiceQuestion)]


def _step(survey: Survey, chunk: int | None) -> int:
    """Return how many people to draw at a time: unless told, so that their reports stay small."""
    cells = sum(map(report_width, survey.questions.values()))
    if chunk is None:
        return max(1, min(_PEOPLE, _CELLS // cells))
    return min(_read_people(chunk, "chunk"), _MOST_CELLS // cells)


def _read_people(people: Any, name: str = "people") -> int:
    return read_count(people, name, most=_MOST_PEOPLE, write=1000)
