"""What a question needs that was not said, all of it at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError
from sfumato.privacy import AddRemove, Person
from sfumato.tables.columns import known_columns
from sfumato.tables.plan.keys import keys_for

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.tables.query import Query

__all__ = ["check_finding_groups"]


def check_finding_groups(query: Query, target: Mapping[str, Any]) -> None:
    """Refuse a question whose groups are not declared, where what finds them is not there either.

    Parameters
    ----------
    query
        The question.
    target
        What it may cost, as in ``Query.plan``.

    Examples
    --------
    >>> import sfumato as sf
    >>> from sfumato.application.tables.missing import check_finding_groups
    >>> patients = sf.table("examples/patients.csv", unit="patient_id")
    >>> by_sex = patients.group_by("sex").agg(n=sf.count())
    >>> check_finding_groups(by_sex, {"epsilon": 1})
    Traceback (most recent call last):
        ...
    sfumato.errors.InputError: the groups by 'sex' are not declared, and to find them takes \
epsilon=1, delta=1e-6 and limits={'groups': 5}; write that, or declare them, as in \
keys={'sex': ['a', 'b']}
    """
    name = _undeclared(query)
    if name is None or not _can_be_found(query, target):
        return
    missing = []
    if target.get("delta") is None:
        missing.append(f"epsilon={target.get('epsilon') or 1}, delta=1e-6")
    if isinstance(query.table.relation.unit, Person) and query.table.policy.limits.groups is None:
        missing.append("limits={'groups': 5}")
    if missing:
        message = (
            f"the groups by {name!r} are not declared, and to find them takes "
            f"{' and '.join(missing)}; write that, or declare them, as in "
            f"keys={{{name!r}: ['a', 'b']}}"
        )
        raise InputError(message)


def _undeclared(query: Query) -> str | None:
    """Return a column that rows are grouped by and whose values are not declared."""
    policy = query.table.policy
    columns = known_columns(policy, query.table.schema, query.steps)
    if any(name not in columns for name in query.keys):
        return None
    if keys_for(query.keys, columns, policy.keysets).are_known:
        return None
    return next(name for name in query.keys if columns[name].values is None)


def _can_be_found(query: Query, target: Mapping[str, Any]) -> bool:
    """Tell whether it is only amounts that may be missing; whatever else is wrong comes first."""
    one_amount = (target.get("epsilon") is None) != (target.get("rho") is None)
    relation, unit = query.table.relation, getattr(query.table.relation.unit, "column", None)
    return one_amount and isinstance(relation, AddRemove) and unit not in query.keys
