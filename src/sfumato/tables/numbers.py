"""Columns of numbers of a private table, handed to whoever learns from them."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Any

from sfumato.data import Measured, asked_names
from sfumato.data.policy import AUTO
from sfumato.errors import InputError
from sfumato.refusal import Argument, Declaration, text
from sfumato.tables.query import check_keys
from sfumato.tables.release.charge import row_fingerprint
from sfumato.tables.run.rows import EngineRows

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.tables.column import KnownColumn
    from sfumato.tables.tree.rows import Held

_NUMBERS = ("integer", "number")


def measured(table: Held, columns: Any, *, bounded: bool = True) -> Measured:
    """Return columns of numbers of a table, and what is declared of them."""
    known = table.steps.known
    unit = getattr(table.relation.unit, "column", None)
    if columns is None:
        names = _bounded(known, unit, needed=bounded)
    else:
        names = _asked(columns, known, table, unit)
    ends = [_ends(name, known[name], needed=bounded) for name in names]
    return Measured(
        source=table.source,
        table=EngineRows(table).numbers(names),
        names=names,
        low=tuple(low for low, _ in ends),
        high=tuple(high for _, high in ends),
        relation=table.relation,
        limit=_limit(table),
        ledger=table.policy.ledger,
        budgeted=table.policy.allowance is not None,
        origin=table.policy.origin,
        digest=row_fingerprint(table),
    )


def _bounded(
    known: Mapping[str, KnownColumn], unit: str | None, *, needed: bool
) -> tuple[str, ...]:
    """Return the columns of numbers that have bounds, in the order of the table."""
    names = tuple(name for name, each in known.items() if name != unit and each.bounds is not None)
    if not names and not needed:
        raise InputError(
            "E-ARGUMENT-MISSING",
            "the columns that count are not named",
            "write {columns}, say",
            columns=Argument("columns", ["age", "height"]),
        )
    if not names:
        raise InputError(
            "E-BOUNDS-MISSING",
            "no column of numbers has bounds",
            "declare those that count, as in {bounds}",
            bounds=Declaration("bounds", "age", (0, 110)),
        )
    return names


def _asked(
    columns: Any, known: Mapping[str, KnownColumn], table: Held, unit: str | None
) -> tuple[str, ...]:
    names = asked_names(columns)
    check_keys(names, tuple(known), table.source.name)
    if not names:
        raise InputError(
            "E-ARGUMENT-EMPTY",
            "no column is named",
            "name one or several, such as ['age', 'height']",
        )
    if unit in names:
        raise InputError(
            "E-COLUMN-IS-UNIT",
            "the column {unit!r} is the privacy unit, which is no measure",
            "leave it out",
            unit=unit,
        )
    return names


def _ends(name: str, known: KnownColumn, *, needed: bool) -> tuple[float, float]:
    """Return the bounds of a column of numbers; none are infinite, where they are not needed."""
    example = Declaration("bounds", name, (0, 110))
    if known.type not in _NUMBERS:
        raise InputError(
            "E-COLUMN-TYPE",
            "the column {name!r} is of type {type}, and only numbers are added up",
            "name the columns that count without it{instead}",
            name=name,
            type=known.type,
            instead=text(", or, if it holds numbers, declare {bounds}", bounds=example)
            if known.type == "text"
            else "",
        )
    if not needed:
        return -inf, inf
    if known.bounds is None or known.bounds == AUTO:
        unbounded = text("the column {name!r} has no bounds", name=name)
        unknown = text("the column {name!r} has bounds that are not known yet", name=name)
        raise InputError(
            "E-BOUNDS-MISSING",
            "{found}",
            "declare them, as in {example}",
            found=unbounded if known.bounds is None else unknown,
            example=example,
        )
    low, high = map(float, known.bounds)
    if low == high:
        raise InputError(
            "E-BOUNDS-WIDTH",
            "the bounds of {name!r} are the same number",
            "declare wider ones, as in {example}",
            name=name,
            example=example,
        )
    return low, high


def _limit(table: Held) -> int | None:
    rows = table.policy.limits.rows
    if rows == AUTO:
        raise InputError(
            "E-LIMITS-MISSING",
            "the contribution limit of a person is not known yet",
            "declare one, as in {limits}",
            limits=Declaration("limits", "rows", 5),
        )
    return rows
