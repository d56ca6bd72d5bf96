"""The columns of the answer: keys and aggregates, as SELECT and GROUP BY name them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, count
from typing import TYPE_CHECKING

from sfumato.errors import InputError
from sfumato.tables.expressions import Column, Expression
from sfumato.tables.sql.aggregates import default_name, is_aggregate, read_aggregate
from sfumato.tables.sql.keys import Item, grouped_by, named_keys
from sfumato.tables.sql.names import identifier
from sfumato.tables.sql.refusals import refusal
from sfumato.tables.sql.rows import row_expression
from sfumato.tables.sql.shapes import kind, only, unbracketed
from sfumato.tables.tree.aggregates import Aggregate
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlglot.expressions import Expr

    from sfumato.tables.sql.names import Names


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
    items = read_items(select, names)
    if not any(isinstance(each.of, Aggregate) for each in items):
        raise refusal(
            of="SELECT without an aggregate",
            write=mark("COUNT(*) or another aggregate beside the keys"),
        )
    grouped = grouped_by(group, items, names)
    if names.person is not None and str(Column(names.person)) in map(str, grouped):
        raise refusal(of=mark("GROUP BY the person's column"), write=_by_person(names.person))
    keys = named_keys(items, grouped, names)
    given = [*keys, *(each.name for each in items if isinstance(each.of, Aggregate) and each.name)]
    if len(set(given)) < len(given):
        raise InputError(
            "E-SQL-NAME-TWICE",
            "two columns of the answer have one name",
            "write another name after AS",
        )
    return _arranged(items, keys, set(given))


def read_items(select: Sequence[Expr], names: Names) -> list[Item]:
    """Return what each place of SELECT asks for."""
    return [_item(each, names) for each in select]


def _by_person(person: str) -> str:
    return tr(
        "COUNT(DISTINCT {person}), or FROM (SELECT {person}, ... GROUP BY {person})", person=person
    )


def _item(node: Expr, names: Names) -> Item:
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
