"""Ours: reports of all people at once, their tally, and the estimates with their intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from benchmarks.survey.people import QUESTION
from sfumato.survey.collector.collection import Collection
from sfumato.survey.collector.decoding import tally_of
from sfumato.survey.crowd.reports import randomize_many

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from sfumato.sampling import BitSource
    from sfumato.survey import Survey
    from sfumato.survey.collector.estimates import ShareEstimates


def reports_of(
    survey: Survey, answers: NDArray[np.int64], source: BitSource | None = None
) -> NDArray[Any]:
    """Return everybody's report."""
    return randomize_many(survey.questions[QUESTION], answers, source=source)


def shares_from(
    survey: Survey, reports: NDArray[Any], *, consistent: bool = False
) -> NDArray[np.float64]:
    """Return the estimated shares."""
    tally = tally_of(survey.questions[QUESTION], reports)
    found = Collection(survey, tally.people, {QUESTION: tally}).estimate(consistent=consistent)
    return cast("ShareEstimates", found.questions[QUESTION]).shares
