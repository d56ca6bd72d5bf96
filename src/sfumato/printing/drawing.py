"""What drawings in plain SVG share: the paper, words on it, and axes with round numbers."""

from __future__ import annotations

import math
from dataclasses import dataclass
from html import escape
from textwrap import wrap
from typing import TYPE_CHECKING

from sfumato.printing.layout import cut, printable
from sfumato.printing.palette import FONT, GREY

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

__all__ = [
    "FOOT",
    "LEFT",
    "LINE",
    "RIGHT",
    "Axis",
    "axes",
    "paper",
    "round_numbers",
    "title_lines",
    "window",
    "words",
]

#: How far apart lines of text are.
LINE = 15
#: Where axes from left to right begin and end, and how much room they take below.
LEFT, RIGHT, FOOT = 80, 544, 40

_WIDTH = 560
_TITLE_LENGTH = 80
_NAME_LENGTH = 40
_LETTER = 7
_STEPS = (1, 2, 5, 10)
_ABOUT = 6
_LONGEST = 8


@dataclass(frozen=True)
class Axis:
    """An axis of a drawing: what it shows, from where to where, and where that is on the paper.

    Attributes
    ----------
    name
        What it shows.
    low, high
        The values at its ends.
    start, end
        Where these are on the paper.
    ticks
        Where numbers are written; None for round ones.
    logarithmic
        Whether equal ratios are equally far apart.
    """

    name: str
    low: float
    high: float
    start: float
    end: float
    ticks: Sequence[float] | None = None
    logarithmic: bool = False

    def place(self, value: float) -> float:
        """Return where a value is on the paper."""
        return self.start + (self.end - self.start) * self._share(value)

    def length(self, amount: float) -> float:
        """Return how long a difference of values is on the paper."""
        return abs(self.end - self.start) * (amount / 2 / self._half)

    def numbers(self) -> list[tuple[float, str]]:
        """Return where numbers are written along it, and which."""
        ticks = round_numbers(self.low, self.high) if self.ticks is None else self.ticks
        figures = [f"{each:,.6f}".rstrip("0").rstrip(".") for each in ticks]
        if max(map(len, figures)) > _LONGEST or not any(map(float, map(_plain, figures))):
            figures = [f"{each:.10g}" for each in ticks]
        return [(self.place(each), said) for each, said in zip(ticks, figures, strict=True)]

    def _share(self, value: float) -> float:
        if self.logarithmic:
            return math.log(value / self.low) / math.log(self.high / self.low)
        return (value / 2 - self.low / 2) / self._half

    @property
    def _half(self) -> float:
        """Half the width, which is finite wherever the ends are."""
        return self.high / 2 - self.low / 2


def round_numbers(low: float, high: float) -> list[float]:
    """Return some four to seven round numbers between two."""
    least = high / _ABOUT - low / _ABOUT
    unit = 10.0 ** math.floor(math.log10(least))
    step = next(each * unit for each in _STEPS if least <= each * unit * (1 + 1e-9))
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    digits = max(-math.floor(math.log10(step)), 0)
    return [round(number * step, digits) for number in range(first, last + 1)]


def paper(title: str, height: float) -> str:
    """Return white paper with a title on it, in as many lines as it needs; it is not closed yet."""
    lines = (
        words(12, 18 + LINE * line, each, bold=True) for line, each in enumerate(title_lines(title))
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height:.0f}" '
        f'width="{_WIDTH}" height="{height:.0f}" role="img" font-family="{FONT}" '
        f'font-size="11"><title>{escape(printable(title))}</title>'
        f'<rect width="{_WIDTH}" height="{height:.0f}" fill="white"/>{"".join(lines)}'
    )


def window(top: float, foot: float, inside: Iterable[str]) -> str:
    """Return what is drawn between the axes; what reaches beyond them is cut off."""
    size = f"{RIGHT - LEFT} {foot - top:.0f}"
    wide, tall = size.split()
    return (
        f'<svg x="{LEFT}" y="{top:.0f}" width="{wide}" height="{tall}" '
        f'viewBox="{LEFT} {top:.0f} {size}">{"".join(inside)}</svg>'
    )


def title_lines(title: str) -> list[str]:
    """Return a title in the lines that it takes on the paper."""
    return wrap(title, _TITLE_LENGTH)


def words(x: float, y: float, text: str, *, anchor: str = "start", bold: bool = False) -> str:
    """Return words on the paper."""
    where = "" if anchor == "start" else f' text-anchor="{anchor}"'
    weight = ' font-weight="bold"' if bold else ""
    return f'<text x="{x:.1f}" y="{y:.1f}"{where}{weight}>{escape(printable(text))}</text>'


def axes(across: Axis, up: Axis | None = None, *, foot: float) -> Iterator[str]:
    """Yield the axes of a drawing, with their numbers and names.

    Parameters
    ----------
    across, up
        From left to right, and from the foot to the top, if there is one.
    foot
        Where the first is on the paper.
    """
    rise = "" if up is None else f"M{across.start:.1f} {up.end:.1f}V{foot:.1f}"
    yield (
        f'<path d="{rise}M{across.start:.1f} {foot:.1f}H{across.end:.1f}" fill="none" '
        f'stroke="{GREY}"/>'
    )
    for x, number in across.numbers():
        yield f'<path d="M{x:.1f} {foot:.1f}v4" stroke="{GREY}"/>'
        yield words(x, foot + 15, number, anchor="middle")
    middle = (across.start + across.end) / 2
    yield words(middle, foot + 31, cut(across.name, _NAME_LENGTH), anchor="middle")
    if up is not None:
        yield from _upright(up, across.start)


def _upright(axis: Axis, left: float) -> Iterator[str]:
    for y, number in axis.numbers():
        yield f'<path d="M{left:.1f} {y:.1f}h-4" stroke="{GREY}"/>'
        yield words(left - 7, y + 4, number, anchor="end")
    name = escape(cut(axis.name, int(abs(axis.end - axis.start)) // _LETTER))
    yield (
        f'<text transform="translate(13 {(axis.start + axis.end) / 2:.1f}) rotate(-90)" '
        f'text-anchor="middle">{name}</text>'
    )


def _plain(figure: str) -> str:
    return figure.replace(",", "")
