"""Whole numbers that are asked for."""

from __future__ import annotations

from numbers import Integral
from typing import Any

from sfumato.errors import InputError
from sfumato.refusal import Argument

__all__ = ["read_whole"]


def read_whole(value: Any, name: str, *, least: int = 1) -> int:
    """Return a whole number that is not too small."""
    if isinstance(value, bool) or not isinstance(value, Integral) or int(value) < least:
        raise InputError(
            "E-ARGUMENT-RANGE",
            "{name} must be a whole number of {least} or more",
            "{least}, say",
            name=Argument(name),
            least=least,
        )
    return int(value)
