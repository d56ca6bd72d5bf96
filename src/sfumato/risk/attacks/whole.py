"""Whole numbers that are asked for."""

from __future__ import annotations

from numbers import Integral
from typing import Any

from sfumato.errors import InputError

__all__ = ["read_whole"]


def read_whole(value: Any, name: str, *, least: int = 1) -> int:
    """Return a whole number that is not too small."""
    if isinstance(value, bool) or not isinstance(value, Integral) or int(value) < least:
        message = f"{name} must be a whole number of {least} or more; {least}, say"
        raise InputError(message)
    return int(value)
