"""What every report can do: print itself in a terminal and in a notebook."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from html import escape

from sfumato.printing.layout import printable

__all__ = ["Printed", "for_json"]


class Printed(ABC):
    """A report that is made of lines, the answer first."""

    @abstractmethod
    def lines(self) -> list[str]:
        """Return the report as sentences, the answer first."""

    def __str__(self) -> str:
        return "\n".join(map(printable, self.lines()))

    def _repr_html_(self) -> str:
        first, *rest = (_as_html(line) for line in self.lines())
        return "<br>".join([f"<strong>{first}</strong>", *rest])


def _as_html(line: str) -> str:
    return escape(printable(line)).replace(" ", "&nbsp;")


def for_json(value: float) -> float | str:
    """Return a number ready for JSON, which has no infinity: that becomes a text."""
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return value
