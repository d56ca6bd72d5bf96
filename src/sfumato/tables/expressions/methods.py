"""What can be written of an expression: its operators, and its methods."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

from sfumato.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

E = TypeVar("E")


def _operator(function: str) -> Callable[[Chaining[E], Any], E]:
    """Return the method of an operator between this and another value."""

    def apply(self: Chaining[E], other: Any) -> E:
        return self._call(function, other)

    return apply


def _reflected(function: str) -> Callable[[Chaining[E], Any], E]:
    """Return the method of an operator between another value and this."""

    def apply(self: Chaining[E], other: Any) -> E:
        return self._called_on(function, other)

    return apply


class Chaining(Generic[E]):
    """Something that functions can be applied to, which gives an expression ``E``.

    Arithmetic is done in double precision; what is not finite is null.  A comparison with null is
    null; ``&`` and ``|`` know when it does not matter.  Texts are joined with ``+``.
    """

    def _call(self, function: str, *arguments: Any) -> E:
        """Return a function of this and of ``arguments``."""
        raise NotImplementedError

    def _called_on(self, function: str, first: Any) -> E:
        """Return a function of ``first`` and of this."""
        raise NotImplementedError

    __add__, __radd__ = _operator("add"), _reflected("add")
    __sub__, __rsub__ = _operator("subtract"), _reflected("subtract")
    __mul__, __rmul__ = _operator("multiply"), _reflected("multiply")
    __truediv__, __rtruediv__ = _operator("divide"), _reflected("divide")
    __floordiv__, __rfloordiv__ = _operator("floor_divide"), _reflected("floor_divide")
    __mod__, __rmod__ = _operator("modulo"), _reflected("modulo")
    __pow__, __rpow__ = _operator("power"), _reflected("power")
    __and__, __rand__ = _operator("and"), _reflected("and")
    __or__, __ror__ = _operator("or"), _reflected("or")
    __lt__, __le__ = _operator("less"), _operator("less_equal")
    __gt__, __ge__ = _operator("greater"), _operator("greater_equal")

    def __eq__(self, other: object) -> E:  # type: ignore[override]
        return self._call("equal", other)

    def __ne__(self, other: object) -> E:  # type: ignore[override]
        return self._call("not_equal", other)

    __hash__ = object.__hash__

    def __neg__(self) -> E:
        return self._call("negative")

    def __abs__(self) -> E:
        return self._call("abs")

    def __invert__(self) -> E:
        return self._call("not")

    def is_null(self) -> E:
        """Return whether there is no value."""
        return self._call("is_null")

    def is_not_null(self) -> E:
        """Return whether there is a value."""
        return self._call("is_not_null")

    def is_in(self, values: Iterable[Any]) -> E:
        """Return whether the value is one of several."""
        return self._call("is_in", *_listed(values))

    def between(self, lower: Any, upper: Any) -> E:
        """Return whether the value lies between two others, or is one of them."""
        return self._call("between", lower, upper)

    def fill_null(self, value: Any) -> E:
        """Return the value, or another one where there is none."""
        return self._call("coalesce", value)

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

    def like(self, pattern: str) -> E:
        """Return whether the whole text fits a pattern.

        In the pattern % stands for any text, _ for one character, and a backslash before either of
        them, or before itself, for the character as it is.
        """
        return self._call("like", pattern)

    def lower(self) -> E:
        """Return the text in small letters."""
        return self._call("lower")

    def upper(self) -> E:
        """Return the text in capital letters."""
        return self._call("upper")

    def strip(self) -> E:
        """Return the text without the blanks, tabs and line ends around it."""
        return self._call("strip")

    def length(self) -> E:
        """Return the number of characters (Unicode code points)."""
        return self._call("length")

    def substring(self, start: int, length: int) -> E:
        """Return at most ``length`` characters from the place ``start`` on, which counts from 1."""
        return self._call("substring", start, length)

    def left(self, length: int) -> E:
        """Return the first characters, at most so many."""
        return self._call("left", length)

    def right(self, length: int) -> E:
        """Return the last characters, at most so many."""
        return self._call("right", length)

    def starts_with(self, other: Any) -> E:
        """Return whether the text begins with another."""
        return self._call("starts_with", other)

    def ends_with(self, other: Any) -> E:
        """Return whether the text ends with another."""
        return self._call("ends_with", other)

    def contains(self, other: Any) -> E:
        """Return whether another text is somewhere in it."""
        return self._call("contains", other)

    def replace(self, old: str, new: str) -> E:
        """Return the text with every ``old`` in it replaced; null if it is longer than 10,000."""
        return self._call("replace", old, new)

    def year(self) -> E:
        """Return the year."""
        return self._call("year")

    def quarter(self) -> E:
        """Return the quarter of the year, from 1 to 4."""
        return self._call("quarter")

    def month(self) -> E:
        """Return the month, from 1 to 12."""
        return self._call("month")

    def day(self) -> E:
        """Return the day of the month, from 1."""
        return self._call("day")

    def weekday(self) -> E:
        """Return the day of the week, from 1 for Monday to 7 for Sunday (ISO 8601)."""
        return self._call("weekday")

    def day_of_year(self) -> E:
        """Return the day of the year, from 1."""
        return self._call("day_of_year")

    def hour(self) -> E:
        """Return the hour of a timestamp, from 0 to 23."""
        return self._call("hour")

    def minute(self) -> E:
        """Return the minute of a timestamp, from 0 to 59."""
        return self._call("minute")

    def second(self) -> E:
        """Return the whole second of a timestamp, from 0 to 59."""
        return self._call("second")

    def date_trunc(self, unit: str) -> E:
        """Return the beginning of the unit of time that the value lies in.

        Parameters
        ----------
        unit
            "year", "quarter", "month", "week" (from Monday) or "day"; of a timestamp also "hour",
            "minute" or "second".
        """
        return self._call("date_trunc", unit)

    def days_until(self, other: Any) -> E:
        """Return how many days it is from this date to another; the time of day does not count."""
        return self._call("days_until", other)

    def add_days(self, days: Any) -> E:
        """Return the value so many days later; null outside the years 1 to 9999."""
        return self._call("add_days", days)


def _listed(values: Iterable[Any]) -> list[Any]:
    """Return the values to look among, refused if there are none or if one is null."""
    try:
        found = [] if isinstance(values, (str, bytes)) else list(values)
    except TypeError:
        found = []
    if not found or any(each is None for each in found):
        raise InputError(
            "E-EXPRESSION-FORM",
            "is_in needs a list of one value or more, none of them None",
            'write is_in(["a", "b"]), and is_null() for the rest',
        )
    return found


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
