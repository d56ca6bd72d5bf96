"""The columns of the answer: keys and aggregates, as SELECT and GROUP BY name them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, count
from typing import TYPE_CHECKING

from sfumato.errors import InputError
from sfumato.tables.expressions import Column, Expression
from sfumato.tables.sql.aggregates import default_name, is_aggregate, read_aggregate
from sfumato.tables.sql.dialect import (
    identifier,
    kind,
    matching,
    only,
    refusal,
    shortened,
    unbracketed,
    whole,
)
from sfumato.tables.sql.expressions import row_expression
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


@dataclass(frozen=True)
class Outputs:
    """The columns of the answer.

    Attributes
    ----------
    keys
        What rows are grouped by: each name and its expression.
    aggregates
        What is asked of each group, by name.
    selected
        The names in the order of SELECT.
    """

    keys: dict[str, Expression]
    aggregates: dict[str, Aggregate]
    selected: tuple[str, ...]

    @property
    def derived(self) -> dict[str, Expression]:
        """The keys that are not columns of the table under their own name."""
        return {name: each for name, each in self.keys.items() if str(each) != str(Column(name))}

    def named(self, of: Expression | Aggregate) -> str | None:
        """Return the name of a key or an aggregate in the answer, or None."""
        known: list[tuple[str, Expression | Aggregate]]
        known = [*self.keys.items(), *self.aggregates.items()]
        return next((name for name, each in known if str(each) == str(of)), None)


def read_outputs(select: Sequence[Expr], group: Expr | None, names: Names) -> Outputs:
    """Return the columns of the answer."""
    items = [read_item(each, names) for each in select]
    if not any(isinstance(each.of, Aggregate) for each in items):
        raise refusal(
            of="SELECT without an aggregate",
            write=mark("COUNT(*) or another aggregate beside the keys"),
        )
    grouped = grouped_by(group, items, names)
    if names.person is not None and str(Column(names.person)) in map(str, grouped):
        raise refusal(
            of=mark("GROUP BY the person's column"),
            write=tr(
                "COUNT(DISTINCT {person}), or FROM (SELECT {person}, ... GROUP BY {person})",
                person=names.person,
            ),
        )
    keys = named_keys(items, grouped, names)
    given = [*keys, *(each.name for each in items if isinstance(each.of, Aggregate) and each.name)]
    if len(set(given)) < len(given):
        raise InputError(
            "E-SQL-NAME-TWICE",
            "two columns of the answer have one name",
            "write another name after AS",
        )
    return _arranged(items, keys, set(given))


def read_item(node: Expr, names: Names) -> Item:
    """Return what one place of SELECT asks for."""
    name = None
    if kind(node) == "Alias":
        node, alias = only(node, "this", "alias")
        name, _ = identifier(alias)
    node = unbracketed(node)
    if is_aggregate(node):
        return Item(read_aggregate(node, names), name)
    return Item(row_expression(node, names), name)


def _arranged(items: Sequence[Item], keys: dict[str, Expression], taken: set[str]) -> Outputs:
    """Return the outputs, with a name for each aggregate that was given none."""
    aggregates: dict[str, Aggregate] = {}
    selected = []
    named = {str(each): name for name, each in keys.items()}
    for item in items:
        if isinstance(item.of, Aggregate):
            name = item.name or _unused(default_name(item.of), taken)
            aggregates[name] = item.of
        else:
            name = named[str(item.of)]
        selected.append(name)
    return Outputs(keys, aggregates, tuple(selected))


def _unused(name: str, taken: set[str]) -> str:
    """Return a name, with a number behind it where the name is taken, and take it."""
    numbered = (f"{name}_{place}" for place in count(2))
    found = next(each for each in chain([name], numbered) if each not in taken)
    taken.add(found)
    return found


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
