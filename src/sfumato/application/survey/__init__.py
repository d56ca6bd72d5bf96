"""Surveys whose answers are randomised at the person's side: made, answered, tried, collected."""

from typing import TYPE_CHECKING

from sfumato.doors import door

if TYPE_CHECKING:
    from sfumato.application.survey.answering import answer_survey
    from sfumato.application.survey.collecting import collect_reports, survey_page
    from sfumato.application.survey.drafting import draft_survey
    from sfumato.application.survey.precision import (
        NeededReport,
        ReachReport,
        people_needed,
        precision_reached,
    )
    from sfumato.application.survey.simulating import simulate_survey

__all__ = ["survey_page"]

if not TYPE_CHECKING:
    __getattr__, __dir__ = door(
        __name__,
        {
            "answering": "answer_survey",
            "collecting": "collect_reports survey_page",
            "drafting": "draft_survey",
            "precision": "NeededReport ReachReport people_needed precision_reached",
            "simulating": "simulate_survey",
        },
    )
