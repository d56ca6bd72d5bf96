"""All pairs of neighbours that a search may try: what they look like, and how one leads on."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from sfumato.mechanisms.sensitivity.neighbours import ABSENT, Pair, Slot
from sfumato.numeric.cached import cached_property
from sfumato.privacy import AddRemove

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from random import Random

    from sfumato.mechanisms.sensitivity.rows import Domain
    from sfumato.privacy import Relation

__all__ = ["Shape", "Space"]

_PLACES = 1 << 30


@dataclass(frozen=True)
class Shape:
    """How many rows only the first table has, only the second, and each its own in one place."""

    left: int
    right: int
    swapped: int
    #: How many rows both tables may share.
    fewest: int
    most: int

    @property
    def changes(self) -> int:
        """How many changes lead from one table to the other."""
        return self.left + self.right + self.swapped

    def slots(self, shared: Iterable[Any], one: Iterator[Any], other: Iterator[Any]) -> list[Slot]:
        """Return slots with the given shared rows, then each table's own rows."""
        return [
            *(Slot(row, row, shared=True) for row in shared),
            *(Slot(next(one), ABSENT, shared=False) for _ in range(self.left)),
            *(Slot(ABSENT, next(other), shared=False) for _ in range(self.right)),
            *(Slot(next(one), next(other), shared=False) for _ in range(self.swapped)),
        ]


@dataclass(frozen=True)
class Space:
    """The pairs of neighbouring tables with rows from a domain.

    Parameters
    ----------
    domain
        What a row may be.
    fewest, most
        How many rows a table may have.
    relation
        Which tables are neighbours.
    ordered
        Whether rows keep their order.  Otherwise the second table may show them in another one.
    """

    domain: Domain
    fewest: int
    most: int
    relation: Relation
    ordered: bool

    @cached_property
    def shapes(self) -> tuple[Shape, ...]:
        """The kinds of pairs there are, those with most changes first."""
        candidates = [self._shape(*changes) for changes in self._changes()]
        fitting = [each for each in candidates if each.fewest <= each.most]
        return tuple(sorted(fitting, key=lambda shape: -shape.changes))

    def _shape(self, left: int, right: int, swapped: int) -> Shape:
        fewest = max(0, self.fewest - left - swapped)
        return Shape(left, right, swapped, fewest, self.most - right - swapped)

    def _changes(self) -> list[tuple[int, int, int]]:
        most = min(self.relation.count, 2 * self.most)
        if not isinstance(self.relation, AddRemove):
            return [(0, 0, swapped) for swapped in range(1, most + 1)]
        return [
            (left, total - left, 0)
            for total in range(1, most + 1)
            for left in range(total // 2 + 1)
        ]

    def draw(self, random: Random) -> Pair:
        """Return a pair at random."""
        shape, rows = random.choice(self.shapes), self._rows(random)
        shared = list(islice(rows, random.randint(shape.fewest, shape.most)))
        slots = shape.slots(shared, rows, rows)
        random.shuffle(slots)
        pair = Pair(tuple(slots))
        return self.shuffled(pair, random) if random.randrange(2) else pair

    def _rows(self, random: Random) -> Iterator[Any]:
        """Go on drawing rows, in every other case from a few that come again."""
        few = [self.domain.draw(random) for _ in range(random.randint(1, 3))]
        repeated = random.randrange(2)
        while True:
            yield random.choice(few) if repeated else self.domain.draw(random)

    def shuffled(self, pair: Pair, random: Random) -> Pair:
        """Return the pair with the rows of the second table in another order, where that may be."""
        if self.ordered:
            return pair
        return Pair(tuple(slot._replace(place=random.randrange(_PLACES)) for slot in pair.slots))
