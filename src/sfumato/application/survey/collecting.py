"""Reports collected from where they are, and what they say of the answers."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

from sfumato.application.survey.opening import open_survey
from sfumato.application.survey.report import SurveyReport
from sfumato.data.progress import watching
from sfumato.privacy.parameters import read_delta
from sfumato.survey import collect
from sfumato.survey.collector.reading import read_confidence

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

__all__ = ["collect_reports"]


def collect_reports(
    file: str,
    described: Mapping[str, Any],
    reports: str,
    *,
    table: str | None = None,
    pairs: Sequence[tuple[str, ...]] = (),
    confidence: str = "0.95",
    consistent: bool = False,
    delta: str | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> SurveyReport:
    """Return what the reports of a survey say.

    Parameters
    ----------
    file, described
        As in ``open_survey``.
    reports
        Where the reports are: a file, or the address of a database.
    table
        Which table of a database.
    pairs
        Pairs of questions, for cross-tables.
    confidence, consistent
        As in ``Collection.estimate``.
    delta
        The δ of what the reports guarantee where they were shuffled; None where they were not.
    progress
        Called now and then with how much of a long scan is done, and of how much.
    """
    read_confidence(confidence)
    if delta is not None:
        read_delta(delta)
    survey = open_survey(file, described)
    with watching(lambda share: progress(round(100 * share), 100)) if progress else nullcontext():
        collected = collect(survey, reports, pairs=pairs, table=table)
    return SurveyReport(
        results=collected.estimate(confidence=confidence, consistent=consistent),
        shuffled=None if delta is None else collected.shuffled(delta=delta),
    )
