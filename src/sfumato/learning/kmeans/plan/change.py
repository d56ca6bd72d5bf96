"""What one change of the table moves: how much a person weighs, and which tables are neighbours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.privacy import Substitute

if TYPE_CHECKING:
    from sfumato.privacy import Relation

__all__ = ["Change"]


@dataclass(frozen=True)
class Change:
    """One change of the table.

    Parameters
    ----------
    relation
        Which tables are neighbours.
    weight
        The most that the rows of one person weigh together, in points.
    fine
        In how many parts a point is weighed.
    """

    relation: Relation
    weight: int = 1
    fine: int = 1

    @property
    def counts(self) -> int:
        """By how much it moves counts of disjoint groups together, in the parts of a point.

        A person who leaves takes at most the weight; whoever comes instead brings as much.
        """
        return self.people * self.one

    @property
    def people(self) -> int:
        """How many people's points it touches."""
        return 2 if isinstance(self.relation, Substitute) else 1

    @property
    def one(self) -> int:
        """What one person weighs, in the parts of a point."""
        return self.weight * self.fine

    def sums(self, radius: int) -> int:
        """Return by how much it moves sums of points, none of them further out than a radius."""
        return self.counts * radius
