"""What is kept of many reports: a few whole numbers for each question."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["PairTally", "Tally"]


@dataclass(frozen=True, eq=False)
class Tally:
    """The reports on one question, in sums.

    Parameters
    ----------
    people
        How many reports there are.
    counts
        How many of them support each choice; for a number, how many have each mark.
    """

    people: int
    counts: NDArray[np.int64]

    def __add__(self, other: Tally) -> Tally:
        return Tally(self.people + other.people, self.counts + other.counts)


@dataclass(frozen=True, eq=False)
class PairTally:
    """The reports on two questions with choices, in sums.

    Parameters
    ----------
    people
        How many reports there are.
    both
        How many of them support each choice of the first and each of the second: one row for
        each choice of the first question.
    first, second
        How many support each choice of the one question and of the other.
    """

    people: int
    both: NDArray[np.int64]
    first: NDArray[np.int64]
    second: NDArray[np.int64]

    def __add__(self, other: PairTally) -> PairTally:
        return PairTally(
            self.people + other.people,
            self.both + other.both,
            self.first + other.first,
            self.second + other.second,
        )
