"""What is declared about one column, its bounds among it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal

from sfumato.data.policy.render import refusal, shown
from sfumato.data.policy.values import Value, read_type, read_value, read_values, type_of_values
from sfumato.errors import InputError
from sfumato.privacy import written
from sfumato.refusal import Setting
from sfumato.translation import mark

if TYPE_CHECKING:
    from collections.abc import Sequence


#: Bounds that are found privately, with a share of the budget.
AUTO: Literal["auto"] = "auto"

#: The least and the greatest value: exact numbers, dates, or timestamps.
Bounds = tuple[Fraction, Fraction] | tuple[date, date]

_ALLOWED = mark('a lower and an upper bound, to which values are clamped, or "auto"')
_EXAMPLE = Setting("bounds", "[0, 110]")
_GREATEST = Fraction(10) ** 300
_ORDERED = ("integer", "number", "date", "timestamp")


def read_bounds(given: Any) -> Bounds | Literal["auto"] | None:
    """Return bounds, if they are given.

    Parameters
    ----------
    given
        Two numbers, two dates or two timestamps, the lesser first; "auto"; or None.

    Examples
    --------
    >>> from sfumato.data.policy.columns import read_bounds
    >>> read_bounds([0, 0.1])
    (Fraction(0, 1), Fraction(1, 10))
    """
    if given is None or (isinstance(given, str) and given == AUTO):
        return given
    if not isinstance(given, (list, tuple)) or len(given) != 2:
        raise refusal(given, what="bounds", allowed=_ALLOWED, write=_EXAMPLE)
    low, high = _ends(given)
    if low == high:
        raise InputError(
            "E-BOUNDS-ORDER",
            "bounds are {list}, the same value twice",
            "write the lesser one first, as in {example}",
            list=_pair(given),
            example=_EXAMPLE,
        )
    if low > high:
        raise InputError(
            "E-BOUNDS-ORDER",
            "bounds are {list}, the greater one first",
            "write the lesser one first, as in {example}",
            list=_pair(given),
            example=Setting("bounds", _pair(given[::-1])),
        )
    return low, high


def type_of_bounds(bounds: Bounds | Literal["auto"]) -> str:
    """Return the type that bounds speak of: number, date or timestamp."""
    return "number" if bounds == AUTO else str(type_of_values(bounds))


def check_bounds_fit(bounds: Bounds | Literal["auto"], kind: str) -> None:
    """Refuse bounds that are not of a column's type."""
    if kind not in _ORDERED:
        raise InputError(
            "E-BOUNDS-TYPE",
            "a column of type {kind} has no bounds",
            "leave them out, or declare another type, such as {type_of_bounds}",
            kind=kind,
            type_of_bounds=type_of_bounds(bounds),
        )
    if bounds == AUTO:
        return
    if type_of_bounds(bounds) != ("number" if kind == "integer" else kind):
        raise InputError(
            "E-BOUNDS-TYPE",
            "bounds are of type {type_of_bounds}, and the column is of type {kind}",
            "write bounds of that type",
            type_of_bounds=type_of_bounds(bounds),
            kind=kind,
        )
    if kind == "integer" and any(_is_broken(each) for each in bounds):
        raise refusal(
            list(bounds),
            what=mark("bounds of an integer column"),
            allowed=mark("whole numbers"),
            write=_EXAMPLE,
        )


def _pair(given: Sequence[Any]) -> str:
    """Return two bounds as a file has them."""
    return f"[{', '.join(map(_end, given))}]"


def _end(given: Any) -> str:
    """Return one of the bounds; a number in a text, as on a command line, is without quotes."""
    return given if isinstance(given, str) and _finite(given) is not None else str(shown(given))


def _is_broken(end: Any) -> bool:
    return isinstance(end, Fraction) and end.denominator != 1


def _ends(given: Any) -> Any:
    kind = _type_of_ends(given)
    if kind == "number":
        return tuple(_number(each, given) for each in given)
    return tuple(read_value(each, kind, mark("one of the bounds")) for each in given)


def _type_of_ends(given: Any) -> str:
    """Return the type that both ends have, where text may be a date or a timestamp."""
    for kind in ("date", "timestamp"):
        if all(_is(each, kind) for each in given):
            return kind
    return "number"


def _is(end: Any, kind: str) -> bool:
    try:
        read_value(end, kind, "")
    except InputError:
        return False
    return True


def _number(end: Any, given: Any) -> Fraction:
    number = _finite(end)
    if number is None:
        raise refusal(
            list(given),
            what="bounds",
            allowed=mark("two finite numbers, two dates or two timestamps"),
            write=_EXAMPLE,
        )
    if abs(number) > _GREATEST:
        raise refusal(
            list(given),
            what="bounds",
            allowed=mark("numbers between -1e300 and 1e300"),
            write=_EXAMPLE,
        )
    return number


def _finite(end: Any) -> Fraction | None:
    try:
        return written(end)
    except InputError:
        return None


@dataclass(frozen=True)
class ColumnPolicy:
    """What is declared about one column; None where nothing is.

    Parameters
    ----------
    type
        "integer", "number", "text", "boolean", "date" or "timestamp".
    bounds
        The bounds to which values are clamped, or "auto" to find them privately.
    values
        The values that occur, which are public.
    complete
        Whether there are no missing values; any that occur count as the middle of the bounds.

    Examples
    --------
    >>> from sfumato.data.policy import ColumnPolicy
    >>> ColumnPolicy(type="integer", bounds=(0, 110)).bounds
    (Fraction(0, 1), Fraction(110, 1))
    """

    type: str | None = None
    bounds: Bounds | Literal["auto"] | None = None
    values: tuple[Value, ...] | None = None
    complete: bool = False

    def __post_init__(self) -> None:
        self._keep(type=read_type(self.type), bounds=read_bounds(self.bounds))
        if not isinstance(self.complete, bool):
            raise refusal(
                self.complete, what="complete", allowed=mark("true or false"), write="true"
            )
        if self.values is not None:
            self._keep(values=read_values(self.values, self.type))
        if self.bounds is not None and self.implied_type is not None:
            check_bounds_fit(self.bounds, self.implied_type)

    @property
    def implied_type(self) -> str | None:
        """The type that is declared, or else follows from the values or the bounds.

        Examples
        --------
        >>> from sfumato.data.policy import ColumnPolicy
        >>> ColumnPolicy(bounds=(0, 110)).implied_type, ColumnPolicy(values=(1, 2)).implied_type
        ('number', 'integer')
        """
        if self.type is not None:
            return self.type
        if self.values is not None:
            return type_of_values(self.values)
        return None if self.bounds is None else type_of_bounds(self.bounds)

    def _keep(self, **fields: Any) -> None:
        for name, value in fields.items():
            object.__setattr__(self, name, value)
