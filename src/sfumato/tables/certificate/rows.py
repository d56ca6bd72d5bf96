"""What is done to rows before they are added up, as documents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.data.policy import document as policy_document
from sfumato.data.policy.document import column_document
from sfumato.errors import InputError
from sfumato.tables.certificate.aggregates import aggregate_document, written
from sfumato.tables.expressions import document
from sfumato.tables.tree.steps import Declare, Derive, Filter, JoinPeople, JoinPublic, PerPerson

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.tables.tree.steps import Held, Step

#: Of a public column with more values than these, they are said only where rows are grouped by it.
_MOST_VALUES = 1_000


def steps_document(table: Held, keys: set[str]) -> list[dict[str, Any]]:
    """Return what is done to the rows of a table, step by step.

    Parameters
    ----------
    table
        The table after the steps.
    keys
        What rows are grouped by in the end.
    """
    return [_step(each.step, each.types, keys) for each in table.nodes if each.step is not None]


def _step(step: Step, types: Mapping[str, str], keys: set[str]) -> dict[str, Any]:
    match step:
        case Filter():
            return {"step": "filter", "condition": document(step.condition)}
        case Derive():
            columns = [
                {"name": name, "value": document(each), "type": types[name]} for name, each in step
            ]
            return {"step": "derive", "columns": columns}
        case Declare():
            said = [
                {"name": name, "declared": column_document(each)} for name, each in step.columns
            ]
            return {"step": "declare", "columns": said}
        case JoinPublic():
            return _join_public(step, keys)
        case JoinPeople():
            return _join_people(step, keys)
        case PerPerson():
            return _per_person(step, types)
    raise InputError(
        "E-CERTIFICATE-UNABLE",
        "a certificate cannot say “{step}”",
        "leave the certificate out",
        step=step,
    )


def _join_public(step: JoinPublic, keys: set[str]) -> dict[str, Any]:
    return {
        "step": "join_public",
        "on": [list(pair) for pair in step.on],
        "how": step.how,
        "most": step.most,
        "digest": step.other.digest,
        "columns": [_public(step, name, keys) for name in step.other.columns],
    }


def _public(step: JoinPublic, name: str, keys: set[str]) -> dict[str, Any]:
    """Return what is public of a column of a public table."""
    column = step.other.column(name)
    ours = {theirs: ours for ours, theirs in step.on}.get(name, name)
    values = column.values
    listed = values if values and (len(values) <= _MOST_VALUES or ours in keys) else None
    return {
        "name": name,
        "type": column.type,
        "bounds": written(column.bounds),
        "values": written(listed),
        "missing": column.has_missing,
    }


def _join_people(step: JoinPeople, keys: set[str]) -> dict[str, Any]:
    return {
        "step": "join_people",
        "on": list(step.on),
        "how": step.how,
        "policy": policy_document(step.other.policy),
        "columns": dict(step.other.schema),
        "steps": steps_document(step.other, keys),
    }


def _per_person(step: PerPerson, types: Mapping[str, str]) -> dict[str, Any]:
    columns = [
        {**aggregate_document(name, each), "type": types[name]} for name, each in step.columns
    ]
    return {"step": "per_person", "person": step.person, "columns": columns}
