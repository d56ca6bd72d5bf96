"""How often an attack finds members, against how often it is wrong about others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["RocCurve", "roc_curve", "spread"]


@dataclass(frozen=True, eq=False)
class RocCurve:
    """The attack "score of at least t: a member" for every threshold t that makes a difference.

    Where a smaller score says "member" it is "score of at most t".

    Attributes
    ----------
    thresholds
        Every score that occurs, the one that says "member" most first.
    members, others
        How many members, and how many others, each threshold takes for members.
    member_count, other_count
        How many of them there are.
    """

    thresholds: NDArray[np.float64]
    members: NDArray[np.int64]
    others: NDArray[np.int64]
    member_count: int
    other_count: int

    @property
    def true_positive_rates(self) -> NDArray[np.float64]:
        """The share of members found, from "no one" on."""
        return np.concatenate([[0.0], self.members / self.member_count])

    @property
    def false_positive_rates(self) -> NDArray[np.float64]:
        """The share of others taken for members, from "no one" on."""
        return np.concatenate([[0.0], self.others / self.other_count])

    @property
    def area(self) -> float:
        """The probability that a member scores above an other, ties counted half."""
        return float(np.trapezoid(self.true_positive_rates, self.false_positive_rates))

    @property
    def advantage(self) -> float:
        """The greatest difference of the two rates."""
        return float(np.max(self.true_positive_rates - self.false_positive_rates))

    def found_at(self, false_positive_rate: float) -> float:
        """Return the greatest true positive rate at no more than a false positive rate."""
        within = self.false_positive_rates <= false_positive_rate
        return float(self.true_positive_rates[within].max())

    def points(self, most: int = 200) -> list[tuple[float, float]]:
        """Return (false positive rate, true positive rate), at most so many of them."""
        kept = spread(self.thresholds.size + 1, most)
        rates = (self.false_positive_rates[kept], self.true_positive_rates[kept])
        return list(zip(*(each.tolist() for each in rates), strict=True))


def roc_curve(members: NDArray[np.float64], others: NDArray[np.float64]) -> RocCurve:
    """Return the curve of an attack from the scores it gave."""
    thresholds = np.unique(np.concatenate([members, others]))[::-1]
    return RocCurve(
        thresholds,
        _at_least(members, thresholds),
        _at_least(others, thresholds),
        members.size,
        others.size,
    )


def spread(count: int, most: int) -> NDArray[np.int64]:
    """Return at most so many of the first ``count`` places: evenly, and densely at both ends."""
    if count <= most:
        return np.arange(count, dtype=np.int64)
    ends = np.geomspace(1, count, most // 4).astype(np.int64) - 1
    evenly = np.linspace(0, count - 1, most // 2).astype(np.int64)
    return np.unique(np.concatenate([evenly, ends, count - 1 - ends]))


def _at_least(scores: NDArray[np.float64], thresholds: NDArray[np.float64]) -> NDArray[np.int64]:
    below = np.searchsorted(np.sort(scores), thresholds, side="left")
    return (scores.size - below).astype(np.int64)
