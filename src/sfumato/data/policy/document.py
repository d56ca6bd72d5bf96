"""A policy as a JSON document, and the digest of it that certificates carry."""

from __future__ import annotations

import hashlib
import json
from datetime import date
from typing import TYPE_CHECKING, Any

from sfumato.data.policy.values import type_of_values
from sfumato.privacy import Person
from sfumato.privacy.events import plain

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.data.policy.columns import ColumnPolicy
    from sfumato.data.policy.keysets import KeySet
    from sfumato.data.policy.policy import Policy
    from sfumato.privacy import Row


_VERSION = 1


def document(policy: Policy) -> dict[str, Any]:
    """Return everything that a policy declares as a JSON object, numbers exactly.

    Where the table and the ledger lie is left out, so that they can be moved.

    Examples
    --------
    >>> from sfumato.data.policy import Policy, document
    >>> policy = Policy.inline(unit="row", bounds={"age": (0, 110.5)})
    >>> document(policy)["columns"]
    {'age': {'type': 'number', 'bounds': ['0', '110.5']}}
    """
    entries = {
        "version": _VERSION,
        "unit": _unit(policy.unit),
        "relation": policy.change,
        "limits": _declared(vars(policy.limits)),
        "columns": {name: column_document(policy.columns[name]) for name in sorted(policy.columns)},
        "derived": {name: column_document(policy.derived[name]) for name in sorted(policy.derived)}
        or None,
        "keysets": sorted(map(_keyset, policy.keysets), key=json.dumps),
        "budget": None if policy.allowance is None else _declared(vars(policy.allowance)),
        "book": None if policy.ledger is None else policy.ledger.book,
    }
    return _declared(entries)


def digest(policy: Policy) -> str:
    """Return the SHA-256 of a policy's document, in hexadecimal digits.

    Examples
    --------
    >>> from sfumato.data.policy import Policy, digest
    >>> digest(Policy.inline(unit="row", source="a.csv")) == digest(
    ...     Policy.inline(unit="row", source="b.csv"))
    True
    >>> digest(Policy.inline(unit="row")) == digest(Policy.inline(unit="id"))
    False
    """
    text = json.dumps(document(policy), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def _unit(unit: Row | Person | None) -> Any:
    return {"column": unit.column} if isinstance(unit, Person) else unit and unit.singular


def column_document(column: ColumnPolicy) -> dict[str, Any]:
    """Return what is declared of a column as a JSON object."""
    return _declared(
        {
            "type": column.implied_type,
            "bounds": column.bounds,
            "values": column.values,
            "complete": column.complete or None,
        }
    )


def _keyset(keyset: KeySet) -> dict[str, Any]:
    types = [type_of_values(side) for side in zip(*keyset.rows, strict=True)]
    return {"columns": _entry(keyset.columns), "types": types, "rows": _entry(keyset.rows)}


def _declared(entries: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _entry(value) for name, value in entries.items() if value is not None}


def _entry(value: Any) -> Any:
    """Return a value as JSON has it; the type of the column tells a date from its text."""
    if isinstance(value, tuple):
        return [_entry(each) for each in value]
    if isinstance(value, date):
        return value.isoformat()
    return value if isinstance(value, (str, int, float, list, dict)) else plain(value)
