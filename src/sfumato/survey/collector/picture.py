"""Estimates and their intervals as a small drawing, in plain SVG."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.printing.drawing import FOOT, LINE, RIGHT, Axis, axes, paper, title_lines, words
from sfumato.printing.layout import cut
from sfumato.printing.palette import GREY, INK, LIGHT, MAIN, OTHER
from sfumato.translation import tr

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sfumato.survey.collector.estimates import Estimate

__all__ = ["intervals_svg"]

_START = 132
_ROW, _THICK = 22, 12
_LONGEST = 20


def intervals_svg(
    rows: Sequence[tuple[str, Estimate]],
    title: str,
    *,
    axis: str,
    bounds: tuple[float, float],
    scale: float = 1.0,
    truth: Mapping[str, float] | None = None,
) -> str:
    """Return a drawing of estimates as bars, each with its interval as a whisker.

    It needs no style sheet and no script, is told apart in grey, and reads its title aloud.

    Parameters
    ----------
    rows
        What is estimated, from top to bottom.
    title
        The message, as one sentence.
    axis
        What is shown.
    bounds
        Where the axis begins and ends.
    scale
        By how much numbers are multiplied on the axis, 100 for per cent.
    truth
        The true value of each row, where a simulation knows them: lozenges.
    """
    top = 14 + LINE * len(title_lines(title))
    foot = top + _ROW * len(rows) + 4
    across = Axis(axis, scale * bounds[0], scale * bounds[1], _START, RIGHT)
    key = [] if truth is None else list(_key(foot + FOOT))
    drawn = [
        paper(title, foot + FOOT + LINE * len(key)),
        *(
            part
            for at, row in enumerate(rows)
            for part in _row(row, top + _ROW * at, across, scale, truth or {})
        ),
        f'<path d="M{_START} {top:.0f}V{foot:.0f}" stroke="{GREY}"/>',
        *axes(across, foot=foot),
        *key,
    ]
    return f"{''.join(drawn)}</svg>"


def _row(
    row: tuple[str, Estimate], top: float, across: Axis, scale: float, truth: Mapping[str, float]
) -> Iterator[str]:
    label, found = row
    middle = top + _ROW / 2

    def place(value: float) -> float:
        return across.place(min(max(scale * value, across.low), across.high))

    low, at, high = map(place, (found.lower, found.value, found.upper))
    yield words(_START - 6, middle + 4, cut(label, _LONGEST), anchor="end")
    yield (
        f'<rect x="{_START}" y="{middle - _THICK / 2:.1f}" width="{at - _START:.1f}" '
        f'height="{_THICK}" fill="{LIGHT}"/>'
        f'<path d="M{low:.1f} {middle - 4:.1f}v8M{high:.1f} {middle - 4:.1f}v8'
        f'M{low:.1f} {middle:.1f}H{high:.1f}" stroke="{INK}"/>'
        f'<circle cx="{at:.1f}" cy="{middle:.1f}" r="3.5" fill="{MAIN}"/>'
    )
    if label in truth:
        yield _lozenge(place(truth[label]), middle)


def _key(top: float) -> Iterator[str]:
    yield _lozenge(_START + 6, top + 4) + words(
        _START + 18, top + 8, tr("the truth, which is known")
    )


def _lozenge(x: float, y: float) -> str:
    outline = f"M{x:.1f} {y - 7:.1f}l7 7-7 7-7-7z"
    return f'<path d="{outline}" fill="none" stroke="{OTHER}" stroke-width="2"/>'
