"""What can be computed of the rows of one person: exactly, and whatever the others' rows are.

A sum in floating point depends on the order in which an engine adds, and that on the rows of
others.  So numbers are added up as whole steps of a grid, and the steps exactly.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError
from sfumato.refusal import Call
from sfumato.tables.column import KnownColumn, types
from sfumato.tables.expressions import Column, type_of
from sfumato.tables.tree.aggregates import Count, Extremum, Mean, OfColumn, Sum
from sfumato.translation import mark

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.tables.tree.aggregates import Aggregate

#: A number is measured in at most 2^40 steps on each side of 0: the sum of 8,192 is exact in
#: double precision.
GRID_BITS = 40
_LEAST_EXPONENT = -1000
_ORDERED = ("integer", "number", "date", "timestamp")
_OFFERED = mark(
    "sf.count(), sf.count('x'), sf.sum('x'), sf.mean('x'), sf.minimum('x') and sf.maximum('x')"
)


def known_of_person(name: str, asked: Aggregate, columns: Mapping[str, KnownColumn]) -> KnownColumn:
    """Return what is known of a column that is computed of the rows of each person."""
    if isinstance(asked, Count):
        _kinds(asked, columns)
        return KnownColumn("integer", declared=False)
    if isinstance(asked, (Sum, Mean, Extremum)) and getattr(asked, "rows", None) is None:
        return _of_column(name, asked, columns)
    raise InputError(
        "E-AGGREGATE-NOT-HERE",
        "{name!r} is {asked}, which is not computed of the rows of one person",
        "there are {offered}",
        name=name,
        asked=asked,
        offered=_OFFERED,
    )


def bounds_in(asked: OfColumn, columns: Mapping[str, KnownColumn]) -> Any:
    """Return between which the values of a column are taken: as asked, or as declared."""
    declared = columns[asked.of.name].bounds if isinstance(asked.of, Column) else None
    found = declared if asked.bounds is None else asked.bounds
    return None if found == "auto" else found


def grid_of(bounds: tuple[Fraction, Fraction]) -> Fraction:
    """Return the unit in which numbers between bounds are added up: a power of two."""
    size = max(abs(each) for each in bounds)
    exponent = size.numerator.bit_length() - size.denominator.bit_length() + 1 - GRID_BITS
    while size <= Fraction(2) ** (exponent - 1 + GRID_BITS) and exponent > _LEAST_EXPONENT:
        exponent -= 1
    return Fraction(2) ** exponent


def _of_column(name: str, asked: OfColumn, columns: Mapping[str, KnownColumn]) -> KnownColumn:
    (kind,) = _kinds(asked, columns)
    bounds = bounds_in(asked, columns)
    if isinstance(asked, Extremum):
        _check_kind(name, asked, kind, _ORDERED)
        taken = columns[asked.of.name].values if isinstance(asked.of, Column) else None
        return KnownColumn(kind, bounds, taken if bounds is None else None, declared=False)
    _check_kind(name, asked, kind, _ORDERED[:2])
    if kind == "number" and bounds is None:
        raise InputError(
            "E-BOUNDS-MISSING",
            "{name!r} adds up {of} of each person, of which no bounds are declared",
            "write {call}, with the bounds to which values are clamped",
            name=name,
            of=asked.of,
            call=Call(asked.word, str(asked.of), bounds=(0, 1000)),
        )
    if isinstance(asked, Sum):
        return KnownColumn(kind, declared=False)
    return KnownColumn("number", bounds, declared=False)


def _kinds(asked: Aggregate, columns: Mapping[str, KnownColumn]) -> list[str]:
    known = types(columns)
    return [type_of(each, known) for each in asked.operands]


def _check_kind(name: str, asked: OfColumn, kind: str, allowed: tuple[str, ...]) -> None:
    if kind not in allowed:
        raise InputError(
            "E-AGGREGATE-TYPE",
            "{name!r} is {asked}, and {of} is of type {kind}",
            "it is computed of columns of type {allowed}",
            name=name,
            asked=asked,
            of=asked.of,
            kind=kind,
            allowed=", ".join(allowed),
        )
