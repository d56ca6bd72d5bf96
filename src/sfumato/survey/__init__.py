"""Local differential privacy: answers randomised by respondents, and estimates from reports.

What a person's side needs is loaded at once and is small; the collector's side loads when used.
"""

from typing import TYPE_CHECKING

from sfumato.doors import door
from sfumato.survey.client.protocols.permanent import Memory
from sfumato.survey.client.questions import ChoiceQuestion, NumberQuestion
from sfumato.survey.client.survey import Survey
from sfumato.survey.client.survey_file import read_survey

if TYPE_CHECKING:
    from sfumato.survey.client.draws import read_fraction
    from sfumato.survey.client.survey_file import written_survey
    from sfumato.survey.collector.collect import collect
    from sfumato.survey.collector.collection import Collection
    from sfumato.survey.collector.estimates import (
        Estimate,
        MeanEstimate,
        PairEstimates,
        ShareEstimates,
        largest_places,
    )
    from sfumato.survey.collector.needed import half_lengths, needed, within
    from sfumato.survey.collector.pairs import read_pairs
    from sfumato.survey.collector.render import (
        MOST_ROWS,
        interval_text,
        more_text,
        number_text,
        percent,
    )
    from sfumato.survey.collector.results import Results
    from sfumato.survey.collector.shares import read_confidence
    from sfumato.survey.collector.tally import Aside
    from sfumato.survey.crowd.simulation import Simulation, simulate

__all__ = [
    "Aside",
    "ChoiceQuestion",
    "Collection",
    "Estimate",
    "MeanEstimate",
    "Memory",
    "NumberQuestion",
    "PairEstimates",
    "Results",
    "ShareEstimates",
    "Simulation",
    "Survey",
    "collect",
    "needed",
    "read_survey",
    "simulate",
    "within",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = door(
        __name__,
        {
            "client.draws": "read_fraction",
            "client.survey_file": "written_survey",
            "collector.collect": "collect",
            "collector.collection": "Collection",
            "collector.estimates": (
                "Estimate MeanEstimate PairEstimates ShareEstimates largest_places"
            ),
            "collector.needed": "half_lengths needed within",
            "collector.pairs": "read_pairs",
            "collector.render": "MOST_ROWS interval_text more_text number_text percent",
            "collector.results": "Results",
            "collector.shares": "read_confidence",
            "collector.tally": "Aside",
            "crowd.simulation": "Simulation simulate",
        },
    )
