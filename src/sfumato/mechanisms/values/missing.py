"""What stands for no value at all, whichever library it comes from."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["is_missing", "is_placeholder"]


def is_placeholder(value: Any) -> bool:
    """Tell whether a value has no type that would say what is missing: None, pandas' NA, a mask.

    Comparing such a value, even to itself, gives the same placeholder again.
    """
    differs = _differs_from_itself(value)
    return value is None or (differs is value and not isinstance(value, bool))


def is_missing(value: Any) -> bool:
    """Tell whether a value is a placeholder or not equal to itself, or has such a part."""
    if isinstance(value, (tuple, frozenset)):
        return any(map(is_missing, value))
    return is_placeholder(value) or _differs_from_itself(value) is True


def _differs_from_itself(value: Any) -> Any:
    """Return whether a value differs from itself, or what it says instead of True or False."""
    try:
        differs = value != value
    except ArithmeticError:  # Decimal's signalling NaN
        return True
    return bool(differs) if isinstance(differs, np.bool) else differs
