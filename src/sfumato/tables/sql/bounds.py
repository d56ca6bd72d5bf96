"""The bounds that a text says of what it aggregates: by CLIP, or by the numbers that it writes."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

from sfumato.tables.expressions import (
    Case,
    Cast,
    Column,
    Expression,
    FunctionCall,
    Literal,
    type_of,
)

if TYPE_CHECKING:
    from sfumato.tables.sql.names import Names


def bounds_said(of: Expression, names: Names, condition: Expression | None) -> Any:
    """Return the bounds that the text says, or those declared of a column that is filtered."""
    if condition is not None and isinstance(of, Column):
        return names.bounds.get(of.name)
    return _clipped(of) or _written(of, names)


def _clipped(of: Expression) -> tuple[float, float] | None:
    """Return the bounds that ``CLIP(x, low, high)`` says in SQL, where it clips to two numbers."""
    match of:
        case FunctionCall(
            function="clip",
            arguments=(
                _,
                Literal(value=int() | float() as low),
                Literal(value=int() | float() as high),
            ),
        ):
            return (low, high) if low < high else None
    return None


def _written(of: Expression, names: Names) -> tuple[float, float] | None:
    """Return the least and the greatest of the numbers that a choice is among; one is from 0."""
    numbers = set(_numbers(of, names) or ()) if isinstance(of, (Case, Cast)) else set()
    ends = numbers | {0} if len(numbers) == 1 else numbers
    return (min(ends), max(ends)) if len(ends) > 1 else None


def _numbers(of: Expression, names: Names) -> list[float] | None:
    """Return the numbers that an expression can be; None where it can be others."""
    match of:
        case Literal(value=None):
            return []
        case Literal(value=int() | float() as number) if not isinstance(number, bool):
            return [number]
        case Cast(argument=inner, type="integer" | "number"):
            return [0, 1] if type_of(inner, names.schema) == "boolean" else None
        case Case(branches=branches, otherwise=otherwise):
            each = [
                _numbers(value, names) for value in (*(then for _, then in branches), otherwise)
            ]
            known = [numbers for numbers in each if numbers is not None]
            return list(chain.from_iterable(known)) if len(known) == len(each) else None
    return None
