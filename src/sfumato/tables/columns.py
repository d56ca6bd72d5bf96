"""What is known of the columns of a private table, after rows were filtered and derived."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from sfumato.data.policy.values import TYPES
from sfumato.data.policy.wording import at
from sfumato.errors import InputError
from sfumato.tables.expressions import Column, type_of
from sfumato.tables.tree.steps import Declare, Filter

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from sfumato.data.policy import ColumnPolicy, Policy
    from sfumato.tables.expressions import Expression
    from sfumato.tables.tree.steps import Step

__all__ = ["Known", "known_columns", "types"]


@dataclass(frozen=True)
class Known:
    """What is public about a column.

    Parameters
    ----------
    type
        One of the six types of expressions, or "other".
    bounds
        Between which its values are taken, "auto", or None.
    values
        Its public values, or None.
    complete
        Whether missing values count as the middle of the bounds.
    declared
        Whether it is a column of the table as declared; false once it was derived.

    Examples
    --------
    >>> from sfumato.tables.columns import Known
    >>> Known("integer").bounds is None
    True
    """

    type: str
    bounds: Any = None
    values: tuple[Any, ...] | None = None
    complete: bool = False
    declared: bool = True


def known_columns(
    policy: Policy, schema: Mapping[str, str], steps: Iterable[Step]
) -> dict[str, Known]:
    """Return what is known of each column after some steps.

    What was declared of a column is forgotten when the column is derived anew: the declaration
    was about other values.  What the policy declares of derived columns is about those.
    """
    found = {name: _declared(policy, name, kind) for name, kind in schema.items()}
    for step in steps:
        if isinstance(step, Filter):
            _check_condition(step, types(found))
        elif isinstance(step, Declare):
            found |= {name: _said(found[name], each) for name, each in step.columns}
        else:
            known = types(found)
            derived = {name: _derived(each, found, known) for name, each in step}
            found |= {name: _as_policy_says(policy, name, each) for name, each in derived.items()}
    return found


def types(columns: Mapping[str, Known]) -> dict[str, str]:
    """Return the types alone.

    Examples
    --------
    >>> from sfumato.tables.columns import Known, types
    >>> types({"age": Known("integer")})
    {'age': 'integer'}
    """
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
    with at(f"the derived column {name!r}"):
        return _said(known, replace(given, type=known.type))


def _declared(policy: Policy, name: str, kind: str) -> Known:
    given = policy.columns.get(name)
    if given is None:
        return Known(kind)
    return Known(kind, given.bounds, given.values, given.complete)


def _check_condition(step: Filter, known: Mapping[str, str]) -> None:
    kind = type_of(step.condition, known)
    if kind not in {"boolean", "null"}:
        message = (
            f"filter takes a condition, and {step.condition} is of type {kind}; compare it, as "
            "in sf.col('age') > 60"
        )
        raise InputError(message)
