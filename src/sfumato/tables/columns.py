"""What is known of the columns of a private table, after rows were filtered and derived."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sfumato.data.policy.values import TYPES
from sfumato.data.policy.wording import at
from sfumato.errors import InputError
from sfumato.refusal import Declaration, Either, Part, text
from sfumato.tables.expressions import Column, type_of
from sfumato.tables.known import Known
from sfumato.tables.lettering import check_ordered
from sfumato.tables.person import known_of_person
from sfumato.tables.tree.steps import (
    Declare,
    Derive,
    Filter,
    JoinPeople,
    JoinPublic,
    PerPerson,
    expressions_of,
)
from sfumato.translation import tr

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from sfumato.data.policy import ColumnPolicy, Policy
    from sfumato.refusal import Given
    from sfumato.tables.expressions import Expression
    from sfumato.tables.tree.steps import Step

__all__ = ["Known", "known_columns", "types"]


def known_columns(
    policy: Policy, schema: Mapping[str, str], steps: Iterable[Step]
) -> dict[str, Known]:
    """Return what is known of each column after some steps.

    What was declared of a column is forgotten when the column is derived anew: the declaration
    was about other values.  What the policy declares of derived columns is about those.
    """
    found = {name: _declared(policy, name, kind) for name, kind in schema.items()}
    for step in steps:
        found = _after(step, found, policy)
    return found


def _after(step: Step, found: dict[str, Known], policy: Policy) -> dict[str, Known]:
    match step:
        case Filter():
            _check_condition(step, types(found))
            check_ordered([step.condition], found)
            return found
        case Declare():
            return found | {name: _said(found[name], each) for name, each in step.columns}
        case JoinPublic():
            return _beside_public(step, found, policy)
        case JoinPeople():
            return found | _beside_people(step)
        case PerPerson():
            of_person = {name: known_of_person(name, each, found) for name, each in step.columns}
            check_ordered(expressions_of(step), found)
            return {step.person: found[step.person]} | _as_declared(policy, of_person)
        case Derive():
            known = types(found)
            derived = {name: _derived(each, found, known) for name, each in step}
            check_ordered(expressions_of(step), found)
            return found | _as_declared(policy, derived)


def _beside_people(step: JoinPeople) -> dict[str, Known]:
    """Return what is known of another private table; whoever is not in it has nothing there."""
    known = known_columns(step.policy, step.schema, step.steps)
    whole = step.how == "inner"
    return {
        name: replace(each, complete=each.complete and whole)
        for name, each in known.items()
        if name != step.on[1]
    }


def _beside_public(
    step: JoinPublic, found: Mapping[str, Known], policy: Policy
) -> dict[str, Known]:
    """Return what is known beside a public table, all of whose values are public.

    So are those of the columns that are alike in both, unless rows without a match are kept.
    """
    alike = {
        ours: _fallen_back(found[ours], _public(step, theirs))
        for ours, theirs in step.on
        if step.how == "inner"
    }
    taken = {name: _public(step, name) for name in step.taken}
    return {**found, **alike, **_as_declared(policy, taken)}


def _public(step: JoinPublic, name: str) -> Known:
    """Return what is known of a column of a public table; it may be missing where none matched."""
    column = step.other.column(name)
    missing = step.how == "left" or column.has_missing
    is_key = name in (theirs for _, theirs in step.on)
    nothing = (None,) if missing and not is_key else ()
    values = None if column.values is None else (*column.values, *nothing)
    return Known(column.type, column.bounds, values, own_name=name, is_public=True)


def _fallen_back(known: Known, public: Known) -> Known:
    """Return what is declared of a column and, where nothing is, what is public of it."""
    return replace(
        known,
        bounds=public.bounds if known.bounds is None else known.bounds,
        values=public.values if known.values is None else known.values,
    )


def _as_declared(policy: Policy, columns: Mapping[str, Known]) -> dict[str, Known]:
    return {name: _as_policy_says(policy, name, each) for name, each in columns.items()}


def types(columns: Mapping[str, Known]) -> dict[str, str]:
    """Return the types alone."""
    return {name: each.type for name, each in columns.items()}


def _said(known: Known, given: ColumnPolicy) -> Known:
    """Return what is known of a column once something was declared of it."""
    bounds = known.bounds if given.bounds is None else given.bounds
    values = known.values if given.values is None else given.values
    return replace(known, bounds=bounds, values=values, declared=True)


def _derived(
    expression: Expression, columns: Mapping[str, Known], known: Mapping[str, str]
) -> Known:
    """Return what is known of a derived column: all of another one that is only renamed."""
    kind = type_of(expression, known)
    if isinstance(expression, Column):
        return columns[expression.name]
    return Known(kind, declared=False)


def _as_policy_says(policy: Policy, name: str, known: Known) -> Known:
    given = policy.derived.get(name)
    if given is None or known.type not in TYPES:
        return known
    with at(tr("the derived column {name!r}", name=name)):
        return _said(known, replace(given, type=known.type))


def _declared(policy: Policy, name: str, kind: str) -> Known:
    given = policy.columns.get(name)
    if given is None:
        return Known(kind, own_name=name)
    return Known(kind, given.bounds, given.values, given.complete, own_name=name)


def _check_condition(step: Filter, known: Mapping[str, str]) -> None:
    kind = type_of(step.condition, known)
    if kind not in {"boolean", "null"}:
        raise InputError(
            "E-CONDITION-TYPE",
            "{filter} takes a condition, and {condition} is of type {kind}",
            "{example}",
            filter=Either("filter", "WHERE"),
            condition=step.condition,
            kind=kind,
            example=_comparison(step.condition, kind),
        )


def _comparison(what: Expression, kind: str) -> Part:
    """Return what to write; what is text may be a condition that was not declared."""
    if kind != "text":
        value = "60" if kind in {"integer", "number"} else f"{kind.upper()} '…'"
        return _compared(Either("sf.col('age') > 60", f"{what} > {value}"))
    compared = _compared(Either("sf.col('age') > 60", f"{what} = 'yes'"))
    if not isinstance(what, Column):
        return compared
    declared = Declaration("types", what.name, "boolean")
    return text("declare {types}, or {compared}", types=declared, compared=compared)


def _compared(example: Given) -> Part:
    return text("compare it, as in {example}", example=example)
