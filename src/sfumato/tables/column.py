"""Texts are not put in order beside what looks like a number or a date: it would be by letters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.errors import InputError
from sfumato.refusal import Declaration, Either, Part, text
from sfumato.tables.expressions import Column
from sfumato.tables.expressions.collation import orderings
from sfumato.tables.expressions.functions import shortened
from sfumato.tables.expressions.values import written_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from sfumato.data import Source
    from sfumato.data.policy import Policy
    from sfumato.tables.expressions import Expression
    from sfumato.tables.expressions.collation import Ordering


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
