"""How the attacks say what they found: people, cells, shares and long lists."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.printing.layout import aligned, cut

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

__all__ = ["MOST_LINES", "MOST_RECORDS", "described", "listing", "people", "share", "shown"]

#: How many findings are printed, and how many a result holds.
MOST_LINES = 10
MOST_RECORDS = 1000
_INDENT = "  "


def shown(cell: str) -> str:
    """Return a cell for reading; an empty one is said to be so.

    Examples
    --------
    >>> from sfumato.risk.attacks.words import shown
    >>> shown("AIDS"), shown("")
    ('AIDS', '(empty)')
    """
    return cell or "(empty)"


def described(known: Mapping[str, str]) -> str:
    """Return what is known of somebody, as a list.

    Examples
    --------
    >>> from sfumato.risk.attacks.words import described
    >>> described({"age": "50-60", "sex": "female"})
    'age 50-60, sex female'
    """
    return ", ".join(f"{name} {shown(cell)}" for name, cell in known.items())


def people(number: int) -> str:
    """Return a number of people.

    Examples
    --------
    >>> from sfumato.risk.attacks.words import people
    >>> people(1), people(1200)
    ('1 person', '1,200 people')
    """
    return "1 person" if number == 1 else f"{number:,} people"


def share(part: float) -> str:
    """Return a share in per cent, never rounded up to all or down to nothing.

    Examples
    --------
    >>> from sfumato.risk.attacks.words import share
    >>> share(1), share(0.25), share(0.99999), share(0.00001)
    ('100 %', '25 %', '> 99.9 %', '< 0.1 %')
    """
    if 0 < part < 0.001:
        return "< 0.1 %"
    if 0.999 < part < 1:
        return "> 99.9 %"
    return f"{100 * part:.1f}".removesuffix(".0") + " %"


def listing(
    header: Sequence[str],
    rows: Sequence[Sequence[str]],
    total: int,
    *,
    numbers: Collection[str],
    widest: int = 28,
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
    widest
        How many places of a terminal a cell may take.

    Examples
    --------
    >>> from sfumato.risk.attacks.words import listing
    >>> listing(["age", "rows"], [["56", "1"]], 3, numbers={"rows"})
    ['  age  rows', '  56      1', '  and 2 more']
    """
    if not rows:
        return []
    shorter = [[cut(shown(cell), widest) for cell in row] for row in [header, *rows[:MOST_LINES]]]
    right = {place for place, name in enumerate(header) if name in numbers}
    rest = total - len(shorter) + 1
    more = [f"{_INDENT}and {rest:,} more"] if rest else []
    return [*aligned(shorter, right=right, indent=_INDENT), *more]
