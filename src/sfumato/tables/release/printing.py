"""How an answer looks in a terminal and in a notebook."""

from __future__ import annotations

from html import escape
from math import floor, log10
from typing import TYPE_CHECKING, Any

from sfumato.printing.layout import aligned

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.tables.plan.plan import Plan
    from sfumato.tables.release.answers import Answers

__all__ = ["html_of", "lines_of"]

_MOST_ROWS = 40
#: Sides of an error bar that differ by less are shown as alike.
_ALIKE = 0.1


def lines_of(plan: Plan, answers: Answers) -> list[str]:
    """Return an answer as the lines of a table, each value with how far off it may be."""
    names, rows = shown_table(plan, answers)
    return aligned([names, *rows])


def html_of(plan: Plan, answers: Answers, notes: Sequence[str]) -> str:
    """Return an answer as a table of a notebook, with what must be said below."""
    names, rows = shown_table(plan, answers)
    head = "".join(f"<th>{escape(each)}</th>" for each in names)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(each)}</td>" for each in row) + "</tr>" for row in rows
    )
    said = "<br>".join(map(escape, notes))
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table><p>{said}</p>"


def shown_table(plan: Plan, answers: Answers) -> tuple[list[str], list[list[str]]]:
    """Return the header and the rows of an answer in words: a value, and how far off it may be."""
    keys = list(plan.keys.names)
    names = [each for name, asked in plan.query.aggregates for each in asked.answer_columns(name)]
    columns = [[_key(each) for each in answers.columns[name]] for name in keys]
    for name in names:
        ends = [answers.columns.get(f"{name}{end}") for end in ("", "_low", "_high")]
        bars = [each for each in ends if each is not None]
        columns.append([_with_bars(*each) for each in zip(*bars, strict=True)])
    rows = [list(row) for row in zip(*columns, strict=True)]
    if len(rows) > _MOST_ROWS:
        half = _MOST_ROWS // 2
        rows = [*rows[:half], ["…"] * len(columns), *rows[-half:]]
    return [*keys, *names], rows


def _with_bars(value: Any, low: Any = None, high: Any = None) -> str:
    """Return a value with its error bar: ± where both sides are alike, else from … to."""
    if low is None:
        return _key(value)
    below, above = value - low, high - value
    digits = 0 if isinstance(value, int) else _digits(max(below, above))
    if abs(below - above) <= _ALIKE * max(below, above):
        return f"{value:,.{digits}f} ± {max(below, above):,.{digits}f}"
    return f"{value:,.{digits}f} ({low:,.{digits}f} to {high:,.{digits}f})"


def _digits(far: float) -> int:
    """Return how many digits after the point a number has that is off by so much."""
    return min(max(1 - floor(log10(far)), 0), 9) if far > 0 else 6


def _key(value: Any) -> str:
    """Return a key on one line, what a terminal would obey as its code."""
    if value is None:
        return "(missing)"
    return "".join(each if each.isprintable() else f"\\x{ord(each):02x}" for each in str(value))
