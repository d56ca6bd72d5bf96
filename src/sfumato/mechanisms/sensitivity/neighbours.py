"""Pairs of neighbouring tables, built slot by slot so that every change keeps them neighbours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection

__all__ = ["ABSENT", "Pair", "Slot"]

#: What a slot holds for a table that has no row there.
ABSENT: Any = object()


class Slot(NamedTuple):
    """One row of either table: the same row of both, two different ones, or of one table only."""

    left: Any
    right: Any
    shared: bool
    #: By which the second table is sorted: its rows may come in another order.
    place: int = 0


@dataclass(frozen=True)
class Pair:
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

    def without(self, indices: Collection[int]) -> Pair:
        """Return the pair without some of its slots."""
        return Pair(tuple(slot for i, slot in enumerate(self.slots) if i not in indices))

    def with_slot(self, index: int, slot: Slot) -> Pair:
        """Return the pair with a slot in place of another."""
        return Pair((*self.slots[:index], slot, *self.slots[index + 1 :]))
