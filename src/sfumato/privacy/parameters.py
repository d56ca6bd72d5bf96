"""Reading the numbers of a guarantee: exact, and the decimal that was written."""

from __future__ import annotations

import math
import re
from decimal import Decimal
from fractions import Fraction
from numbers import Rational, Real
from string import whitespace
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError
from sfumato.numeric import (
    Ln,
    any_float,
    as_ball,
    exact,
    float_above,
    float_below,
    meant,
    shown,
)
from sfumato.refusal import Argument, Bare, text

if TYPE_CHECKING:
    from sfumato.refusal import Given


#: An exact privacy parameter: a rational, or the logarithm of one.
Epsilon = Fraction | Ln

_LOGARITHM = re.compile(r"ln\((.+)\)")


def written(value: Any, name: Given = "value") -> Fraction:
    """Return the rational that a person wrote: a float is the shortest decimal that denotes it.

    Examples
    --------
    >>> from sfumato.privacy import written
    >>> written(0.1), written("1/3")
    (Fraction(1, 10), Fraction(1, 3))
    """
    if isinstance(value, bool) or not isinstance(value, (str, Decimal, Real)):
        raise InputError(
            "E-ARGUMENT-TYPE",
            "{name} must be a number, not {value}",
            "write 0.5, Fraction(1, 2) or '1/2'",
            name=Argument(name),
            value=shown(value),
        )
    if isinstance(value, str):
        return _read_text(value, name)
    if isinstance(value, (Decimal, Rational)):
        return exact(value, name)
    number = any_float(value)
    if not math.isfinite(number):
        raise InputError(
            "E-NUMBER-NOT-FINITE",
            "{name} must be a finite number, not {value}",
            "write 0.5 or '1/2'",
            name=Argument(name),
            value=shown(value),
        )
    return Fraction(Decimal(repr(number)))


def _read_text(given: str, name: Given, also: str = "1e-6") -> Fraction:
    try:
        return exact(given, name)
    except InputError as error:
        if error.code == "E-NUMBER-FORM":
            raise
        failure = InputError(
            "E-NUMBER-FORM",
            "{name} must be a number, not {text}",
            "write 0.5, '1/2' or {also}",
            name=Argument(name),
            text=shown(given),
            also=also,
        )
        if numeral := meant(given):
            failure = InputError(
                "E-NUMBER-FORM",
                "{name} must be in the digits 0 to 9, not {text}",
                "write {numeral}",
                name=Argument(name),
                text=shown(given),
                numeral=numeral,
            )
        raise failure from None


def read_positive(value: Any, name: str) -> Fraction:
    """Return a number above 0, exactly."""
    number = written(value, name)
    if number <= 0:
        raise InputError(
            "E-ARGUMENT-RANGE",
            "{name} must be above 0, not {value}",
            "write a positive number, such as 1",
            name=Argument(name),
            value=shown(value),
        )
    return number


def read_epsilon(value: Any, name: str = "epsilon", *, above_zero: bool = False) -> Epsilon:
    """Return a privacy parameter of 0 or more, exactly: a rational, or ``Ln(2)`` for ln 2."""
    number = _logarithm(value) or _number(value, name)
    if above_zero and number <= 0:
        raise InputError(
            "E-ARGUMENT-RANGE",
            "{name} must be above 0, not {value}",
            "write a positive number, such as 1",
            name=Argument(name),
            value=shown(value),
        )
    if number < 0:
        raise InputError(
            "E-ARGUMENT-RANGE",
            "{name} must be 0 or more, not {value}",
            "it bounds a privacy loss",
            name=Argument(name),
            value=shown(value),
        )
    return number


def _number(value: Any, name: str) -> Fraction:
    return _read_text(value, name, "ln(2)") if isinstance(value, str) else written(value, name)


def _logarithm(value: Any) -> Ln | None:
    if isinstance(value, str) and (found := _LOGARITHM.fullmatch(value.strip(whitespace))):
        return Ln(found[1])
    return value if isinstance(value, Ln) else None


def read_delta(value: Any, name: str = "delta") -> Fraction:
    """Return a probability from 0 up to, and without, 1."""
    number = written(value, name)
    if not 0 <= number < 1:
        raise InputError(
            "E-ARGUMENT-RANGE",
            "{name} must be 0 or more and below 1, not {value}",
            "write 1e-6, say",
            name=Argument(name),
            value=shown(value),
        )
    return number


def read_given_delta(value: Any) -> Fraction | None:
    """Return a probability strictly between 0 and 1; None where none is given, which is pure ε."""
    if value is None:
        return None
    number = written(value, "delta")
    if not 0 < number < 1:
        raise InputError(
            "E-ARGUMENT-RANGE",
            "{argument} must lie between 0 and 1, not be {delta}",
            "write {example}, or leave it out for pure ε",
            delta=shown(value),
            example=Argument("delta", Bare("1e-6")),
            argument=Argument("delta"),
        )
    return number


def read_confidence(value: Any) -> Fraction:
    """Return a probability strictly between 0 and 1, exactly."""
    return read_inside(value, "confidence", write="0.95")


def read_inside(value: Any, name: str, *, write: str) -> Fraction:
    """Return a number strictly between 0 and 1, exactly; ``write`` is what errors offer."""
    number = written(value, name)
    if not 0 < number < 1:
        raise InputError(
            "E-ARGUMENT-RANGE",
            "{argument} must lie between 0 and 1, not be {value}",
            "write {example}, say",
            value=shown(value),
            example=Argument(name, Bare(write)),
            argument=Argument(name),
        )
    return number


def read_rate(value: Any, name: str = "rate") -> Fraction:
    """Return a share above 0 and at most 1."""
    number = written(value, name)
    if not 0 < number <= 1:
        raise InputError(
            "E-ARGUMENT-RANGE",
            "{name} must be above 0 and at most 1, not {value}",
            "write 0.01, say",
            name=Argument(name),
            value=shown(value),
        )
    return number


def read_ends(
    given: Any, name: Given = "bounds", *, write: Given = "(0, 100)"
) -> tuple[Fraction, Fraction]:
    """Return a lower and an upper bound, exactly."""
    if not isinstance(given, (tuple, list)) or len(given) != 2:
        raise InputError(
            "E-BOUNDS-FORM",
            "{name} must be a lower and an upper bound, not {bounds}",
            "write {write}, say",
            name=Argument(name),
            bounds=shown(given),
            write=write,
        )
    one = text("a number of {name}", name=Argument(name))
    lower, upper = (written(each, one) for each in given)
    if lower >= upper:
        raise InputError(
            "E-BOUNDS-ORDER",
            "{name} must have the lower one first, not {lower} and {upper}",
            "write {write}, say",
            name=Argument(name),
            lower=shown(lower),
            upper=shown(upper),
            write=write,
        )
    return lower, upper


def above(value: Epsilon) -> float:
    """Return the least float not below an exact parameter."""
    return float_above(value if isinstance(value, Fraction) else as_ball(value))


def below(value: Epsilon) -> float:
    """Return the greatest float not above an exact parameter."""
    return float_below(value if isinstance(value, Fraction) else as_ball(value))
