"""A question of a survey: what may be answered, and how an answer is hidden."""

from sfumato.survey.client.questions.choices import ChoiceQuestion
from sfumato.survey.client.questions.numbers import NumberQuestion

__all__ = ["ChoiceQuestion", "NumberQuestion", "Question"]

Question = ChoiceQuestion | NumberQuestion
