"""What every result of exact figures about people wears: it is not private."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar, Literal

from sfumato.printing.printed import Printed
from sfumato.translation import mark, tr

__all__ = ["NOT_PRIVATE", "NotPrivate"]

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
