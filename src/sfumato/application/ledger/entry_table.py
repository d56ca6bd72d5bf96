"""Entries of a book as a table: what each cost, and its purpose."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.application.ledger.wording import charged, cost, moment, told
from sfumato.printing.layout import aligned, cut, places, printable, wrapped
from sfumato.printing.wording import counted
from sfumato.translation import tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.ledger import Entry, Rule

__all__ = ["entry_table"]

_HEADER = ("entry", "when (UTC)", "analyst", "cost", "purpose")
_INDENT, _GAP = "  ", 2
_MOST_OF_A_NAME = 20
#: What has no room at the end of its line stands below it, beside the number of the entry.
_BELOW = " " * 9


def entry_table(entries: Sequence[Entry], *, width: int, rules: Sequence[Rule] = ()) -> list[str]:
    """Return a line for each entry, below a header; what is long has lines of its own.

    Parameters
    ----------
    entries
        The entries, in their order.
    width
        How wide a line may be.
    rules
        The budgets of the book; the cost of a charge is that of the first it was charged to.
    """
    rows = [(_start(each, rules), _what_for(each)) for each in entries]
    starts = [_HEADER[:-1], *(start for start, _ in rows)]
    taken = [
        max(places(printable(cell)) for cell in column) for column in zip(*starts, strict=True)
    ]
    room = width - len(_INDENT) - sum(taken) - _GAP * len(taken)
    below = [_lines_below(what, room, width) for _, what in rows]
    cells = [
        (*start, "" if under else what) for (start, what), under in zip(rows, below, strict=True)
    ]
    header, *lines = aligned([_HEADER, *cells], right={0}, indent=_INDENT)
    table = zip(lines, below, strict=True)
    return [header, *(each for line, under in table for each in (line, *under))]


def _start(entry: Entry, rules: Sequence[Rule]) -> tuple[str, ...]:
    who, _, _ = told(entry)
    rule = next((each for each in rules if each.covers(who)), None)
    price = "" if entry.event is None else cost(entry.event, rule)
    return f"{entry.sequence:,}", moment(entry.when), cut(who, _MOST_OF_A_NAME), price


def _what_for(entry: Entry) -> str:
    _, what, why = told(entry)
    match entry.kind:
        case "release":
            size = counted(entry.body["size"], "byte")
            return tr("answer to entry {body}, {size}", body=entry.body["settles"], size=size)
        case "closing":
            return tr("entry {body} closed: {why}", body=entry.body["settles"], why=why)
    return what if entry.event is None else why or charged(entry.event)


def _lines_below(text: str, room: int, width: int) -> list[str]:
    """Return a text in lines of its own, if there is no room for it beside the rest."""
    line = printable(text)
    if places(line) <= room:
        return []
    return [cut(each, width) for each in wrapped(_BELOW + line, width, later=_BELOW)]
