"""A compiled part of an expression, and how a function takes it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.data.policy.engine_types import column_type
from sfumato.tables.expressions.casting import CASTS
from sfumato.tables.expressions.guards import (
    constant,
    exactly,
    finite,
    finite_from,
    held,
    nulls,
    short,
)
from sfumato.tables.expressions.leaves import leaf

if TYPE_CHECKING:
    from collections.abc import Callable

    import ibis.expr.types as ir

_SMALLEST = 5e-324


@dataclass(frozen=True)
class Compiled:
    """A value in the engine.

    Attributes
    ----------
    value
        What it is.
    type
        One of the six types, or "null".
    raw
        The same, except that a double which is not finite may stand for null, and so may a text
        that is too long: a chain of sums, of products or of texts is judged once, at its end, and
        not repeated at every step.
    """

    value: ir.Value
    type: str
    raw: ir.Value

    @classmethod
    def plain(cls, value: ir.Value, kind: str) -> Compiled:
        """Return a value that is what it is."""
        return cls(value, kind, value)

    @classmethod
    def judged(cls, raw: ir.Value) -> Compiled:
        """Return a double that is null unless it is finite."""
        return cls(finite(raw), "number", raw)

    @classmethod
    def joined(cls, raw: ir.Value) -> Compiled:
        """Return a text that is null if it is too long."""
        return cls(short(raw), "text", raw)

    @classmethod
    def of_column(cls, column: ir.Column) -> Compiled:
        """Return a column; its own infinity stays."""
        kind, value = column_type(column.type()), leaf(column)
        return cls(value, kind, exactly(column, "number") if kind == "number" else value)

    @classmethod
    def of_constant(cls, value: object, kind: str) -> Compiled:
        """Return a value that the query writes down."""
        return cls.plain(constant(value, "text" if kind == "null" else kind), kind)

    def cast(self, to: str) -> Compiled:
        """Return it as another type."""
        if self.type == "null":
            return Compiled.plain(nulls(to), to)
        if self.type == to:
            return self
        made = CASTS[self.type, to](self.raw if self.type == "number" else self.value)
        may_be_infinite = (self.type, to) == ("text", "number")
        return Compiled.judged(made) if may_be_infinite else Compiled.plain(made, to)

    def given_as(self, parameter: str) -> ir.Value:
        """Return it as a parameter takes it: a type, or a kind of double."""
        if parameter == "piece":
            return self.cast("text").raw
        guard = _GUARDS.get(parameter)
        if guard is None:
            return self.cast(parameter).value
        return guard(self.cast("number").raw)


_GUARDS: dict[str, Callable[[ir.Value], ir.Value]] = {
    "raw": lambda double: double,
    "kept": lambda double: double,
    "finite": finite,
    "divisor": lambda double: held(double != constant(0.0, "number"), finite(double)),
    "positive": lambda double: finite_from(double, _SMALLEST),
    "not_negative": lambda double: finite_from(double, 0.0),
}
