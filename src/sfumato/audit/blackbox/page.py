"""The report of an audit as a page that needs nothing else."""

from __future__ import annotations

from html import escape
from importlib.metadata import version
from typing import TYPE_CHECKING

from sfumato.audit.blackbox.figures import answer, doubt, evidence, rows, spent
from sfumato.printing import drawn, pictured
from sfumato.printing import whole_page as printed_page
from sfumato.translation import tr

if TYPE_CHECKING:
    from sfumato.audit.blackbox.figures import Figures


def whole_page(report: Figures) -> str:
    """Return a report as a whole page."""
    return printed_page(answer(report), body(report))


def body(report: Figures) -> str:
    """Return a report as a part of a page: sentences, the table over δ and a picture."""
    audited = tr(
        "audited: {release}, with sfumato {version}",
        release=report.release or tr("a function"),
        version=version("sfumato"),
    )
    lines = [*evidence(report), f"{spent(report)}; {doubt(report.alpha)}", audited]
    text = "<br>".join([f"<strong>{escape(answer(report))}</strong>", *map(escape, lines)])
    picture = pictured(lambda: drawn("audit", report, to=None, of="rates"))
    return f"<p>{text}</p>{_table(report)}{picture}"


def _table(report: Figures) -> str:
    cells = "".join(
        f"<tr><td>{escape(delta)}</td><td>{escape(epsilon)}</td></tr>"
        for delta, epsilon in rows(report)
    )
    least = tr("ε is at least (claimed: {claim})", claim=escape(str(report.claim)))
    head = f"<tr><th>{tr('at δ')}</th><th>{least}</th></tr>"
    return f'<table style="text-align: left">{head}{cells}</table>' if cells else ""
