"""Groups that are not declared: what it takes to find them, and the step that does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError
from sfumato.privacy import AddRemove, Person, PureDP
from sfumato.refusal import Argument, Arguments, Bare, Declaration, Given, all_of, text
from sfumato.tables.charged import budgets_of
from sfumato.tables.expressions import FunctionCall, Literal
from sfumato.tables.plan.steps import FindKeys
from sfumato.tables.tree.steps import Derive

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.tables.expressions import Expression
    from sfumato.tables.known import KnownColumn
    from sfumato.tables.plan.budget import Division
    from sfumato.tables.plan.targets import QueryTarget
    from sfumato.tables.tree.question import Question

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
