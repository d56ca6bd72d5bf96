"""Whether the cells of a table fit what is declared of them: exact, and for the owner alone."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from sfumato.printing import NotPrivate, aligned, counted
from sfumato.tables.expressions import col
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from collections.abc import Iterator


_HEADER = (
    mark("column"),
    mark("read as"),
    mark("missing"),
    mark("unreadable"),
    mark("beyond bounds"),
    mark("other values"),
)
_NUMBERS = range(2, len(_HEADER))
_NOTHING = mark(
    "nothing is declared of the columns of {table}, which has {rows}; declare their "
    "types, bounds or values"
)
#: What becomes of cells that do not fit.
_MEANING = {
    "unreadable": mark("unreadable cells count as missing"),
    "beyond": mark("cells beyond their bounds are clamped to the nearest bound"),
    "other": mark("rows with other values than those declared are in no group"),
}


@dataclass(frozen=True, kw_only=True)
class ColumnFit:
    """How many cells of a column are there, and fit what is declared; None where nothing is.

    Attributes
    ----------
    column, type
        Its name, and what its cells are read as.
    missing
        Cells that are empty.
    unreadable
        Cells that are not written as the type; they count as missing.
    beyond
        Cells beyond the bounds; they are clamped.
    other
        Cells that are none of the declared values; their rows are in no group.
    """

    column: str
    type: str
    missing: int
    unreadable: int | None = None
    beyond: int | None = None
    other: int | None = None

    def cells(self) -> tuple[str, ...]:
        """Return the figures as a row of a table."""
        found = (self.missing, self.unreadable, self.beyond, self.other)
        return (self.column, self.type, *("–" if each is None else f"{each:,}" for each in found))


@dataclass(frozen=True, kw_only=True)
class PeopleFit:
    """How many people own the rows, and how many of them are over the limit.

    Attributes
    ----------
    column
        The privacy unit: the column of the person's id.
    people
        How many there are.
    nobodys
        Rows without an ID; they count together as one unit's.
    limit, over
        The contribution limit of a person, in rows, if it is declared, and how many have more.
    """

    column: str
    people: int
    nobodys: int
    limit: int | None = None
    over: int | None = None

    def __str__(self) -> str:
        over = (
            ""
            if self.over is None
            else tr("; with more than {limit:,} rows: {over:,}", limit=self.limit, over=self.over)
        )
        nobodys = tr(
            "; rows without {column}: {nobodys:,}", column=self.column, nobodys=self.nobodys
        )
        return tr(
            "{people:,} distinct values of {column}{over}{nobodys}",
            people=self.people,
            column=self.column,
            over=over,
            nobodys=nobodys,
        )

    def meaning(self) -> Iterator[str]:
        """Yield what becomes of the rows that do not fit."""
        if self.over:
            most = counted(self.limit or 0, "row")
            yield tr(
                "contributions above {most} of one {column} are scaled down, not dropped",
                most=most,
                column=self.column,
            )
        if self.nobodys:
            yield tr("rows without {column} count together as one {column}", column=self.column)


@dataclass(frozen=True, kw_only=True)
class Inspection(NotPrivate):
    """The cells of a table beside what is declared of them.

    Attributes
    ----------
    table
        What errors call the table.
    rows
        How many there are.
    columns
        Those of which something is declared.
    people
        Whose the rows are, unless each is another person's.
    miswritten
        How unreadable cells are written, where it can be told.
    """

    table: str
    rows: int
    columns: tuple[ColumnFit, ...]
    people: PeopleFit | None = None
    miswritten: tuple[Miswritten, ...] = ()

    def findings(self) -> list[str]:
        """Return the figures for a terminal, the answer first."""
        rows = counted(self.rows, "row")
        people = [] if self.people is None else [str(self.people), *self.people.meaning()]
        if not self.columns:
            return [tr(_NOTHING, table=self.table, rows=rows), *people]
        table = aligned([_HEADER, *(each.cells() for each in self.columns)], right=_NUMBERS)
        answer = tr(
            "{answer}, in {rows} of {table}", answer=self._answer(), rows=rows, table=self.table
        )
        return [answer, *table, *self._meaning(), *map(str, self.miswritten), *people]

    def figures(self) -> dict[str, Any]:
        """Return the figures ready for JSON."""
        found = asdict(self)
        return {**found, **{name: list(found[name]) for name in ("columns", "miswritten")}}

    def _answer(self) -> str:
        unreadable = self._total("unreadable")
        if not unreadable:
            return tr("every cell can be read as it is declared")
        return tr("{cells} cannot be read as declared", cells=counted(unreadable, "cell"))

    def _meaning(self) -> Iterator[str]:
        return (said for what, said in _MEANING.items() if self._total(what))

    def _total(self, what: str) -> int:
        return sum(getattr(each, what) or 0 for each in self.columns)


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


_WRITTEN_NUMBERS = ("integer", "number")
#: 6,93 has a decimal comma and 45,123 one between thousands; 0,125 and 1234,125 have the former.
HABITS = (
    WritingHabit(
        words=mark("numbers with a decimal comma"),
        pattern="^[-+]?([0-9]+,([0-9]{1,2}|[0-9]{4,})|(0|[0-9]{4,}),[0-9]{3})$",
        asked="CLIP(CAST(REPLACE({column}, ',', '.') AS DOUBLE), {bounds})",
        types=_WRITTEN_NUMBERS,
        undeclared=mark("neither type nor bounds"),
    ),
    WritingHabit(
        words=mark("numbers with commas between thousands"),
        pattern="^[-+]?[1-9][0-9]{0,2}(,[0-9]{3})+([.][0-9]+)?$",
        asked="CLIP(CAST(REPLACE({column}, ',', '') AS DOUBLE), {bounds})",
        types=_WRITTEN_NUMBERS,
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
