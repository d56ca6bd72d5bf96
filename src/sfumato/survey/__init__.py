"""Local differential privacy: answers randomised by respondents, and estimates from reports.

What a person's side needs is loaded at once and is small; the collector's side loads when used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

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

#: Where each name of the collector's side lives; it is loaded when the name is first used.
_HOMES = {
    "Aside": "collector.aside",
    "Collection": "collector.collection",
    "Estimate": "collector.estimates",
    "MeanEstimate": "collector.estimates",
    "PairEstimates": "collector.pair_estimates",
    "Results": "collector.results",
    "ShareEstimates": "collector.estimates",
    "Simulation": "crowd.simulating",
    "collect": "collecting.collect",
    "needed": "collector.needed",
    "simulate": "crowd.simulating",
    "within": "collector.needed",
}


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(f"sfumato.survey.{_HOMES[name]}"), name)
    message = f"module 'sfumato.survey' has no attribute {name!r}"
    raise AttributeError(message)


def __dir__() -> list[str]:
    return __all__
