"""What the reports of a survey say: for a terminal, for a program, and as a page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sfumato.application.survey.page import survey_page
from sfumato.application.survey.wording import MADE_UP, beyond, guarantees, shuffled_guarantee
from sfumato.printing.layout import fitted
from sfumato.printing.printed import Printed
from sfumato.privacy import guarantee_to_document
from sfumato.translation import tr

if TYPE_CHECKING:
    from pathlib import Path

    from sfumato.printing.plotting import Chart
    from sfumato.privacy import ApproxDP
    from sfumato.survey import Results

__all__ = ["SurveyReport"]

_WIDTH = 120


@dataclass(frozen=True, kw_only=True)
class SurveyReport(Printed):
    """Estimates and intervals, what was set aside, and what is guaranteed.

    Attributes
    ----------
    results
        The estimates.
    shuffled
        What the reports guarantee together, if they were shuffled.
    written
        The file of reports that were simulated.
    """

    results: Results
    shuffled: ApproxDP | None = None
    written: str = ""

    def lines(self, *, width: int = _WIDTH) -> list[str]:
        """Return the estimates with bars and intervals, and what is guaranteed.

        Parameters
        ----------
        width
            How wide a line may be.
        """
        _, *meant = guarantees(self.results.survey)
        mixed = [] if self.shuffled is None else [shuffled_guarantee(self.shuffled)]
        written = [tr("{written} is written", written=self.written)] if self.written else []
        made_up = [tr(MADE_UP)] if self.results.truth else []
        said = [*made_up, *beyond(self.results), *meant, *mixed, *written]
        return [*self.results.lines(width=width), *fitted(said, width)]

    def as_dict(self) -> dict[str, Any]:
        """Return the report ready for JSON."""
        survey, mixed = self.results.survey, self.shuffled
        return {
            **self.results.as_dict(),
            "guarantee_in_words": str(survey.guarantee),
            "guarantee": guarantee_to_document(survey.guarantee),
            "shuffled": None if mixed is None else guarantee_to_document(mixed),
        }

    def plot(self, *, to: str | Path | None = None) -> Chart:
        """Draw the estimates with their intervals; see ``Results.plot``."""
        return self.results.plot(to=to)

    def to_html(self) -> str:
        """Return the report as a page of its own, with pictures; it needs nothing else."""
        return survey_page(self.results, self.shuffled)
