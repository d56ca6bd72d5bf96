"""Over whom a budget is: everyone together, each analyst, or one analyst."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

from sfumato.errors import InputError
from sfumato.ledger.names import read_name

__all__ = ["EVERYONE", "EachAnalyst", "Everyone", "OneAnalyst", "Scope"]


class Scope(ABC):
    """Whose answers a budget counts, and whether it counts them together.

    Examples
    --------
    >>> from sfumato.ledger.rules.scopes import EachAnalyst, Scope
    >>> Scope.from_document({"over": "each analyst", "except": ["Ada"]})
    EachAnalyst(excepted=('Ada',))
    """

    name: ClassVar[str]

    @abstractmethod
    def covers(self, analyst: str) -> bool:
        """Tell whether what an analyst is told counts.

        Examples
        --------
        >>> from sfumato.ledger.rules.scopes import OneAnalyst
        >>> OneAnalyst("Ada").covers("Grace")
        False
        """

    def document(self) -> dict[str, Any]:
        """Return the scope as plain values.

        Examples
        --------
        >>> from sfumato.ledger.rules.scopes import OneAnalyst
        >>> OneAnalyst("Ada").document()
        {'over': 'one analyst', 'analyst': 'Ada'}
        """
        return {"over": self.name}

    @staticmethod
    def from_document(document: Any) -> Scope:
        """Return the scope that a document describes.

        Examples
        --------
        >>> from sfumato.ledger.rules.scopes import Scope
        >>> print(Scope.from_document({"over": "everyone"}))
        everyone together
        """
        match document:
            case {"over": Everyone.name}:
                return Everyone()
            case {"over": EachAnalyst.name, "except": list(excepted)}:
                return EachAnalyst(tuple(excepted))
            case {"over": OneAnalyst.name, "analyst": analyst}:
                return OneAnalyst(analyst)
        message = "the rule does not say over whom it is; it was not written by sfumato"
        raise InputError(message)


@dataclass(frozen=True)
class Everyone(Scope):
    """All analysts together: the sum of what they were told is within the budget.

    Examples
    --------
    >>> from sfumato.ledger.rules.scopes import Everyone
    >>> print(Everyone())
    everyone together
    """

    name = "everyone"

    def covers(self, analyst: str) -> bool:  # noqa: ARG002 - everyone
        """Tell whether what an analyst is told counts: always.

        Examples
        --------
        >>> from sfumato.ledger.rules.scopes import Everyone
        >>> Everyone().covers("Ada")
        True
        """
        return True

    def __str__(self) -> str:
        return "everyone together"


@dataclass(frozen=True)
class EachAnalyst(Scope):
    """Each analyst by themself, but for some who have budgets of their own.

    Parameters
    ----------
    excepted
        The names of those.

    Examples
    --------
    >>> from sfumato.ledger.rules.scopes import EachAnalyst
    >>> print(EachAnalyst(), EachAnalyst(("Ada",)), sep=", ")
    each analyst, each other analyst
    """

    excepted: tuple[str, ...] = ()

    name = "each analyst"

    def __post_init__(self) -> None:
        names = {read_name(each, "analyst") for each in self.excepted}
        object.__setattr__(self, "excepted", tuple(sorted(names)))

    def covers(self, analyst: str) -> bool:
        """Tell whether what an analyst is told counts.

        Examples
        --------
        >>> from sfumato.ledger.rules.scopes import EachAnalyst
        >>> EachAnalyst(("Ada",)).covers("Ada"), EachAnalyst(("Ada",)).covers("Grace")
        (False, True)
        """
        return analyst not in self.excepted

    def document(self) -> dict[str, Any]:
        """Return the scope as plain values.

        Examples
        --------
        >>> from sfumato.ledger.rules.scopes import EachAnalyst
        >>> EachAnalyst().document()
        {'over': 'each analyst', 'except': []}
        """
        return {**super().document(), "except": list(self.excepted)}

    def __str__(self) -> str:
        return "each other analyst" if self.excepted else "each analyst"


@dataclass(frozen=True)
class OneAnalyst(Scope):
    """One analyst, by name.

    Parameters
    ----------
    analyst
        The name.

    Examples
    --------
    >>> from sfumato.ledger.rules.scopes import OneAnalyst
    >>> print(OneAnalyst("Ada"))
    analyst “Ada”
    """

    analyst: str

    name = "one analyst"

    def __post_init__(self) -> None:
        object.__setattr__(self, "analyst", read_name(self.analyst, "analyst"))

    def covers(self, analyst: str) -> bool:
        """Tell whether what an analyst is told counts.

        Examples
        --------
        >>> from sfumato.ledger.rules.scopes import OneAnalyst
        >>> OneAnalyst("Ada").covers("Ada")
        True
        """
        return analyst == self.analyst

    def document(self) -> dict[str, Any]:
        """Return the scope as plain values.

        Examples
        --------
        >>> from sfumato.ledger.rules.scopes import OneAnalyst
        >>> OneAnalyst("Ada").document()
        {'over': 'one analyst', 'analyst': 'Ada'}
        """
        return {**super().document(), "analyst": self.analyst}

    def __str__(self) -> str:
        return f"analyst “{self.analyst}”"


#: The scope of a budget that names none.
EVERYONE = Everyone()
