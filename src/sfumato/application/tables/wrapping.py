"""Trees and rows of two columns that fit the width of a terminal."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sfumato.printing.layout import aligned, fitted, places, printable, wrapped

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["fitted_rows", "fitted_tree"]

#: What stands before a branch: the stems of those around it, and the fork.
_BRANCH = re.compile(r"(?P<stems>(?:│  |   )*)(?P<fork>[├└]─ )")


def fitted_tree(lines: Iterable[str], width: int) -> list[str]:
    """Return a tree with those branches wrapped that are too wide, between the stems of others."""
    return [
        part
        for line in map(printable, lines)
        for part in ([line] if places(line) <= width else _wrapped(line, width))
    ]


def fitted_rows(rows: Sequence[tuple[str, str]], width: int) -> list[str]:
    """Return rows of two columns, the second wrapped; below the first, where that is wide."""
    lines = aligned(rows)
    if max(map(places, lines)) <= width:
        return lines
    first = max(places(printable(part)) for part, _ in rows) + 2
    if first > width // 2:
        return fitted((line for part, said in rows for line in (part, f"  {said}")), width)
    cells = [
        (part if place == 0 else "", line)
        for part, said in rows
        for place, line in enumerate(wrapped(printable(said), width - first, later=""))
    ]
    return aligned(cells)


def _wrapped(line: str, width: int) -> list[str]:
    branch = _BRANCH.match(line)
    if branch is None:
        return wrapped(line, width)
    stem = "│  " if branch["fork"].startswith("├") else "   "
    return wrapped(line, width, later=f"{branch['stems']}{stem}  ")
