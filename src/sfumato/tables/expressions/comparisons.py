"""Comparisons, and logic with three values: true, false and null."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.errors import InputError
from sfumato.tables.expressions.chaining import Chaining, E

if TYPE_CHECKING:
    from collections.abc import Iterable


class Comparisons(Chaining[E]):
    """A comparison with null is null; ``&`` and ``|`` know when it does not matter."""

    def __eq__(self, other: object) -> E:  # type: ignore[override]
        return self._call("equal", other)

    def __ne__(self, other: object) -> E:  # type: ignore[override]
        return self._call("not_equal", other)

    __hash__ = object.__hash__

    def __lt__(self, other: Any) -> E:
        return self._call("less", other)

    def __le__(self, other: Any) -> E:
        return self._call("less_equal", other)

    def __gt__(self, other: Any) -> E:
        return self._call("greater", other)

    def __ge__(self, other: Any) -> E:
        return self._call("greater_equal", other)

    def __and__(self, other: Any) -> E:
        return self._call("and", other)

    def __rand__(self, other: Any) -> E:
        return self._called_on("and", other)

    def __or__(self, other: Any) -> E:
        return self._call("or", other)

    def __ror__(self, other: Any) -> E:
        return self._called_on("or", other)

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
        return self._call("is_in", *listed(values))

    def between(self, lower: Any, upper: Any) -> E:
        """Return whether the value lies between two others, or is one of them."""
        return self._call("between", lower, upper)

    def fill_null(self, value: Any) -> E:
        """Return the value, or another one where there is none."""
        return self._call("coalesce", value)


def listed(values: Iterable[Any]) -> list[Any]:
    """Return the values to look among, refused if there are none or if one is null."""
    found = [] if isinstance(values, (str, bytes)) else _items(values)
    if not found or any(each is None for each in found):
        raise InputError(
            "E-EXPRESSION-FORM",
            "is_in needs a list of one value or more, none of them None",
            'write is_in(["a", "b"]), and is_null() for the rest',
        )
    return found


def _items(values: Any) -> list[Any]:
    try:
        return list(values)
    except TypeError:
        return []
