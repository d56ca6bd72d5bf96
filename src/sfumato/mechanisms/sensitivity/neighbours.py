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
    """One row of either table: the same row of both, two different ones, or of one table only.

    Examples
    --------
    >>> from sfumato.mechanisms.sensitivity.neighbours import Slot
    >>> Slot(1, 1, shared=True).place
    0
    """

    left: Any
    right: Any
    shared: bool
    #: By which the second table is sorted: its rows may come in another order.
    place: int = 0


@dataclass(frozen=True)
class Pair:
    """Two neighbouring tables.

    Examples
    --------
    >>> from sfumato.mechanisms.sensitivity.neighbours import ABSENT, Pair, Slot
    >>> pair = Pair((Slot(1, 1, shared=True), Slot(ABSENT, 2, shared=False)))
    >>> pair.left, pair.right
    ((1,), (1, 2))
    """

    slots: tuple[Slot, ...]

    @property
    def left(self) -> tuple[Any, ...]:
        """The rows of the first table.

        Examples
        --------
        >>> from sfumato.mechanisms.sensitivity.neighbours import Pair, Slot
        >>> Pair((Slot(1, 2, shared=False),)).left
        (1,)
        """
        return tuple(slot.left for slot in self.slots if slot.left is not ABSENT)

    @property
    def right(self) -> tuple[Any, ...]:
        """The rows of the second table, in its own order.

        Examples
        --------
        >>> from sfumato.mechanisms.sensitivity.neighbours import Pair, Slot
        >>> Pair((Slot(1, 1, shared=True, place=2), Slot(3, 3, shared=True, place=1))).right
        (3, 1)
        """
        ordered = sorted(self.slots, key=lambda slot: slot.place)
        return tuple(slot.right for slot in ordered if slot.right is not ABSENT)

    @property
    def shared(self) -> list[int]:
        """Where the slots are that both tables share.

        Examples
        --------
        >>> from sfumato.mechanisms.sensitivity.neighbours import Pair, Slot
        >>> Pair((Slot(1, 1, shared=True), Slot(2, 3, shared=False))).shared
        [0]
        """
        return [i for i, slot in enumerate(self.slots) if slot.shared]

    def without(self, indices: Collection[int]) -> Pair:
        """Return the pair without some of its slots.

        Examples
        --------
        >>> from sfumato.mechanisms.sensitivity.neighbours import Pair, Slot
        >>> Pair((Slot(1, 1, shared=True), Slot(2, 3, shared=False))).without([0]).right
        (3,)
        """
        return Pair(tuple(slot for i, slot in enumerate(self.slots) if i not in indices))

    def with_slot(self, index: int, slot: Slot) -> Pair:
        """Return the pair with a slot in place of another.

        Examples
        --------
        >>> from sfumato.mechanisms.sensitivity.neighbours import Pair, Slot
        >>> Pair((Slot(1, 1, shared=True),)).with_slot(0, Slot(2, 3, shared=False)).right
        (3,)
        """
        return Pair((*self.slots[:index], slot, *self.slots[index + 1 :]))
