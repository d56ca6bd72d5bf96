"""Lines and columns for a terminal: nothing that steers it, and what fits its width."""

from __future__ import annotations

import math
import re
import unicodedata
from decimal import ROUND_DOWN, ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from functools import reduce
from typing import TYPE_CHECKING

from sfumato.refusal import printable as written_out
from sfumato.translation import ENGLISH, current, said, tr, tr_n

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence


_DIGITS = 17
_VOWELS = "aeiou"
#: How many digits are read, and how many are free of the noise of floats.
_READ, _SOUND = 4, 12
_TINY = 1e-3


def figure(value: float) -> str:
    """Return a number for reading: six decimals, more digits where it is tiny, and separators."""
    if math.isinf(value):
        return tr("infinity") if value > 0 else "-infinity"
    unsigned_zero = value + 0.0
    return f"{value:.6g}" if 0 < abs(value) < 1e-3 else f"{unsigned_zero:,.6f}"


def rounded(value: float, rounding: str = ROUND_HALF_EVEN) -> str:
    """Return a number for reading: four digits, more where its whole part has more."""
    if math.isinf(value) or not value:
        return "0" if not value else figure(value)
    near = Context(prec=_SOUND).create_decimal_from_float(value + 0.0)
    digits = max(_READ, near.adjusted() + 1)
    last = Decimal(1).scaleb(near.adjusted() - digits + 1)
    short = near.quantize(last, rounding=rounding)
    return f"{short:g}" if 0 < abs(short) < _TINY else f"{short:,f}"


def setting(value: float) -> str:
    """Return a number that was asked for with all its digits, so that 1 means 1."""
    return repr(float(value)).removesuffix(".0")


def share(part: float) -> str:
    """Return a share in percent, never rounded up to all or down to nothing."""
    if 0 < part < 0.001:
        return "< 0.1 %"
    if 0.999 < part < 1:
        return "> 99.9 %"
    return f"{100 * part:.1f}".removesuffix(".0") + " %"


def percentage(share: Fraction) -> str:
    """Return a share below 1 in percent; however near it is to all, it is not said to be all."""
    said = f"{100 * float(share):.6g}"
    if said == "100":
        exact = Context(prec=_DIGITS, rounding=ROUND_DOWN)
        said = str(exact.divide(100 * share.numerator, share.denominator))
    return f"{said} %"


def counted(number: int, noun: str) -> str:
    """Return how many there are of something."""
    return tr_n(*of_number(noun), number, number=f"{number:,}")


def of_number(noun: str) -> tuple[str, str]:
    """Return how it is said that there is one of something, and that there are several."""
    return f"{{number}} {noun}", f"{{number}} {_plural(noun)}"


def _plural(noun: str) -> str:
    if noun.endswith("y") and noun[-2] not in _VOWELS:
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith("s") else f"{noun}s"


def all_of_these(parts: Sequence[str]) -> str:
    """Return parts of a sentence with "and" between them."""
    return reduce(_and, parts) if parts else ""


def any_of_these(parts: Sequence[str]) -> str:
    """Return parts of a sentence with "or" between them."""
    return reduce(_or, parts) if parts else ""


def _and(others: str, last: str) -> str:
    return tr("{others} and {last}", others=others, last=last)


def _or(others: str, last: str) -> str:
    return tr("{others} or {last}", others=others, last=last)


def listed(names: Sequence[str], between: str = ", ") -> str:
    """Return names as a list in a sentence; one that holds a comma is in quotes."""
    return between.join(map(one_of_a_list, names))


def one_of_a_list(text: str) -> str:
    """Return a text in quotes where it could be taken for several, as in the header of a CSV."""
    if not {",", '"'} & set(text):
        return text
    doubled = text.replace('"', '""')
    return f'"{doubled}"'


#: How many places of a terminal a line takes at most.
PAGE = 80

_MOST_OF_A_NAME = 40
_WIDE = "WF"
#: Words, and what is read as one: an equation, or a pair in parentheses.
_WORDS = re.compile(r"\S+ [=≤] \S+|\(\S+, \S+\)\S*|\S+")
#: Parts of a word between which a line may end, where wide characters are: no line begins with a
#: closing mark, or ends with an opening one.
_PARTS = re.compile(
    r"[（《“‘「『]*(?:[\u3400-\u9fff]|[^\u3400-\u9fff（《「『，。；：、！？）》」』]+)[，。；：、！？）》”’」』]*|."
)
#: What later lines stand below: a word that is set off from the rest, such as "why     by sex".
_LABEL = re.compile(r"\s*\S+\s{2,}")
#: A row of a table has so many columns at least; its first cell may be so many blanks, or more.
_COLUMNS, _ROW, _BLANK = re.compile(r" {2,}"), 3, 8


