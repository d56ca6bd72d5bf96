"""Groups that are not declared: what it takes to find them, and the step that does."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError
from sfumato.privacy import AddRemove, Person, PureDP
from sfumato.refusal import Argument, Arguments, Bare, Declaration, Given, all_of, text
from sfumato.tables.expressions import FunctionCall, Literal
from sfumato.tables.plan.budget import budgets_of
from sfumato.tables.plan.steps import FindKeys
from sfumato.tables.tree.rows import Derive

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.data.policy import KeySet
    from sfumato.tables.column import KnownColumn
    from sfumato.tables.expressions import Expression
    from sfumato.tables.plan.budget import Division, QueryTarget
    from sfumato.tables.tree.rows import Question


_MOST_GROUPS = 1_000_000

#: Two values of each type, as they are declared.
_EXAMPLES: dict[str, list[Any]] = {
    "integer": [2023, 2024],
    "number": [0.5, 1.5],
    "date": ["2024-01-01", "2024-02-01"],
    "timestamp": ["2024-01-01 00:00:00", "2024-02-01 00:00:00"],
}
#: All values of a part of a date, or those of some years.
_PARTS = {
    "year": [2023, 2024],
    "quarter": [*range(1, 5)],
    "month": [*range(1, 13)],
    "weekday": [*range(1, 8)],
    "day": [*range(1, 32)],
    "hour": [*range(24)],
}


@dataclass(frozen=True)
class Keys:
    """The columns that rows are grouped by, and their public combinations where they are known.

    Parameters
    ----------
    names
        The columns, in the order in which they were asked for.
    rows
        The combinations, in order; None where they have to be found privately.
    allowed
        The public values of columns that have them, where the combinations are not known.
    """

    names: tuple[str, ...] = ()
    rows: tuple[tuple[Any, ...], ...] | None = ((),)
    allowed: tuple[tuple[str, tuple[Any, ...]], ...] = ()

    @property
    def are_known(self) -> bool:
        """Whether the groups are public."""
        return self.rows is not None

    @property
    def columns(self) -> list[str]:
        """What the engine calls the columns."""
        return [f"key{place}" for place in range(len(self.names))]

    @property
    def count(self) -> int | None:
        """How many groups there are, where that is public."""
        return None if self.rows is None else len(self.rows)


def keys_for(
    names: tuple[str, ...], columns: Mapping[str, KnownColumn], keysets: tuple[KeySet, ...]
) -> Keys:
    """Return the groups of a query, by what is declared of its columns."""
    if not names:
        return Keys()
    together = [each for each in keysets if set(each.columns) == set(names)]
    if together and all(columns[name].declared for name in names):
        places = [together[0].columns.index(name) for name in names]
        return _known(names, [tuple(row[place] for place in places) for row in together[0].rows])
    values = [_values(columns[name]) for name in names]
    if all(each is not None for each in values):
        _check_size(values)
        return _known(names, list(product(*(each or () for each in values))))
    given = zip(names, values, strict=True)
    return Keys(names, None, tuple((name, each) for name, each in given if each is not None))


def _values(column: KnownColumn) -> tuple[Any, ...] | None:
    """Return the public values of a column; those of a boolean one need no declaration."""
    if column.values is None and column.type == "boolean":
        return (False, True)
    return column.values


def ordered(rows: list[tuple[Any, ...]]) -> tuple[tuple[Any, ...], ...]:
    """Return keys in order, a missing value last."""
    return tuple(sorted(rows, key=lambda row: [_place(each) for each in row]))


def _place(value: Any) -> tuple[bool, Any]:
    return (value is None, 0 if value is None else value)


def _known(names: tuple[str, ...], rows: list[tuple[Any, ...]]) -> Keys:
    return Keys(names, ordered(rows))


def _check_size(values: list[Any]) -> None:
    groups = 1
    for each in values:
        groups *= len(each)
    if groups > _MOST_GROUPS:
        raise InputError(
            "E-QUESTION-TOO-LARGE",
            "the keys make {groups:,} groups, of which {most_groups:,} are allowed",
            "group by fewer columns, or declare the combinations that occur as one public "
            "table of keys",
            groups=groups,
            most_groups=_MOST_GROUPS,
        )


def check_search(query: Question, columns: Mapping[str, KnownColumn], target: QueryTarget) -> None:
    """Refuse a question whose groups are not declared where they cannot be found, either.

    All that is missing is named at once.
    """
    name = next((each for each in query.keys if columns[each].values is None), query.keys[0])
    values = _examples(query, name, columns[name].type)
    declare = text("declare them, as in {keys}", keys=Declaration("keys", name, values))
    if not isinstance(query.table.relation, AddRemove):
        raise InputError(
            "E-KEYS-MISSING",
            "the groups by {name!r} are not declared, and partition selection is for the "
            "neighbouring relation add_remove",
            "{declare}",
            name=name,
            declare=declare,
        )
    pure = _without_delta(query) if target.delta is None else None
    if pure is not None:
        raise InputError(
            "E-KEYS-MISSING",
            "the groups by {name!r} are not declared, and partition selection takes a δ, which "
            "the privacy budget {pure} does not have",
            "{declare}",
            name=name,
            pure=pure,
            declare=declare,
        )
    missing = _missing(query, target)
    if missing:
        raise InputError(
            "E-KEYS-MISSING",
            "the groups by {name!r} are not declared, and partition selection takes {missing}",
            "write that (the plan then says how many people a group needs), or {declare}",
            name=name,
            missing=missing,
            declare=declare,
        )


def _examples(query: Question, name: str, kind: str) -> list[Any]:
    """Return values of a key as they are declared: of parts of dates all, of steps some."""
    derived = (made for each in query.steps if isinstance(each, Derive) for made in each)
    made = dict(derived).get(name)
    step = 0 if made is None else _step(made)
    if step > 1 or (step and kind == "integer"):
        part = made.function if isinstance(made, FunctionCall) else ""
        return _PARTS.get(part) or [each * step for each in range(3)]
    return _EXAMPLES.get(kind, ["a", "b"])


def _step(made: Expression) -> int:
    """Return how far apart the values are of what is multiplied by a whole number, or 1."""
    if not isinstance(made, FunctionCall) or made.function != "multiply":
        return 1
    numbers = [each.value for each in made.arguments if isinstance(each, Literal)]
    return next((each for each in numbers if type(each) is int), 1)


def _without_delta(query: Question) -> PureDP | None:
    """Return a budget of the table that has no δ, if it has such a one."""
    budgets = budgets_of(query.table.policy)
    return next((each for each in budgets if isinstance(each, PureDP)), None)


def _missing(query: Question, target: QueryTarget) -> Given:
    missing: list[Given] = []
    if target.epsilon is None or target.delta is None:
        epsilon = 1.0 if target.epsilon is None else float(target.epsilon)
        cost = (Argument("epsilon", Bare(f"{epsilon:g}")), Argument("delta", Bare("1e-6")))
        missing.append(Arguments(cost))
    table = query.table
    limits = table.policy.limits
    if isinstance(table.relation.unit, Person) and limits.groups is None:
        missing.append(Declaration("limits", "groups", 1 if limits.rows == 1 else 5))
    return all_of(missing) if missing else ""


def search(query: Question, division: Division) -> tuple[FindKeys, ...]:
    """Return the step that finds groups, if one does."""
    table = query.table
    if division.keys is None or not isinstance(table.relation, AddRemove):
        return ()
    share, delta = division.keys
    groups = table.policy.limits.groups if isinstance(table.relation.unit, Person) else None
    return (FindKeys(share, delta, groups or 1, table.relation),)
