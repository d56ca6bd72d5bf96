"""Surveys whose answers are randomised at the person's side: made, answered, tried, collected."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sfumato.application.survey.page import survey_page

__all__ = ["survey_page"]


def __getattr__(name: str) -> Any:
    if name in __all__:
        return getattr(import_module(f"{__name__}.page"), name)
    message = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(message)
