"""The names in a query: what its tables are called, and their columns."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, Any, Protocol, Self

from sfumato.errors import InputError, UnknownNameError
from sfumato.refusal import Bare, Declaration, any_of
from sfumato.tables.sql.refusals import COMPARISONS, kind, only, refused_node, shortened
from sfumato.translation import mark

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from sqlglot.expressions import Expr

    from sfumato.data import Source
    from sfumato.data.policy import Policy
    from sfumato.privacy import Relation
    from sfumato.tables.column import KnownColumn
    from sfumato.tables.expressions import Expression
    from sfumato.tables.query import Query
    from sfumato.tables.tree.aggregates import Aggregate


class Grouped(Protocol):
    """Rows in groups, of which aggregates can be asked."""

    def agg(self, **aggregates: Aggregate) -> Query:
        """Return the query for some aggregates of each group."""
        ...


class AskedTable(Protocol):
    """A private table: what is declared of it, and what can be done to its rows."""

    @property
    def policy(self) -> Policy:
        """What is declared of the table."""
        ...

    @property
    def source(self) -> Source:
        """Where the rows are."""
        ...

    @property
    def known(self) -> Mapping[str, KnownColumn]:
        """What is known of each column."""
        ...

    @property
    def relation(self) -> Relation:
        """Which tables are neighbours."""
        ...

    def filter(self, condition: Expression) -> Self:
        """Return the table with only some of its rows."""
        ...

    def with_columns(self, **columns: Any) -> Self:
        """Return the table with more columns."""
        ...

    def group_by(self, *names: str) -> Grouped:
        """Return the rows in groups."""
        ...

    def per_person(self, **aggregates: Aggregate) -> Self:
        """Return one row for each person."""
        ...

    def join(self, other: Any, *, on: Any = None, how: str = "inner") -> Self:
        """Return the rows beside those of another table."""
        ...


#: The dialects that are read, each called as its engine is.
DIALECTS = ("duckdb", "postgres", "spark")
DEFAULT = DIALECTS[0]


def dialect_of(table: AskedTable) -> str:
    """Return the dialect in which a table is asked."""
    return table.source.engine.name


@dataclass(frozen=True)
class Names:
    """What a query may call by name.

    Attributes
    ----------
    schema
        The columns that can be seen, and their types.
    tables
        What each table is called in the query, and its columns: how they are called there, and
        which they are.
    person
        The column that is the privacy unit; None where each row is another person's.
    where
        What errors call the table.
    bounds
        The bounds that are declared of columns.
    dialect
        In which the query is written.
    """

    schema: Mapping[str, str]
    tables: Mapping[str, Mapping[str, str]]
    person: str | None = None
    where: str = mark("the table")
    bounds: Mapping[str, Any] = field(default_factory=dict)
    dialect: str = DEFAULT

    def column(self, node: Expr) -> str:
        """Return the column that a node names."""
        this, table = only(node, "this", "table")
        if kind(this) != "Identifier":
            raise refused_node(this)
        given, quoted = identifier(this)
        places = self.tables if table is None else [self.table(table)]
        found = {
            place: self.tables[place][name]
            for place in places
            if (name := matching(given, self.tables[place], quoted=quoted)) is not None
        }
        if not found:
            raise self._unknown(shortened(given), is_text=quoted and _is_compared(node))
        if len(set(found.values())) > 1:
            raise _ambiguous(shortened(given), found)
        return next(iter(found.values()))

    def table(self, node: Expr) -> str:
        """Return the table that a node names."""
        given, _ = identifier(node)
        found = matching(given, self.tables, quoted=False)
        if found is None:
            error = UnknownNameError(kind="table", name=shortened(given), known=self.tables)
            tables = Declaration("tables", shortened(given), Bare("..."))
            error.refusal = error.refusal.adding("one to join is given by {tables}", tables=tables)
            raise error
        return found

    def _unknown(self, given: str, *, is_text: bool) -> UnknownNameError:
        """Return the error about a column that is not there, which may be a text in its place."""
        known = dict.fromkeys(chain.from_iterable(self.tables.values()))
        error = UnknownNameError(kind="column", name=given, known=known, where=self.where)
        if is_text:
            error.refusal = error.refusal.adding(
                "in such quotes it is the name of a column, so write the text '{given}' in single "
                "quotes",
                given=given,
            )
        return error


def _ambiguous(given: str, places: Iterable[str]) -> InputError:
    ways = any_of(f"{shortened(each)}.{given}" for each in places)
    return InputError(
        "E-SQL-AMBIGUOUS",
        "the column {given!r} is in more than one table",
        "write {ways}",
        given=given,
        ways=ways,
    )


def _is_compared(node: Expr) -> bool:
    """Tell whether a value stands beside another, or is one that is chosen."""
    return kind(node.parent) in {*COMPARISONS, "In", "Between", "Like", "If", "Case"}


def identifier(node: Expr) -> tuple[str, bool]:
    """Return a name as it was written, and whether it was in quotes."""
    if kind(node) != "Identifier":
        raise refused_node(node)
    name, quoted = only(node, "this", "quoted")
    if not name:
        raise InputError("E-SQL-SYNTAX", "the SQL has an empty name in quotes", "write a name")
    return name, bool(quoted)


def matching(given: str, known: Iterable[str], *, quoted: bool) -> str | None:
    """Return the known name that was meant: the same, or the only one but for its case."""
    names = list(known)
    if given in names:
        return given
    alike = [each for each in names if each.casefold() == given.casefold()]
    return alike[0] if len(alike) == 1 and not quoted else None
