"""What the reports of a survey say, as a page that needs nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.application.survey.tables import cells
from sfumato.application.survey.wording import (
    MADE_UP,
    beyond,
    guarantees,
    hiding,
    shuffled_guarantee,
)
from sfumato.printing.page import STYLE, as_text, sentences, table_of, whole_page
from sfumato.printing.plotting import pictured
from sfumato.survey import MeanEstimate
from sfumato.survey.collector.saying import more_text
from sfumato.translation import tr, tr_n

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sfumato.privacy import ApproxDP
    from sfumato.survey import Results

__all__ = ["survey_page"]


def survey_page(results: Results, shuffled: ApproxDP | None = None) -> str:
    """Return estimates as a whole page: a picture, tables, and what is guaranteed.

    It refers to nothing outside itself.

    Parameters
    ----------
    results
        The estimates.
    shuffled
        What the reports guarantee together, if they were shuffled.

    Examples
    --------
    >>> from sfumato.application.survey import survey_page
    >>> from sfumato.survey import collect, read_survey
    >>> survey = read_survey("examples/class.toml")
    >>> page = survey_page(collect(survey, "examples/class-reports.csv").estimate())
    >>> page[:15], page.count("<img")
    ('<!doctype html>', 1)
    """
    survey = results.survey
    *notes, _ = [*([tr(MADE_UP)] if results.truth else []), *results.notes()]
    mixed = [] if shuffled is None else [shuffled_guarantee(shuffled)]
    head = tr_n(
        "The reports of {people:,} person.",
        "The reports of {people:,} people.",
        results.people,
        people=results.people,
    )
    parts = [
        f"<h1>{as_text(survey.name)}</h1>",
        f"<p><strong>{head}</strong></p>",
        pictured(results.plot),
        *_answers(results),
        sentences([*notes, *beyond(results)]),
        f"<h2>{tr('What is guaranteed')}</h2>",
        sentences([*guarantees(survey), *mixed]),
        f"<h2>{tr('What was done')}</h2>",
        sentences(f"{name}: {hiding(each)}" for name, each in survey.questions.items()),
        f"<p>{tr('The digest of the survey is {digest}.', digest=survey.digest)}</p>",
    ]
    return whole_page(survey.name, "".join(parts), style=STYLE)


def _answers(results: Results) -> Iterator[str]:
    names: list[str | tuple[str, str]] = [*results.questions, *results.pairs]
    for name in names:
        yield f"{table_of(cells(results, name))}<br>"
        found = results[name]
        more = "" if isinstance(found, MeanEstimate) else more_text(len(found))
        yield f"<p>{more}</p>" if more else ""
