"""What a query calls by name: rows of private tables, and their columns."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, Self

from sfumato.errors import InputError, UnknownNameError
from sfumato.refusal import Bare, Declaration, any_of
from sfumato.tables.column import types
from sfumato.tables.sql.dialect import (
    COMPARISONS,
    identifier,
    kind,
    matching,
    only,
    refusal,
    refused_node,
    shortened,
)
from sfumato.translation import mark

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sqlglot.expressions import Expr

    from sfumato.data import Source
    from sfumato.data.policy import Policy
    from sfumato.privacy import Relation
    from sfumato.tables.expressions import Expression
    from sfumato.tables.query import Query
    from sfumato.tables.tree.aggregates import Aggregate
    from sfumato.tables.tree.rows import Steps

#: The dialects that are read, each called as its engine is.
DIALECTS = ("duckdb", "postgres", "spark")
DEFAULT = DIALECTS[0]
_PATH = re.compile(r"[./\\:]")
#: A name that SQL reads without quotes.
_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


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
    def steps(self) -> Steps:
        """What is done to its rows, and what is known of their columns after it."""
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
            raise unknown_table(given, self.tables)
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


@dataclass(frozen=True)
class NamedRows:
    """Rows of a private table, and what can be seen of them.

    Attributes
    ----------
    table
        The table, after what was done to its rows.
    names
        What can be called by name.
    first
        The table that the rows began with.
    """

    table: AskedTable
    names: Names
    first: AskedTable

    @classmethod
    def of(cls, table: AskedTable, called: str, dialect: str = DEFAULT) -> NamedRows:
        """Return the rows of a table under a name."""
        person = getattr(table.relation.unit, "column", None)
        tables = {called: {name: name for name in table.steps.known}}
        return cls(table, _names(table, tables, person, dialect), table)

    def after(
        self, table: AskedTable, tables: Mapping[str, Mapping[str, str]], person: str | None
    ) -> NamedRows:
        """Return the rows after something was done to them, with what can be seen of them then."""
        return NamedRows(table, _names(table, tables, person, self.names.dialect), self.first)

    def where(self, condition: Expression) -> NamedRows:
        """Return the rows of which a condition is true."""
        return replace(self, table=self.table.filter(condition))

    def called(self, alias: Expr | None) -> NamedRows:
        """Return the rows under the name that is given them after AS."""
        if alias is None:
            return self
        name, _ = identifier(only(alias, "this")[0])
        (columns,) = self.names.tables.values()
        return replace(self, names=replace(self.names, tables={name: columns}))


def named_table(node: Expr, table: AskedTable, dialect: str = DEFAULT) -> NamedRows:
    """Return the rows of a private table under the name that a node gives it after FROM.

    That is a file's own, its book's, or any for a frame.
    """
    if kind(node) != "Identifier":
        raise refusal(
            of=mark("a function or a parameter after FROM"),
            write=mark("the table's name after FROM"),
        )
    given, _ = identifier(node)
    known = table_names(table)
    if known and matching(given, known, quoted=False) is None:
        raise _unknown_table(given, known, "`" if dialect == "spark" else '"')
    if not known and _PATH.search(given):
        raise refusal(of=mark("a file after FROM"), write=mark("the table's name after FROM"))
    return NamedRows.of(table, given, dialect)


def table_names(table: AskedTable) -> tuple[str, ...]:
    """Return what the table may be called; nothing if any name will do."""
    source, ledger = table.policy.source, table.policy.ledger
    if not isinstance(source, (str, os.PathLike)):
        return ()
    held = table.policy.table
    file = Path(Path(source).name.removesuffix(".gz"))
    stem = file.stem if held is None else held.rpartition(".")[2]
    book = None if ledger is None else ledger.book
    return tuple(dict.fromkeys(each for each in (stem, book) if each))


def _names(
    table: AskedTable,
    tables: Mapping[str, Mapping[str, str]],
    person: str | None,
    dialect: str,
) -> Names:
    seen = {each for columns in tables.values() for each in columns.values()}
    visible = {name: each for name, each in table.steps.known.items() if name in seen}
    bounds = {name: each.bounds for name, each in visible.items() if each.bounds is not None}
    return Names(types(visible), tables, person, table.source.name, bounds, dialect)


def _unknown_table(given: str, known: Sequence[str], quote: str) -> UnknownNameError:
    """Return the error about another name after FROM, with the quotes that the right one needs."""
    error = UnknownNameError(kind="table", name=shortened(given), known=known)
    if not _PLAIN.fullmatch(known[0]):
        error.refusal = error.refusal.adding(
            "write FROM {name}, in quotes", name=f"{quote}{known[0]}{quote}"
        )
    return error


def unknown_table(given: str, known: Iterable[str]) -> UnknownNameError:
    """Return the error about a table that is not there, and could be given to be joined."""
    error = UnknownNameError(kind="table", name=shortened(given), known=known)
    tables = Declaration("tables", shortened(given), Bare("..."))
    error.refusal = error.refusal.adding("one to join is given by {tables}", tables=tables)
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
