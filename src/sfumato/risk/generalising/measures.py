"""How diverse the sensitive values of each class are, and how close to those of the table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sfumato.risk.exposure.ordered import ordered_distances

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Spread"]


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
        ranks = self.ranks[self.value]
        order = np.lexsort([ranks, self.owner])
        return ordered_distances(
            ranks[order],
            self.counts[order],
            self.distinct(len(sizes)),
            np.bincount(self.ranks, table),
        )


def _summed(
    amounts: NDArray[np.float64], owner: NDArray[np.int64], classes: int
) -> NDArray[np.float64]:
    return np.bincount(owner, weights=amounts, minlength=classes).astype(np.float64, copy=False)
