"""The smallest groups of people that published figures tell apart, counted in the engine."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from sfumato.errors import InputError
from sfumato.printing.wording import counted

if TYPE_CHECKING:
    from collections.abc import Sequence
    from decimal import Decimal

    import ibis.expr.types as ir

    from sfumato.data import Source
    from sfumato.risk.attacks.conditions import Condition

__all__ = ["MOST_GROUPS", "Group", "groups_of"]

#: How many combinations of the published columns may occur.
MOST_GROUPS = 100_000
_EXACT = "decimal(38, 9)"
_GREATEST_EXACT = 1e18


@dataclass(frozen=True)
class Group:
    """People whom no published figure tells apart.

    Attributes
    ----------
    key
        What they are like: a cell of each published column, and for each published set whether
        they are in it, ``yes`` or ``no``.
    people, total
        How many they are, and what sum of the published value they have, exactly; None where no
        value of them is known.
    """

    key: tuple[str, ...]
    people: int
    total: Fraction | None


def groups_of(
    source: Source, columns: Sequence[str], sets: Sequence[Condition], value: str | None
) -> list[Group]:
    """Return the groups that published columns and sets make, in order."""
    seen = [_text(source.table[name]) for name in columns]
    seen += [each.holds(source).ifelse("yes", "no") for each in sets]
    keys = {f"key{place}": column for place, column in enumerate(seen)}
    rows = source.table.select(**keys, value=_number(source, value))
    query = rows.group_by(list(keys)) if keys else rows
    counted = query.agg(n=rows.count(), total=rows.value.sum())
    found = source.fetch(counted.limit(MOST_GROUPS + 1)).to_pylist()
    if not sum(row["n"] for row in found):
        raise InputError(
            "E-TABLE-EMPTY",
            "{source} has no rows below its header",
            "there is nothing to publish",
            source=source.name,
        )
    if len(found) > MOST_GROUPS:
        raise InputError(
            "E-TOO-LARGE",
            "the published columns of {source} have more than {most_groups:,} combinations, "
            "too many to subtract",
            "publish fewer columns at a time",
            source=source.name,
            most_groups=MOST_GROUPS,
        )
    _check_sums(source, value, [row["total"] for row in found])
    groups = (Group(tuple(row[k] for k in keys), row["n"], _exact(row["total"])) for row in found)
    return sorted(groups, key=lambda each: each.key)


def _exact(total: Decimal | float | None) -> Fraction | None:
    return None if total is None else Fraction(total)


def _check_sums(source: Source, value: str | None, sums: Sequence[Decimal | float | None]) -> None:
    if math.fsum(abs(float(each)) / sys.float_info.max for each in sums if each is not None) >= 1:
        raise InputError(
            "E-TOO-LARGE",
            "the sum of {value!r} in {source} is too great to be worked out",
            "name a column of smaller numbers",
            value=value,
            source=source.name,
        )


def _text(column: ir.Value) -> ir.Value:
    return column.cast("string").fill_null("(empty)")


def _number(source: Source, value: str | None) -> ir.Value:
    """Return the published value as a number; refuse a column that has something else.

    Numbers are added up as decimals where all of them are such, and else as floats.
    """
    import ibis

    if value is None:
        return ibis.literal(0)
    column = source.table[value]
    # Trimming also keeps the engine from casting while it parses, where a bad cell is an error.
    cell = column.strip() if column.type().is_string() else column
    number, exact = cell.try_cast("float64"), cell.try_cast(_EXACT)
    odd = column.notnull() & (number.isnull() | number.isnan() | number.isinf())
    same = (exact.cast("float64") == number) & (number.abs() < _GREATEST_EXACT)
    counts = source.table.aggregate(
        odd=source.table.count(where=odd),
        rounded=source.table.count(where=column.notnull() & ~same.fill_null(False)),  # noqa: FBT003
    )
    found = source.fetch(counts).to_pylist()[0]
    if found["odd"]:
        raise InputError(
            "E-COLUMN-TYPE",
            "the column {value!r} of {source} has no number in {cells}, and sums of it are "
            "asked for",
            "name a column of numbers",
            cells=counted(found["odd"], "cell"),
            value=value,
            source=source.name,
        )
    return number if found["rounded"] else exact


def _no_numbers(odd: int, value: str, source: str) -> InputError:
    """Return the refusal of a column whose sums cannot be asked for."""
    if odd == 1:
        return InputError(
            "E-COLUMN-TYPE",
            "1 cell of {value!r} in {source} is no number, and sums of it are asked for",
            "name a column of numbers",
            value=value,
            source=source,
        )
    return InputError(
        "E-COLUMN-TYPE",
        "{odd:,} cells of {value!r} in {source} are no numbers, and sums of it are asked for",
        "name a column of numbers",
        odd=odd,
        value=value,
        source=source,
    )
