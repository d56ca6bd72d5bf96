"""What was collected: the tallies of a survey's questions, and the reports that were set aside."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError
from sfumato.printing import counted
from sfumato.refusal import all_of
from sfumato.survey.client.questions import ChoiceQuestion, Question
from sfumato.survey.collector.means import estimate_mean
from sfumato.survey.collector.pairs import estimate_pairs
from sfumato.survey.collector.results import Results
from sfumato.survey.collector.shares import estimate_shares, made_consistent, read_confidence
from sfumato.survey.collector.tally import Aside, PairTally, Tally

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.privacy import ApproxDP
    from sfumato.survey.client.survey import Survey
    from sfumato.survey.collector.estimates import MeanEstimate, PairEstimates, ShareEstimates


@dataclass(frozen=True, eq=False, repr=False)
class Collection:
    """The reports of a survey, in sums: all that estimates are made of.

    Parameters
    ----------
    survey
        What was asked.
    people
        How many reports are counted; the same for every question.
    tallies
        For each question its tally.
    pairs
        For each pair of questions that was asked for, their joint tally.
    aside
        The reports that are not counted.

    Examples
    --------
    >>> import sfumato as sf
    >>> survey = sf.survey.read_survey("examples/class.toml")
    >>> sf.survey.collect(survey, "examples/class-reports.csv").tallies["cheated"].counts
    array([16, 24])
    """

    survey: Survey
    people: int
    tallies: Mapping[str, Tally]
    pairs: Mapping[tuple[str, str], PairTally] = field(default_factory=dict)
    aside: Aside = field(default_factory=Aside)

    def estimate(self, *, confidence: Any = 0.95, consistent: bool = False) -> Results:
        """Return what the reports say of the answers, and how sure that is.

        Parameters
        ----------
        confidence
            How often the intervals of a question, all of them together, cover what they are to
            cover: at least 0.5 and below 1.
        consistent
            Whether shares are made to be 0 or more and to sum to 1.  They are then no longer
            unbiased where a share is near 0.

        Examples
        --------
        >>> import sfumato as sf
        >>> survey = sf.Survey({"cheated": {"choices": ["yes", "no"], "truth": "2/3"}})
        >>> found = sf.survey.simulate(survey, 10_000, shares={"cheated": {"yes": 0.3}}).estimate()
        >>> abs(found["cheated"]["yes"].value - 0.3) < 0.2
        True
        """
        level = read_confidence(confidence)
        people = min(tally.people for tally in self.tallies.values())
        if people < 1:
            raise _nobody(self.survey, self.aside)
        questions = self.survey.questions
        return Results(
            survey=self.survey,
            people=people,
            aside=self.aside,
            confidence=float(level),
            consistent=consistent,
            questions={
                name: _of_question(each, self.tallies[name], level, consistent=consistent)
                for name, each in questions.items()
            },
            pairs={
                (one, two): _of_pair(
                    (questions[one], questions[two]), tally, level, consistent=consistent
                )
                for (one, two), tally in self.pairs.items()
            },
        )

    def shuffled(self, *, delta: Any) -> ApproxDP:
        """Return what the reports guarantee if somebody shuffled them before they were collected.

        Parameters
        ----------
        delta
            The δ of the guarantee.

        Examples
        --------
        >>> import sfumato as sf
        >>> survey = sf.Survey({"cheated": {"choices": ["yes", "no"], "epsilon": 1}})
        >>> guarantee = sf.survey.simulate(survey, 10_000).shuffled(delta=1e-6)
        >>> round(guarantee.epsilon(delta=1e-6), 4)
        0.0432
        """
        from sfumato.survey.collector.shuffling import shuffled

        return shuffled(self.survey, self.people, delta=delta)

    def __repr__(self) -> str:
        aside = f", {self.aside.total:,} set aside" if self.aside.total else ""
        reports = counted(self.people, "report")
        return f"<{type(self).__name__} of {self.survey.name!r}: {reports}{aside}>"


def _of_question(
    question: Question, tally: Tally, confidence: Any, *, consistent: bool
) -> ShareEstimates | MeanEstimate:
    if not isinstance(question, ChoiceQuestion):
        return estimate_mean(question, tally, confidence=confidence)
    found = estimate_shares(question, tally, confidence=confidence)
    return made_consistent(found) if consistent else found


def _of_pair(
    questions: tuple[Question, Question], tally: PairTally, confidence: Any, *, consistent: bool
) -> PairEstimates:
    first, second = questions
    if not isinstance(first, ChoiceQuestion) or not isinstance(second, ChoiceQuestion):
        raise InputError(
            "E-QUESTION-KIND", "pairs are of questions with choices", "leave those with numbers out"
        )
    found = estimate_pairs(first, second, tally, confidence=confidence)
    return made_consistent(found) if consistent else found


def _nobody(survey: Survey, aside: Aside) -> InputError:
    if not aside.total:
        return InputError(
            "E-REPORTS-NONE",
            "there is no report of the survey {survey!r} to estimate from",
            "collect some",
            survey=survey.name,
        )
    return InputError(
        "E-REPORTS-NONE",
        "there is no report of the survey {survey!r} to estimate from: {reports} set aside "
        "({reasons})",
        "collect its own",
        survey=survey.name,
        reports=counted(aside.total, "report"),
        reasons=all_of(aside.reasons()),
    )
