"""Columns of numbers of a private table, handed to whoever learns from them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.data.measured import Measured
from sfumato.data.names import asked_names
from sfumato.data.policy.bounds import AUTO
from sfumato.errors import InputError
from sfumato.tables.columns import known_columns
from sfumato.tables.grouped import check_keys
from sfumato.tables.release.fingerprint import row_fingerprint
from sfumato.tables.run.rows import Rows

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.tables.known import Known
    from sfumato.tables.tree.question import Held
    from sfumato.tables.tree.steps import Step

__all__ = ["measured"]

_NUMBERS = ("integer", "number")


def measured(table: Held, steps: Sequence[Step], columns: Any) -> Measured:
    """Return columns of numbers of a table after some steps, and what is declared of them."""
    known = known_columns(table.policy, table.schema, steps)
    unit = getattr(table.relation.unit, "column", None)
    names = _bounded(known, unit) if columns is None else _asked(columns, known, table, unit)
    ends = [_ends(name, known[name]) for name in names]
    return Measured(
        source=table.source,
        table=Rows(table, steps).numbers(names),
        names=names,
        low=tuple(low for low, _ in ends),
        high=tuple(high for _, high in ends),
        relation=table.relation,
        limit=_limit(table),
        ledger=table.policy.ledger,
        budgeted=table.policy.allowance is not None,
        origin=table.policy.origin,
        digest=row_fingerprint(table, steps),
    )


def _bounded(known: Mapping[str, Known], unit: str | None) -> tuple[str, ...]:
    """Return the columns of numbers that have bounds, in the order of the table."""
    names = tuple(name for name, each in known.items() if name != unit and each.bounds is not None)
    if not names:
        message = (
            "no column of numbers has bounds; declare those that count, as in "
            "bounds={'age': (0, 110)}"
        )
        raise InputError(message)
    return names


def _asked(
    columns: Any, known: Mapping[str, Known], table: Held, unit: str | None
) -> tuple[str, ...]:
    names = asked_names(columns)
    check_keys(names, tuple(known), table.source.name)
    if not names:
        message = "no column is named; name one or several, such as ['age', 'height']"
        raise InputError(message)
    if unit in names:
        message = f"the column {unit!r} says whose row it is, which is no measure; leave it out"
        raise InputError(message)
    return names


def _ends(name: str, known: Known) -> tuple[float, float]:
    """Return the bounds of a column of numbers."""
    example = f"bounds={{{name!r}: (0, 110)}}"
    if known.type not in _NUMBERS:
        instead = f"or, if it holds numbers, declare {example}" if known.type == "text" else ""
        message = (
            f"the column {name!r} is of type {known.type}, and only numbers are added up; name "
            f"the columns that count without it{', ' + instead if instead else ''}"
        )
        raise InputError(message)
    if known.bounds is None or known.bounds == AUTO:
        found = "has no bounds" if known.bounds is None else "has bounds that are not known yet"
        message = f"the column {name!r} {found}; declare them, as in {example}"
        raise InputError(message)
    low, high = map(float, known.bounds)
    if low == high:
        message = f"the bounds of {name!r} are the same number; declare wider ones, as in {example}"
        raise InputError(message)
    return low, high


def _limit(table: Held) -> int | None:
    rows = table.policy.limits.rows
    if rows == AUTO:
        message = (
            "the rows of a person are limited by a number that is not known yet; declare one, as "
            "in limits={'rows': 5}"
        )
        raise InputError(message)
    return rows
