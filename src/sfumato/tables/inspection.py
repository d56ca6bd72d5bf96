"""Whether the cells of a table fit what is declared of them: exact, and for the owner alone."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from numbers import Rational
from typing import TYPE_CHECKING, Any

from sfumato.printing import NotPrivate, aligned, counted
from sfumato.privacy.events import plain
from sfumato.tables.column import types
from sfumato.tables.expressions import Column, col, compile_expression
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import ibis.expr.types as ir

    from sfumato.tables.column import KnownColumn
    from sfumato.tables.tree.rows import Held


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

_WRITTEN_NUMBERS = ("integer", "number")
_EXACT = {"integer": int, "number": float}


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


def inspect_cells(table: Held) -> Inspection:
    """Count the cells of a table that fit what is declared of them, exactly."""
    rows, known = table.source.table, table.steps.stages[0].known
    declared = [name for name in known if _is_declared(table, name)]
    conditions = {
        (name, what): condition
        for name in declared
        for what, condition in _conditions(rows, name, known)
    }
    habits = {
        (name, words): condition
        for name in declared
        for words, condition in _habits(rows, name, known)
    }
    both = [*conditions.items(), *habits.items()]
    sums = {f"n{place}": _times(each) for place, (_, each) in enumerate(both)}
    (found,) = table.source.fetch(rows.aggregate(rows=rows.count(), **sums)).to_pylist()
    figures = {what: found[f"n{place}"] for place, (what, _) in enumerate(both)}
    columns = tuple(
        ColumnFit(
            column=name,
            type=known[name].type,
            **{what: figures[of, what] for of, what in conditions if of == name},
        )
        for name in declared
    )
    miswritten = tuple(
        Miswritten(
            column=name, written=words, cells=figures[name, words], **_between(known[name].bounds)
        )
        for name, words in habits
        if figures[name, words]
    )
    return Inspection(
        table=table.source.name,
        rows=found["rows"],
        columns=columns,
        people=_people(table),
        miswritten=miswritten,
    )


def _is_declared(table: Held, name: str) -> bool:
    declared = table.policy.columns.get(name)
    return declared is not None and declared.implied_type is not None


def _conditions(
    rows: ir.Table, name: str, known: Mapping[str, KnownColumn]
) -> Iterator[tuple[str, ir.Value]]:
    """Yield what may be so of a cell of a column."""
    column, schema = known[name], types(known)
    held, value = rows[name], compile_expression(Column(name), rows, schema)
    yield "missing", held.isnull()
    if column.type != "text":
        yield "unreadable", held.notnull() & value.isnull()
    if isinstance(column.bounds, tuple):
        low, high = (_EXACT.get(column.type, _as_is)(each) for each in column.bounds)
        beyond = (col(name) < low) | (col(name) > high)
        yield "beyond", compile_expression(beyond, rows, schema)
    if column.values is not None:
        listed = [each for each in column.values if each is not None]
        yield "other", value.notnull() & ~value.isin(listed)


def _habits(
    rows: ir.Table, name: str, known: Mapping[str, KnownColumn]
) -> Iterator[tuple[str, ir.Value]]:
    """Yield which cells of a text are unreadable since they are written in another way."""
    held, value = rows[name], compile_expression(Column(name), rows, types(known))
    if held.type().is_string():
        for each in HABITS:
            if known[name].type in each.types:
                yield each.words, value.isnull() & held.re_search(each.pattern)


def _between(bounds: Any) -> dict[str, str]:
    """Return declared bounds as an expression has them, if both ends are numbers."""
    if not isinstance(bounds, tuple) or not all(isinstance(end, Rational) for end in bounds):
        return {}
    return {"between": ", ".join(map(plain, bounds))}


def _as_is(end: Any) -> Any:
    return end


def _people(table: Held) -> PeopleFit | None:
    import ibis

    column, limit = getattr(table.policy.unit, "column", None), table.policy.limits.rows
    if column is None:
        return None
    rows = table.source.table
    each = rows.group_by(person=rows[column]).aggregate(n=rows.count())
    most = limit if isinstance(limit, int) else None
    query = each.aggregate(
        people=each.count(),
        nobodys=_total(ibis.ifelse(each["person"].isnull(), each["n"], 0)),
        over=_times(each["n"] > (most or 0)),
    )
    (found,) = table.source.fetch(query).to_pylist()
    return PeopleFit(
        column=column,
        people=found["people"],
        nobodys=found["nobodys"],
        limit=most,
        over=None if most is None else found["over"],
    )


def _times(condition: ir.Value) -> ir.Value:
    """Return of how many rows a condition is true."""
    import ibis

    return _total(ibis.ifelse(condition, 1, 0))


def _total(values: ir.Value) -> ir.Value:
    import ibis

    return ibis.coalesce(values.sum(), 0).cast("int64")
