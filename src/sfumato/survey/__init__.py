"""Answers randomised at the person's side, and the estimates made of the reports.

What a person's side needs is loaded at once and is small; the collector's side loads when used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from sfumato.survey.client.memory import Memory
from sfumato.survey.client.questions import ChoiceQuestion, NumberQuestion
from sfumato.survey.client.survey import Survey
from sfumato.survey.client.survey_file import read_survey

if TYPE_CHECKING:
    from sfumato.survey.collector.collection import Aside, Collection

__all__ = [
    "Aside",
    "ChoiceQuestion",
    "Collection",
    "Memory",
    "NumberQuestion",
    "Survey",
    "read_survey",
]

_HOMES = {
    "Aside": "collector.collection",
    "Collection": "collector.collection",
}


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(f"sfumato.survey.{_HOMES[name]}"), name)
    message = f"module 'sfumato.survey' has no attribute {name!r}"
    raise AttributeError(message)
