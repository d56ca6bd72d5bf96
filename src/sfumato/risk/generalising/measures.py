"""How diverse the sensitive values of each class are, and how close to those of the table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

__all__ = ["Spread"]

_MOST_AT_ONCE = 4_000_000


@dataclass(frozen=True, eq=False)
class Spread:
    """Which sensitive values the rows of each class have, and how often.

    Attributes
    ----------
    owner, value, counts
        The pairs that occur: a class, a value, and how many rows have both.
    size
        How many values there are.
    ranks
        The rank of each value where they have an order, so that near ones are nearer than far
        ones; None where they have none.
    """

    owner: NDArray[np.int64]
    value: NDArray[np.int64]
    counts: NDArray[np.int64]
    size: int
    ranks: NDArray[np.int64] | None = None

    def of_table(self, kept: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Return the share of each value among the rows of the classes that are kept."""
        inside = kept[self.owner]
        total = np.bincount(self.value[inside], self.counts[inside], self.size)
        shares: NDArray[np.float64] = total / max(total.sum(), 1)
        return shares

    def distinct(self, classes: int) -> NDArray[np.int64]:
        """Return how many values each class has."""
        return np.bincount(self.owner, minlength=classes)

    def entropy(self, sizes: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the entropy of each class, in bits.

        2 to its power is entropy l-diversity :cite:p:`machanavajjhala2007`: so many
        equally frequent values are as uncertain.
        """
        shares = self.counts / sizes[self.owner]
        terms = -shares * np.log2(shares)
        return _summed(terms, self.owner, len(sizes))

    def distance(self, sizes: NDArray[np.int64], table: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return how far each class is from the shares of a table, from 0 to 1.

        The earth mover's distance of t-closeness :cite:p:`li2007`: by ranks where values have an
        order, with equal distances where they have none.
        """
        if self.ranks is None:
            # What a class has too much of some values is what it has too little of others.
            excess = np.maximum(self.counts / sizes[self.owner] - table[self.value], 0)
            return _summed(excess, self.owner, len(sizes))
        below = np.cumsum(np.bincount(self.ranks, table))
        steps = np.flatnonzero(np.bincount(self.ranks, table))[:-1]
        parts = [
            np.abs(np.cumsum(shares, axis=1) - below)[:, steps].sum(axis=1)
            for shares in self._shares_by_rank(sizes, self.ranks)
        ]
        return np.concatenate(parts) / max(len(steps), 1)

    def _shares_by_rank(
        self, sizes: NDArray[np.int64], ranks: NDArray[np.int64]
    ) -> Iterator[NDArray[np.float64]]:
        """Yield what share of a class each rank has, for some classes at a time."""
        width = int(ranks.max()) + 1
        order = np.argsort(self.owner, kind="stable")
        step = max(_MOST_AT_ONCE // width, 1)
        for start in range(0, len(sizes), step):
            here = sizes[start : start + step]
            ends = np.searchsorted(self.owner[order], [start, start + len(here)])
            rows = order[slice(*ends)]
            places = (self.owner[rows] - start) * width + ranks[self.value[rows]]
            shares = np.bincount(places, self.counts[rows], len(here) * width)
            yield shares.reshape(len(here), width) / here[:, None]


def _summed(
    amounts: NDArray[np.float64], owner: NDArray[np.int64], classes: int
) -> NDArray[np.float64]:
    return np.bincount(owner, weights=amounts, minlength=classes).astype(np.float64, copy=False)
