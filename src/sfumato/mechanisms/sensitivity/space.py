"""All pairs of neighbours that a search may try: what they look like, and how one leads on."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, islice, product, repeat
from typing import TYPE_CHECKING, Any, NamedTuple

from sfumato.numeric import cached_property
from sfumato.privacy import AddRemove, Relation

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator
    from random import Random

    from sfumato.mechanisms.sensitivity.domains import Domain


#: What a slot holds for a table that has no row there.
ABSENT: Any = object()
_PLACES = 1 << 30
_LANDMARKS = 24


class Slot(NamedTuple):
    """One row of either table: the same row of both, two different ones, or of one table only."""

    left: Any
    right: Any
    shared: bool
    #: By which the second table is sorted: its rows may come in another order.
    place: int = 0


@dataclass(frozen=True)
class TablePair:
    """Two neighbouring tables."""

    slots: tuple[Slot, ...]

    @property
    def left(self) -> tuple[Any, ...]:
        """The rows of the first table."""
        return tuple(slot.left for slot in self.slots if slot.left is not ABSENT)

    @property
    def right(self) -> tuple[Any, ...]:
        """The rows of the second table, in its own order."""
        ordered = sorted(self.slots, key=lambda slot: slot.place)
        return tuple(slot.right for slot in ordered if slot.right is not ABSENT)

    @property
    def shared(self) -> list[int]:
        """Where the slots are that both tables share."""
        return [i for i, slot in enumerate(self.slots) if slot.shared]

    def without(self, indices: Collection[int]) -> TablePair:
        """Return the pair without some of its slots."""
        return TablePair(tuple(slot for i, slot in enumerate(self.slots) if i not in indices))

    def with_slot(self, index: int, slot: Slot) -> TablePair:
        """Return the pair with a slot in place of another."""
        return TablePair((*self.slots[:index], slot, *self.slots[index + 1 :]))


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
class PairSpace:
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

    def draw(self, random: Random) -> TablePair:
        """Return a pair at random."""
        shape, rows = random.choice(self.shapes), self._rows(random)
        shared = list(islice(rows, random.randint(shape.fewest, shape.most)))
        slots = shape.slots(shared, rows, rows)
        random.shuffle(slots)
        pair = TablePair(tuple(slots))
        return self.shuffled(pair, random) if random.randrange(2) else pair

    def _rows(self, random: Random) -> Iterator[Any]:
        """Go on drawing rows, in every other case from a few that come again."""
        few = [self.domain.draw(random) for _ in range(random.randint(1, 3))]
        repeated = random.randrange(2)
        while True:
            yield random.choice(few) if repeated else self.domain.draw(random)

    def shuffled(self, pair: TablePair, random: Random) -> TablePair:
        """Return the pair with the rows of the second table in another order, where that may be."""
        if self.ordered:
            return pair
        return TablePair(
            tuple(slot._replace(place=random.randrange(_PLACES)) for slot in pair.slots)
        )


def patterns(space: PairSpace, effort: int) -> Iterator[TablePair]:
    """Go through telling pairs, at most seven eighths of ``effort``.

    Tables of one or two extreme values in every mixture, sorted both ways, with the empty table
    and the single row among them; each landmark as the row that changes, which is every value of a
    list of up to half the effort; and landmarks beside each other.
    """
    return chain(
        islice(_mixtures(space), effort // 4),
        islice(_each_landmark(space), effort // 2),
        islice(_landmark_pairs(space), effort // 8),
    )


def _mixtures(space: PairSpace) -> Iterator[TablePair]:
    corners = space.domain.corners
    for shape in space.shapes:
        for count in _counts(shape.fewest, shape.most):
            for low, high in product(corners, repeat=2):
                for rows in _steps(low, high, count):
                    for one, other in product(corners, repeat=2):
                        yield from _arranged(space, shape, rows, one, other)


def _counts(fewest: int, most: int) -> list[int]:
    """All counts of a short range; of a long one the ends, the middle and powers of two."""
    telling = {fewest, fewest + 1, (fewest + most) // 2, most - 1, most}
    doubled = {fewest + (1 << bit) for bit in range((most - fewest).bit_length())}
    short = set(range(fewest, min(most, fewest + 8) + 1))
    return sorted(each for each in telling | doubled | short if fewest <= each <= most)


def _steps(low: Any, high: Any, count: int) -> Iterator[list[Any]]:
    """Tables of one value then another; all of one only where both are the same."""
    if low is high:
        yield [low] * count
        return
    for first in _counts(1, count - 1):
        yield [low] * first + [high] * (count - first)


def _arranged(
    space: PairSpace, shape: Shape, rows: list[Any], one: Any, other: Any
) -> Iterator[TablePair]:
    slots = shape.slots(rows, repeat(one), repeat(other))
    yield TablePair(tuple(slots))
    if rows:
        yield TablePair(tuple(reversed(slots)))
        if not space.ordered:
            # The same rows, in the second table from the last to the first.
            yield TablePair(tuple(slot._replace(place=-place) for place, slot in enumerate(slots)))


def _each_landmark(space: PairSpace) -> Iterator[TablePair]:
    shape, corner = space.shapes[-1], space.domain.corners[0]
    for row in space.domain.landmarks():
        slots = shape.slots([corner] * shape.fewest, repeat(corner), repeat(row))
        yield TablePair(tuple(slots))


def _landmark_pairs(space: PairSpace) -> Iterator[TablePair]:
    shape, corner = space.shapes[-1], space.domain.corners[0]
    if shape.most == 0:
        return
    landmarks = list(islice(space.domain.landmarks(), _LANDMARKS))
    for beside, row in product(landmarks, repeat=2):
        shared = [beside, *[corner] * (shape.fewest - 1)]
        yield TablePair(tuple(shape.slots(shared, repeat(corner), repeat(row))))
