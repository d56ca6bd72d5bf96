"""Everything that was found about one table, before it is shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sfumato.printing.not_private import NotPrivate

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sfumato.risk.exposure.attackers import AttackerRisks, Presence
    from sfumato.risk.exposure.classes import Classes
    from sfumato.risk.exposure.closeness import Closeness
    from sfumato.risk.exposure.combinations import Combination
    from sfumato.risk.exposure.diversity import Diversity
    from sfumato.risk.exposure.informing import Information
    from sfumato.risk.exposure.people import AtRisk
    from sfumato.risk.exposure.uniqueness import Uniqueness

__all__ = ["Found"]


@dataclass(frozen=True, kw_only=True)
class Found(NotPrivate):
    """The figures of a table, as ``Exposure`` describes them."""

    classes: Classes
    at_least: int
    attackers: AttackerRisks
    diversity: tuple[Diversity, ...]
    closeness: tuple[Closeness, ...]
    information: tuple[Information, ...]
    columns: tuple[Combination, ...]
    combinations: tuple[Combination, ...]
    at_risk: tuple[AtRisk, ...]
    blanks: Mapping[str, int]
    population: Uniqueness | None = None
    presence: Presence | None = None

    @property
    def k(self) -> int:
        """The size of the smallest equivalence class."""
        return self.classes.k

    @property
    def rows(self) -> int:
        """How many rows the table has."""
        return self.classes.rows

    @property
    def sets(self) -> tuple[Combination, ...]:
        """The columns one by one, then the most identifying combinations of more."""
        several = (each for each in self.combinations if len(each.columns) > 1)
        return (*self.columns, *several)

    def figures(self) -> dict[str, Any]:
        """Return what was found, ready for JSON."""
        return {
            "classes": self.classes.figures(),
            "at_least": self.at_least,
            "rows_at_risk": self.classes.rows_below(self.at_least),
            "attackers": self.attackers.figures(),
            "diversity": [each.figures() for each in self.diversity],
            "closeness": [each.figures() for each in self.closeness],
            "information": [each.figures() for each in self.information],
            "columns": [each.figures() for each in self.columns],
            "combinations": [each.figures() for each in self.combinations],
            "at_risk": [each.figures() for each in self.at_risk],
            "blanks": dict(self.blanks),
            "population": None if self.population is None else self.population.figures(),
            "presence": None if self.presence is None else self.presence.figures(),
        }
