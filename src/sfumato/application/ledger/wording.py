"""What a ledger's tables are made of: cells of one line, shares, moments, columns."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Any

from sfumato.application.wording import counted
from sfumato.privacy import guarantee_to_document

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import timedelta
    from fractions import Fraction

    from sfumato.ledger import Entry, Standing
    from sfumato.privacy import Guarantee

__all__ = [
    "age",
    "aligned",
    "amount",
    "bar",
    "cut",
    "moment",
    "percent",
    "places",
    "printable",
    "standing_figures",
    "told",
]

_WIDE, _BAR = "WF", 20


def amount(promise: Guarantee) -> str:
    """Return a promise without its relation, which is said once.

    Examples
    --------
    >>> import sfumato as sf
    >>> from sfumato.application.ledger.wording import amount
    >>> amount(sf.ApproxDP(epsilon=1, delta=1e-6))
    '(1, 1e-06)-DP'
    """
    return str(promise).removesuffix(f" ({promise.relation})")


def percent(share: Fraction) -> str:
    """Return a share in percent, rounded up to a tenth.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from sfumato.application.ledger.wording import percent
    >>> percent(Fraction(1, 4)), percent(Fraction(1, 3))
    ('25 %', '33.4 %')
    """
    tenths = -(-share * 1000 // 1)
    return f"{tenths // 10}.{tenths % 10} %" if tenths % 10 else f"{tenths // 10} %"


def bar(share: Fraction) -> str:
    """Return a share as a bar; any part of a step that is begun is drawn.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from sfumato.application.ledger.wording import bar
    >>> bar(Fraction(1, 4))
    '[#####...............]'
    """
    steps = min(_BAR, int(-(-share * _BAR // 1)))
    return f"[{'#' * steps}{'.' * (_BAR - steps)}]"


def moment(when: str) -> str:
    """Return a moment of an entry to the second.

    Examples
    --------
    >>> from sfumato.application.ledger.wording import moment
    >>> moment("2026-11-15T09:00:00.000000Z")
    '2026-11-15 09:00:00'
    """
    return when[:19].replace("T", " ")


def age(elapsed: timedelta) -> str:
    """Return how long ago something was, in its greatest whole unit.

    Examples
    --------
    >>> from datetime import timedelta
    >>> from sfumato.application.ledger.wording import age
    >>> age(timedelta(minutes=61)), age(timedelta(seconds=1))
    ('1 hour ago', '1 second ago')
    """
    seconds = max(0, int(elapsed.total_seconds()))
    for unit, size in (("day", 86_400), ("hour", 3_600), ("minute", 60)):
        if seconds >= size:
            return f"{counted(seconds // size, unit)} ago"
    return f"{counted(seconds, 'second')} ago"


def told(entry: Entry) -> tuple[str, str, str]:
    """Return who was charged by an entry, what was done, and why, in words.

    Examples
    --------
    >>> from sfumato.application.ledger.wording import told
    >>> from sfumato.ledger import Entry
    >>> told(Entry('{"kind":"closing","settles":2,"reason":"it crashed"}'))
    ('', 'entry 2 is closed, nothing was released', 'it crashed')
    """
    body = entry.body
    match entry.kind:
        case "opening":
            return "", "the book is opened", ""
        case "release":
            return "", f"{body['size']:,} bytes are released for entry {body['settles']}", ""
        case "closing":
            what = f"entry {body['settles']} is closed, nothing was released"
            return "", what, str(body["reason"])
    done = "" if entry.event is None else entry.event.describe()
    return str(body["analyst"]), done, str(body["purpose"])


def standing_figures(standing: Standing) -> dict[str, Any]:
    """Return where a budget stands, ready for JSON; promises are exact documents.

    Examples
    --------
    >>> import sfumato as sf
    >>> from sfumato.application.ledger.wording import standing_figures
    >>> from sfumato.ledger import Rule, Standing
    >>> rule = Rule(sf.PureDP(epsilon=1))
    >>> standing_figures(Standing.of(rule, "", rule.filter()))["remaining"]["epsilon"]
    '1'
    """
    return {
        "rule": standing.rule.document(),
        "sentence": standing.rule.sentence(),
        "period": standing.window or None,
        "spent": guarantee_to_document(standing.spent),
        "remaining": guarantee_to_document(standing.remaining),
        "used": float(standing.used),
    }


def printable(text: str) -> str:
    r"""Write out what would break a line or move a terminal's cursor.

    Examples
    --------
    >>> from sfumato.application.ledger.wording import printable
    >>> print(printable("two\nlines"))
    two\nlines
    """
    return "".join(each if each.isprintable() else repr(each)[1:-1] for each in text)


def cut(text: str, most: int, *, end: int = 0) -> str:
    """Return a text on one line, cut to a width.

    Parameters
    ----------
    text
        The text.
    most
        How many places of a terminal it may take.
    end
        How many characters to keep of its end.

    Examples
    --------
    >>> from sfumato.application.ledger.wording import cut
    >>> cut("patients by sex", 9), cut("patients by sex", 9, end=3)
    ('patients…', 'patie…sex')
    """
    line = printable(text)
    if places(line) <= most:
        return line
    start, rest = line[:most], line[len(line) - end :]
    while start and places(f"{start}…{rest}") > most:
        start = start[:-1]
    return f"{start}…{rest}"


def places(text: str) -> int:
    """Return how many places of a terminal a text takes; wide characters take two.

    Examples
    --------
    >>> from sfumato.application.ledger.wording import places
    >>> places("ada"), places("中文")
    (3, 4)
    """
    return sum(_places(each) for each in text)


def aligned(
    rows: Sequence[Sequence[str]], *, right: Collection[int] = (), indent: str = ""
) -> list[str]:
    """Return rows of cells as lines of columns; wide characters take two places.

    Parameters
    ----------
    rows
        The cells, the header first.
    right
        The columns that stand at the right.
    indent
        What every line begins with.

    Examples
    --------
    >>> from sfumato.application.ledger.wording import aligned
    >>> for line in aligned([("who", "used"), ("adaé", "5 %")], right={1}):
    ...     print(line)
    who   used
    adaé   5 %
    """
    cells = [[printable(cell) for cell in row] for row in rows]
    widths = [max(map(places, column)) for column in zip(*cells, strict=True)]
    return [(indent + "  ".join(_padded(row, widths, right))).rstrip() for row in cells]


def _padded(row: Sequence[str], widths: Sequence[int], right: Collection[int]) -> list[str]:
    spaces = [" " * (width - places(cell)) for cell, width in zip(row, widths, strict=True)]
    return [
        space + cell if number in right else cell + space
        for number, (cell, space) in enumerate(zip(row, spaces, strict=True))
    ]


def _places(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in _WIDE else 1
