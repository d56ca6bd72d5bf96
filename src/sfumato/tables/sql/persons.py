"""An inner SELECT that aggregates by the person: one row for each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sfumato.errors import InputError
from sfumato.tables.expressions import Column, Expression
from sfumato.tables.sql.keeping import INNER, seen_person
from sfumato.tables.sql.keys import grouped_by
from sfumato.tables.sql.outputs import read_items
from sfumato.tables.sql.refusals import refusal, shortened
from sfumato.tables.tree.aggregates import Aggregate
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlglot.expressions import Expr

    from sfumato.tables.sql.rowsets import NamedRows


def one_each(rows: NamedRows, items: Sequence[Expr], group: Expr) -> NamedRows:
    """Return one row for each person, with the aggregates of that person's rows."""
    person = rows.names.person
    if person is None:
        raise refusal(
            of="GROUP BY in an inner SELECT where each row is another person's",
            write=mark("the aggregate in the outer SELECT"),
        )
    found = read_items(items, rows.names)
    keys = grouped_by(group, found, rows.names)
    if [str(each) for each in keys] != [str(Column(person))]:
        raise refusal(
            of="GROUP BY in an inner SELECT by anything but the person's column",
            write=tr("GROUP BY {person}", person=person),
        )
    columns: dict[str, Expression | Aggregate] = {}
    for item in found:
        name = item.name or _own_name(item.of)
        if name in columns:
            raise InputError(
                "E-SQL-NAME-TWICE",
                "an inner SELECT has two columns of one name",
                "write another name after AS",
            )
        columns[name] = item.of
    seen = seen_person(columns, rows.names)
    return _made(rows, columns, seen)


def _own_name(of: Expression | Aggregate) -> str:
    if isinstance(of, Column):
        return of.name
    raise refusal(
        of=tr("{of} without a name in an inner SELECT", of=shortened(str(of))),
        write=mark("AS and a name after it"),
    )


def _made(
    rows: NamedRows, columns: dict[str, Expression | Aggregate], seen: str | None
) -> NamedRows:
    """Return one row for each person, under the names that the person's column is given."""
    whose = str(Column(str(rows.names.person)))
    asked = {name: each for name, each in columns.items() if isinstance(each, Aggregate)}
    for name in columns.keys() - asked.keys():
        if str(columns[name]) != whose:
            raise refusal(
                of=tr(
                    "{columns} beside aggregates by person", columns=shortened(str(columns[name]))
                ),
                write=tr("an aggregate of it, as MAX({name})", name=shortened(name)),
            )
    table = rows.table.per_person(**asked)
    person = str(getattr(table.relation.unit, "column", None))
    others = [name for name in columns if name not in asked and name != person]
    table = table.with_columns(**{name: Column(person) for name in others})
    return rows.after(table, {INNER: {name: name for name in columns}}, seen)
