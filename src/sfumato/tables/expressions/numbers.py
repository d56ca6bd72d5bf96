"""Arithmetic, and functions of numbers."""

from __future__ import annotations

from typing import Any

from sfumato.errors import InputError
from sfumato.tables.expressions.chaining import Chaining, E


class Numbers(Chaining[E]):
    """Arithmetic is done in double precision; what is not finite is null."""

    def __add__(self, other: Any) -> E:
        return self._call("add", other)

    def __radd__(self, other: Any) -> E:
        return self._called_on("add", other)

    def __sub__(self, other: Any) -> E:
        return self._call("subtract", other)

    def __rsub__(self, other: Any) -> E:
        return self._called_on("subtract", other)

    def __mul__(self, other: Any) -> E:
        return self._call("multiply", other)

    def __rmul__(self, other: Any) -> E:
        return self._called_on("multiply", other)

    def __truediv__(self, other: Any) -> E:
        return self._call("divide", other)

    def __rtruediv__(self, other: Any) -> E:
        return self._called_on("divide", other)

    def __floordiv__(self, other: Any) -> E:
        return self._call("floor_divide", other)

    def __rfloordiv__(self, other: Any) -> E:
        return self._called_on("floor_divide", other)

    def __mod__(self, other: Any) -> E:
        return self._call("modulo", other)

    def __rmod__(self, other: Any) -> E:
        return self._called_on("modulo", other)

    def __pow__(self, other: Any) -> E:
        return self._call("power", other)

    def __rpow__(self, other: Any) -> E:
        return self._called_on("power", other)

    def __neg__(self) -> E:
        return self._call("negative")

    def __abs__(self) -> E:
        return self._call("abs")

    def clip(self, lower: Any, upper: Any) -> E:
        """Return the value, or the nearer bound where it lies outside; null stays null."""
        made = self._call("clip", lower, upper)
        _check_order(lower, upper)
        return made

    def round(self, digits: int = 0) -> E:
        """Return the nearest whole number, or the nearest with so many digits behind the point.

        Halves go away from zero: 2.5 to 3, -2.5 to -3.

        Parameters
        ----------
        digits
            From 0, which gives an integer, to 15.
        """
        return self._call("round", *([] if digits == 0 else [digits]))

    def floor(self) -> E:
        """Return the greatest whole number that is not above the value."""
        return self._call("floor")

    def ceil(self) -> E:
        """Return the least whole number that is not below the value."""
        return self._call("ceil")

    def sqrt(self) -> E:
        """Return the square root; null below zero."""
        return self._call("sqrt")

    def ln(self) -> E:
        """Return the natural logarithm; null unless the value is above zero."""
        return self._call("ln")

    def log10(self) -> E:
        """Return the logarithm to base 10; null unless the value is above zero."""
        return self._call("log10")

    def exp(self) -> E:
        """Return e to the power of the value; null where that is too large for a number."""
        return self._call("exp")

    def sign(self) -> E:
        """Return -1, 0 or 1."""
        return self._call("sign")


def _check_order(lower: Any, upper: Any) -> None:
    """Refuse bounds that are both plain numbers and the wrong way round."""
    if isinstance(lower, (int, float)) and isinstance(upper, (int, float)) and lower > upper:
        raise InputError(
            "E-BOUNDS-ORDER",
            "clip was given the bounds {lower} and {upper}",
            "write the smaller one first",
            lower=lower,
            upper=upper,
        )
