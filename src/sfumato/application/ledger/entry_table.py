"""Entries of a book as a table: what was done and why are cut to fit the width."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.application.ledger.wording import charged, moment, price, told
from sfumato.printing.layout import aligned, cut, places, printable
from sfumato.printing.wording import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.ledger import Entry, Rule

__all__ = ["entry_table"]

_HEADER = ("entry", "when (UTC)", "who", "price", "what", "why")
_INDENT, _GAP = "  ", 2
_LEAST_WIDTH, _MOST_OF_A_NAME = 12, 20
#: Prices are left out where the table has less room.
_ROOM_FOR_PRICES = 100
#: What was done ends with its numbers, which are kept where it is cut.
_END = 10


def entry_table(entries: Sequence[Entry], *, width: int, rules: Sequence[Rule] = ()) -> list[str]:
    r"""Return a line for each entry, below a header.

    Parameters
    ----------
    entries
        The entries, in their order.
    width
        How wide a line may be.
    rules
        The budgets of the book; a charge is priced by the first that it was charged to.

    Examples
    --------
    >>> from sfumato.application.ledger.entry_table import entry_table
    >>> from sfumato.ledger import Entry
    >>> closing = Entry('{"kind":"closing","settles":2,"reason":"it crashed","sequence":3,'
    ...                 '"when":"2026-11-15T09:00:00.000000Z"}')
    >>> print(*entry_table([closing], width=90), sep="\n")
      entry  when (UTC)           who  what            why
          3  2026-11-15 09:00:00       entry 2 closed  it crashed
    """
    rows = [_row(each, rules) for each in entries]
    kept = 4 if width >= _ROOM_FOR_PRICES and any(row[3] for row in rows) else 3
    rows = [(*row[:kept], *row[4:]) for row in (_HEADER, *rows)]
    what, why = _rooms(rows, width)
    cells = [(*row[:-2], cut(row[-2], what, end=_END), cut(row[-1], why)) for row in rows]
    return aligned(cells, right={0}, indent=_INDENT)


def _row(entry: Entry, rules: Sequence[Rule]) -> tuple[str, ...]:
    who, what, why = told(entry)
    start = f"{entry.sequence:,}", moment(entry.when), cut(who, _MOST_OF_A_NAME)
    if entry.event is None:
        return *start, "", _settled(entry, what), why
    rule = next((each for each in rules if each.covers(who)), None)
    return *start, price(entry.event, rule), charged(entry.event), why


def _settled(entry: Entry, what: str) -> str:
    match entry.kind:
        case "release":
            size = counted(entry.body["size"], "byte")
            return f"the answer to entry {entry.body['settles']}, {size}"
        case "closing":
            return f"entry {entry.body['settles']} closed"
    return what


def _rooms(rows: Sequence[Sequence[str]], width: int) -> tuple[int, int]:
    """Return how wide what was done and why may be; one takes what the other does not need."""
    taken = [max(places(printable(cell)) for cell in column) for column in zip(*rows, strict=True)]
    free = width - len(_INDENT) - sum(taken[:-2]) - _GAP * (len(taken) - 1)
    what = max(_LEAST_WIDTH, free - min(taken[-1], free * 2 // 5))
    return what, max(_LEAST_WIDTH, free - min(taken[-2], what))
