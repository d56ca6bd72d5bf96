"""How the attacks say what they found: people, cells, shares and long lists."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.printing import PAGE, NotPrivate, cut, fitted, places, table
from sfumato.translation import tr

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence


#: How many findings are printed, and how many a result holds.
MOST_LINES = 10
MOST_RECORDS = 1000
_INDENT = "  "
#: How many places of a terminal a cell may take, less where lines would be too wide.
_WIDEST = (28, 20, 14)


class Narrow(NotPrivate):
    """A report whose lines fit a terminal."""

    def lines(self) -> list[str]:
        """Return the findings, and that they are not private, on lines that fit a terminal."""
        return fitted(super().lines(), PAGE)


def shown(cell: str) -> str:
    """Return a cell for reading; an empty one is said to be so."""
    return cell or "(empty)"


def described(known: Mapping[str, str]) -> str:
    """Return what is known of somebody, as a list."""
    return ", ".join(f"{name} {shown(cell)}" for name, cell in known.items())


def people(number: int) -> str:
    """Return a number of people."""
    return tr("1 person") if number == 1 else tr("{number:,} people", number=number)


def listing(
    header: Sequence[str],
    rows: Sequence[Sequence[str]],
    total: int,
    *,
    numbers: Collection[str],
    dispensable: Sequence[str] = (),
    widest: Sequence[int] = _WIDEST,
) -> list[str]:
    """Return the first findings as columns, and how many more there are.

    Parameters
    ----------
    header, rows
        The names of the columns, and the cells.
    total
        How many findings there are in all.
    numbers
        The columns that stand at the right.
    dispensable
        The columns that are left out where lines would be too wide otherwise, the last one first.
    widest
        How many places of a terminal a cell may take, and how many where lines would be too wide.
    """
    if not rows:
        return []
    cells = [[shown(cell) for cell in row] for row in [header, *rows[:MOST_LINES]]]
    lines: list[str] = []
    for most in widest:
        shorter = [[cut(cell, most) for cell in row] for row in cells]
        spared = [cut(name, most) for name in reversed(dispensable)] if most == widest[-1] else []
        lines = table(shorter, PAGE, numbers=numbers, dispensable=spared, indent=_INDENT)
        if max(map(places, lines)) <= PAGE:
            break
    rest = total - len(cells) + 1
    return [*lines, *([tr("{indent}and {rest:,} more", indent=_INDENT, rest=rest)] if rest else [])]
