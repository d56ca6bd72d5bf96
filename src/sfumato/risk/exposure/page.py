"""An exposure report as a page that needs nothing else."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from sfumato.printing.layout import printable
from sfumato.printing.not_private import NOT_PRIVATE
from sfumato.printing.page import whole_page
from sfumato.printing.wording import figure, listed
from sfumato.risk.exposure.people import shown_cell
from sfumato.risk.exposure.pictures import classes_svg, columns_svg
from sfumato.risk.exposure.saying import headline, labelled

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sfumato.risk.exposure.found import Found

__all__ = ["exposure_page"]

_STYLE = "font-family: sans-serif; max-width: 50em; margin: 2em auto; line-height: 1.5"
_CELL = "border-bottom: 1px solid #bbb; padding: 0.2em 1em 0.2em 0; text-align: left"


def exposure_page(report: Found) -> str:
    """Return a report as a whole page: sentences, pictures, tables."""
    answer = headline(report)
    parts = [
        f"<h1>How exposed is this table?</h1><p><strong>{escape(printable(answer))}.</strong></p>",
        f"<p>{escape(NOT_PRIVATE)}</p>",
        _table(("figure", "value"), labelled(report)),
        "<h2>People who look alike</h2>",
        classes_svg(report),
        "<h2>Which columns identify people</h2>",
        columns_svg(report),
        _columns(report),
        *_people(report),
    ]
    return whole_page(answer, "".join(parts), style=_STYLE)


def _columns(report: Found) -> str:
    lines = [
        (listed(each.columns), f"{each.uniques:,}", f"{each.classes:,}", figure(each.entropy))
        for each in report.sets
    ]
    return _table(("columns", "unique rows", "classes", "bits"), lines)


def _people(report: Found) -> list[str]:
    if not report.at_risk:
        return []
    names = report.classes.columns
    lines = [
        (
            *(shown_cell(each.values[name]) for name in names),
            f"{each.rows:,}",
            ", ".join(f"{name}: {shown_cell(value)}" for name, value in each.given_away.items()),
        )
        for each in report.at_risk
    ]
    return ["<h2>The smallest classes</h2>", _table((*names, "rows", "gives away"), lines)]


def _table(head: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    return (
        '<table style="border-collapse: collapse">'
        f"<thead>{_row(head, 'th')}</thead>"
        f"<tbody>{''.join(_row(line, 'td') for line in lines)}</tbody></table>"
    )


def _row(cells: Sequence[str], tag: str) -> str:
    inside = "".join(f'<{tag} style="{_CELL}">{escape(printable(cell))}</{tag}>' for cell in cells)
    return f"<tr>{inside}</tr>"
