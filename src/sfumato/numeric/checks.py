"""Argument checks whose errors are one sentence: what was given, what is allowed, what to write."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError
from sfumato.numeric.exact import Ln, shown
from sfumato.numeric.rounding import any_float
from sfumato.refusal import Argument
from sfumato.translation import mark

if TYPE_CHECKING:
    from sfumato.refusal import Given


Number = float | Fraction | Decimal


def check_order(order: Any) -> float:
    """Return a Rényi order as a float: any number from 0 to infinity.

    Examples
    --------
    >>> from sfumato.numeric import check_order
    >>> check_order(2)
    2.0
    """
    value = _real(order, "order", mark("a number from 0 to infinity"))
    if not value >= 0:
        raise InputError(
            "E-ARGUMENT-RANGE",
            "{order} must be 0 or more, not {value:g}",
            "1 is Shannon's, infinity the last",
            value=value,
            order=Argument("order"),
        )
    return value


def check_base(base: Any) -> float:
    """Return the base of a logarithm as a float: any number above 1.

    Examples
    --------
    >>> from sfumato.numeric import check_base
    >>> check_base(2)
    2.0
    """
    value = _real(base, "base", mark("a number above 1, such as 2 for bits or math.e for nats"))
    if not 1 < value < math.inf:
        raise InputError(
            "E-ARGUMENT-RANGE",
            "base must be above 1 and finite, not {value:g}",
            "2 gives bits, e = 2.718... nats",
            value=value,
        )
    return value


def check_probability(value: Any, name: str) -> Number:
    """Return a number from 0 to 1, exact if it was given exactly.

    Examples
    --------
    >>> from sfumato.numeric import check_probability
    >>> check_probability(0.1, "delta")
    0.1
    """
    _real(value, name, mark("a number from 0 to 1"))
    if not 0 <= value <= 1:
        raise InputError(
            "E-ARGUMENT-RANGE",
            "{name} must lie between 0 and 1, not {value}",
            "it is a probability",
            name=Argument(name),
            value=shown(value),
        )
    number: Number = value
    return number


def check_epsilon(value: Any, *, least: float = -math.inf) -> Number | Ln:
    """Return a privacy parameter: a number, exact if given so, or an exact ``Ln``.

    Examples
    --------
    >>> from sfumato.numeric import Ln, check_epsilon
    >>> check_epsilon(Ln(2))
    Ln(2)
    """
    if not isinstance(value, Ln):
        _real(value, "epsilon", mark("a number, or Ln(2) for ln 2 exactly"))
    if not value >= least:
        raise InputError(
            "E-ARGUMENT-RANGE",
            "{epsilon} must be {least:g} or more, not {value}",
            "it is a logarithm of a ratio",
            least=least,
            value=shown(value),
            epsilon=Argument("epsilon"),
        )
    number: Number | Ln = value
    return number


def check_tolerance(tolerance: Any) -> float:
    """Return how close two proved bounds are asked to be: any positive finite number.

    Examples
    --------
    >>> from sfumato.numeric import check_tolerance
    >>> check_tolerance(1e-9)
    1e-09
    """
    wanted = mark("a positive number, such as 1e-9")
    value = _real(tolerance, "tolerance", wanted)
    if not 0 < value < math.inf:
        raise InputError(
            "E-ARGUMENT-RANGE",
            "tolerance must be {wanted}",
            "{tolerance} is not",
            wanted=wanted,
            tolerance=shown(tolerance),
        )
    return value


def read_count(
    value: Any, name: Given = "count", *, least: int = 1, most: int | None = None, write: Any = None
) -> int:
    """Return a whole number that is not below the least, nor above the most if there is one.

    Parameters
    ----------
    value
        What was given.
    name
        What errors call it.
    least, most
        What it may be at least, and at most if there is a limit.
    write
        What errors offer to write; the least unless told.

    Examples
    --------
    >>> from sfumato.numeric import read_count
    >>> read_count(3, "people")
    3
    """
    whole = isinstance(value, Integral) and not isinstance(value, bool)
    if whole and least <= value and (most is None or value <= most):
        return int(value)
    given = {
        "name": Argument(name),
        "least": least,
        "value": shown(value),
        "write": least if write is None else write,
    }
    if most is None:
        raise InputError(
            "E-ARGUMENT-RANGE",
            "{name} must be a whole number of {least} or more, not {value}",
            "write {write}, say",
            **given,
        )
    raise InputError(
        "E-ARGUMENT-RANGE",
        "{name} must be a whole number from {least:,} to {most:,}, not {value}",
        "write {write}, say",
        most=most,
        **given,
    )


def _real(value: Any, name: str, allowed: str) -> float:
    number = math.nan
    if isinstance(value, (Real, Decimal)) and not isinstance(value, bool):
        number = any_float(value)
    if math.isnan(number):
        raise InputError(
            "E-ARGUMENT-RANGE",
            "{name} must be {allowed}",
            "{value} is not",
            name=Argument(name),
            allowed=allowed,
            value=shown(value),
        )
    return number
