"""Going through a nested thing from its leaves up, without recursion."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

N = TypeVar("N")
R = TypeVar("R")


def fold(root: N, parts: Callable[[N], Sequence[N]], step: Callable[[N, list[R]], R]) -> R:
    """Return ``step`` of the root and of what ``step`` gave for its parts, and so on down."""
    waiting: list[tuple[N, Sequence[N]]] = [(root, parts(root))]
    found: list[list[R]] = [[], []]
    while waiting:
        node, below = waiting[-1]
        done = found[-1]
        if len(done) < len(below):
            part = below[len(done)]
            waiting.append((part, parts(part)))
            found.append([])
        else:
            waiting.pop()
            found.pop()
            found[-1].append(step(node, done))
    return found[0][0]
