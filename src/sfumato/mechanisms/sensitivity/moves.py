"""Small steps from one pair of neighbours to another, for climbing towards a violation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sfumato.mechanisms.sensitivity.neighbours import ABSENT, Pair, Slot

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from sfumato.mechanisms.sensitivity.space import Space

__all__ = ["smaller", "step"]


def step(pair: Pair, space: Space, random: Random) -> Pair:
    """Return a pair one move away: another cell, one row more or less, another order."""
    return random.choice(_MOVES)(pair, space, random)


def smaller(pair: Pair, space: Space, rows: int) -> Iterator[Pair]:
    """Go through the pairs with so many shared rows less, where tables may be as small."""
    shared = pair.shared
    if min(len(pair.left), len(pair.right)) - rows < space.fewest:
        return
    for start in range(0, len(shared) - rows + 1, rows):
        yield pair.without(shared[start : start + rows])


def _change_a_row(pair: Pair, space: Space, random: Random) -> Pair:
    index = random.randrange(len(pair.slots))
    slot = pair.slots[index]
    if slot.shared:
        row = _another(slot.left, pair, space, random)
        return pair.with_slot(index, slot._replace(left=row, right=row))
    on_the_left = slot.right is ABSENT or (slot.left is not ABSENT and random.randrange(2) == 0)
    row = _another(slot.left if on_the_left else slot.right, pair, space, random)
    changed = slot._replace(left=row) if on_the_left else slot._replace(right=row)
    return pair.with_slot(index, changed)


def _another(row: Any, pair: Pair, space: Space, random: Random) -> Any:
    kind = random.randrange(4)
    if kind == 0:
        return random.choice(space.domain.corners)
    if kind == 1:
        return random.choice(pair.left + pair.right)
    return space.domain.nudge(row, random)


def _add_a_row(pair: Pair, space: Space, random: Random) -> Pair:
    if max(len(pair.left), len(pair.right)) >= space.most:
        return _change_a_row(pair, space, random)
    row = random.choice((space.domain.draw(random), *pair.left, *pair.right))
    place = random.choice(pair.slots).place
    index = random.randrange(len(pair.slots) + 1)
    slot = Slot(row, row, shared=True, place=place)
    return Pair((*pair.slots[:index], slot, *pair.slots[index:]))


def _drop_a_row(pair: Pair, space: Space, random: Random) -> Pair:
    shared = pair.shared
    if not shared or min(len(pair.left), len(pair.right)) <= space.fewest:
        return _change_a_row(pair, space, random)
    return pair.without([random.choice(shared)])


def _reorder(pair: Pair, space: Space, random: Random) -> Pair:
    """Exchange two rows of the first table, or show those of the second in another order."""
    if not space.ordered and random.randrange(2):
        return space.shuffled(pair, random)
    one, other = (random.randrange(len(pair.slots)) for _ in range(2))
    first, second = pair.slots[one], pair.slots[other]
    return pair.with_slot(one, second).with_slot(other, first)


_MOVES = (*(_change_a_row,) * 4, _add_a_row, _drop_a_row, _reorder)
