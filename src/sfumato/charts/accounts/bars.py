"""How much is spent of all budgets of a ledger, side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.charts.accounts.words import spent_of
from sfumato.charts.parts.labels import told_apart
from sfumato.charts.parts.style import FAINT, INK, MAIN, altair, axis_room, finished, rows
from sfumato.ledger import budgeted
from sfumato.printing.layout import cut
from sfumato.printing.wording import counted
from sfumato.translation import tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.ledger import Ledger, Standing
    from sfumato.printing.plotting import Chart

__all__ = ["budgets"]

_MOST, _ROW, _LABEL = 60, 26, 40


def budgets(ledger: Ledger) -> Chart:
    """Draw how much is spent of every budget over everyone in a ledger.

    Examples
    --------
    >>> import tempfile
    >>> import sfumato as sf
    >>> with tempfile.TemporaryDirectory() as folder, sf.Ledger.create(
    ...     f"{folder}/ledger.db", key=f"{folder}/key.pem"
    ... ) as ledger:
    ...     book = ledger.add_book("patients", sf.PureDP(epsilon=1))
    ...     book = ledger.add_book("visits", sf.PureDP(epsilon=2))
    ...     chart = sf.charts.budgets(ledger)
    >>> chart.to_dict()["title"]["text"][0]
    'what is spent of 2 budgets'
    """
    found = [(name, each) for name in ledger.books() for each in ledger.book(name).standing()]
    shown = sorted(found, key=lambda pair: pair[1].used, reverse=True)[:_MOST]
    labels = told_apart([_label(name, standing) for name, standing in shown])
    bars = [_bar(label, pair[1]) for label, pair in zip(labels, shown, strict=True)]
    others = len(found) - len(shown)
    left_out = (
        [tr("{budgets}, less spent, not shown", budgets=counted(others, "other budget"))]
        if others
        else []
    )
    return finished(
        _bars(bars),
        tr("what is spent of {budgets}", budgets=counted(len(found), "budget"))
        if found
        else tr("there is no budget yet"),
        tr("each over everyone together, now; what is pale is left"),
        *left_out,
        height=_ROW * max(1, len(bars)),
    )


def _label(name: str, standing: Standing) -> str:
    often = tr(" per {name}", name=standing.rule.period.noun) if standing.rule.period else ""
    return f"{cut(name, _LABEL)}: {budgeted(standing.rule.budget)}{often}"


def _bar(label: str, standing: Standing) -> dict[str, Any]:
    period = tr(" in {window}", window=standing.window) if standing.window else ""
    return {
        "budget": label,
        "used": 100 * float(standing.used),
        "whole": 100,
        "note": f"{spent_of(standing)}{period}",
    }


def _bars(bars: Sequence[dict[str, Any]]) -> Any:
    alt = altair()
    labels = [str(each["budget"]) for each in bars]
    axis = alt.Axis(title=None, labelLimit=axis_room(labels))
    base = alt.Chart(rows(bars)).encode(y=alt.Y("budget:N", sort=labels, axis=axis))
    whole = base.mark_bar(color=FAINT, height=16).encode(
        x=alt.X("whole:Q", title=tr("spent, in % of the budget"), scale=alt.Scale(domain=[0, 100]))
    )
    used = base.mark_bar(color=MAIN, height=16).encode(
        x=alt.X("used:Q"), tooltip=["budget:N", "note:N"]
    )
    notes = base.mark_text(align="left", dx=6, color=INK).encode(
        x=alt.datum(100), text=alt.Text("note:N")
    )
    return whole + used + notes
