"""Estimates written out: for a person, for a program, and as a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.cli.ledger.arguments import terminal_width
from sfumato.cli.output import write_json, write_lines, write_page

if TYPE_CHECKING:
    from sfumato.application.survey.report import SurveyReport

__all__ = ["write_estimates"]


def write_estimates(report: SurveyReport, *, json: bool, html: str) -> None:
    """Write a report, and its page where one is asked for.

    Examples
    --------
    >>> from sfumato.application.survey.collecting import collect_reports
    >>> from sfumato.cli.survey.writing import write_estimates
    >>> report = collect_reports("examples/class.toml", {}, "examples/class-reports.csv")
    >>> write_estimates(report, json=False, html="")
    class: the reports of 40 people
    ...
    """
    written: list[str] = []
    if html:
        write_page(html, report.to_html())
        written.append(f"{html} is written")
    if json:
        write_json(report.as_dict())
    else:
        write_lines(*report.lines(width=terminal_width()), *written)
