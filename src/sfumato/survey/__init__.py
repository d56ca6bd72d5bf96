"""Local differential privacy: answers randomised by respondents, and estimates from reports.

What a person's side needs is loaded at once and is small; the collector's side loads when used.
"""

from typing import TYPE_CHECKING

from sfumato.doors import door
from sfumato.survey.client.memory import Memory
from sfumato.survey.client.questions import ChoiceQuestion, NumberQuestion
from sfumato.survey.client.survey import Survey
from sfumato.survey.client.survey_file import read_survey

if TYPE_CHECKING:
    from sfumato.survey.collecting.collect import collect
    from sfumato.survey.collector.aside import Aside
    from sfumato.survey.collector.collection import Collection
    from sfumato.survey.collector.estimates import Estimate, MeanEstimate, ShareEstimates
    from sfumato.survey.collector.needed import needed, within
    from sfumato.survey.collector.pair_estimates import PairEstimates
    from sfumato.survey.collector.results import Results
    from sfumato.survey.crowd.simulating import Simulation, simulate

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

__getattr__, __dir__ = door(
    __name__,
    {
        "collecting.collect": "collect",
        "collector.aside": "Aside",
        "collector.collection": "Collection",
        "collector.estimates": "Estimate MeanEstimate ShareEstimates",
        "collector.needed": "needed within",
        "collector.pair_estimates": "PairEstimates",
        "collector.results": "Results",
        "crowd.simulating": "Simulation simulate",
    },
)