def printable(text: str) -> str:
    """Write out what would break a line or move a terminal's cursor."""
    return written_out(said(text))


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
    """
    line = printable(text)
    if places(line) <= most:
        return line
    start, rest = line[:most], line[len(line) - end :]
    while start and places(f"{start}…{rest}") > most:
        start = start[:-1]
    return f"{start}…{rest}"


def named(names: Iterable[str]) -> str:
    """Return names of columns as a list, each cut to a width that leaves room for others."""
    return listed([cut(name, _MOST_OF_A_NAME) for name in names])


def places(text: str) -> int:
    """Return how many places of a terminal a text takes; wide characters take two."""
    return sum(_places(each) for each in text)


def wrapped(text: str, width: int, *, later: str | None = None) -> list[str]:
    """Return a sentence in lines of a width, the later ones set in.

    They begin as is said, or else are set in by two more places, or below what stands beside a
    label.
    """
    label = _LABEL.match(text)
    start = label[0] if label else text[: len(text) - len(text.lstrip())]
    if later is None:
        later = " " * (len(start) if label else len(start) + 2)
    (_, first), *words = _words(text[len(start) :]) or [("", "")]
    lines = [start + first]
    for before, word in words:
        if places(f"{lines[-1]}{before}{word}") <= width:
            lines[-1] += before + word
        else:
            lines.append(later + word)
    return lines


def fitted(lines: Iterable[str], width: int, *, later: str | None = None) -> list[str]:
    """Return lines with those wrapped that are too wide; the others are left alone."""
    return [
        part
        for line in map(printable, lines)
        for part in ([line] if places(line) <= width else wrapped(line, width, later=later))
    ]


def sentences(lines: Iterable[str], width: int) -> list[str]:
    """Return lines with the sentences wrapped that are too wide; a row of a table stays one."""
    return [
        part
        for line in lines
        for part in ([printable(line)] if _is_row(line) else fitted([line], width))
    ]


def tree(
    head: str, branches: Sequence[tuple[str, Sequence[str]]], width: int | None = None
) -> list[str]:
    """Return branches and their leaves below a headline, one line each.

    Parameters
    ----------
    head, branches
        The headline, and each branch with its leaves.
    width
        How wide a line may be: those that are wider are wrapped between the stems. None for any.
    """
    lines = [head] if width is None else fitted([head], width)
    for place, (title, leaves) in enumerate(branches, 1):
        last = place == len(branches)
        lines += _branch(title, "", width, last=last)
        for number, leaf in enumerate(leaves, 1):
            lines += _branch(leaf, "   " if last else "│  ", width, last=number == len(leaves))
    return lines


def _branch(text: str, stem: str, width: int | None, *, last: bool) -> list[str]:
    line = f"{stem}{'└─' if last else '├─'} {text}"
    later = f"{stem}{' ' if last else '│'}    "
    return [line] if width is None else fitted([line], width, later=later)


def rows_of_two(rows: Sequence[tuple[str, str]], width: int) -> list[str]:
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
    """
    cells = [[printable(cell) for cell in row] for row in rows]
    widths = [max(map(places, column)) for column in zip(*cells, strict=True)]
    return [(indent + "  ".join(_padded(row, widths, right))).rstrip() for row in cells]


def table(
    rows: Sequence[Sequence[str]],
    width: int,
    *,
    numbers: Collection[str],
    dispensable: Sequence[str],
    indent: str = "",
) -> list[str]:
    """Return rows as lines of columns, without as few columns as possible to fit a width.

    Parameters
    ----------
    rows
        The cells, the header first.
    width
        How wide a line may be.
    numbers
        The columns that stand at the right, by their headers.
    dispensable
        The columns that may be left out, in that order; a last line says so.
    indent
        What every line begins with.
    """
    lines = _without((), rows, numbers, indent)
    for number in range(1, len(dispensable) + 1):
        if max(map(places, lines)) > width:
            left_out = dispensable[:number]
            note = tr(
                "{indent}too wide for the terminal: {left_out}; --json has them",
                indent=indent,
                left_out=listed([said(each) for each in left_out]),
            )
            lines = [*_without(left_out, rows, numbers, indent), *wrapped(note, width)]
    return lines


def _without(
    names: Collection[str], rows: Sequence[Sequence[str]], numbers: Collection[str], indent: str
) -> list[str]:
    columns = [column for column in zip(*rows, strict=True) if column[0] not in names]
    right = {number for number, column in enumerate(columns) if column[0] in numbers}
    return aligned(list(zip(*columns, strict=True)), right=right, indent=indent)


def _padded(row: Sequence[str], widths: Sequence[int], right: Collection[int]) -> list[str]:
    spaces = [" " * (width - places(cell)) for cell, width in zip(row, widths, strict=True)]
    return [
        space + cell if number in right else cell + space
        for number, (cell, space) in enumerate(zip(row, spaces, strict=True))
    ]


def _words(text: str) -> list[tuple[str, str]]:
    """Return what may begin a line, each with what stands before it within one.

    English is broken between words alone, as names of columns in it are, whatever their letters.
    """
    words = _WORDS.findall(text)
    if current() == ENGLISH:
        return [(" ", word) for word in words]
    parted = [[*enumerate(_PARTS.findall(word))] for word in words]
    return [(" " if place == 0 else "", part) for parts in parted for place, part in parts]


def _is_row(line: str) -> bool:
    cells = len(_COLUMNS.split(line.strip())) + line.startswith(" " * _BLANK)
    return cells >= _ROW


def _places(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in _WIDE else 1


def as_written(value: float) -> Fraction:
    """Return the number that is written where a float is printed."""
    return Fraction(value) if isinstance(value, int) else Fraction(str(value))


def to_places(value: Fraction, places: int, rounding: Callable[[Fraction], int] = round) -> Decimal:
    """Return a number with so many places after the point.

    Parameters
    ----------
    value
        The number.
    places
        How many places it gets.
    rounding
        ``round``, ``math.floor`` or ``math.ceil``.
    """
    whole = rounding(value * 10**places)
    return Decimal(f"{whole:d}e-{places}")
