"""Cells that cannot be read for a reason that can be told: how they are written, and the cure."""

from __future__ import annotations

from dataclasses import dataclass

from sfumato.printing.wording import counted
from sfumato.tables.expressions import col
from sfumato.translation import mark, tr


@dataclass(frozen=True, kw_only=True)
class WritingHabit:
    """A way to write values that is not that of their type.

    Attributes
    ----------
    words
        What cells look like that are written so.
    pattern
        Which cells are, as a regular expression that all engines know.
    types
        The types that are written so.
    undeclared
        What must not be declared of the column, so that it stays text.
    asked
        What to ask for in SQL in the place of the column; other cells of it are read, too.
    """

    words: str
    pattern: str
    types: tuple[str, ...]
    undeclared: str
    asked: str


_NUMBERS = ("integer", "number")
#: 6,93 has a decimal comma and 45,123 one between thousands; 0,125 and 1234,125 have the former.
HABITS = (
    WritingHabit(
        words=mark("numbers with a decimal comma"),
        pattern="^[-+]?([0-9]+,([0-9]{1,2}|[0-9]{4,})|(0|[0-9]{4,}),[0-9]{3})$",
        asked="CLIP(CAST(REPLACE({column}, ',', '.') AS DOUBLE), {bounds})",
        types=_NUMBERS,
        undeclared=mark("neither type nor bounds"),
    ),
    WritingHabit(
        words=mark("numbers with commas between thousands"),
        pattern="^[-+]?[1-9][0-9]{0,2}(,[0-9]{3})+([.][0-9]+)?$",
        asked="CLIP(CAST(REPLACE({column}, ',', '') AS DOUBLE), {bounds})",
        types=_NUMBERS,
        undeclared=mark("neither type nor bounds"),
    ),
    WritingHabit(
        words=mark("dates with the day first"),
        pattern="^[0-9]{2}[.][0-9]{2}[.][0-9]{4}$",
        types=("date",),
        undeclared=mark("no type"),
        asked=(
            "COALESCE(CAST({column} AS DATE), CAST(SUBSTR({column}, 7, 4) || '-' || "
            "SUBSTR({column}, 4, 2) || '-' || LEFT({column}, 2) AS DATE))"
        ),
    ),
)
_BY_WORDS = {each.words: each for each in HABITS}


@dataclass(frozen=True, kw_only=True)
class Miswritten:
    """How many unreadable cells of a column are written in a way that is known.

    Attributes
    ----------
    column
        Its name.
    written
        What the cells look like: ``words`` of a habit.
    cells
        How many do.
    between
        The bounds to cut it off at, as SQL has them.
    """

    column: str
    written: str
    cells: int
    between: str = "0, 100"

    def __str__(self) -> str:
        habit, column = _BY_WORDS[self.written], str(col(self.column))
        look = mark("looks like one of the") if self.cells == 1 else mark("look like")
        asked = habit.asked.replace("{column}", column).replace("{bounds}", self.between)
        return tr(
            "{cells} of {column} {look} {written}: declare {undeclared} of it, and ask "
            "about {asked}, say",
            cells=counted(self.cells, "cell"),
            column=column,
            look=look,
            written=self.written,
            undeclared=habit.undeclared,
            asked=asked,
        )
