"""The columns of the answer: keys and aggregates, as SELECT and GROUP BY name them."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from itertools import chain, count
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError
from sfumato.tables.comparison import answer_type
from sfumato.tables.expressions import Column, Expression, Literal
from sfumato.tables.sql.aggregates import default_name, is_aggregate, read_aggregate
from sfumato.tables.sql.expressions import row_expression
from sfumato.tables.sql.literals import moment, whole
from sfumato.tables.sql.names import identifier, matching
from sfumato.tables.sql.refusals import (
    kind,
    only,
    refusal,
    refused_node,
    shortened,
    spelt,
    unbracketed,
)
from sfumato.tables.tree.aggregates import Aggregate
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sqlglot.expressions import Expr

    from sfumato.tables.query import Query
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


_SIGNS = {"EQ": "=", "NEQ": "<>", "LT": "<", "LTE": "<=", "GT": ">", "GTE": ">="}
_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_DATED = {"date", "timestamp"}
_COMPARISONS = mark("columns of the answer compared with values, joined by AND, as COUNT(*) > 100")
_ALONE = mark("a column of the answer alone, and compute with what is released")


def having(query: Query, clause: Expr | None, outputs: Outputs, names: Names) -> Query:
    """Return the query with its HAVING: comparisons of columns of the answer, joined by AND."""
    if clause is None:
        return query
    for released, sign, value in _comparisons(only(clause, "this")[0]):
        name = _released(released, outputs, names)
        query = query.having(name, sign, _constant(value, names, answer_type(query, name)))
    return query


def sorted_by(query: Query, clause: Expr | None, outputs: Outputs, names: Names) -> Query:
    """Return the query in its order; sorts keep the order before them, so the last goes first."""
    if clause is None:
        return query
    (terms,) = only(clause, "expressions")
    for each in reversed(terms):
        term, descending, _ = only(each, "this", "desc", "nulls_first")
        name = _ordering(unbracketed(term), outputs, names)
        query = query.sort_by(name, descending=bool(descending))
    return query


def limited(query: Query, clause: Expr | None) -> Query:
    """Return the query with its LIMIT."""
    if clause is None:
        return query
    if kind(clause) != "Limit":
        raise refused_node(clause)
    rows = whole(only(clause, "expression")[0])
    if rows is None:
        raise refusal(of=mark("LIMIT with anything but a whole number"), write="LIMIT 10")
    return query.head(rows)


def _comparisons(condition: Expr) -> Iterator[tuple[Expr, str, Expr]]:
    """Yield each comparison of a condition: what is compared, how, and with what."""
    waiting = [condition]
    while waiting:
        node = unbracketed(waiting.pop())
        if kind(node) == "And":
            waiting += reversed(only(node, "this", "expression"))
        elif kind(node) == "Between":
            this, low, high = only(node, "this", "low", "high")
            yield from [(this, ">=", low), (this, "<=", high)]
        else:
            yield _comparison(node)


def _comparison(node: Expr) -> tuple[Expr, str, Expr]:
    sign = _SIGNS.get(kind(node))
    if sign is None:
        alone = kind(node) == "Column" or is_aggregate(node)
        words = mark("without a comparison") if alone else tr("with {node}", node=spelt(node))
        raise refusal(of=tr("HAVING {words}", words=words), write=_COMPARISONS)
    left, right = (unbracketed(each) for each in only(node, "this", "expression"))
    if _is_written(left) and not _is_written(right):
        return right, _TURNED.get(sign, sign), left
    return left, sign, right


def _is_written(node: Expr) -> bool:
    """Tell whether a node names nothing of the table or of the answer."""
    return not any(kind(each) == "Column" or is_aggregate(each) for each in node.walk())


def _constant(node: Expr, names: Names, beside: str) -> Any:
    """Return a value that is written down; beside a date or a timestamp a text is read as one."""
    found = row_expression(node, names) if _is_written(node) else None
    value = found.value if isinstance(found, Literal) else None
    if value is None:
        raise refusal(
            of=mark("HAVING with anything but a written value beside a column of the answer"),
            write=_COMPARISONS,
        )
    if beside in _DATED and isinstance(value, str):
        return moment(value, beside).value
    if beside == "timestamp" and type(value) is dt.date:
        return dt.datetime.combine(value, dt.time())
    return value


def _ordering(node: Expr, outputs: Outputs, names: Names) -> str:
    place = whole(node)
    if place is None:
        return _released(node, outputs, names)
    if not 1 <= place <= len(outputs.selected):
        raise InputError(
            "E-SQL-PLACE",
            "ORDER BY names the place {place}, and SELECT has the places 1 to {count}",
            "write a column of the answer",
            place=place,
            count=len(outputs.selected),
        )
    return outputs.selected[place - 1]


def _released(node: Expr, outputs: Outputs, names: Names) -> str:
    """Return the column of the answer that a node names or repeats."""
    node = unbracketed(node)
    if kind(node) == "Column" and kind(node.this) == "Identifier" and not node.args.get("table"):
        name, quoted = identifier(node.this)
        found = matching(name, [*outputs.keys, *outputs.aggregates], quoted=quoted)
        if found is not None:
            return found
    if not is_aggregate(node) and _computes_with_answer(node, outputs, names):
        raise refusal(of=mark("computing with the answer in HAVING or ORDER BY"), write=_ALONE)
    of = read_aggregate(node, names) if is_aggregate(node) else row_expression(node, names)
    found = outputs.named(of)
    if found is None:
        raise refusal(
            of=tr("{of} in HAVING or ORDER BY and not in the answer", of=shortened(str(of))),
            write=mark("a key, or an aggregate that is in SELECT"),
        )
    return found


def _computes_with_answer(node: Expr, outputs: Outputs, names: Names) -> bool:
    """Tell whether an aggregate, or a name that only the answer has, is part of a node."""
    given = [each for each in (*outputs.keys, *outputs.aggregates) if each not in names.schema]
    return any(
        is_aggregate(each)
        or (kind(each) == "Identifier" and matching(each.name, given, quoted=False) is not None)
        for each in node.walk()
    )
