"""Outcomes that are told apart, and the entries of distributions and tables as they are written."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from numbers import Integral, Rational, Real
from typing import Any

import numpy as np

from sfumato.errors import InputError
from sfumato.information import frame_axes, is_frame
from sfumato.numeric import Exponentials, any_float, shown
from sfumato.privacy import written
from sfumato.refusal import Given, Part, text
from sfumato.translation import mark

_WANTED = "probabilities and counts are finite and 0 or more"
_AT = mark("the distribution for {where} at the outcome {outcome}")
_GREATEST_EXPONENT = 9999


def one_nan(outcome: Any) -> Any:
    """Return an outcome with one NaN for every NaN in it, as no NaN equals another."""
    if type(outcome) is tuple:
        return tuple(map(one_nan, outcome))
    return math.nan if isinstance(outcome, (Real, Decimal)) and outcome != outcome else outcome


def check_outcomes(outcomes: Iterable[Any], where: Given) -> tuple[Hashable, ...]:
    """Return outcomes, each of which is named once; ``where`` says whose they are."""
    try:
        listed = tuple(outcomes)
        found = tuple(map(one_nan, listed)) if set(map(type, listed)) - {int, str} else listed
        repeated = len(set(found)) < len(found)
    except TypeError:
        raise InputError(
            "E-OUTCOMES-ALIKE",
            "the distribution for {where} has outcomes that cannot be told apart",
            "name them",
            where=where,
        ) from None
    if repeated:
        raise InputError(
            "E-OUTCOMES-ALIKE",
            "the distribution for {where} names an outcome twice",
            "add up its probabilities",
            where=where,
        )
    return found


Written = tuple[tuple[Hashable, ...], list[Any]]


def is_data(value: Any) -> bool:
    """Tell whether something holds entries: what is called like a method of it may be a label."""
    return isinstance(value, Mapping) or is_frame(value) or hasattr(value, "__array__")


def has_columns(value: Any) -> bool:
    """Tell whether something is a frame, and not one column with a label of that name."""
    return is_frame(value) and getattr(value, "ndim", 2) == 2


def entries_of(value: Any, where: Given) -> Written:
    """Return a distribution's outcomes and checked entries; ``where`` names it in an error."""
    outcomes, entries = _written(value, where)
    if not entries:
        raise InputError(
            "E-DISTRIBUTION-EMPTY",
            "the distribution for {where} has no outcomes",
            "give at least one",
            where=where,
        )
    held = entries if _are_plain(entries) else _checked(outcomes, entries, where)
    return check_outcomes(outcomes, where), held


def column_of(values: Any) -> Written:
    """Return the labels of a column or an array, which may only be numbered, and its entries."""
    listing = getattr(values, "tolist", None) or getattr(values, "to_pylist", None)
    entries = list(values) if listing is None else listing()
    index = getattr(values, "index", None)
    return tuple(range(len(entries)) if index is None or callable(index) else index), entries


def at_outcome(where: Given, outcome: Any) -> Part:
    """Return what names an entry of a distribution in an error."""
    return Part(_AT, {"where": where, "outcome": shown(outcome)})


def _written(value: Any, where: Given) -> Written:
    if isinstance(value, Mapping):
        return tuple(value), list(value.values())
    if has_columns(value):
        return _only_row(value, where)
    if hasattr(value, "__array__") and np.ndim(value):
        _check_one_dimension(value, where)
        return column_of(value)
    if isinstance(value, Sequence) and not isinstance(value, (str, bytes, bytearray)):
        return tuple(range(len(value))), list(value)
    raise InputError(
        "E-DISTRIBUTION-FORM",
        "the distribution for {where} must give outcomes their probabilities, not be {value}",
        "write {{'yes': '2/3', 'no': '1/3'}}, say",
        where=where,
        value=shown(value),
    )


def _only_row(frame: Any, where: Given) -> Written:
    """Return the one row of a frame, by the labels of its columns."""
    if len(frame) != 1:
        raise InputError(
            "E-DISTRIBUTION-FORM",
            "the distribution for {where} is a frame of {count} rows",
            "give one row, with a column for each outcome, or a column of probabilities that "
            "is labelled by the outcomes",
            where=where,
            count=len(frame),
        )
    _, labels = frame_axes(frame, text("the distribution for {where}", where=where))
    row = np.asarray(frame).tolist()[0]
    return tuple(range(len(row))) if labels is None else labels, row


