"""Rows in blocks that fit the processor's cache, a thread a core."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["blocks_of", "cores", "in_blocks", "in_threads"]

#: How many numbers a block has, so that it stays in the processor's cache.
_NUMBERS = 1 << 17
_LEAST_ROWS, _MOST_ROWS = 1 << 11, 1 << 15

Found = TypeVar("Found")
Part = TypeVar("Part")


def in_blocks(rows: int, found: Callable[[slice], Found], *, width: int = 8) -> list[Found]:
    """Return what is found of each block of rows, in order."""
    return in_threads(blocks_of(rows, width), found)


def blocks_of(rows: int, width: int) -> list[slice]:
    """Return blocks of rows with so many numbers each; one at least, the first the longest."""
    size = min(max(_NUMBERS // width, _LEAST_ROWS), _MOST_ROWS)
    return [slice(at, min(at + size, rows)) for at in range(0, max(rows, 1), size)]


def in_threads(parts: Sequence[Part], found: Callable[[Part], Found]) -> list[Found]:
    """Return what is found of each part, in order, by as many threads as there are cores."""
    workers = min(cores(), len(parts))
    if workers == 1:
        return [found(each) for each in parts]
    with ThreadPoolExecutor(workers) as pool:
        return list(pool.map(found, parts))


def cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
