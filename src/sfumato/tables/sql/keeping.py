"""An inner SELECT that keeps rows: which columns are seen outside of it, and what they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.errors import InputError
from sfumato.tables.expressions import Column, Expression
from sfumato.tables.sql.aggregates import is_aggregate
from sfumato.tables.sql.names import identifier, matching
from sfumato.tables.sql.refusals import refusal
from sfumato.tables.sql.rows import row_expression
from sfumato.tables.sql.shapes import kind, only, unbracketed
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sqlglot.expressions import Expr

    from sfumato.tables.sql.names import Names
    from sfumato.tables.sql.rowsets import NamedRows

#: What the rows of an inner SELECT are called that is given no name.
INNER = mark("the inner SELECT")


def keep(rows: NamedRows, items: Sequence[Expr]) -> NamedRows:
    """Return the rows with the columns that an inner SELECT keeps or derives."""
    columns = _columns(rows, items)
    derived = {name: each for name, each in columns.items() if str(each) != str(Column(name))}
    person = seen_person(columns, rows.names)
    table = rows.table.with_columns(**derived)
    return rows.after(table, {INNER: {name: name for name in columns}}, person)


def seen_person(columns: Mapping[str, object], names: Names) -> str | None:
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
    spelt = list(rows.table.known)
    found: dict[str, Expression] = {}
    for node in items:
        for given, of, quoted in _named(node, rows.names):
            name = matching(given, spelt, quoted=quoted) or given
            if matching(name, found, quoted=False) is not None:
                raise InputError(
                    "E-SQL-NAME-TWICE",
                    "an inner SELECT has two columns of one name",
                    "write another name after AS",
                )
            found[name] = of
    return found


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
