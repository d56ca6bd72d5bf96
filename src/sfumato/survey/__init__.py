"""Answers randomised at the person's side, and the estimates made of the reports."""

from sfumato.survey.client.memory import Memory
from sfumato.survey.client.questions import ChoiceQuestion, NumberQuestion
from sfumato.survey.client.survey import Survey
from sfumato.survey.client.survey_file import read_survey

__all__ = ["ChoiceQuestion", "Memory", "NumberQuestion", "Survey", "read_survey"]
