"""What stands after FROM: tables, inner SELECTs, and the names of WITH, as rows."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError
from sfumato.refusal import Bare, Declaration, Either, text
from sfumato.tables.expressions import Column, Expression
from sfumato.tables.sql.aggregates import is_aggregate
from sfumato.tables.sql.dialect import (
    identifier,
    kind,
    matching,
    only,
    refusal,
    refused_node,
    shortened,
    unbracketed,
)
from sfumato.tables.sql.expressions import row_expression
from sfumato.tables.sql.joins import Right, join
from sfumato.tables.sql.names import DEFAULT, NamedRows, named_table, table_names, unknown_table
from sfumato.tables.sql.outputs import grouped_by, read_item
from sfumato.tables.tree.aggregates import Aggregate
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sqlglot.expressions import Expr

    from sfumato.tables.sql.names import AskedTable, Names
    from sfumato.tables.sql.outputs import Item


#: What the rows of an inner SELECT are called that is given no name.
_INNER = mark("the inner SELECT")
_CLAUSES = ("with", "from", "joins", "where", "expressions", "group")
_OUTSIDE = {"having": "HAVING", "order": "ORDER BY", "limit": "LIMIT"}
_JOINED = mark("each table once, or FROM (SELECT ... GROUP BY the person)")


@dataclass
class Common:
    """The rows that a name of WITH stands for, and whether they were taken."""

    rows: NamedRows
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
    source = select.args.get("from_")
    if source is None:
        raise refusal(of=mark("SELECT without FROM"), write=mark("the table's name after FROM"))
    rows = _place(only(source, "this")[0], within)
    first = rows.first
    for each in select.args.get("joins") or ():
        rows = join(rows, each, lambda node: _right(node, within, first))
    for name, each in given.items():
        if not each.is_taken:
            raise refusal(
                of=tr("the name {name!r} of WITH that is not used", name=shortened(name)),
                write=mark("the query without it"),
            )
    where = select.args.get("where")
    return rows if where is None else rows.where(row_expression(only(where, "this")[0], rows.names))


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
    return _keep(rows, items or ()) if group is None else _one_each(rows, items or (), group)


def _place(node: Expr, scope: TableScope) -> NamedRows:
    """Return the rows of a private table or of an inner SELECT."""
    if kind(node) not in {"Table", "Subquery"}:
        raise refused_node(node)
    this, alias = only(node, "this", "alias")
    if kind(node) == "Table":
        return _named_select(this, scope).called(alias)
    if kind(this) in {"Table", "Subquery"}:
        return _place(this, scope).called(alias)
    return _inner(this, scope).called(alias)


def _named_select(node: Expr, scope: TableScope) -> NamedRows:
    given = identifier(node)[0] if kind(node) == "Identifier" else ""
    common = matching(given, scope.common, quoted=False)
    if common is not None:
        found = scope.common[common]
        if found.is_taken:
            raise refusal(of=mark("a name of WITH used twice"), write=_JOINED)
        found.is_taken = True
        return found.rows
    other = matching(given, scope.others, quoted=False)
    if other is None:
        return named_table(node, scope.table, scope.dialect)
    if not hasattr(scope.others[other], "relation"):
        raise refusal(
            of=mark("FROM that begins with a public table"),
            write=mark("the private table after FROM, and the public one after JOIN"),
        )
    return NamedRows.of(scope.others[other], given, scope.dialect)


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


def check_first(scope: TableScope, first: AskedTable) -> None:
    """Refuse rows that begin with another private table than the one that is asked."""
    if first is not scope.table:
        raise refusal(
            of=mark("FROM that begins with another private table than the one that is asked"),
            write=mark("the table that is asked after FROM, and the other after JOIN"),
        )


def _joined_again(scope: TableScope, first: AskedTable) -> InputError:
    """Return the error about the table that is asked after JOIN: it is there before, or should."""
    check_first(scope, first)
    return refusal(of=mark("a join of a table with itself"), write=_JOINED)


def _not_given(node: Expr, given: str, scope: TableScope, first: AskedTable) -> InputError:
    from sqlglot.expressions import From

    firsts = [each.this.name for each in node.root().find_all(From)]
    own = table_names(scope.table)
    is_any = not own and first is not scope.table
    if is_any or matching(given, [*firsts, *own], quoted=False) is not None:
        return _joined_again(scope, first)
    if given and scope.others:
        return unknown_table(given, scope.others)
    tables = Declaration("tables", shortened(given or "regions"), Bare("..."))
    return refusal(
        of=mark("a join with a table that was not given"),
        write=Either(
            text("{tables} beside the SQL", tables=tables),
            tables,
        ),
    )


def _keep(rows: NamedRows, items: Sequence[Expr]) -> NamedRows:
    """Return the rows with the columns that an inner SELECT keeps or derives."""
    columns = _columns(rows, items)
    derived = {name: each for name, each in columns.items() if str(each) != str(Column(name))}
    person = _seen_person(columns, rows.names)
    table = rows.table.with_columns(**derived)
    return rows.after(table, {_INNER: {name: name for name in columns}}, person)


def _seen_person(columns: Mapping[str, object], names: Names) -> str | None:
    """Return what the person's column is called outside of an inner SELECT, which must keep it."""
    if names.person is None:
        return None
    whose = str(Column(names.person))
    found = [
        name
        for name, each in columns.items()
        if isinstance(each, Expression) and str(each) == whose
    ]
    if not found:
        raise refusal(
            of=mark("an inner SELECT without the privacy unit"),
            write=tr("{person} among its columns", person=names.person),
        )
    return names.person if names.person in found else found[0]


