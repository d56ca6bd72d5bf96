"""Estimates as lines for a terminal: what is sure is solid, what is not fades out."""

from __future__ import annotations

from math import ceil, floor, log10
from typing import TYPE_CHECKING

from sfumato.printing import PAGE, aligned, as_written, cut, fitted, places, to_places
from sfumato.translation import tr

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from fractions import Fraction

    from sfumato.survey.collector.estimates import (
        Estimate,
        MeanEstimate,
        PairEstimates,
        ShareEstimates,
    )


#: How many rows of a question are shown; the largest ones, where there are more.
MOST_ROWS = 40

_LABEL, _BAR, _SHORTEST = 24, 28, 8
_MOST_DIGITS = 4
_SURE, _UNSURE, _FOUND, _EMPTY = "█", "▒", "┃", "·"
_INDENT = "  "


def share_lines(
    found: ShareEstimates, *, width: int = PAGE, truth: Mapping[str, float] | None = None
) -> list[str]:
    """Return a question's shares as lines: each with its interval and a bar.

    A bar is of 0 to 100 %, or where all shares are small to the end that is written behind it.

    Parameters
    ----------
    found
        The shares.
    width
        How wide a line may be: bars are shorter for it, or left out.
    truth
        The true share of each choice, where a simulation knows them.
    """
    return [found.question, *_listed(found.largest(MOST_ROWS), len(found), width, truth or {})]


def pair_lines(found: PairEstimates, *, width: int = PAGE) -> list[str]:
    """Return the shares of pairs: as a table where that fits a terminal, and else as a list."""
    title = tr("{first} by {second}", first=found.questions[0], second=found.questions[1])
    table = _cross_table(found)
    if max(map(places, table)) <= width and len(table) <= MOST_ROWS:
        return [tr("{title}, in %", title=title), *table]
    rows = [(f"{row}, {column}", each) for (row, column), each in found.largest(MOST_ROWS)]
    return [title, *_listed(rows, len(found), width, {})]


def mean_lines(found: MeanEstimate, *, width: int = PAGE, truth: float | None = None) -> list[str]:
    """Return a mean as lines: with its interval, and where that is between the bounds."""
    least, most = found.bounds
    digits = _digits(found.upper - found.lower)
    known = "" if truth is None else tr("  true {truth}", truth=_fixed(as_written(truth), digits))
    said = f"{_INDENT}mean {number_text(found)}{known}"
    room = _room(width, f"{said}  {least:g}  {most:g}")
    lower, value, upper = (
        (each - least) / (most - least) for each in (found.lower, found.value, found.upper)
    )
    bar = f"  {least:g} {_bar(lower, value, upper, room, sure=_EMPTY)} {most:g}" if room else ""
    return [found.question, f"{said}{bar}"]


def number_text(found: Estimate) -> str:
    """Return an estimate with its interval, with as many digits as mean something."""
    return _with_interval(found, 1, _digits(found.upper - found.lower))


def more_text(number: int) -> str:
    """Return what is said of so many choices, where some of them are not shown; else nothing."""
    left = number - MOST_ROWS
    return tr(
        "and {left:,} more with smaller shares; --json and to_records() have all", left=left
    ) * (left > 0)


def percent(share: float, width: float) -> str:
    """Return a share in per cent, with as many digits as an interval of this width leaves."""
    return _fixed(100 * as_written(share), _places(width))


def interval_text(found: Estimate, width: float) -> str:
    """Return both ends of an interval in per cent, rounded outwards to digits as in percent."""
    return _interval(found, 100, _places(width))


def _listed(
    rows: Sequence[tuple[str, Estimate]], number: int, width: int, truth: Mapping[str, float]
) -> list[str]:
    """Return rows as lines with bars as long as there is room for."""
    most = _scale(max(each.upper for _, each in rows))
    edge = "" if most == 1 else f" {100 * most:g} %"
    widest = max(each.upper - each.lower for _, each in rows)
    cells = [
        (
            cut(label, _LABEL),
            f"{percent(each.value, widest)} %",
            f"{interval_text(each, widest)} %",
            *([tr("true {truth} %", truth=percent(truth[label], widest))] if truth else []),
        )
        for label, each in rows
    ]
    lines = aligned(cells, right={1, 2, 3}, indent=_INDENT)
    room = _room(width, f"{max(lines, key=places)}  {edge}")
    bars = (_bar(each.lower / most, each.value / most, each.upper / most, room) for _, each in rows)
    drawn = [
        f"{line}  {bar}{edge}" if room else line for line, bar in zip(lines, bars, strict=True)
    ]
    more = more_text(number)
    return [*drawn, *(fitted([f"{_INDENT}{more}"], width) if more else [])]


def _cross_table(found: PairEstimates) -> list[str]:
    first, second = found.questions
    names = [
        f"{second}: {column}" if not place else column for place, column in enumerate(found.columns)
    ]
    head = ["", *(cut(each, _LABEL) for each in names)]
    width = float((found.upper - found.lower).max())
    rows = [
        [
            cut(f"{first}: {row}", _LABEL),
            *(_cell(found[row, column], width) for column in found.columns),
        ]
        for row in found.rows
    ]
    return aligned([head, *rows], indent=_INDENT)


def _cell(each: Estimate, width: float) -> str:
    return _with_interval(each, 100, _digits(100 * width))


def _scale(share: float) -> float:
    """Return where bars end: at 1, or at the least of 0.5, 0.2, 0.1 and so on that is enough."""
    ends = (step / 10**place for place in range(1, _MOST_DIGITS) for step in (5, 2, 1))
    return min((end for end in ends if end >= share), default=1.0)


def _room(width: int, beside: str) -> int:
    """Return how long bars are beside a text; 0 where they would be too short to read."""
    room = min(width - places(beside), _BAR)
    return room if room >= _SHORTEST else 0


def _bar(lower: float, value: float, upper: float, room: int, *, sure: str = _SURE) -> str:
    """Return a bar of 0 to 1: solid up to the interval, faded within, the estimate marked."""
    start, end, marked = (
        min(max(each, 0), room)
        for each in (floor(lower * room), ceil(upper * room), floor(value * room))
    )
    marked = min(marked, room - 1)
    bar = sure * start + _UNSURE * (end - start) + _EMPTY * (room - end)
    return f"{bar[:marked]}{_FOUND}{bar[marked + 1 :]}" if room else ""


def _with_interval(found: Estimate, times: int, digits: int) -> str:
    value = _fixed(times * as_written(found.value), digits)
    return f"{value} ({_interval(found, times, digits)})"


def _interval(found: Estimate, times: int, digits: int) -> str:
    """Return ends that are rounded outwards, so that what is shown covers what was found."""
    lower = _fixed(times * as_written(found.lower), digits, floor)
    return tr(
        "{lower} to {times}",
        lower=lower,
        times=_fixed(times * as_written(found.upper), digits, ceil),
    )


def _fixed(value: Fraction, digits: int, rounding: Callable[[Fraction], int] = round) -> str:
    return f"{to_places(value, digits, rounding):,f}"


def _places(width: float) -> int:
    """Return how many digits after the point a share in per cent has."""
    return max(_digits(100 * width), 1)


def _digits(width: float) -> int:
    """Return how many digits after the point a number has that is unsure by so much."""
    return min(max(1 - floor(log10(width / 2)), 0), _MOST_DIGITS) if width > 0 else 1
