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
    """
    return Survey(**described) if described else read_survey(file)
