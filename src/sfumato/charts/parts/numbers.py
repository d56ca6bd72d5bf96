"""Numbers that an axis can show."""

from __future__ import annotations

import math
from typing import Any

from sfumato.numeric import any_float

__all__ = ["finite"]


def finite(value: Any) -> float | None:
    """Return a number that has a place on an axis, and None for all else."""
    is_number = isinstance(value, (int, float)) and math.isfinite(any_float(value))
    return value if is_number else None
