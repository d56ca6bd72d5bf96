"""Two pictures of exposure: how many rows have how many like them, and which columns tell."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from sfumato.printing.bars import Bar, bars_svg
from sfumato.printing.wording import counted, listed, share
from sfumato.translation import tr

if TYPE_CHECKING:
    from sfumato.risk.exposure.classes import Classes
    from sfumato.risk.exposure.combinations import Combination
    from sfumato.risk.exposure.found import Found

__all__ = ["class_bars", "classes_svg", "column_bars", "columns_svg"]

_SINGLE = (1, 2, 3, 4)
_STEPS = (1, 2, 5)


def classes_svg(report: Found) -> str:
    """Return a drawing of the rows by the size of their class; those at risk are dark."""
    title = f"rows by the size of their equivalence class on {listed(report.classes.columns)}"
    return bars_svg(
        class_bars(report),
        title,
        key=tr("at risk: equivalence classes below {at_least:,}", at_least=report.at_least),
    )


def columns_svg(report: Found) -> str:
    """Return a drawing of the mean re-identification risk, for sets of columns."""
    title = tr("the mean re-identification risk, for who knows these columns")
    return bars_svg(column_bars(report), title)


def class_bars(report: Found) -> list[Bar]:
    """Return the rows by the size of their class; those at risk are marked."""
    edges = _edges(report.classes.sizes[-1], report.at_least)
    return [
        _bar(report.classes, low, high, marked=low < report.at_least)
        for low, high in itertools.pairwise(edges)
    ]


def column_bars(report: Found) -> list[Bar]:
    """Return the mean re-identification risk, for sets of columns."""
    return [_risk(each, report.rows) for each in report.sets]


def _edges(greatest: int, at_least: int) -> list[int]:
    """Return where bars begin: 1 to 4, then 5, 10, 20, 50, ..., and at what is safe enough."""
    round_numbers = [step * 10**power for power in range(19) for step in _STEPS]
    starts = sorted({*_SINGLE, *(each for each in round_numbers if each > 4), at_least})
    return [each for each in starts if each <= greatest] + [greatest + 1]


def _bar(classes: Classes, low: int, high: int, *, marked: bool) -> Bar:
    rows = classes.rows_below(high) - classes.rows_below(low)
    sizes = f"classes of {low:,}" if high == low + 1 else f"classes of {low:,} to {high - 1:,}"
    return Bar(sizes, rows, f"{counted(rows, 'row')} ({share(rows / classes.rows)})", marked)


def _risk(each: Combination, rows: int) -> Bar:
    risk = each.classes / rows
    return Bar(
        listed(each.columns),
        risk,
        tr("{risk:.4f}, {uniques:,} unique", risk=risk, uniques=each.uniques),
    )