def _columns(rows: NamedRows, items: Sequence[Expr]) -> dict[str, Expression]:
    """Return what each column that is seen outside stands for, by its name."""
    spelt = list(rows.table.steps.known)
    found: dict[str, Expression] = {}
    for node in items:
        for given, of, quoted in _named(node, rows.names):
            name = matching(given, spelt, quoted=quoted) or given
            if matching(name, found, quoted=False) is not None:
                raise _named_twice()
            found[name] = of
    return found


def _named_twice() -> InputError:
    return InputError(
        "E-SQL-NAME-TWICE",
        "an inner SELECT has two columns of one name",
        "write another name after AS",
    )


def _named(node: Expr, names: Names) -> Iterator[tuple[str, Expression, bool]]:
    """Yield the columns that one place of SELECT stands for, and whether the name is in quotes."""
    if kind(node) == "Star" or (kind(node) == "Column" and kind(node.this) == "Star"):
        yield from _all_columns(node, names)
        return
    alias = None
    if kind(node) == "Alias":
        node, alias = only(node, "this", "alias")
    node = unbracketed(node)
    if is_aggregate(node):
        raise refusal(
            of=mark("an aggregate in an inner SELECT without GROUP BY"),
            write=tr("GROUP BY {person}", person=names.person or tr("the person")),
        )
    of = row_expression(node, names)
    if alias is not None:
        name, quoted = identifier(alias)
        yield name, of, quoted
    elif kind(node) == "Column":
        yield identifier(node.this)[0], of, False
    else:
        raise refusal(
            of=mark("an expression without a name in an inner SELECT"),
            write=mark("AS and a name after it"),
        )


def _all_columns(node: Expr, names: Names) -> Iterator[tuple[str, Expression, bool]]:
    places = list(names.tables)
    if kind(node) == "Column":
        node, table = only(node, "this", "table")
        places = [names.table(table)]
    only(node)
    done: set[tuple[str, str]] = set()
    for place in places:
        for name, column in names.tables[place].items():
            if (name, column) not in done:
                yield name, Column(column), True
            done.add((name, column))


def _one_each(rows: NamedRows, items: Sequence[Expr], group: Expr) -> NamedRows:
    """Return one row for each person, with the aggregates of that person's rows."""
    person = rows.names.person
    if person is None:
        raise refusal(
            of="GROUP BY in an inner SELECT where each row is another person's",
            write=mark("the aggregate in the outer SELECT"),
        )
    found = [read_item(each, rows.names) for each in items]
    keys = grouped_by(group, found, rows.names)
    if [str(each) for each in keys] != [str(Column(person))]:
        raise refusal(
            of="GROUP BY in an inner SELECT by anything but the person's column",
            write=tr("GROUP BY {person}", person=person),
        )
    columns = _person_columns(found)
    seen = _seen_person(columns, rows.names)
    asked = {name: each for name, each in columns.items() if isinstance(each, Aggregate)}
    for name in columns.keys() - asked.keys():
        if str(columns[name]) != str(Column(person)):
            raise refusal(
                of=tr(
                    "{columns} beside aggregates by person", columns=shortened(str(columns[name]))
                ),
                write=tr("an aggregate of it, as MAX({name})", name=shortened(name)),
            )
    table = rows.table.per_person(**asked)
    whose = str(getattr(table.relation.unit, "column", None))
    others = [name for name in columns if name not in asked and name != whose]
    table = table.with_columns(**{name: Column(whose) for name in others})
    return rows.after(table, {_INNER: {name: name for name in columns}}, seen)


def _person_columns(items: Sequence[Item]) -> dict[str, Expression | Aggregate]:
    """Return what each column is of, by its name outside: the one after AS, or its own."""
    columns: dict[str, Expression | Aggregate] = {}
    for item in items:
        name = item.name or (item.of.name if isinstance(item.of, Column) else None)
        if name is None:
            raise refusal(
                of=tr("{of} without a name in an inner SELECT", of=shortened(str(item.of))),
                write=mark("AS and a name after it"),
            )
        if name in columns:
            raise _named_twice()
        columns[name] = item.of
    return columns
