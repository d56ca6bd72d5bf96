"""What every report can do: print itself in a terminal and in a notebook."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import fields
from html import escape
from typing import Any, ClassVar, Literal

from sfumato.printing.layout import printable
from sfumato.translation import mark, tr


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


def for_json_all(result: Any) -> dict[str, Any]:
    """Return the fields of a result ready for JSON: its parts by their own figures."""
    return {each.name: _plain(getattr(result, each.name)) for each in fields(result)}


def _plain(value: Any) -> Any:
    if isinstance(value, (tuple, list)):
        return [_plain(each) for each in value]
    if isinstance(value, Mapping):
        return {name: _plain(each) for name, each in value.items()}
    if isinstance(value, NotPrivate):
        return value.figures()
    return value.as_dict() if hasattr(value, "as_dict") else value


NOT_PRIVATE = mark("not private: exact figures, for the data owner")


class NotPrivate(Printed):
    """Exact figures about people: for the data owner only, and it says so wherever it is shown."""

    private: ClassVar[Literal[False]] = False

    @abstractmethod
    def findings(self) -> list[str]:
        """Return what was found as sentences, the answer first."""

    @abstractmethod
    def figures(self) -> dict[str, Any]:
        """Return what was found, ready for JSON."""

    def lines(self) -> list[str]:
        """Return the findings, and that they are not private."""
        return [*self.findings(), tr(NOT_PRIVATE)]

    def as_dict(self) -> dict[str, Any]:
        """Return the figures ready for JSON, and that they are not private."""
        return {"private": self.private, **self.figures()}
