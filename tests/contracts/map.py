"""The map of the house, drawn from the code: ``python -m tests.contracts.map``.

Rooms stand on floors, each above all that it imports. An arrow goes to a room that is imported;
one that follows from others is left out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from graphlib import TopologicalSorter
from html import escape
from itertools import pairwise
from pathlib import Path
from textwrap import wrap

from tests.contracts.house import imports, modules, room

PICTURE = Path(__file__).parents[2] / "docs" / "house.svg"
#: Not drawn: each of the others may use ``errors`` and ``refusal``,
#: which knows the causes, and ``__main__`` is one line.
_EVERYWHERE = {"causes", "doors", "errors", "refusal", "translation", "__main__"}
_WIDE, _HIGH, _GAP, _BETWEEN, _LANE = 172, 94, 22, 54, 16
_LETTERS = 27
_TOP = ("sfumato", "All public names, at one place: import sfumato as sf")


@dataclass(frozen=True)
class House:
    """Which rooms there are, on which floor, and the arrows that are drawn."""

    floors: dict[str, int]
    arrows: list[tuple[str, str]]


@cache
def questions() -> dict[str, str]:
    """What each room is for: the first sentence of its own words."""
    known = modules()
    names = {room(module): module for module in reversed(known) if module.count(".") <= 1}
    return {name: _first_sentence(known[module]) for name, module in sorted(names.items())}


def _first_sentence(path: Path) -> str:
    line = path.read_text(encoding="utf-8").removeprefix('"""').split("\n")[0].removesuffix('"""')
    line = re.sub(r" \(``.*?``\)", "", line)
    return re.split(r"(?<=[.?!])\s", line)[0].rstrip(".")


@cache
def house() -> House:
    """The house as the code has it today."""
    known = modules()
    below: dict[str, set[str]] = {name: set() for name in questions() if name not in _EVERYWHERE}
    for module, path in known.items():
        if (here := room(module)) in below:
            used = {room(name) for name in imports(module, path, known) if name in known}
            below[here] |= (used & set(below)) - {here}
    floors: dict[str, int] = {}
    under: dict[str, set[str]] = {}
    for name in TopologicalSorter(below).static_order():
        floors[name] = max((floors[each] + 1 for each in below[name]), default=0)
        under[name] = below[name].union(*(under[each] for each in below[name]))
    arrows = [
        (name, each)
        for name in sorted(below)
        for each in sorted(below[name])
        if not any(each in under[other] for other in below[name])
    ]
    return House(floors, arrows)


def drawn() -> str:
    """The map as SVG."""
    plan = house()
    lanes = _lanes(plan)
    rows = _ordered(plan, lanes)
    spots = _spots(rows)
    width = max(x + _width(name) / 2 for name, (x, _) in spots.items()) + _GAP
    height = (max(plan.floors.values()) + 1) * (_HIGH + _BETWEEN)
    parts = [_opening(width, height)]
    parts += [_arrow([spots[stop] for stop in lane]) for lane in lanes]
    parts += [_box(name, *spots[name]) for name in sorted(plan.floors)]
    return "\n".join([*parts, "</svg>\n"])


def _lanes(plan: House) -> list[list[str]]:
    """Each arrow as its stops: it passes every floor between at a place of its own."""
    return [
        [start, *(f"{start}>{end}@{floor}" for floor in _between(plan, start, end)), end]
        for start, end in plan.arrows
    ]


def _between(plan: House, start: str, end: str) -> range:
    return range(plan.floors[start] - 1, plan.floors[end], -1)


def _ordered(plan: House, lanes: list[list[str]]) -> list[list[str]]:
    """The stops of each floor from left to right, such that few arrows cross."""
    rows: list[list[str]] = [[] for _ in range(max(plan.floors.values()) + 1)]
    for name in sorted(plan.floors):
        rows[plan.floors[name]].append(name)
    for lane in lanes:
        for stop in lane[1:-1]:
            rows[int(stop.partition("@")[2])].append(stop)
    beside = [pair for lane in lanes for pair in pairwise(lane)]
    for turn in range(12):
        for row in rows[::-1] if turn % 2 == 0 else rows:
            places = {name: x for name, (x, _) in _spots(rows).items()}
            wanted = {name: (_middle(name, beside, places), name) for name in row}
            row.sort(key=wanted.__getitem__)
    return rows


def _middle(name: str, beside: list[tuple[str, str]], places: dict[str, float]) -> float:
    near = [places[b] if a == name else places[a] for a, b in beside if name in (a, b)]
    return round(sum(near) / len(near), 3) if near else 0.0


def _spots(rows: list[list[str]]) -> dict[str, tuple[float, float]]:
    """The middle of every stop; floors are centred."""
    spots = {}
    longest = max(sum(_width(name) + _GAP for name in row) for row in rows)
    for floor, row in enumerate(rows):
        x = (longest - sum(_width(name) + _GAP for name in row)) / 2 + _GAP
        y = (len(rows) - 1 - floor) * (_HIGH + _BETWEEN) + _HIGH / 2 + _GAP
        for name in row:
            spots[name] = (x + _width(name) / 2, y)
            x += _width(name) + _GAP
    return spots


def _width(name: str) -> int:
    return _LANE if "@" in name else _WIDE


def _opening(width: float, height: float) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'width="{width:.0f}" height="{height:.0f}" font-family="sans-serif">\n'
        "<title>The rooms of the house, each above all that it imports</title>\n"
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" '
        'markerHeight="8" orient="auto"><path d="M0 0 8 4 0 8z" fill="#555"/></marker></defs>\n'
        f'<rect width="{width:.0f}" height="{height:.0f}" fill="#fff"/>'
    )


def _arrow(stops: list[tuple[float, float]]) -> str:
    """A line from the foot of a room through its lane to the roof of another."""
    (x, y), *passed, (end_x, end_y) = stops
    path = f"M{x:.0f} {y + _HIGH / 2:.0f}"
    y += _HIGH / 2
    for to_x, to_y in passed:
        path += _bend(x, y, to_x, to_y - _HIGH / 2) + f" V{to_y + _HIGH / 2:.0f}"
        x, y = to_x, to_y + _HIGH / 2
    path += _bend(x, y, end_x, end_y - _HIGH / 2)
    return f'<path d="{path}" fill="none" stroke="#777" marker-end="url(#tip)"/>'


def _bend(x: float, y: float, to_x: float, to_y: float) -> str:
    middle = (y + to_y) / 2
    return f" C{x:.0f} {middle:.0f} {to_x:.0f} {middle:.0f} {to_x:.0f} {to_y:.0f}"


def _box(name: str, x: float, y: float) -> str:
    left, top = x - _WIDE / 2, y - _HIGH / 2
    shown, said = (name, questions()[name]) if name != "__init__" else _TOP
    lines = wrap(said, _LETTERS)
    text = "".join(
        f'<text x="{x:.0f}" y="{top + 37 + 14 * place:.0f}" font-size="11.5" fill="#333" '
        f'text-anchor="middle">{escape(line)}</text>'
        for place, line in enumerate(lines)
    )
    return (
        f'<rect x="{left:.0f}" y="{top:.0f}" width="{_WIDE}" height="{_HIGH}" rx="6" '
        'fill="#f4f1ea" stroke="#555"/>'
        f'<text x="{x:.0f}" y="{top + 19:.0f}" font-size="15" font-weight="bold" fill="#000" '
        f'text-anchor="middle">{shown}</text>{text}'
    )


if __name__ == "__main__":
    PICTURE.write_text(drawn(), encoding="utf-8")
