"""The people who are asked, and what they are asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import numpy as np

from sfumato.survey import Survey

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sfumato.survey import ChoiceQuestion

    Whole = NDArray[np.int64]

CHOICES = 100
QUESTION = "favourite"


def shares_of(choices: int = CHOICES) -> NDArray[np.float64]:
    """Return shares as words have them: the r-th most common is 1/r of the first."""
    weights = 1 / np.arange(1, choices + 1)
    return np.asarray(weights / weights.sum())


def answers_of(people: int) -> Whole:
    """Return the answers of so many people, the same each time."""
    return np.random.default_rng(0).choice(CHOICES, size=people, p=shares_of()).astype(np.int64)


def survey_of(protocol: str, epsilon: float, *, ids: bool = False) -> Survey:
    """Return a survey of one question."""
    choices = [f"c{each}" for each in range(CHOICES)]
    asked = {"choices": choices, "epsilon": epsilon, "protocol": protocol}
    return Survey({QUESTION: asked}, ids=ids)


def question_of(survey: Survey) -> ChoiceQuestion:
    """Return the one question of a survey."""
    return cast("ChoiceQuestion", survey.questions[QUESTION])
