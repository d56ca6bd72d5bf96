"""Over whom a budget is: everyone together, each analyst, or one analyst."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

from sfumato.errors import InputError
from sfumato.ledger.names import read_name
from sfumato.translation import mark, tr

__all__ = ["EVERYONE", "EachAnalyst", "Everyone", "OneAnalyst", "Scope"]


class Scope(ABC):
    """Whose answers a budget counts, and whether it counts them together."""

    name: ClassVar[str]

    @abstractmethod
    def covers(self, analyst: str) -> bool:
        """Tell whether what an analyst is told counts."""

    def document(self) -> dict[str, Any]:
        """Return the scope as plain values."""
        return {"over": self.name}

    @staticmethod
    def from_document(document: Any) -> Scope:
        """Return the scope that a document describes."""
        match document:
            case {"over": Everyone.name}:
                return Everyone()
            case {"over": EachAnalyst.name, "except": list(excepted)}:
                return EachAnalyst(tuple(excepted))
            case {"over": OneAnalyst.name, "analyst": analyst}:
                return OneAnalyst(analyst)
        raise InputError(
            "E-LEDGER-DAMAGED",
            "the rule does not say over whom it is",
            "it was not written by sfumato",
        )


@dataclass(frozen=True)
class Everyone(Scope):
    """All analysts together: all their answers together are within the budget."""

    name = "everyone"

    def covers(self, analyst: str) -> bool:  # noqa: ARG002 - everyone
        """Tell whether what an analyst is told counts: always."""
        return True

    def __str__(self) -> str:
        return tr("everyone together")


@dataclass(frozen=True)
class EachAnalyst(Scope):
    """Each analyst by themself, but for some who have budgets of their own.

    Parameters
    ----------
    excepted
        The names of those.
    """

    excepted: tuple[str, ...] = ()

    name = mark("each analyst")

    def __post_init__(self) -> None:
        names = {read_name(each, "analyst") for each in self.excepted}
        object.__setattr__(self, "excepted", tuple(sorted(names)))

    def covers(self, analyst: str) -> bool:
        """Tell whether what an analyst is told counts."""
        return analyst not in self.excepted

    def document(self) -> dict[str, Any]:
        """Return the scope as plain values."""
        return {**super().document(), "except": list(self.excepted)}

    def __str__(self) -> str:
        return tr("each other analyst") if self.excepted else tr("each analyst")


@dataclass(frozen=True)
class OneAnalyst(Scope):
    """One analyst, by name.

    Parameters
    ----------
    analyst
        The name.
    """

    analyst: str

    name = mark("one analyst")

    def __post_init__(self) -> None:
        object.__setattr__(self, "analyst", read_name(self.analyst, "analyst"))

    def covers(self, analyst: str) -> bool:
        """Tell whether what an analyst is told counts."""
        return analyst == self.analyst

    def document(self) -> dict[str, Any]:
        """Return the scope as plain values."""
        return {**super().document(), "analyst": self.analyst}

    def __str__(self) -> str:
        return tr("analyst “{analyst}”", analyst=self.analyst)


#: The scope of a budget that names none.
EVERYONE = Everyone()
