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

    Examples
    --------
    >>> from sfumato.learning.kmeans.plan.change import Change
    >>> from sfumato.privacy import AddRemove, Substitute
    >>> Change(AddRemove()).counts, Change(Substitute()).counts
    (1, 2)
    """

    relation: Relation
    weight: int = 1
    fine: int = 1

    @property
    def counts(self) -> int:
        """By how much it moves counts of disjoint groups together, in the parts of a point.

        A person who leaves takes at most the weight; whoever comes instead brings as much.

        Examples
        --------
        >>> from sfumato.learning.kmeans.plan.change import Change
        >>> from sfumato.privacy import AddRemove
        >>> Change(AddRemove(), weight=3, fine=1024).counts
        3072
        """
        return self.people * self.one

    @property
    def people(self) -> int:
        """How many people's points it touches.

        Examples
        --------
        >>> from sfumato.learning.kmeans.plan.change import Change
        >>> from sfumato.privacy import Substitute
        >>> Change(Substitute()).people
        2
        """
        return 2 if isinstance(self.relation, Substitute) else 1

    @property
    def one(self) -> int:
        """What one person weighs, in the parts of a point.

        Examples
        --------
        >>> from sfumato.learning.kmeans.plan.change import Change
        >>> from sfumato.privacy import Substitute
        >>> Change(Substitute(), weight=2).one
        2
        """
        return self.weight * self.fine

    def sums(self, radius: int) -> int:
        """Return by how much it moves sums of points, none of them further out than a radius.

        Examples
        --------
        >>> from sfumato.learning.kmeans.plan.change import Change
        >>> from sfumato.privacy import AddRemove
        >>> Change(AddRemove()).sums(1000)
        1000
        """
        return self.counts * radius
