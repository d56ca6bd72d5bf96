"""Reports collected from where they are, and what they say of the answers."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sfumato.application.survey.answering import open_survey
from sfumato.application.survey.render import (
    MADE_UP,
    beyond,
    guarantees,
    hiding,
    shuffled_guarantee,
)
from sfumato.data import watching
from sfumato.printing import (
    STYLE,
    Printed,
    as_text,
    fitted,
    paragraph,
    pictured,
    table_of,
    whole_page,
)
from sfumato.privacy import guarantee_to_document, read_delta
from sfumato.survey import (
    MOST_ROWS,
    MeanEstimate,
    ShareEstimates,
    collect,
    interval_text,
    more_text,
    number_text,
    percent,
    read_confidence,
)
from sfumato.translation import mark, tr, tr_n

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from sfumato.printing import Chart
    from sfumato.privacy import ApproxDP
    from sfumato.survey import Estimate, PairEstimates, Results


def cells(results: Results, name: str | tuple[str, str]) -> list[list[str]]:
    """Return the estimates of a question, or of a pair of them, as cells with the header first.

    Of more than 40 choices the most frequent ones are in it.
    """
    found = results[name]
    truth = results.truth.get(name) if isinstance(name, str) else None
    if isinstance(found, MeanEstimate):
        return _mean(found, truth)
    return _shares(found, truth or {})


def _mean(found: MeanEstimate, truth: float | None) -> list[list[str]]:
    known = [] if truth is None else [mark("truth")]
    value, _, interval = number_text(found).rstrip(")").partition(" (")
    head = [found.question, mark("mean"), mark("interval"), *known]
    return [head, ["", value, interval, *(f"{truth:.6g}" for _ in known)]]


def _shares(found: ShareEstimates | PairEstimates, truth: Mapping[str, float]) -> list[list[str]]:
    if isinstance(found, ShareEstimates):
        names = [found.question]
        rows = [([label], each) for label, each in found.largest(MOST_ROWS)]
    else:
        names = [*found.questions]
        rows = [([*pair], each) for pair, each in found.largest(MOST_ROWS)]
    widest = max(each.upper - each.lower for _, each in rows)
    head = [*names, mark("share"), mark("interval"), *([mark("truth")] if truth else [])]
    return [head, *(_share(labels, each, widest, truth) for labels, each in rows)]


def _share(
    labels: list[str], each: Estimate, widest: float, truth: Mapping[str, float]
) -> list[str]:
    return [
        *labels,
        f"{percent(each.value, widest)} %",
        f"{interval_text(each, widest)} %",
        *([f"{percent(truth[labels[0]], widest)} %"] if truth else []),
    ]


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
        paragraph([*notes, *beyond(results)]),
        f"<h2>{tr('What is guaranteed')}</h2>",
        paragraph([*guarantees(survey), *mixed]),
        f"<h2>{tr('What was done')}</h2>",
        paragraph(f"{name}: {hiding(each)}" for name, each in survey.questions.items()),
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


_WIDTH = 120


@dataclass(frozen=True, kw_only=True)
class SurveyReport(Printed):
    """Estimates and intervals, what was set aside, and what is guaranteed.

    Attributes
    ----------
    results
        The estimates.
    shuffled
        What the reports guarantee together, if they were shuffled.
    written
        The file of reports that were simulated.
    """

    results: Results
    shuffled: ApproxDP | None = None
    written: str = ""

    def lines(self, *, width: int = _WIDTH) -> list[str]:
        """Return the estimates with bars and intervals, and what is guaranteed.

        Parameters
        ----------
        width
            How wide a line may be.
        """
        _, *meant = guarantees(self.results.survey)
        mixed = [] if self.shuffled is None else [shuffled_guarantee(self.shuffled)]
        written = [tr("{written} is written", written=self.written)] if self.written else []
        made_up = [tr(MADE_UP)] if self.results.truth else []
        said = [*made_up, *beyond(self.results), *meant, *mixed, *written]
        return [*self.results.lines(width=width), *fitted(said, width)]

    def as_dict(self) -> dict[str, Any]:
        """Return the report ready for JSON."""
        survey, mixed = self.results.survey, self.shuffled
        return {
            **self.results.as_dict(),
            "guarantee_in_words": str(survey.guarantee),
            "guarantee": guarantee_to_document(survey.guarantee),
            "shuffled": None if mixed is None else guarantee_to_document(mixed),
        }

    def plot(self, *, to: str | Path | None = None) -> Chart:
        """Draw the estimates with their intervals; see ``Results.plot``."""
        return self.results.plot(to=to)

    def to_html(self) -> str:
        """Return the report as a page of its own, with pictures; it needs nothing else."""
        return survey_page(self.results, self.shuffled)


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
