"""JOIN: the rows of a private table beside those of another, public or private."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, count
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError, UnknownNameError
from sfumato.tables.sql.dialect import (
    identifier,
    kind,
    matching,
    only,
    refusal,
    shortened,
    unbracketed,
)
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from sqlglot.expressions import Expr

    from sfumato.tables.sql.names import NamedRows

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
        yield rows.names.column(Column(this=each.copy())), _known(each, right)


def _equal(on: Expr, rows: NamedRows, right: Right) -> Iterator[tuple[str, str]]:
    """Yield the columns that a condition says are equal: ours, and theirs."""
    waiting = [on]
    while waiting:
        node = unbracketed(waiting.pop())
        if kind(node) == "And":
            waiting += reversed(only(node, "this", "expression"))
            continue
        both = only(node, "this", "expression") if kind(node) == "EQ" else ()
        columns = [unbracketed(each) for each in both]
        if [kind(each) for each in columns] != ["Column", "Column"]:
            raise refusal(of=mark("a join on anything but equal columns"), write=_EQUAL)
        yield _pair(columns[0], columns[1], rows, right)


def _pair(one: Expr, other: Expr, rows: NamedRows, right: Right) -> tuple[str, str]:
    sides = [_side(each, rows, right) for each in (one, other)]
    if sides == [True, False]:
        one, other = other, one
    elif sides != [False, True]:
        raise refusal(of=mark("a join on columns of one table"), write=_EQUAL)
    theirs = _known(other.this, right)
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


def _known(node: Expr, right: Right) -> str:
    """Return the column of the table that is joined that a node names, refused if it has none."""
    found = _theirs(node, right)
    if found is None:
        name, where = shortened(identifier(node)[0]), shortened(right.called)
        raise UnknownNameError(kind="column", name=name, known=right.columns, where=where)
    return found


def _joined(rows: NamedRows, right: Right, pairs: Mapping[str, str], how: str) -> NamedRows:
    renamed: dict[str, str] = {}
    if right.person is not None:
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
    taken = {each.casefold() for each in (*rows.table.steps.known, *right.columns)}
    both = _alike(rows, [each for each in right.columns if each not in keys])
    found = {}
    for name in both:
        tried = chain([f"{right.called}_{name}"], (f"{right.called}_{name}_{i}" for i in count(2)))
        found[name] = next(each for each in tried if each.casefold() not in taken)
        taken.add(found[name].casefold())
    return found


def _alike(rows: NamedRows, columns: Iterable[str]) -> list[str]:
    ours = {each.casefold() for each in rows.table.steps.known}
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
    both = _alike(rows, [each for each in right.table.steps.known if each != right.person])
    if both:
        raise refusal(
            of=tr(
                "a join of private tables that both have a column {both!r}", both=shortened(both[0])
            ),
            write=tr("JOIN (SELECT ... GROUP BY {person}), with other names", person=right.person),
        )