def _check_one_dimension(array: Any, where: Given) -> None:
    if np.ndim(array) != 1:
        raise InputError(
            "E-DISTRIBUTION-FORM",
            "the distribution for {where} is an array of {ndim} dimensions",
            "give one of its rows, with a probability for each outcome",
            where=where,
            ndim=np.ndim(array),
        )


def _are_plain(entries: list[Any]) -> bool:
    """Tell whether all entries are floats, or all integers, that need no further look."""
    if set(map(type, entries)) not in ({float}, {int}):
        return False
    return min(entries) >= 0 and math.isfinite(any_float(sum(entries)))


def _checked(outcomes: Sequence[Hashable], entries: list[Any], where: Given) -> list[Any]:
    return [
        _entry(entry, at_outcome(where, outcome))
        for outcome, entry in zip(outcomes, entries, strict=True)
    ]


def _entry(value: Any, at: Given) -> int | Fraction | Decimal | Exponentials:
    """Return a checked weight; Decimals are kept, as they may be rounded."""
    weight = value if isinstance(value, Exponentials) else _number(value, at)
    if weight < 0:
        raise InputError(
            "E-PROBABILITY-NEGATIVE",
            "{at} has a negative entry, {value}",
            _WANTED,
            at=at,
            value=shown(value),
        )
    return weight


def _number(value: Any, at: Given) -> int | Fraction | Decimal:
    if value is None:
        raise _missing(at)
    if isinstance(value, bool) or not isinstance(value, (str, Decimal, Real)):
        raise InputError(
            "E-NUMBER-FORM",
            "{at} is {value}, not a number",
            "write 0.5, Fraction(1, 2) or '1/2'",
            at=at,
            value=shown(value),
        )
    if isinstance(value, Rational):
        return int(value) if isinstance(value, Integral) else Fraction(value)
    if isinstance(value, str):
        return _number_of_text(value, at)
    _check_present(any_float(value), at)
    return _short(value if isinstance(value, Decimal) else Decimal(repr(any_float(value))), at)


def _number_of_text(text: str, at: Given) -> Fraction | Decimal:
    try:
        number = Decimal(text)
    except InvalidOperation:
        return written(text, at)
    _short(number, at)
    written(text, at)
    return number


def _short(number: Decimal, at: Given) -> Decimal:
    """Refuse a decimal of so many places that sums of it would take for ever."""
    exponent = number.as_tuple().exponent
    if isinstance(exponent, int) and max(abs(exponent), number.adjusted()) > _GREATEST_EXPONENT:
        raise InputError(
            "E-NUMBER-FORM",
            "{at} has too great an exponent",
            "write one of at most four digits",
            at=at,
        )
    return number


def _check_present(value: float, at: Given) -> None:
    if math.isnan(value):
        raise _missing(at)
    if math.isinf(value):
        raise InputError("E-NUMBER-NOT-FINITE", "{at} has an infinite entry", _WANTED, at=at)


def _missing(at: Given) -> InputError:
    return InputError(
        "E-NUMBER-NOT-FINITE",
        "{at} has a missing entry",
        "write 0 for an outcome that cannot occur",
        at=at,
    )


def rows_of(value: Any) -> list[Any] | None:
    """Return the rows of a list, an array or a frame as they are compared; None for no table."""
    if isinstance(value, (tuple, list)):
        return [one_nan(_within(row)) for row in value]
    if has_columns(value):
        return [one_nan(row) for row in _rows_of_frame(value)]
    if hasattr(value, "__array__") and np.ndim(value):
        return [one_nan(_within(row)) for row in column_of(value)[1]]
    return None


def input_key(value: Any) -> Hashable:
    """Return what only the same input shares; 1 and True are equal and not the same."""
    hash(value)
    return type(value), repr(value), value


def _within(row: Any) -> Any:
    """Return a row with tuples for the arrays and lists in it, which are compared at once."""
    if hasattr(row, "__array__") and not isinstance(row, np.generic):
        row = np.asarray(row).tolist()
    return tuple(map(_within, row)) if isinstance(row, (list, tuple)) else row


def _rows_of_frame(frame: Any) -> Iterable[tuple[Any, ...]]:
    """Return the rows of a pandas, polars or Arrow frame, each cell with its column."""
    names = tuple(getattr(frame, "column_names", None) or frame.columns)
    if hasattr(frame, "itertuples"):
        rows = frame.itertuples(index=False, name=None)
    elif hasattr(frame, "iter_rows"):
        rows = frame.iter_rows()
    else:
        rows = zip(*(each.to_pylist() for each in frame.columns), strict=True)
    return (tuple(zip(names, row, strict=True)) for row in rows)
