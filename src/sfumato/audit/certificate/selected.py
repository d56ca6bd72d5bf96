"""Aggregates that are chosen or counted in cells, or computed on blocks of people."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from sfumato.audit.certificate.asked import top_values
from sfumato.audit.certificate.bars import around
from sfumato.audit.certificate.choices import check_choices
from sfumato.audit.certificate.expected import Expected
from sfumato.audit.certificate.parts import refute
from sfumato.audit.certificate.tails import of_one
from sfumato.privacy.events import Exponential, Laplace

if TYPE_CHECKING:
    from sfumato.audit.certificate.asked import Asked
    from sfumato.audit.certificate.choices import Cells
    from sfumato.audit.certificate.setting import Setting
    from sfumato.audit.certificate.taken import Taken

__all__ = ["selected_rows"]

_KINDS = {
    "histogram": "count_bins",
    "quantiles": "choose_quantiles",
    "minimum": "choose_extreme",
    "maximum": "choose_extreme",
    "top_k": "choose_values",
    "sample_aggregate": "sample",
}
#: That of the intervals of an extreme.
_CONFIDENCE = Fraction(19, 20)


def selected_rows(
    asked: Asked, step: Taken, cells: tuple[int, ...], setting: Setting, confidence: Fraction
) -> list[dict[str, Expected]]:
    """Return the answers of one aggregate, one a group, from what was chosen in cells."""
    if step.kind != _KINDS.get(asked.kind):
        refute("{name!r:.60} is made of a step of another kind", name=asked.name)
    if asked.kind == "sample_aggregate":
        return [_sampled(asked, step, setting)]
    _check_looked_at(asked, step)
    groups = _by_group(asked, step, cells, len(setting.content.keys))
    if asked.kind == "histogram":
        return [_histogram(asked, step, group, setting) for group in groups]
    if asked.kind == "top_k":
        return [_favourites(asked, step, group) for group in groups]
    if asked.kind == "quantiles":
        return [_quantiles(asked, step, group, confidence) for group in groups]
    return [_extreme(asked, step, group, confidence) for group in groups]


def _check_looked_at(asked: Asked, step: Taken) -> None:
    """Check that cells are of the column that was asked for, and of its rows."""
    column, cells = asked.columns[0], step.cells
    if step.measured.present != (() if asked.kind == "top_k" else column.present):
        refute("{name!r:.60} is of other rows than were looked at", name=asked.name)
    if cells is None or cells.of != column.of:
        refute("{name!r:.60} is of another column than was looked at", name=asked.name)
    if cells.column is None:
        return
    if (cells.column.low, cells.column.high) != column.bounds:
        refute("{name!r:.60} is looked at between other bounds than its own", name=asked.name)


def _by_group(
    asked: Asked, step: Taken, cells: tuple[int, ...], groups: int
) -> list[tuple[int, ...]]:
    """Return what was released for each group; as many as there should be, all of them cells."""
    size = _released(asked)
    if len(cells) != size * groups:
        refute(
            "{name!r:.60} has {count} parts in the content, not {expected}",
            name=asked.name,
            count=len(cells),
            expected=size * groups,
        )
    most = 0 if step.cells is None else step.cells.count
    if asked.kind != "histogram" and not all(0 <= cell < most for cell in cells):
        refute("{name!r:.60} is a cell that is not there", name=asked.name)
    return [cells[place : place + size] for place in range(0, len(cells), size)]


def _released(asked: Asked) -> int:
    """Return how many numbers are released for each group."""
    part = asked.part
    if asked.kind == "histogram":
        return len(part["edges"].list()) - 1
    if asked.kind == "quantiles":
        return len(part["ranks"].list()) * (1 if part.get("confidence") is None else 3)
    return len(asked.answers)


def _histogram(
    asked: Asked, step: Taken, group: tuple[int, ...], setting: Setting
) -> dict[str, Expected]:
    edges = tuple(each.fraction() for each in asked.part["edges"].list())
    if step.cells is None or step.cells.listed != edges:
        refute("{name!r:.60} is counted between other edges than asked for", name=asked.name)
    unit = Fraction(1, setting.fine)
    tail = None if step.noise is None else of_one(step.noise, unit)
    return {
        name: Expected(
            cell * unit,
            whole=True,
            never_negative=True,
            missed=None if tail is None else around(cell * unit, tail, never_negative=True),
        )
        for name, cell in zip(asked.answers, group, strict=True)
    }


def _favourites(asked: Asked, step: Taken, group: tuple[int, ...]) -> dict[str, Expected]:
    """Return values that were chosen one after the other, each among those left."""
    method = asked.part["method"].text("exponential", "permute_and_flip")
    check_choices(step.event, len(asked.answers), method, f"{asked.name!r:.60}")
    values = () if step.cells is None else step.cells.listed
    if values != top_values(asked) or len(set(group)) < len(group):
        refute("{name!r:.60} is chosen among other values than are public", name=asked.name)
    return {
        name: Expected(values[cell], given=True)
        for name, cell in zip(asked.answers, group, strict=True)
    }


def _quantiles(
    asked: Asked, step: Taken, group: tuple[int, ...], confidence: Fraction
) -> dict[str, Expected]:
    """Return quantiles and their intervals: ⌈log2(m + 1)⌉ levels, and two choices for each."""
    ranks, level = asked.part["ranks"].list(), asked.part.get("confidence")
    count = len(ranks)
    bars = 0 if level is None else 2 * count
    check_choices(step.event, count.bit_length() + bars, "exponential", f"{asked.name!r:.60}")
    cells = _points(step)
    held = level is not None and confidence <= level.fraction()
    found: dict[str, Expected] = {}
    for place, name in enumerate(asked.answers):
        ends = sorted(group[place + count :: count]) if bars else [group[place]] * 2
        middle = sorted([*ends, group[place]])[1]
        found[name] = Expected(cells.value(middle))
        found |= _bars(name, cells, ends if held else [0, cells.count - 1])
    return found


def _extreme(
    asked: Asked, step: Taken, group: tuple[int, ...], confidence: Fraction
) -> dict[str, Expected]:
    """Return a value near an end, and how far that may be: at the bound at most."""
    check_choices(step.event, 1, "exponential", f"{asked.name!r:.60}")
    cells, (cell,), (name,) = _points(step), group, asked.answers
    last = cells.count - 1
    ends = [cell, last] if asked.kind == "maximum" else [0, cell]
    shown = ends if confidence <= _CONFIDENCE else [0, last]
    return {name: Expected(cells.value(cell))} | _bars(name, cells, shown)


def _points(step: Taken) -> Cells:
    if step.cells is None:
        refute("a step that chooses has no cells")
    return step.cells


def _bars(name: str, cells: Cells, ends: list[int]) -> dict[str, Expected]:
    """Return the intervals between two points, wide enough for what was rounded to them."""
    low, high = (cells.value(end) for end in ends)
    column, step = cells.column, Fraction(2) ** cells.exponent
    if column is not None and not (column.whole and cells.exponent == 0):
        low, high = max(low - step, column.low), min(high + step, column.high)
    return {f"{name}_low": Expected(low), f"{name}_high": Expected(high)}


def _sampled(asked: Asked, step: Taken, setting: Setting) -> dict[str, Expected]:
    """Return a mean or a median of answers on blocks, of which one change moves one."""
    part = asked.part
    share = Fraction(1, part["blocks"].whole(1))
    kind = part["by"].text("mean", "median")
    wanted: type[Any] = Laplace if kind == "mean" else Exponential
    event = step.event
    if step.said["sensitivity"] != share or not isinstance(event, wanted):
        refute(
            "{name!r:.60}: one change moves one of its blocks, which is not claimed",
            name=asked.name,
        )
    if isinstance(event, Laplace) and event.sensitivity != share:
        refute(
            "{name!r:.60}: one change moves one of its blocks, which is not charged",
            name=asked.name,
        )
    low, high = (each.fraction() for each in part["bounds"].list())
    if asked.name not in setting.content.sampled:
        refute("{name!r:.60} is not in the content", name=asked.name)
    value = Fraction(setting.content.sampled[asked.name])
    return {asked.name: Expected(min(max(value, low), high))}
