"""Numbers of an event as text: for people, for documents, and for pasting back."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from sfumato.numeric import Ln, any_float
from sfumato.translation import tr

__all__ = ["literal", "plain"]


def plain(value: Any) -> str:
    """Return a number as a person would write it: a decimal where it is one, else p/q."""
    if isinstance(value, tuple):
        return ", ".join(
            tr("{bound} at order {order}", bound=plain(bound), order=plain(order))
            for order, bound in value
        )
    if isinstance(value, Ln):
        return f"ln({value.argument})"
    return _decimal(Fraction(value)) or str(value)


def literal(value: Any) -> str:
    """Return a number as Python that an event reads back as the same number."""
    if isinstance(value, tuple):
        pairs = ", ".join(f"{literal(order)}: {literal(bound)}" for order, bound in value)
        return f"{{{pairs}}}"
    if isinstance(value, Ln):
        exact = value.argument
        return f"Ln({exact if exact.denominator == 1 else repr(str(exact))})"
    return _decimal(Fraction(value)) or repr(str(value))


def _decimal(value: Fraction) -> str | None:
    """Return the whole number, or the float whose shortest decimal is this very number."""
    if value.denominator == 1:
        return str(value.numerator)
    number = any_float(value)
    exact = math.isfinite(number) and Fraction(repr(number)) == value
    return repr(number) if exact else None
