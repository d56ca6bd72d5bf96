"""What stands for no value at all, whichever library it comes from."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["is_missing", "is_placeholder"]


def is_placeholder(value: Any) -> bool:
    """Tell whether a value has no type that would say what is missing: None, pandas' NA, a mask.

    Comparing such a value, even to itself, gives the same placeholder again.

    Examples
    --------
    >>> import math
    >>> import numpy as np
    >>> from sfumato.mechanisms.values.missing import is_placeholder
    >>> [is_placeholder(value) for value in (None, np.ma.masked, math.nan, False)]
    [True, True, False, False]
    """
    differs = _differs_from_itself(value)
    return value is None or (differs is value and not isinstance(value, bool))


def is_missing(value: Any) -> bool:
    """Tell whether a value is a placeholder or not equal to itself, or has such a part.

    Examples
    --------
    >>> import math
    >>> import numpy as np
    >>> from sfumato.mechanisms.values.missing import is_missing
    >>> [is_missing(value) for value in (None, np.float32("nan"), (1, math.nan), "", 0)]
    [True, True, True, False, False]
    """
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
