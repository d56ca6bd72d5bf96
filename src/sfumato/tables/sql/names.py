"""The names in a query: the table's, and those of its columns."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sfumato.errors import InputError, UnknownNameError
from sfumato.tables.columns import known_columns, types
from sfumato.tables.sql.functions import COMPARISONS
from sfumato.tables.sql.refusals import refusal, refused_node, shortened
from sfumato.tables.sql.shapes import kind, only

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sqlglot.expressions import Expr

    from sfumato.tables.sql.asked import Asked

__all__ = ["Names", "identifier", "matching", "names_of"]

_PATH = re.compile(r"[./\\:]")
#: A name that SQL reads without quotes.
_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@dataclass(frozen=True)
class Names:
    """What a query may call by name.

    Attributes
    ----------
    schema
        The columns and their types.
    tables
        What the table is called in the query: its name, or the name after AS.
    person
        The column that says whose row it is; None where each row is another person's.
    where
        What errors call the table.

    Examples
    --------
    >>> import sqlglot
    >>> from sfumato.tables.sql.names import Names
    >>> names = Names({"age": "integer"}, tables=("p",), person=None, where="the table")
    >>> names.column(sqlglot.parse_one("p.AGE"))
    'age'
    """

    schema: Mapping[str, str]
    tables: tuple[str, ...]
    person: str | None
    where: str

    def column(self, node: Expr) -> str:
        """Return the column of the table that a node names.

        Examples
        --------
        >>> import sqlglot
        >>> from sfumato.tables.sql.names import Names
        >>> names = Names({"age": "integer"}, tables=("p",), person=None, where="the table")
        >>> names.column(sqlglot.parse_one("agee"))
        Traceback (most recent call last):
            ...
        sfumato.errors.UnknownNameError: there is no column 'agee' in the table; did you mean \
'age'? (known: 'age')
        """
        this, table = only(node, "this", "table")
        if kind(this) != "Identifier":
            raise refused_node(this)
        self._check_table(table)
        given, quoted = identifier(this)
        found = matching(given, self.schema, quoted=quoted)
        if found is None:
            raise self._unknown(shortened(given), is_text=quoted and _is_compared(node))
        return found

    def _unknown(self, given: str, *, is_text: bool) -> UnknownNameError:
        """Return the error about a column that is not there, which may be a text in its place."""
        error = UnknownNameError(kind="column", name=given, known=self.schema, where=self.where)
        if is_text:
            hint = "in double quotes it is the name of a column"
            error.args = (f"{error}; {hint}, so write the text '{given}' in single quotes",)
        return error

    def _check_table(self, node: Expr | None) -> None:
        if node is None:
            return
        given, _ = identifier(node)
        if matching(given, self.tables, quoted=False) is None:
            raise UnknownNameError(kind="table", name=shortened(given), known=self.tables)


def _is_compared(node: Expr) -> bool:
    """Tell whether a value stands beside another, or is one that is chosen."""
    return kind(node.parent) in {*COMPARISONS, "In", "Between", "Like", "If", "Case"}


def names_of(table: Asked, source: Expr | None) -> Names:
    """Return what a query may call by name, from the table and what follows FROM.

    Examples
    --------
    >>> import pandas as pd
    >>> import sfumato as sf
    >>> import sqlglot
    >>> from sfumato.tables.sql.names import names_of
    >>> from sfumato.tables.sql.parsing import parse_select
    >>> people = sf.table(pd.DataFrame({"age": [61, 64]}), unit="row")
    >>> source = parse_select("SELECT COUNT(*) FROM people AS p").select.find(sqlglot.exp.From)
    >>> names_of(people, source).tables
    ('p',)
    """
    if source is None:
        raise refusal(of="SELECT without FROM", write="the table's name after FROM")
    (named,) = only(source, "this")
    if kind(named) != "Table":
        raise refused_node(named)
    this, alias = only(named, "this", "alias")
    called = _checked_table(this, table)
    if alias is not None:
        called, _ = identifier(only(alias, "this")[0])
    person = getattr(table.relation.unit, "column", None)
    schema = types(known_columns(table.policy, table.schema, table.steps))
    return Names(schema, (called,), person, table.source.name)


def identifier(node: Expr) -> tuple[str, bool]:
    """Return a name as it was written, and whether it was in quotes.

    Examples
    --------
    >>> import sqlglot
    >>> from sfumato.tables.sql.names import identifier
    >>> identifier(sqlglot.parse_one('"Age"').this)
    ('Age', True)
    """
    if kind(node) != "Identifier":
        raise refused_node(node)
    name, quoted = only(node, "this", "quoted")
    if not name:
        message = "the SQL has an empty name in quotes; write a name"
        raise InputError(message)
    return name, bool(quoted)


def matching(given: str, known: Iterable[str], *, quoted: bool) -> str | None:
    """Return the known name that was meant: the same, or the only one but for its case.

    Examples
    --------
    >>> from sfumato.tables.sql.names import matching
    >>> matching("AGE", ["age", "sex"], quoted=False), matching("AGE", ["age"], quoted=True)
    ('age', None)
    """
    names = list(known)
    if given in names:
        return given
    alike = [each for each in names if each.casefold() == given.casefold()]
    return alike[0] if len(alike) == 1 and not quoted else None


def _checked_table(node: Expr, table: Asked) -> str:
    """Return the name after FROM: a file's own, its book's, or any for a frame."""
    if kind(node) != "Identifier":
        raise refusal(
            of="a function or a parameter after FROM", write="the table's name after FROM"
        )
    given, _ = identifier(node)
    known = _table_names(table)
    if known and matching(given, known, quoted=False) is None:
        raise _unknown_table(given, known)
    if not known and _PATH.search(given):
        raise refusal(of="a file after FROM", write="the table's name after FROM")
    return given


def _unknown_table(given: str, known: Sequence[str]) -> UnknownNameError:
    """Return the error about another name after FROM, with the quotes that the right one needs."""
    error = UnknownNameError(kind="table", name=shortened(given), known=known)
    if not _PLAIN.fullmatch(known[0]):
        error.args = (f'{error}; write FROM "{known[0]}", in double quotes',)
    return error


def _table_names(table: Asked) -> tuple[str, ...]:
    """Return what the table may be called; nothing if any name will do."""
    source, ledger = table.policy.source, table.policy.ledger
    if not isinstance(source, (str, os.PathLike)):
        return ()
    stem = Path(Path(source).name.removesuffix(".gz")).stem
    book = None if ledger is None else ledger.book
    return tuple(dict.fromkeys(each for each in (stem, book) if each))
