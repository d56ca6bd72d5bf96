"""Options that are misspelt: the one that is written almost so."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection

__all__ = ["nearest_option"]

#: Of so many letters one may be wrong.
_LETTERS = 3


def nearest_option(given: str, options: Collection[str]) -> str | None:
    """Return the option that is spelt almost as what was given, if any is.

    An option may be cut short where no other begins so; else a third of its letters may be
    missing, too many, wrong, or swapped with the next.
    """
    word = _letters(given)
    longer = [name for name in options if len(word) > 1 and _letters(name).startswith(word)]
    if len(longer) == 1:
        return longer[0]
    apart = {name: _edits(word, _letters(name)) for name in options}
    near = [
        name
        for name, each in apart.items()
        if _LETTERS * each <= max(len(word), len(_letters(name)))
    ]
    return min(near, key=lambda name: (apart[name], name), default=None)


def _edits(first: str, second: str) -> int:
    """Return how many letters to add, drop, change or swap with the next make one the other."""
    before: list[int] = []
    last = list(range(len(second) + 1))
    for i, letter in enumerate(first, 1):
        row = [i]
        for j, other in enumerate(second, 1):
            changed = last[j - 1] + (letter != other)
            row.append(min(row[-1] + 1, last[j] + 1, changed))
            if first[i - 2 : i] == second[j - 2 : j][::-1] and min(i, j) > 1:
                row[-1] = min(row[-1], before[j - 2] + 1)
        before, last = last, row
    return last[-1]


def _letters(option: str) -> str:
    return option.lstrip("-").replace("_", "-").lower()
