"""How close two proved bounds are asked to be."""

from __future__ import annotations

import math
from numbers import Real
from typing import Any

from sfumato.errors import InputError

__all__ = ["check_tolerance"]


def check_tolerance(tolerance: Any) -> float:
    """Return a tolerance as a float: any positive finite number."""
    number = isinstance(tolerance, Real) and not isinstance(tolerance, bool)
    if not number or not 0 < tolerance < math.inf:
        message = f"tolerance must be a positive number, such as 1e-9; {tolerance!r} is not"
        raise InputError(message)
    return float(tolerance)
