"""What is asked of estimates: of which survey they are, and how sure they are to be."""

from __future__ import annotations

from fractions import Fraction
from os import PathLike, fspath
from typing import Any

from sfumato.errors import InputError
from sfumato.numeric import shown
from sfumato.refusal import Argument
from sfumato.survey.client.ratios import read_fraction
from sfumato.survey.client.survey import Survey

__all__ = ["check_survey", "read_confidence"]

_SUREST = 1 - Fraction(1, 10**9)


def check_survey(survey: Any) -> None:
    """Refuse what is no survey; a path may be that of one."""
    if isinstance(survey, Survey):
        return
    if isinstance(survey, (str, PathLike)):
        path = shown(fspath(survey))
        raise InputError(
            "E-ARGUMENT-TYPE",
            "a survey is wanted, not the path of its file",
            "write sf.survey.read_survey({path})",
            path=path,
        )
    raise InputError(
        "E-ARGUMENT-TYPE",
        "a survey is wanted, not a value of type {kind}",
        "write sf.survey.read_survey('class.toml'), say",
        kind=type(survey).__name__,
    )


def read_confidence(confidence: Any) -> Fraction:
    """Return a confidence as it was written: at least one half, and at most 1 - 10^-9."""
    level = read_fraction(confidence)
    if level is None or not Fraction(1, 2) <= level <= _SUREST:
        raise InputError(
            "E-ARGUMENT-RANGE",
            "{argument} must be from 0.5 to 0.999999999, not {confidence}",
            "write 0.95, say",
            confidence=shown(confidence),
            argument=Argument("confidence"),
        )
    return level
