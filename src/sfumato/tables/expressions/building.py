"""Expressions that do not start from one value: choices, and functions of several."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sfumato.tables.expressions.chaining import Unfinished
from sfumato.tables.expressions.nodes import Case, Expression, FunctionCall, as_expression


@dataclass(frozen=True, eq=False)
class When(Unfinished):
    """A choice that may be given more branches, and a value for all other rows.

    Where an expression is wanted it is one, with null for all other rows.
    """

    branches: tuple[tuple[Expression, Expression], ...]

    def when(self, condition: Any, value: Any) -> When:
        """Return the choice with one more branch."""
        return When((*self.branches, (as_expression(condition), as_expression(value))))

    def otherwise(self, value: Any) -> Case:
        """Return the choice with a value for the rows that no condition is true of."""
        return Case(self.branches, as_expression(value))


def when(condition: Any, value: Any) -> When:
    """Begin a choice: a value for the rows of which a condition is true.

    Examples
    --------
    >>> from sfumato.tables.expressions import col, when
    >>> when(col("age") < 18, "child").otherwise("adult")
    CASE WHEN age < 18 THEN 'child' ELSE 'adult' END
    """
    return When(((as_expression(condition), as_expression(value)),))


def coalesce(*values: Any) -> Expression:
    """Return the first of several values that is not null.

    Examples
    --------
    >>> from sfumato.tables.expressions import coalesce, col
    >>> coalesce(col("measured"), col("reported"), 0)
    coalesce(measured, reported, 0)
    """
    return FunctionCall("coalesce", values)


def least(*values: Any) -> Expression:
    """Return the least of several values; those that are null do not count.

    Examples
    --------
    >>> from sfumato.tables.expressions import col, least
    >>> least(col("first"), col("second"))
    least(first, second)
    """
    return FunctionCall("least", values)


def greatest(*values: Any) -> Expression:
    """Return the greatest of several values; those that are null do not count.

    Examples
    --------
    >>> from sfumato.tables.expressions import col, greatest
    >>> greatest(col("first"), col("second"))
    greatest(first, second)
    """
    return FunctionCall("greatest", values)
