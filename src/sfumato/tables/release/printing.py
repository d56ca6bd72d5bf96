"""How an answer looks in a terminal and in a notebook."""

from __future__ import annotations

from fractions import Fraction
from html import escape
from math import ceil, floor, inf, isfinite, log10
from typing import TYPE_CHECKING, Any

from sfumato.printing.layout import aligned
from sfumato.printing.rounding import as_written, to_places

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from decimal import Decimal

    from sfumato.tables.plan.plan import Plan
    from sfumato.tables.release.answers import Answers

__all__ = ["html_of", "in_words", "lines_of", "table_in_words", "with_bars"]

_MOST_ROWS = 40
#: Sides of an error bar that differ by less than one part of so many are shown as alike.
_ALIKE = 10


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
    return table_in_words(keys, names, answers.columns)


def table_in_words(
    keys: Sequence[str], names: Sequence[str], columns: Mapping[str, Sequence[Any]]
) -> tuple[list[str], list[list[str]]]:
    """Return a header and rows in words: keys, then values with their error bars, if any."""
    shown = [[in_words(each) for each in columns[name]] for name in keys]
    for name in names:
        ends = [columns.get(f"{name}{end}") for end in ("", "_low", "_high")]
        bars = [each for each in ends if each is not None]
        shown.append([with_bars(*each) for each in zip(*bars, strict=True)])
    rows = [list(row) for row in zip(*shown, strict=True)]
    if len(rows) > _MOST_ROWS:
        half = _MOST_ROWS // 2
        rows = [*rows[:half], ["…"] * len(shown), *rows[-half:]]
    return [*keys, *names], rows


def with_bars(value: Any, low: Any = None, high: Any = None) -> str:
    """Return a value with its error bar: ± where both sides are alike, else from … to.

    What is shown covers the bar: a half width is rounded up, ends are rounded outwards.
    """
    if low is None:
        return in_words(value)
    below, above = value - low, high - value
    far = max(below, above)
    digits = 0 if isinstance(value, int) else _digits(far)
    shown = _number(value, digits, round)
    if far != inf and _ALIKE * abs(below - above) <= far:
        return f"{shown} ± {_half(value, low, high, digits):,f}"
    return f"{shown} ({_number(low, digits, floor)} to {_number(high, digits, ceil)})"


def _half(value: float, low: float, high: float, digits: int) -> Decimal:
    """Return how far the ends are from a value as it is shown, rounded up."""
    middle = Fraction(to_places(as_written(value), digits))
    return to_places(max(middle - as_written(low), as_written(high) - middle), digits, ceil)


def _number(value: Any, digits: int, rounding: Callable[[Fraction], int]) -> str:
    """Return a number with so many digits after the point; it may be of any size, or endless."""
    if isinstance(value, float) and not isfinite(value):
        return str(value).replace("inf", "∞")
    return f"{to_places(as_written(value), digits, rounding):,f}"


def _digits(far: float) -> int:
    """Return how many digits after the point a number has that is off by so much."""
    return min(max(1 - floor(log10(far)), 0), 9) if far > 0 and isfinite(far) else 6


def in_words(value: Any) -> str:
    """Return a key on one line, what a terminal would obey as its code."""
    if value is None:
        return "(missing)"
    return "".join(each if each.isprintable() else f"\\x{ord(each):02x}" for each in str(value))
