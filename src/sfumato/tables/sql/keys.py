"""What rows are grouped by, and what it is called."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.errors import InputError
from sfumato.tables.expressions import Column, Expression
from sfumato.tables.sql.names import identifier, matching
from sfumato.tables.sql.refusals import refusal, shortened
from sfumato.tables.sql.rows import row_expression
from sfumato.tables.sql.shapes import kind, only, unbracketed
from sfumato.tables.sql.values import whole
from sfumato.tables.tree.aggregates import Aggregate
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlglot.expressions import Expr

    from sfumato.tables.sql.names import Names


@dataclass(frozen=True)
class Item:
    """What one place of SELECT asks for, and the name that it is given there."""

    of: Expression | Aggregate
    name: str | None = None


def grouped_by(group: Expr | None, items: Sequence[Item], names: Names) -> list[Expression]:
    """Return what GROUP BY groups by, each once."""
    if group is None:
        return []
    (listed,) = only(group, "expressions")
    if not listed:
        raise refusal(of=mark("GROUP BY without keys"), write=mark("the keys, or no GROUP BY"))
    found = [_key(unbracketed(each), items, names) for each in listed]
    return list({str(each): each for each in found}.values())


def named_keys(
    items: Sequence[Item], grouped: Sequence[Expression], names: Names
) -> dict[str, Expression]:
    """Return the keys in the order of SELECT, and then of GROUP BY, by the names that they have.

    That is the name given in SELECT, or else their own.
    """
    selected = [each for each in items if isinstance(each.of, Expression)]
    texts = [str(each) for each in grouped]
    for each in selected:
        if str(each.of) not in texts:
            raise refusal(
                of=tr("{of} outside GROUP BY", of=shortened(str(each.of))),
                write=mark("it in GROUP BY too, or an aggregate of it"),
            )
    places = {str(each.of): place for place, each in enumerate(selected)}
    keys = sorted(grouped, key=lambda each: places.get(str(each), len(places)))
    found = {_key_name(each, selected, names): each for each in keys}
    if len({each.casefold() for each in found}) < len(grouped):
        raise InputError(
            "E-SQL-NAME-TWICE", "two keys have one name", "write another name after AS"
        )
    return found


def _key(node: Expr, items: Sequence[Item], names: Names) -> Expression:
    place = whole(node)
    found = _at(place, items) if place is not None else _aliased(node, items, names)
    if found is None:
        found = row_expression(node, names)
    if isinstance(found, Aggregate):
        raise refusal(
            of=mark("an aggregate in GROUP BY"), write=mark("columns or expressions of one row")
        )
    if not found.columns():
        raise refusal(
            of=mark("a constant in GROUP BY"), write=mark("columns, or nothing for one group")
        )
    return found


def _at(place: int, items: Sequence[Item]) -> Expression | Aggregate:
    if not 1 <= place <= len(items):
        raise InputError(
            "E-SQL-PLACE",
            "GROUP BY names the place {place}, and SELECT has the places 1 to {count}",
            "write a column",
            place=place,
            count=len(items),
        )
    return items[place - 1].of


def _aliased(node: Expr, items: Sequence[Item], names: Names) -> Expression | Aggregate | None:
    """Return what a name in SELECT stands for, unless it is that of a column of the table."""
    if kind(node) != "Column" or kind(node.this) != "Identifier" or node.args.get("table"):
        return None
    name, quoted = identifier(node.this)
    if matching(name, names.schema, quoted=quoted) is not None:
        return None
    known = {each.name: each.of for each in items if each.name is not None}
    found = matching(name, known, quoted=quoted)
    return None if found is None else known[found]


def _key_name(key: Expression, selected: Sequence[Item], names: Names) -> str:
    given = [each.name for each in selected if str(each.of) == str(key)]
    if len(given) > 1:
        raise refusal(
            of=tr("{key} twice in SELECT", key=shortened(str(key))), write=mark("it once")
        )
    name = given[0] if given else None
    if isinstance(key, Column) and (name is None or name.casefold() == key.name.casefold()):
        return key.name
    name = name or shortened(str(key))
    if matching(name, names.schema, quoted=False) is not None:
        raise InputError(
            "E-SQL-NAME-TWICE",
            "the name {name!r} is a column's already",
            "write another after AS",
            name=shortened(name),
        )
    return name
