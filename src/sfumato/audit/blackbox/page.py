"""The report of an audit as a page that needs nothing else."""

from __future__ import annotations

import math
from html import escape
from importlib.metadata import version
from typing import TYPE_CHECKING

from sfumato.audit.blackbox.saying import answer, doubt, evidence, rows, spent
from sfumato.printing.curve import CurveLabels, curve_svg
from sfumato.printing.page import whole_page as printed_page
from sfumato.translation import tr

if TYPE_CHECKING:
    from sfumato.audit.blackbox.figures import Figures
    from sfumato.audit.claim import Claim
    from sfumato.printing.curve import Point

__all__ = ["body", "whole_page"]


def whole_page(report: Figures) -> str:
    """Return a report as a whole page."""
    return printed_page(answer(report), body(report))


def body(report: Figures) -> str:
    """Return a report as a part of a page: sentences, the table over δ and a drawing."""
    audited = tr(
        "audited: {release}, with sfumato {version}",
        release=report.release or tr("a function"),
        version=version("sfumato"),
    )
    lines = [*evidence(report), f"{spent(report)}; {doubt(report.alpha)}", audited]
    text = "<br>".join([f"<strong>{escape(answer(report))}</strong>", *map(escape, lines)])
    return f"<p>{text}</p>{_table(report)}{_drawing(report)}"


def _table(report: Figures) -> str:
    cells = "".join(
        f"<tr><td>{escape(delta)}</td><td>{escape(epsilon)}</td></tr>"
        for delta, epsilon in rows(report)
    )
    least = tr("ε is at least (claimed: {claim})", claim=escape(str(report.claim)))
    head = f"<tr><th>{tr('at δ')}</th><th>{least}</th></tr>"
    return f'<table style="text-align: left">{head}{cells}</table>' if cells else ""


def _drawing(report: Figures) -> str:
    labels = CurveLabels(
        tr("how well the two datasets are told apart"),
        tr("false positives"),
        tr("true positives"),
        observed=tr("proved by the draws"),
        allowed=tr("allowed by {claim}", claim=report.claim),
    )
    return curve_svg(report.region, _allowed(report.claim), labels)


def _allowed(claim: Claim) -> list[Point]:
    """Return the edge of what (ε, δ) allows: true positives against false ones."""
    factor, delta = math.exp(min(float(claim.epsilon), 700.0)), float(claim.delta)
    turn = (1 - delta) / (1 + factor)
    return [(0.0, delta), (turn, 1 - turn), (max(turn, 1 - delta), 1.0), (1.0, 1.0)]
