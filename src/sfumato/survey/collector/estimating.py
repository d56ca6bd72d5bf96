"""Estimates of all questions of a survey, from their tallies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError
from sfumato.printing.wording import counted
from sfumato.refusal import all_of
from sfumato.survey.client.questions import ChoiceQuestion
from sfumato.survey.collector.consistent import made_consistent
from sfumato.survey.collector.means import estimate_mean
from sfumato.survey.collector.pairs import estimate_pairs
from sfumato.survey.collector.reading import read_confidence
from sfumato.survey.collector.results import Results
from sfumato.survey.collector.shares import estimate_shares

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.survey.client.questions import Question
    from sfumato.survey.client.survey import Survey
    from sfumato.survey.collector.aside import Aside
    from sfumato.survey.collector.estimates import MeanEstimate, ShareEstimates
    from sfumato.survey.collector.pair_estimates import PairEstimates
    from sfumato.survey.collector.tally import PairTally, Tally

__all__ = ["estimate"]


def estimate(
    survey: Survey,
    tallies: Mapping[str, Tally],
    pairs: Mapping[tuple[str, str], PairTally],
    aside: Aside,
    *,
    confidence: Any,
    consistent: bool,
) -> Results:
    """Return the estimates of every question and of the pairs that were asked for."""
    level = read_confidence(confidence)
    people = min(tally.people for tally in tallies.values())
    if people < 1:
        raise _nobody(survey, aside)
    questions = survey.questions
    return Results(
        survey=survey,
        people=people,
        aside=aside,
        confidence=float(level),
        consistent=consistent,
        questions={
            name: _of_question(questions[name], tallies[name], level, consistent=consistent)
            for name in questions
        },
        pairs={
            names: _of_pair(
                (questions[names[0]], questions[names[1]]), tally, level, consistent=consistent
            )
            for names, tally in pairs.items()
        },
    )


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
