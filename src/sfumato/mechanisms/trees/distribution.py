"""Every tree over a few cells, and how likely each is."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING

from flint import arb

from sfumato.mechanisms.distributions.output import FiniteDistribution

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sfumato.mechanisms.trees.split_noise import SplitNoise

    Cell = tuple[int, int]
    Tree = tuple[Cell, ...]
    Decision = tuple[int, int, bool]

__all__ = ["left_to_right", "tree_distribution", "trees"]


def left_to_right(leaves: Iterable[Cell]) -> Tree:
    """Return the leaves of a tree, each a level and a place in it, from left to right."""
    found = list(leaves)
    deepest = max(level for level, _ in found)
    return tuple(sorted(found, key=lambda leaf: leaf[1] << (deepest - leaf[0])))


def trees(deepest: int, level: int = 0, place: int = 0) -> Iterator[tuple[Tree, list[Decision]]]:
    """Yield every tree below a cell, and which cells are split, and which are not, for it.

    Cells of the deepest level are not split, and nothing is decided about them.
    """
    if level == deepest:
        yield ((level, place),), []
        return
    yield ((level, place),), [(level, place, False)]
    for left, first in trees(deepest, level + 1, 2 * place):
        for right, second in trees(deepest, level + 1, 2 * place + 1):
            yield left + right, [(level, place, True), *first, *second]


def tree_distribution(
    leads: Sequence[Sequence[int]], noise: SplitNoise
) -> FiniteDistribution[Tree]:
    """Return the distribution of a tree, by how far above its bar each cell of each level lies."""
    grown = list(trees(len(leads) - 1))
    chances = [partial(_chance, leads, decisions, noise) for _, decisions in grown]
    return FiniteDistribution([tree for tree, _ in grown], chances)


def _chance(
    leads: Sequence[Sequence[int]], decisions: Sequence[Decision], noise: SplitNoise
) -> arb:
    each = (
        (noise.split if split else noise.unsplit)(leads[level][place])
        for level, place, split in decisions
    )
    return math.prod(each, start=arb(1))
