"""What stands after FROM: tables, inner SELECTs, and the names of WITH."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError, UnknownNameError
from sfumato.refusal import Bare, Declaration, Either, text
from sfumato.tables.sql.dialects import DEFAULT
from sfumato.tables.sql.joins import Right, join
from sfumato.tables.sql.keeping import keep
from sfumato.tables.sql.names import identifier, matching
from sfumato.tables.sql.persons import one_each
from sfumato.tables.sql.refusals import refusal, refused_node, shortened
from sfumato.tables.sql.rowsets import NamedRows, named_table, table_names
from sfumato.tables.sql.shapes import kind, only
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlglot.expressions import Expr

    from sfumato.tables.sql.asked import AskedTable

_CLAUSES = ("with", "from", "joins", "where", "expressions", "group")
_OUTSIDE = {"having": "HAVING", "order": "ORDER BY", "limit": "LIMIT"}
_SELF_JOIN = mark("a join of a table with itself")
_JOINED = mark("each table once, or FROM (SELECT ... GROUP BY the person)")


@dataclass
class Common:
    """The rows that a name of WITH stands for, and whether they were taken."""

    rows: Any
    is_taken: bool = False


@dataclass(frozen=True)
class TableScope:
    """What can be named after FROM.

    Attributes
    ----------
    table
        The private table that is asked.
    others
        The tables that can be joined to it, by name.
    dialect
        In which the query is written.
    common
        The names of WITH.
    """

    table: AskedTable
    others: Mapping[str, Any] = field(default_factory=dict)
    dialect: str = DEFAULT
    common: Mapping[str, Common] = field(default_factory=dict)


def rows_asked(select: Expr, scope: TableScope) -> NamedRows:
    """Return the rows that a SELECT is of, from its WITH, FROM, JOIN and WHERE."""
    given = _common(select.args.get("with_"), scope)
    within = replace(scope, common={**scope.common, **given})
    rows = _first(select.args.get("from_"), within)
    first = rows.first
    for each in select.args.get("joins") or ():
        rows = join(rows, each, lambda node: _right(node, within, first))
    for name, each in given.items():
        if not each.is_taken:
            raise refusal(
                of=tr("the name {name!r} of WITH that is not used", name=shortened(name)),
                write=mark("the query without it"),
            )
    return rows.where(select.args.get("where"))


def _common(node: Expr | None, scope: TableScope) -> dict[str, Common]:
    """Return the rows of each name of WITH; one can use those before it."""
    found: dict[str, Common] = {}
    for each in () if node is None else only(node, "expressions")[0]:
        select, alias = only(each, "this", "alias")
        name, _ = identifier(only(alias, "this")[0])
        if matching(name, found, quoted=False) is not None:
            raise InputError(
                "E-SQL-NAME-TWICE",
                "WITH has the name {name!r} twice",
                "write another name",
                name=shortened(name),
            )
        within = replace(scope, common={**scope.common, **found})
        found[name] = Common(_inner(select, within).called(alias))
    return found


def _inner(select: Expr, scope: TableScope) -> NamedRows:
    """Return the rows of an inner SELECT."""
    if kind(select) != "Select":
        raise refused_node(select)
    for clause, words in _OUTSIDE.items():
        if select.args.get(clause) is not None:
            raise refusal(
                of=tr("{words} in an inner SELECT", words=words),
                write=mark("WHERE, or it in the outer one"),
            )
    *_, items, group = only(select, *_CLAUSES)
    rows = rows_asked(select, scope)
    return keep(rows, items or ()) if group is None else one_each(rows, items or (), group)


def _first(source: Expr | None, scope: TableScope) -> NamedRows:
    """Return the rows that a FROM begins with."""
    if source is None:
        raise refusal(of=mark("SELECT without FROM"), write=mark("the table's name after FROM"))
    return _place(only(source, "this")[0], scope)


def _place(node: Expr, scope: TableScope) -> NamedRows:
    """Return the rows of a private table or of an inner SELECT."""
    if kind(node) not in {"Table", "Subquery"}:
        raise refused_node(node)
    this, alias = only(node, "this", "alias")
    if kind(node) == "Table":
        return _named(this, scope).called(alias)
    if kind(this) in {"Table", "Subquery"}:
        return _place(this, scope).called(alias)
    return _inner(this, scope).called(alias)


def _named(node: Expr, scope: TableScope) -> NamedRows:
    given = identifier(node)[0] if kind(node) == "Identifier" else ""
    common = matching(given, scope.common, quoted=False)
    if common is not None:
        return _taken(scope.common[common])
    other = matching(given, scope.others, quoted=False)
    if other is None:
        return named_table(node, scope.table, scope.dialect)
    if not hasattr(scope.others[other], "relation"):
        raise refusal(
            of=mark("FROM that begins with a public table"),
            write=mark("the private table after FROM, and the public one after JOIN"),
        )
    return NamedRows.of(scope.others[other], given, scope.dialect)


def _taken(common: Common) -> NamedRows:
    if common.is_taken:
        raise refusal(of=mark("a name of WITH used twice"), write=_JOINED)
    common.is_taken = True
    rows: NamedRows = common.rows
    return rows


def _right(node: Expr, scope: TableScope, first: AskedTable) -> Right:
    """Return the table that a JOIN names, of rows that began with a table."""
    if kind(node) == "Table":
        this, alias = only(node, "this", "alias")
        given = identifier(this)[0] if kind(this) == "Identifier" else ""
        other = matching(given, scope.others, quoted=False)
        is_common = matching(given, scope.common, quoted=False) is not None
        if other is not None and not is_common and not hasattr(scope.others[other], "relation"):
            called = given if alias is None else identifier(only(alias, "this")[0])[0]
            table = scope.others[other]
            return Right(table, called, {name: name for name in table.columns})
        if other is None and not is_common:
            raise _not_given(node, given, scope, first)
    rows = _place(node, scope)
    if rows.first is scope.table:
        raise _joined_again(scope, first)
    ((called, columns),) = rows.names.tables.items()
    return Right(rows.table, called, columns, rows.names.person)


def another_first() -> InputError:
    """Return the error about rows that begin with another private table than is asked."""
    return refusal(
        of=mark("FROM that begins with another private table than the one that is asked"),
        write=mark("the table that is asked after FROM, and the other after JOIN"),
    )


def _joined_again(scope: TableScope, first: AskedTable) -> InputError:
    """Return the error about the table that is asked after JOIN: it is there before, or should."""
    if first is not scope.table:
        return another_first()
    return refusal(of=_SELF_JOIN, write=_JOINED)


def _not_given(node: Expr, given: str, scope: TableScope, first: AskedTable) -> InputError:
    from sqlglot.expressions import From

    firsts = [each.this.name for each in node.root().find_all(From)]
    own = table_names(scope.table)
    is_any = not own and first is not scope.table
    if is_any or matching(given, [*firsts, *own], quoted=False) is not None:
        return _joined_again(scope, first)
    if given and scope.others:
        error = UnknownNameError(kind="table", name=shortened(given), known=scope.others)
        tables = Declaration("tables", shortened(given), Bare("..."))
        error.refusal = error.refusal.adding("one to join is given by {tables}", tables=tables)
        return error
    name = shortened(given or "regions")
    return refusal(
        of=mark("a join with a table that was not given"),
        write=Either(
            text("{tables} beside the SQL", tables=Declaration("tables", name, Bare("..."))),
            Declaration("tables", name, Bare("...")),
        ),
    )
