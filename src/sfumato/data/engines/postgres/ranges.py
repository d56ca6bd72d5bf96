"""Between what bounds a number lies, as far as a query tells: what cannot overflow needs no guard.

A range says nothing of rows.  It follows from the constants of a query alone, such as the bounds
that a column is clipped to.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, isfinite, sqrt
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence


#: The least double above 0.
SMALLEST = 5e-324
#: A product or a quotient between these, in size, is one for sure, however it was rounded.
_CALM = (1e-300, 1e300)
#: 64 bits hold a whole number up to this, however it was rounded.
_HELD = 2.0**62


@dataclass(frozen=True)
class Range:
    """Between what a number lies unless it is null or NaN.

    Attributes
    ----------
    low, high
        The bounds, which may be infinite.
    least
        What it is in size at least, unless it is 0.
    sure
        Whether it is neither null nor NaN.
    """

    low: float = -inf
    high: float = inf
    least: float = SMALLEST
    sure: bool = False

    @property
    def size(self) -> float:
        """What it is in size at most."""
        return max(abs(self.low), abs(self.high))

    def sum_is_calm(self, other: Range) -> bool:
        """Tell whether a sum with another cannot overflow."""
        return self.size + other.size <= _CALM[1]

    def product_is_calm(self, other: Range) -> bool:
        """Tell whether a product with another can neither overflow nor vanish."""
        if 0 in {self.size, other.size}:
            return isfinite(self.size) and isfinite(other.size)
        grows = max(self.least, other.least) >= 1
        return _is_calm(self.size * other.size, 1.0 if grows else self.least * other.least)

    def quotient_is_calm(self, other: Range) -> bool:
        """Tell whether a quotient by another, not 0, can neither overflow nor vanish."""
        if not isfinite(self.size) or not isfinite(other.size) or not other.size:
            return False
        if self.size == 0:
            return True
        grows = other.size <= 1
        return _is_calm(self.size / other.least, 1.0 if grows else self.least / other.size)

    def is_held(self) -> bool:
        """Tell whether 64 bits hold it for sure, as the nearest whole number."""
        return self.sure and self.size <= _HELD


ANY = Range()
_WHOLE = Range(-(2.0**63), 2.0**63, 1.0)


def _is_calm(most: float, least: float) -> bool:
    return most <= _CALM[1] and least >= _CALM[0]


def range_of(operation: Any, below: Mapping[Any, Range]) -> Range:
    """Return the range of an operation of Ibis, from the ranges of what it is of."""
    rule = _RULES.get(name_of(operation))
    if rule is not None:
        return rule(operation, below)
    return _whole(operation)


def name_of(operation: Any) -> str:
    """Return what an operation is called; a function of the engine by its own name."""
    return str(getattr(operation, "__func_name__", type(operation).__name__))


def _whole(operation: Any) -> Range:
    kind = getattr(operation, "dtype", None)
    return _WHOLE if kind is not None and kind.is_integer() else ANY


def _literal(operation: Any, _: Mapping[Any, Range]) -> Range:
    value = operation.value
    if isinstance(value, bool) or not isinstance(value, (int, float)) or abs(value) > 2.0**1000:
        return ANY
    return Range(float(value), float(value), abs(float(value)) or inf, sure=True)


def _cast(operation: Any, below: Mapping[Any, Range]) -> Range:
    given, to = operation.arg, operation.to
    if to.is_integer():
        return _WHOLE
    if not to.is_floating():
        return ANY
    if given.dtype.is_string():
        return _written(given)
    if given.dtype.is_boolean():
        return Range(0.0, 1.0, 1.0)
    if given.dtype.is_decimal():
        whole = given.dtype.scale == 0
        return Range(-1e38, 1e38, 1.0) if whole else ANY
    return below.get(given, ANY)


def _written(given: Any) -> Range:
    """Return the range of a text that the query writes down."""
    try:
        value = float(getattr(given, "value", None) or "")
    except ValueError:
        return ANY
    return Range(value, value, abs(value) or inf, sure=True)


def _any_of(parts: Sequence[Range]) -> Range:
    return Range(
        min(each.low for each in parts),
        max(each.high for each in parts),
        min(each.least for each in parts),
        all(each.sure for each in parts),
    )


def _least(operation: Any, below: Mapping[Any, Range]) -> Range:
    parts = [below.get(each, ANY) for each in operation.arg]
    sure = [each for each in parts if each.sure]
    if not sure:
        return _any_of(parts)
    high = min(each.high for each in sure)
    low = min(each.low for each in parts)
    return Range(low, high, min(each.least for each in parts), sure=True)


def _greatest(operation: Any, below: Mapping[Any, Range]) -> Range:
    """Return the range of the greatest; a NaN is greater than all, and leaves it unsure."""
    parts = [below.get(each, ANY) for each in operation.arg]
    sure = [each for each in parts if each.sure]
    found = _any_of(parts)
    return Range(max((e.low for e in sure), default=found.low), found.high, found.least, found.sure)


def _coalesce(operation: Any, below: Mapping[Any, Range]) -> Range:
    return _any_of([below.get(each, ANY) for each in operation.arg])


def _chosen(operation: Any, below: Mapping[Any, Range]) -> Range:
    """Return the range of a choice: of its branches, and of what it is elsewhere but for null."""
    values = [each for each in (*operation.results, operation.default) if not _is_null(each)]
    found = _any_of([below.get(each, ANY) for each in values] or [ANY])
    return Range(found.low, found.high, found.least)


def _is_null(operation: Any) -> bool:
    return getattr(operation, "value", operation) is None


def _sum(operation: Any, below: Mapping[Any, Range]) -> Range:
    left, right = (below.get(each, ANY) for each in (operation.left, operation.right))
    sign = -1 if type(operation).__name__ == "Subtract" else 1
    ends = sorted((sign * right.low, sign * right.high))
    return Range(
        left.low + ends[0], left.high + ends[1], _least_sum(left, right), left.sure and right.sure
    )


def _least_sum(left: Range, right: Range) -> float:
    """Return what a sum is in size at least: beside a constant, as far as the next double to it."""
    for one, other in ((left, right), (right, left)):
        if one.low == one.high:
            return other.least if one.low == 0 else abs(one.low) * 2.0**-54
    return SMALLEST


def _product(operation: Any, below: Mapping[Any, Range]) -> Range:
    left, right = (below.get(each, ANY) for each in (operation.left, operation.right))
    if not left.product_is_calm(right):
        return ANY
    ends = [a * b for a in (left.low, left.high) for b in (right.low, right.high)]
    return Range(
        min(ends),
        max(ends),
        max(left.least * right.least * 0.5, SMALLEST),
        left.sure and right.sure,
    )


def _quotient(operation: Any, below: Mapping[Any, Range]) -> Range:
    left, right = (below.get(each, ANY) for each in (operation.left, operation.right))
    if not left.quotient_is_calm(right):
        return ANY
    size = left.size / right.least
    return Range(-size, size, max(left.least / right.size * 0.5, SMALLEST))


def _negated(operation: Any, below: Mapping[Any, Range]) -> Range:
    given = below.get(operation.arg, ANY)
    return Range(-given.high, -given.low, given.least, given.sure)


def _size(operation: Any, below: Mapping[Any, Range]) -> Range:
    given = below.get(operation.arg, ANY)
    return Range(0.0, given.size, given.least, given.sure)


def _root(operation: Any, below: Mapping[Any, Range]) -> Range:
    given = below.get(operation.arg, ANY)
    return Range(0.0, sqrt(given.size), sqrt(given.least) * 0.5)


def _counted(_: Any, __: Mapping[Any, Range]) -> Range:
    return Range(0.0, 2.0**63, 1.0, sure=True)


def _rounded(operation: Any, below: Mapping[Any, Range]) -> Range:
    given = below.get(operation.args[0], ANY)
    return Range(given.low - 1, given.high + 1, 1.0, given.sure)


_RULES: dict[str, Callable[[Any, Mapping[Any, Range]], Range]] = {
    "Literal": _literal,
    "Cast": _cast,
    "Least": _least,
    "Greatest": _greatest,
    "Coalesce": _coalesce,
    "SearchedCase": _chosen,
    "Add": _sum,
    "Subtract": _sum,
    "Multiply": _product,
    "Divide": _quotient,
    "Negate": _negated,
    "Abs": _size,
    "Sqrt": _root,
    "CountStar": _counted,
    "Count": _counted,
    **dict.fromkeys(("Floor", "Ceil", "floor", "ceil", "round"), _rounded),
}
