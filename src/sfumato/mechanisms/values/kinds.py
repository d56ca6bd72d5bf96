"""Which values count as numbers: by their type alone."""

from __future__ import annotations

import math
from fractions import Fraction
from numbers import Integral, Rational
from typing import Any, TypeGuard

import numpy as np

from sfumato.errors import InputError

__all__ = ["exactly", "is_number", "is_whole", "refuse_masked"]

#: What Python and NumPy count among the whole numbers, and is none.
_NO_NUMBERS = (bool, np.timedelta64)


def is_whole(value: object) -> TypeGuard[Integral]:
    """Tell whether a value is a whole number: Python's or NumPy's, no truth value, no duration.

    Examples
    --------
    >>> import numpy as np
    >>> from sfumato.mechanisms.values.kinds import is_whole
    >>> is_whole(2**70), is_whole(np.int8(3)), is_whole(3.0), is_whole(np.timedelta64(3))
    (True, True, False, False)
    """
    return isinstance(value, Integral) and not isinstance(value, _NO_NUMBERS)


def is_number(value: object) -> bool:
    """Tell whether a value is a whole number, a Fraction or a float of any length.

    Examples
    --------
    >>> import numpy as np
    >>> from sfumato.mechanisms.values.kinds import is_number
    >>> is_number(0.5), is_number(np.float32("nan")), is_number(True), is_number("1")
    (True, True, False, False)
    """
    return is_whole(value) or isinstance(value, (float, np.floating, Fraction))


def exactly(number: Any) -> Fraction | float:
    """Return a number exactly; NaN, and what is beyond all floats, as the float it is.

    Examples
    --------
    >>> from sfumato.mechanisms.values.kinds import exactly
    >>> exactly(0.5), exactly(2**70), exactly(float("-inf"))
    (Fraction(1, 2), Fraction(1180591620717411303424, 1), -inf)
    """
    if isinstance(number, Rational):  # NumPy's integers are such, and overflow
        return Fraction(int(number.numerator), int(number.denominator))
    near = float(number)
    return Fraction(*number.as_integer_ratio()) if math.isfinite(near) else near


def refuse_masked(value: Any) -> None:
    """Refuse a masked array, of which NumPy would read what is masked as if it were not.

    Examples
    --------
    >>> import numpy as np
    >>> from sfumato.mechanisms.values.kinds import refuse_masked
    >>> refuse_masked(np.ma.array([1, 2], mask=[False, True]))
    Traceback (most recent call last):
        ...
    sfumato.errors.InputError: a masked array is not taken, since what it hides would be read; \
write array.filled(0), or another public number for what is hidden
    """
    if isinstance(value, np.ma.MaskedArray):
        message = (
            "a masked array is not taken, since what it hides would be read; write "
            "array.filled(0), or another public number for what is hidden"
        )
        raise InputError(message)
