"""Estimates written out: for a person, for a program, and as a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.cli.ledger.arguments import terminal_width
from sfumato.cli.output import write_json, write_lines
from sfumato.cli.writing import write_page, write_picture

if TYPE_CHECKING:
    from sfumato.application.survey.report import SurveyReport

__all__ = ["write_estimates"]


def write_estimates(report: SurveyReport, *, json: bool, html: str, plot: str) -> None:
    """Write a report, and its page and its picture where they are asked for.

    The report comes first, and is there whether or not those can be written.
    """
    if json:
        write_json(report.as_dict())
    else:
        write_lines(*report.lines(width=terminal_width()))
    if html:
        write_page(html, report.to_html())
    write_picture(plot, report.plot)
