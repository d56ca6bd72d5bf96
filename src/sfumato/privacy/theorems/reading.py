"""Arguments that several theorems take, read exactly."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

from sfumato.errors import InputError
from sfumato.numeric import Ln, shown
from sfumato.privacy.parameters import written
from sfumato.refusal import Argument

__all__ = [
    "EpsilonLike",
    "NumberLike",
    "read_nonnegative",
    "read_order",
    "read_probability",
]

NumberLike = float | Fraction | Decimal | str
EpsilonLike = NumberLike | Ln


def read_nonnegative(value: Any, name: str) -> Fraction:
    """Return a number of 0 or more, exactly."""
    number = written(value, name)
    if number < 0:
        raise InputError(
            "E-ARGUMENT-RANGE",
            "{name} must be 0 or more, not {value}",
            "write 0.5, say",
            name=Argument(name),
            value=shown(value),
        )
    return number


def read_order(value: Any, name: str = "order") -> Fraction:
    """Return a Rényi order above 1, exactly."""
    number = written(value, name)
    if number <= 1:
        raise InputError(
            "E-ARGUMENT-RANGE",
            "{name} must be above 1, not {value}",
            "write a Rényi order, such as 8",
            name=Argument(name),
            value=shown(value),
        )
    return number


def read_probability(value: Any, name: str) -> Fraction:
    """Return a probability above 0 and below 1, exactly."""
    number = written(value, name)
    if not 0 < number < 1:
        raise InputError(
            "E-ARGUMENT-RANGE",
            "{name} must be above 0 and below 1, not {value}",
            "write 1e-6, say",
            name=Argument(name),
            value=shown(value),
        )
    return number
