"""Reading the parameters of an event: exact, and of a size that can be written down."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any, TypeVar

from sfumato.errors import InputError
from sfumato.numeric import Ln, read_count, shown
from sfumato.privacy.events.base import plain
from sfumato.privacy.parameters import (
    Epsilon,
    read_delta,
    read_epsilon,
    read_positive,
    read_rate,
    written,
)
from sfumato.refusal import Argument
from sfumato.translation import mark

#: What may be given for an exact number; a float is the decimal that was written.
Number = str | float | Fraction | Decimal

_MOST_DIGITS = 1000
_MOST_BITS = 3321  # every number of that many bits has at most so many digits

Kept = TypeVar("Kept", bound=int | Epsilon)


def positive(value: Any, name: str) -> Fraction:
    """Return a number above 0."""
    return _storable(read_positive(value, name), name)


def epsilon(value: Any, name: str = "epsilon") -> Epsilon:
    """Return a privacy parameter of 0 or more."""
    return _storable(read_epsilon(value, name), name)


def positive_epsilon(value: Any, name: str = "epsilon") -> Epsilon:
    """Return a privacy parameter above 0."""
    return _storable(read_epsilon(value, name, above_zero=True), name)


def rational_epsilon(value: Any, name: str) -> Fraction:
    """Return a bound of 0 or more that is no logarithm."""
    number = written(value, name)
    if number < 0:
        raise InputError(
            "E-ARGUMENT-RANGE",
            "{name} must be 0 or more, not {value}",
            "it bounds a privacy loss",
            name=Argument(name),
            value=shown(value),
        )
    return _storable(number, name)


def probability(value: Any, name: str) -> Fraction:
    """Return a probability or a count: 0 or more."""
    number = written(value, name)
    if number < 0:
        raise InputError(
            "E-PROBABILITY-NEGATIVE",
            "{name} has an entry below 0",
            "probabilities and counts are 0 or more",
            name=Argument(name),
        )
    return _storable(number, name)


def delta(value: Any) -> Fraction:
    """Return a probability below 1."""
    return _storable(read_delta(value), "delta")


def rate(value: Any) -> Fraction:
    """Return a share above 0 and at most 1."""
    return _storable(read_rate(value), "rate")


def count(value: Any, name: str, *, least: int = 1) -> int:
    """Return a whole number that is not below the least."""
    return _storable(read_count(value, name, least=least), name)


def curve(given: Any) -> tuple[tuple[Fraction, Fraction], ...]:
    """Return pairs of a Rényi order and a bound, sorted by the order."""
    points = [_pair(each) for each in _listed(given)]
    if not points:
        raise InputError("E-CURVE-FORM", "curve names no Rényi order", "write {{2: 0.5, 8: 1.9}}")
    if len(dict(points)) < len(points):
        raise InputError(
            "E-CURVE-FORM",
            "curve names a Rényi order twice",
            "give each order one bound, as in {{2: 0.5, 8: 1.9}}",
        )
    return tuple(sorted(points))


def stored(value: Any) -> Any:
    """Return a number, or pairs of them, as documents do: counts as they are, others as text."""
    if isinstance(value, tuple):
        return [stored(each) for each in value]
    return value if isinstance(value, int) else plain(value)


def as_number(value: Any, name: str) -> Any:
    """Return what stands for a number, or for pairs of them, unless it is an object."""
    if isinstance(value, dict):
        raise InputError(
            "E-ARGUMENT-TYPE",
            "{name} must be a number, or pairs of them, not {value}",
            "write 1, say",
            name=Argument(name),
            value=shown(value),
        )
    return value


def _listed(given: Any) -> list[Any]:
    if isinstance(given, Mapping):
        return list(given.items())
    if isinstance(given, Iterable) and not isinstance(given, (str, bytes)):
        return list(given)
    raise InputError(
        "E-CURVE-FORM",
        "curve must map Rényi orders to bounds, not be {given}",
        "write {{2: 0.5}}",
        given=shown(given),
    )


def _pair(given: Any) -> tuple[Fraction, Fraction]:
    if not isinstance(given, (tuple, list)) or len(given) != 2:
        raise InputError(
            "E-CURVE-FORM",
            "a point of a curve is an order and a bound, not {given}",
            "write (2, 0.5)",
            given=shown(given),
        )
    order = _order(*given)
    return order, rational_epsilon(given[1], mark("the bound of a Rényi order"))


def _order(given: Any, bound: Any) -> Fraction:
    """Return a Rényi order; refuse those that say something else, or too little.

    Infinity is pure privacy.  Order 1 is a mean of the loss, which leaves room for a great loss
    with a probability that falls no faster than the loss grows.  Below 1 the divergence stays
    finite even where an outcome is possible on one side only :cite:p:`vanerven2014`.
    """
    if _is_infinite(given):
        raise InputError(
            "E-ARGUMENT-RANGE",
            "a Rényi bound at the order infinity is pure differential privacy",
            "write PureDP(epsilon={bound}), or the event Pure(epsilon={bound})",
            bound=shown(bound),
        )
    order = _storable(written(given, mark("a Rényi order")), mark("a Rényi order"))
    if order > 1:
        return order
    if order == 1:
        raise InputError(
            "E-ARGUMENT-RANGE",
            "the Rényi order 1 is the Kullback-Leibler divergence, a mean from which only an ε in "
            "proportion to 1/δ follows",
            "write an order above 1, as in {{2: 0.5}}",
        )
    if order < 0:
        raise InputError(
            "E-ARGUMENT-RANGE",
            "a Rényi order must be above 1, not {given}",
            "write {{2: 0.5}}, say",
            given=shown(given),
        )
    raise InputError(
        "E-ARGUMENT-RANGE",
        "at a Rényi order below 1, such as {given}, the divergence stays finite even where an "
        "output gives somebody away",
        "write an order above 1, as in {{2: 0.5}}",
        given=shown(given),
    )


def _is_infinite(order: Any) -> bool:
    if isinstance(order, str):
        return order.strip().lower().lstrip("+") in {"inf", "infinity", "∞"}
    if isinstance(order, Decimal):
        return order.is_infinite() and order > 0
    return isinstance(order, float) and order == math.inf


def _storable(number: Kept, name: str) -> Kept:
    """Refuse a number that is too long to print and to store."""
    exact = number.argument if isinstance(number, Ln) else number
    if max(exact.numerator.bit_length(), exact.denominator.bit_length()) > _MOST_BITS:
        raise InputError(
            "E-NUMBER-FORM",
            "{name} has more than {most_digits:,} digits",
            "write a shorter number",
            name=Argument(name),
            most_digits=_MOST_DIGITS,
        )
    return number
