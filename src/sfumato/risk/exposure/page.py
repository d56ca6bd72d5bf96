"""An exposure report as a page that needs nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.printing.not_private import NOT_PRIVATE
from sfumato.printing.page import STYLE, as_text, table_of, whole_page
from sfumato.printing.plotting import pictured
from sfumato.printing.wording import listed, rounded
from sfumato.risk.exposure.people import shown_cell
from sfumato.risk.exposure.saying import headline, labelled
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from sfumato.risk.exposure.exposure import Exposure

__all__ = ["exposure_page"]


def exposure_page(report: Exposure) -> str:
    """Return a report as a whole page: sentences, pictures, tables."""
    answer = headline(report)
    parts = [
        f"<h1>{tr('How exposed is this table?')}</h1><p><strong>{as_text(answer)}.</strong></p>",
        f"<p>{as_text(NOT_PRIVATE)}</p>",
        table_of([("figure", "value"), *labelled(report)]),
        "<h2>Equivalence classes</h2>",
        pictured(report.plot),
        f"<h2>{tr('Which columns identify people')}</h2>",
        pictured(lambda: report.plot("columns")),
        _columns(report),
        *_people(report),
    ]
    return whole_page(answer, "".join(parts), style=STYLE)


def _columns(report: Exposure) -> str:
    lines = [
        (listed(each.columns), f"{each.uniques:,}", f"{each.classes:,}", rounded(each.entropy))
        for each in report.sets
    ]
    return table_of(
        [(mark("columns"), tr("unique rows"), tr("equivalence classes"), mark("bits")), *lines]
    )


def _people(report: Exposure) -> list[str]:
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
    return [
        f"<h2>{tr('The smallest equivalence classes')}</h2>",
        table_of([(*names, mark("rows"), tr("gives away")), *lines]),
    ]
