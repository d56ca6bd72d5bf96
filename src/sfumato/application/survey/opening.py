"""The survey that a file describes, or options do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.survey import Survey, read_survey

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["open_survey"]


def open_survey(file: str, described: Mapping[str, Any]) -> Survey:
    """Return the survey of a file, or the one that is described in its place.

    Parameters
    ----------
    file
        A survey's file (.toml).
    described
        As in ``sf.Survey``; nothing where the file is to be read.

    Examples
    --------
    >>> from sfumato.application.survey.opening import open_survey
    >>> cheated = {"choices": ["yes", "no"], "truth": "2/3"}
    >>> open_survey("", {"questions": {"cheated": cheated}}).loss.text
    'ln(2)'
    """
    return Survey(**described) if described else read_survey(file)
