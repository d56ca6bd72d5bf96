"""Surveys whose answers are randomised at the person's side: made, answered, tried, collected."""

from typing import TYPE_CHECKING

from sfumato.doors import door

if TYPE_CHECKING:
    from sfumato.application.survey.page import survey_page

__all__ = ["survey_page"]

__getattr__, __dir__ = door(
    __name__,
    {
        "page": "survey_page",
    },
)
