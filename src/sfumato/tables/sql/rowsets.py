"""The rows that a query is asked of: a private table after some steps, and what it is called."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.errors import UnknownNameError
from sfumato.tables.known import types
from sfumato.tables.sql.dialects import DEFAULT
from sfumato.tables.sql.names import Names, identifier, matching
from sfumato.tables.sql.refusals import refusal, shortened
from sfumato.tables.sql.rows import row_expression
from sfumato.tables.sql.shapes import kind, only
from sfumato.translation import mark

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlglot.expressions import Expr

    from sfumato.tables.sql.asked import AskedTable

_PATH = re.compile(r"[./\\:]")
#: A name that SQL reads without quotes.
_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


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
        tables = {called: {name: name for name in table.known}}
        return cls(table, _names(table, tables, person, dialect), table)

    def after(
        self, table: AskedTable, tables: Mapping[str, Mapping[str, str]], person: str | None
    ) -> NamedRows:
        """Return the rows after something was done to them, with what can be seen of them then."""
        return NamedRows(table, _names(table, tables, person, self.names.dialect), self.first)

    def where(self, clause: Expr | None) -> NamedRows:
        """Return the rows of which a condition is true."""
        if clause is None:
            return self
        condition = row_expression(only(clause, "this")[0], self.names)
        return NamedRows(self.table.filter(condition), self.names, self.first)

    def called(self, alias: Expr | None) -> NamedRows:
        """Return the rows under the name that is given them after AS."""
        if alias is None:
            return self
        name, _ = identifier(only(alias, "this")[0])
        (columns,) = self.names.tables.values()
        return NamedRows(self.table, replace(self.names, tables={name: columns}), self.first)


def _names(
    table: AskedTable,
    tables: Mapping[str, Mapping[str, str]],
    person: str | None,
    dialect: str,
) -> Names:
    seen = {each for columns in tables.values() for each in columns.values()}
    visible = {name: each for name, each in table.known.items() if name in seen}
    bounds = {name: each.bounds for name, each in visible.items() if each.bounds is not None}
    return Names(types(visible), tables, person, table.source.name, bounds, dialect)


def named_table(node: Expr, table: AskedTable, dialect: str = DEFAULT) -> NamedRows:
    """Return the rows of a private table that a node names, if that is one of its names."""
    return NamedRows.of(table, _checked_name(node, table, dialect), dialect)


def _checked_name(node: Expr, table: AskedTable, dialect: str) -> str:
    """Return the name after FROM: a file's own, its book's, or any for a frame."""
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
    return given


def _unknown_table(given: str, known: Sequence[str], quote: str) -> UnknownNameError:
    """Return the error about another name after FROM, with the quotes that the right one needs."""
    error = UnknownNameError(kind="table", name=shortened(given), known=known)
    if not _PLAIN.fullmatch(known[0]):
        error.refusal = error.refusal.adding(
            "write FROM {name}, in quotes", name=f"{quote}{known[0]}{quote}"
        )
    return error


def table_names(table: AskedTable) -> tuple[str, ...]:
    """Return what the table may be called; nothing if any name will do."""
    source, ledger = table.policy.source, table.policy.ledger
    if not isinstance(source, (str, os.PathLike)):
        return ()
    held = table.policy.table
    stem = Path(Path(source).name.removesuffix(".gz")).stem if held is None else _last_part(held)
    book = None if ledger is None else ledger.book
    return tuple(dict.fromkeys(each for each in (stem, book) if each))


def _last_part(name: str) -> str:
    """Return the name of a table without its schema."""
    return name.rpartition(".")[2]
