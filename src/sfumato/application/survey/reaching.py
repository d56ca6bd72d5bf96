"""How exact a survey will be with so many people, said for each of its questions."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from sfumato.application.survey.needing import FOUR_TIMES, in_its_units, with_confidence
from sfumato.application.survey.opening import open_survey
from sfumato.printing.layout import aligned, fitted
from sfumato.printing.printed import Printed
from sfumato.printing.wording import counted
from sfumato.survey import within
from sfumato.survey.client.ratios import read_fraction
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.survey import Survey

__all__ = ["ReachReport", "precision_reached"]

_WIDTH = 120


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
