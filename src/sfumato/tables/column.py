"""What is public about columns: as declared, and of one person's rows.

Texts are not put in order beside what looks like a number or a date: it would be by letters.
A sum in floating point depends on the order in which an engine adds, and that on the rows of
others; so of one person numbers are added up as whole steps of a grid, and the steps exactly.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.errors import InputError
from sfumato.refusal import Call, Declaration, Either, Part, text
from sfumato.tables.expressions import Column, type_of
from sfumato.tables.expressions.collation import orderings
from sfumato.tables.expressions.functions import shortened
from sfumato.tables.expressions.values import written_name
from sfumato.tables.tree.aggregates import Count, Extremum, Mean, OfColumn, Sum
from sfumato.translation import mark

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from sfumato.data import Source
    from sfumato.data.policy import Policy
    from sfumato.tables.expressions import Expression
    from sfumato.tables.expressions.collation import Ordering
    from sfumato.tables.tree.aggregates import Aggregate


#: A text that is cast and compared, in SQL and in Python.
_SQL = {
    "number": "CAST({} AS DOUBLE) < 50",
    "date": "CAST({} AS DATE) < '2025-01-31'",
    "timestamp": "CAST({} AS TIMESTAMP) < '2025-01-31 12:00'",
}
_PYTHON = {
    "number": "{}.cast('number') < 50",
    "date": "{}.cast('date') < datetime.date(2025, 1, 31)",
    "timestamp": "{}.cast('timestamp') < datetime.datetime(2025, 1, 31, 12)",
}
#: A number is measured in at most 2^40 steps on each side of 0: the sum of 8,192 is exact in
#: double precision.
GRID_BITS = 40
_LEAST_EXPONENT = -1000
_ORDERED = ("integer", "number", "date", "timestamp")
_OFFERED = mark(
    "sf.count(), sf.count('x'), sf.sum('x'), sf.mean('x'), sf.minimum('x') and sf.maximum('x')"
)


@dataclass(frozen=True)
class KnownColumn:
    """What is public about a column.

    Parameters
    ----------
    type
        One of the six types of expressions, or "other".
    bounds
        To which its values are clamped, "auto", or None.
    values
        Its public values, or None.
    complete
        Whether missing values count as the middle of the bounds.
    declared
        Whether it is a column of the table as declared; false once it was derived.
    own_name
        What it is called where its rows are; None once it was derived.
    is_public
        Whether it is a column of a public table.
    """

    type: str
    bounds: Any = None
    values: tuple[Any, ...] | None = None
    complete: bool = False
    declared: bool = True
    own_name: str | None = None
    is_public: bool = False


def types(columns: Mapping[str, KnownColumn]) -> dict[str, str]:
    """Return the types alone."""
    return {name: each.type for name, each in columns.items()}


def check_ordered(expressions: Iterable[Expression], known: Mapping[str, KnownColumn]) -> None:
    """Refuse to put texts in order beside what looks like a number or a date."""
    schema = types(known)
    for each in expressions:
        for found in orderings(each, schema):
            if found.meant is not None:
                raise _refusal(found, found.meant, known)


def declaring(known: KnownColumn, meant: str) -> Part | None:
    """Return how the type of a column is declared, None of one that is in no file."""
    if known.own_name is None:
        return None
    types = Declaration("types", known.own_name, meant, whose="public" if known.is_public else "")
    if known.is_public:
        return text("declare {types}, if it is a CSV file, or ", types=types)
    return text("declare {types} where a CSV file is the table, or ", types=types)


def _refusal(found: Ordering, meant: str, known: Mapping[str, KnownColumn]) -> InputError:
    asked = found.text
    declare = declaring(known[asked.name], meant) if isinstance(asked, Column) else None
    said = {"call": shortened(found.call), "text": shortened(asked, most=60)}
    if declare is None:
        return InputError(
            "E-COMPARISON-TYPE",
            "{call} would compare letter by letter, since {text} is text",
            "cast it, as in {cast}, or to text where letters are meant",
            cast=_cast(asked, meant),
            **said,
        )
    return InputError(
        "E-COMPARISON-TYPE",
        "{call} would compare letter by letter, since {text} is text",
        "{declare}cast it to {meant}, or to text where letters are meant",
        declare=declare,
        meant=meant,
        **said,
    )


def _cast(asked: Expression, meant: str) -> Either:
    """Return how a text is cast and compared."""
    named = asked.name if isinstance(asked, Column) else None
    return Either(
        _PYTHON[meant].format("(…)" if named is None else f"sf.col({named!r})"),
        _SQL[meant].format("…" if named is None else written_name(named)),
    )


def check_held(source: Source, name: str, values: Iterable[Any]) -> None:
    """Refuse keys that no cell of a column can be equal to, since its floats are too short."""
    kind = source.table.schema().get(name)
    bits = 8 * kind.nbytes if kind is not None and kind.is_floating() else 64
    if bits == 64:
        return
    for each in values:
        if not _is_held(each, bits):
            raise InputError(
                "E-KEYS-TYPE",
                "the column {name!r} holds floats of {bits} bits, none of which is {each!r}",
                "group by a derived column, such as sf.col({name!r}).round(2), and declare "
                "its keys, or store doubles",
                name=name,
                bits=bits,
                each=each,
            )


def check_all_held(source: Source, policy: Policy) -> None:
    """Refuse a policy in which keys are declared that no cell can be equal to."""
    for name, column in policy.columns.items():
        check_held(source, name, column.values or ())
    for keyset in policy.keysets:
        for name, side in zip(keyset.columns, zip(*keyset.rows, strict=True), strict=True):
            check_held(source, name, side)


def _is_held(value: float, bits: int) -> bool:
    with np.errstate(over="ignore"):
        return float(np.dtype(f"f{bits // 8}").type(value)) == value


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
