"""How many people a survey needs, and how exact it will be with so many."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from sfumato.application.survey.answering import open_survey
from sfumato.numeric import digits_above
from sfumato.printing import Printed, aligned, counted, fitted, table
from sfumato.survey import ChoiceQuestion, half_lengths, needed, read_fraction, within
from sfumato.translation import mark, tr, tr_n

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.survey import NumberQuestion, Survey


_WIDTH, _DIGITS = 120, 6
#: What is said of the price of shorter intervals.
FOUR_TIMES = mark("intervals half as wide take about four times as many people, at the same ε")


@dataclass(frozen=True)
class Wish:
    """How exact the estimates of a question are to be, and how many people that takes.

    Attributes
    ----------
    question
        The question's name.
    within
        Half the length of its intervals at most, in its own units.
    said
        The same in words.
    people
        How many people that takes.
    """

    question: str
    within: Fraction
    said: str
    people: int


@dataclass(frozen=True, kw_only=True)
class NeededReport(Printed):
    """How many people a survey needs.

    Attributes
    ----------
    survey
        What is asked.
    confidence
        That of the intervals.
    wishes
        What each question needs.
    """

    survey: Survey
    confidence: Fraction
    wishes: tuple[Wish, ...]

    @property
    def people(self) -> int:
        """How many people are enough for every question."""
        return max(each.people for each in self.wishes)

    def lines(self, *, width: int = _WIDTH) -> list[str]:
        """Return how many people are needed, for each question and in all."""
        rows = [
            [mark("question"), tr("intervals at most"), mark("people")],
            *([each.question, each.said, f"{each.people:,}"] for each in self.wishes),
        ]
        answer = tr_n(
            "{reports} is enough, whatever people answer",
            "{reports} are enough, whatever people answer",
            self.people,
            reports=counted(self.people, "report"),
        )
        notes = [with_confidence(self.confidence), tr(FOUR_TIMES)]
        return [
            *fitted([answer], width),
            *table(rows, width, numbers={"people"}, dispensable=[tr("intervals at most")]),
            *fitted(notes, width),
        ]

    def as_dict(self) -> dict[str, Any]:
        """Return the report ready for JSON."""
        return {
            "survey": self.survey.name,
            "digest": self.survey.digest,
            "people": self.people,
            "confidence": float(self.confidence),
            "questions": {
                each.question: {"within": float(each.within), "people": each.people}
                for each in self.wishes
            },
        }


def people_needed(
    file: str, described: Mapping[str, Any], *, within: Mapping[str, str], confidence: str = "0.95"
) -> NeededReport:
    """Return how many people are needed for intervals of a wanted length.

    Parameters
    ----------
    file, described
        As in ``open_survey``.
    within
        Half the length: under a question's name in its own units, and under no name for all
        others, as a share, which for numbers is that of their range.
    confidence
        That of the intervals.
    """
    survey = open_survey(file, described)
    return NeededReport(
        survey=survey,
        wishes=tuple(wishes(survey, within, confidence)),
        confidence=read_fraction(confidence) or Fraction(),
    )


def wishes(survey: Survey, within: Mapping[str, str], confidence: str = "0.95") -> list[Wish]:
    """Return what is wanted of each question, and how many people that takes."""
    questions = survey.questions
    return [
        Wish(
            name,
            half,
            in_its_units(questions[name], half, _DIGITS),
            needed(questions[name], within=half, confidence=confidence),
        )
        for name, half in half_lengths(survey, within).items()
    ]


def in_its_units(
    question: ChoiceQuestion | NumberQuestion, half: float | Fraction, digits: int = 3
) -> str:
    """Return half the length of an interval in words, rounded up to a few digits."""
    if isinstance(question, ChoiceQuestion):
        return tr("± {half} points", half=digits_above(100 * Fraction(half), digits))
    return f"± {digits_above(Fraction(half), digits)}"


def with_confidence(confidence: Fraction) -> str:
    """Return how sure intervals are, in words."""
    return tr(
        "with {confidence:.10g} % confidence in all intervals of a question",
        confidence=float(100 * confidence),
    )


@dataclass(frozen=True, kw_only=True)
class ReachReport(Printed):
    """How exact a survey will be.

    Attributes
    ----------
    survey
        What is asked.
    confidence
        That of the intervals.
    people
        How many reports there will be.
    within
        For each question half the length of its longest interval, in its own units.
    """

    survey: Survey
    confidence: Fraction
    people: int
    within: Mapping[str, float]

    def lines(self, *, width: int = _WIDTH) -> list[str]:
        """Return how long intervals will be at most, for each question.

        Parameters
        ----------
        width
            How wide a line may be.
        """
        reports = counted(self.people, "report")
        answer = tr(
            "with {reports} no interval reaches further than this, whatever people answer",
            reports=reports,
        )
        questions = self.survey.questions
        rows = [
            [mark("question"), tr("intervals at most")],
            *([name, in_its_units(questions[name], half)] for name, half in self.within.items()),
        ]
        notes = [with_confidence(self.confidence), tr(FOUR_TIMES)]
        return [*fitted([answer], width), *aligned(rows), *fitted(notes, width)]

    def as_dict(self) -> dict[str, Any]:
        """Return the report ready for JSON."""
        return {
            "survey": self.survey.name,
            "digest": self.survey.digest,
            "people": self.people,
            "confidence": float(self.confidence),
            "questions": {name: {"within": half} for name, half in self.within.items()},
        }


def precision_reached(
    file: str, described: Mapping[str, Any], *, people: int, confidence: str = "0.95"
) -> ReachReport:
    """Return how exact the estimates of a survey will be with so many people.

    Parameters
    ----------
    file, described
        As in ``open_survey``.
    people
        How many reports there will be.
    confidence
        That of the intervals.
    """
    survey = open_survey(file, described)
    return ReachReport(
        survey=survey,
        people=people,
        within=within(survey, people=people, confidence=confidence),
        confidence=read_fraction(confidence) or Fraction(),
    )
