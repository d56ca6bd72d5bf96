"""The rows that a query is asked of: a private table after some steps, and what it is called."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, replace
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError, UnknownNameError
from sfumato.tables.column import types
from sfumato.tables.sql.expressions import row_expression
from sfumato.tables.sql.names import DEFAULT, Names, identifier, matching
from sfumato.tables.sql.refusals import kind, only, refusal, shortened, unbracketed
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from sqlglot.expressions import Expr

    from sfumato.tables.sql.names import AskedTable


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


_EQUAL = mark("ON v.zip = r.zip, or USING (zip)")
#: The words before JOIN that are answered, and what they mean.
_WAYS = {"": "inner", "INNER": "inner", "LEFT": "left", "LEFT OUTER": "left"}


@dataclass(frozen=True)
class Right:
    """What is joined.

    Attributes
    ----------
    table
        A public table, or a private one.
    called
        Its name in the query.
    columns
        Its columns: how they are called, and which they are.
    person
        The column that is the privacy unit; None in a public table.
    """

    table: Any
    called: str
    columns: Mapping[str, str]
    person: str | None = None

    @property
    def is_private(self) -> bool:
        """Whether its rows are somebody's."""
        return self.person is not None


def join(rows: NamedRows, node: Expr, right_of: Callable[[Expr], Right]) -> NamedRows:
    """Return the rows beside those of the table that a JOIN names."""
    this, on, using, side, way, method = only(node, "this", "on", "using", "side", "kind", "method")
    how = _how(method, side, way, is_bare=on is None and using is None)
    right = right_of(this)
    if matching(right.called, rows.names.tables, quoted=False) is not None:
        raise InputError(
            "E-SQL-NAME-TWICE",
            "two tables are called {called!r}",
            "write another name after AS",
            called=shortened(right.called),
        )
    pairs = list(_used(using, rows, right) if using else _equal(on, rows, right))
    if len({ours for ours, _ in pairs}) < len(pairs):
        raise refusal(of=mark("a join on one column twice"), write=_EQUAL)
    return _joined(rows, right, dict(pairs), how)


def _how(*words: str | None, is_bare: bool) -> str:
    given = " ".join(each.upper() for each in words if each)
    how = _WAYS.get(given)
    if how is None:
        raise refusal(
            of=tr("a {given} JOIN", given=given),
            write=mark("JOIN or LEFT JOIN, from the private table"),
        )
    if is_bare:
        raise refusal(of=mark("a join without ON"), write=_EQUAL)
    return how


def _used(using: list[Expr], rows: NamedRows, right: Right) -> Iterator[tuple[str, str]]:
    from sqlglot.expressions import Column

    for each in using:
        ours = rows.names.column(Column(this=each.copy()))
        theirs = _theirs(each, right)
        if theirs is None:
            raise _unknown(each, right)
        yield ours, theirs


def _equal(on: Expr, rows: NamedRows, right: Right) -> Iterator[tuple[str, str]]:
    """Yield the columns that a condition says are equal: ours, and theirs."""
    waiting = [on]
    while waiting:
        node = unbracketed(waiting.pop())
        if kind(node) == "And":
            waiting += reversed(only(node, "this", "expression"))
        elif kind(node) == "EQ":
            one, other = map(unbracketed, only(node, "this", "expression"))
            yield _pair(one, other, rows, right)
        else:
            raise refusal(of=mark("a join on anything but equal columns"), write=_EQUAL)


def _pair(one: Expr, other: Expr, rows: NamedRows, right: Right) -> tuple[str, str]:
    if kind(one) != "Column" or kind(other) != "Column":
        raise refusal(of=mark("a join on anything but equal columns"), write=_EQUAL)
    sides = [_side(each, rows, right) for each in (one, other)]
    if sides == [True, False]:
        one, other = other, one
    elif sides != [False, True]:
        raise refusal(of=mark("a join on columns of one table"), write=_EQUAL)
    theirs = _theirs(other.this, right)
    if theirs is None:
        raise _unknown(other.this, right)
    return rows.names.column(one), theirs


def _side(node: Expr, rows: NamedRows, right: Right) -> bool:
    """Return whether a column is one of the table that is joined."""
    table = node.args.get("table")
    if table is not None:
        return matching(identifier(table)[0], [right.called], quoted=False) is not None
    given, quoted = identifier(node.this)
    places = [each for each in rows.names.tables.values() if matching(given, each, quoted=quoted)]
    if places and _theirs(node.this, right) is not None:
        name = shortened(given)
        raise InputError(
            "E-SQL-AMBIGUOUS",
            "the column {name!r} is in more than one table",
            "write the table before it, as {called}.{name}",
            name=name,
            called=shortened(right.called),
        )
    return not places


def _theirs(node: Expr, right: Right) -> str | None:
    given, quoted = identifier(node)
    found = matching(given, right.columns, quoted=quoted)
    return None if found is None else right.columns[found]


def _unknown(node: Expr, right: Right) -> UnknownNameError:
    name = shortened(identifier(node)[0])
    return UnknownNameError(
        kind="column", name=name, known=right.columns, where=shortened(right.called)
    )


def _joined(rows: NamedRows, right: Right, pairs: Mapping[str, str], how: str) -> NamedRows:
    renamed: dict[str, str] = {}
    if right.is_private:
        _check_people(rows, right, pairs)
        table = rows.table.join(right.table, how=how)
    else:
        renamed = _renamed(rows, right, set(pairs.values()))
        table = rows.table.join(right.table.rename(renamed), on=dict(pairs), how=how)
    ours = {theirs: column for column, theirs in pairs.items()}
    seen = {
        name: ours.get(column, renamed.get(column, column))
        for name, column in right.columns.items()
        if how == "inner" or column not in ours
    }
    return rows.after(table, {**rows.names.tables, right.called: seen}, rows.names.person)


def _renamed(rows: NamedRows, right: Right, keys: set[str]) -> dict[str, str]:
    """Return other names for the columns of a public table that ours has too, seen or not."""
    taken = {each.casefold() for each in (*rows.table.known, *right.columns)}
    both = _alike(rows, [each for each in right.columns if each not in keys])
    found = {}
    for name in both:
        tried = chain([f"{right.called}_{name}"], (f"{right.called}_{name}_{i}" for i in count(2)))
        found[name] = next(each for each in tried if each.casefold() not in taken)
        taken.add(found[name].casefold())
    return found


def _alike(rows: NamedRows, columns: Iterable[str]) -> list[str]:
    ours = {each.casefold() for each in rows.table.known}
    return [each for each in columns if each.casefold() in ours]


def _check_people(rows: NamedRows, right: Right, pairs: Mapping[str, str]) -> None:
    person = rows.names.person
    if dict(pairs) != {person: right.person}:
        raise refusal(
            of=mark("a join of private tables on anything but the person's column"),
            write=tr(
                "ON {called}.{theirs} = {ours}, and no more",
                called=shortened(right.called),
                theirs=right.person,
                ours=person,
            ),
        )
    both = _alike(rows, [each for each in right.table.known if each != right.person])
    if both:
        raise refusal(
            of=tr(
                "a join of private tables that both have a column {both!r}", both=shortened(both[0])
            ),
            write=tr("JOIN (SELECT ... GROUP BY {person}), with other names", person=right.person),
        )
