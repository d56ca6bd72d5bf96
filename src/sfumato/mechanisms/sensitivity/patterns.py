"""Pairs of neighbours that break wrong claims most often: extremes, outliers, each value once."""

from __future__ import annotations

from itertools import chain, islice, product, repeat
from typing import TYPE_CHECKING, Any

from sfumato.mechanisms.sensitivity.neighbours import Pair

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sfumato.mechanisms.sensitivity.neighbours import Slot
    from sfumato.mechanisms.sensitivity.space import Shape, Space

__all__ = ["patterns"]

_LANDMARKS = 24


def patterns(space: Space, effort: int) -> Iterator[Pair]:
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


def _mixtures(space: Space) -> Iterator[Pair]:
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


def _arranged(space: Space, shape: Shape, rows: list[Any], one: Any, other: Any) -> Iterator[Pair]:
    slots = shape.slots(rows, repeat(one), repeat(other))
    yield Pair(tuple(slots))
    if rows:
        yield Pair(tuple(reversed(slots)))
        if not space.ordered:
            yield Pair(tuple(_backwards(slots)))


def _backwards(slots: list[Slot]) -> Iterator[Slot]:
    """Return the same rows, in the second table from the last to the first."""
    return (slot._replace(place=-index) for index, slot in enumerate(slots))


def _each_landmark(space: Space) -> Iterator[Pair]:
    shape, corner = space.shapes[-1], space.domain.corners[0]
    for row in space.domain.landmarks():
        slots = shape.slots([corner] * shape.fewest, repeat(corner), repeat(row))
        yield Pair(tuple(slots))


def _landmark_pairs(space: Space) -> Iterator[Pair]:
    shape, corner = space.shapes[-1], space.domain.corners[0]
    if shape.most == 0:
        return
    landmarks = list(islice(space.domain.landmarks(), _LANDMARKS))
    for beside, row in product(landmarks, repeat=2):
        shared = [beside, *[corner] * (shape.fewest - 1)]
        yield Pair(tuple(shape.slots(shared, repeat(corner), repeat(row))))
