"""A survey tried on people who are made up, so that the truth is known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.application.survey.answering import open_survey
from sfumato.application.survey.collecting import SurveyReport
from sfumato.data import check_free
from sfumato.errors import InputError
from sfumato.refusal import Argument
from sfumato.survey import ChoiceQuestion, NumberQuestion, read_confidence, read_pairs, simulate

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from sfumato.survey import Survey


def simulate_survey(
    file: str,
    described: Mapping[str, Any],
    people: int,
    *,
    shares: Sequence[str] = (),
    out: str | None = None,
    replace: bool = False,
    pairs: Sequence[tuple[str, ...]] = (),
    confidence: str = "0.95",
    consistent: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> SurveyReport:
    """Return what the reports of made-up people say, and the truth.

    Parameters
    ----------
    file, described
        As in ``open_survey``.
    people
        How many people answer.
    shares
        How they answer, as in ``read_habits``.
    out
        A file for the reports.
    replace
        Whether another file may be there.
    pairs
        Pairs of questions, for cross-tables.
    confidence, consistent
        As in ``Collection.estimate``.
    progress
        Called now and then with how many people are done, and of how many.
    """
    read_confidence(confidence)
    survey = open_survey(file, described)
    habits = read_habits(survey, shares)
    if out is not None:
        check_free(out, replace=replace, spared=(file,) if file else ())
    told = None if progress is None else lambda share: progress(round(people * share), people)
    asked = read_pairs(survey, pairs)
    simulated = simulate(survey, people, shares=habits, pairs=asked, out=out, progress=told)
    results = simulated.estimate(confidence=confidence, consistent=consistent)
    return SurveyReport(results=results, written=out or "")


def read_habits(survey: Survey, shares: Sequence[str]) -> dict[str, Any]:
    """Return how people answer, from texts such as ``yes=0.3``, ``meal.soup=0.1``, ``spent=2:8``.

    The name of the question is left out where there is but one.
    """
    habits: dict[str, Any] = {}
    for text in shares:
        name, choice, value = _split(survey, text)
        known = habits if choice is None else habits.setdefault(name, {})
        if (choice or name) in known:
            raise InputError(
                "E-ARGUMENT-TWICE",
                "{share} names {given!r} twice",
                "give each once",
                given=choice or name,
                share=Argument("share"),
            )
        spread = choice is None and ":" in value
        known[choice or name] = tuple(value.split(":")) if spread else value
    return habits


def _split(survey: Survey, text: str) -> tuple[str, str | None, str]:
    """Return the question, the choice if it has some, and how many or what they answer."""
    given, _, value = text.rpartition("=")
    if isinstance(survey.questions.get(given), NumberQuestion):
        return given, None, value
    name, dot, choice = given.partition(".")
    if dot and isinstance(survey.questions.get(name), ChoiceQuestion):
        return name, choice, value
    only = list(survey.questions.values())
    if given and len(only) == 1 and isinstance(only[0], ChoiceQuestion):
        return only[0].name, given, value
    raise InputError(
        "E-SHARES-FORM",
        "{shares} cannot be read from {text!r}",
        "write {example}, say",
        shares=Argument("shares"),
        text=text[:60],
        example=_example(survey),
    )


def _example(survey: Survey) -> str:
    first, *others = survey.questions.values()
    if isinstance(first, NumberQuestion):
        return "{}={:g}:{:g}".format(first.name, *map(float, first.bounds))
    return f"{first.name}.{first.choices[0]}=0.3" if others else f"{first.choices[0]}=0.3"
