"""The information loss of a generalised table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sfumato.risk.generalising.cells import Cells

__all__ = ["LOSSES", "LossName", "Losses", "bits_before", "bits_told", "measure_losses"]

_ROUNDING = 1e-12

#: What can be made least.
LossName = Literal["entropy", "discernibility", "average class size"]
LOSSES = ("entropy", "discernibility", "average class size")


@dataclass(frozen=True)
class Losses:
    """The information loss of a generalised table, measured in three ways; less is better.

    Attributes
    ----------
    entropy
        Bits that the cells of the quasi-identifiers no longer tell, over all rows: a label that
        n of N rows have tells log2(N / n) bits, and a row that is suppressed tells none
        :cite:p:`dewaal1999information, gionis2009minimal`.
    entropy_share
        The same as a share of what the table told before, from 0 to 1.
    discernibility
        For each row, how many are in its class, itself included; for a row that is suppressed, all
        rows
        :cite:p:`bayardo2005optimal`.
    average_class_size
        Rows of the table for each class that stays, over k; 1 is the least there is
        :cite:p:`lefevre2006mondrian`.

    Examples
    --------
    >>> from sfumato.risk import anonymize
    >>> found = anonymize("examples/hospital-a.csv", quasi=["sex", "smoker"], k=2)
    >>> found.losses
    Losses(entropy=0.0, entropy_share=0.0, discernibility=41, average_class_size=2.25)
    """

    entropy: float
    entropy_share: float
    discernibility: int
    average_class_size: float

    def of(self, name: LossName) -> float:
        """Return the one of a name.

        Examples
        --------
        >>> from sfumato.risk import anonymize
        >>> anonymize("examples/hospital-a.csv", quasi="sex", k=2).losses.of("discernibility")
        41
        """
        return {
            "entropy": self.entropy,
            "discernibility": self.discernibility,
            "average class size": self.average_class_size,
        }[name]


def bits_told(
    codes: NDArray[np.int64], counts: NDArray[np.int64], size: int
) -> NDArray[np.float64]:
    """Return how many bits each label of a column tells: log2(N / n) where n of N rows have it.

    Parameters
    ----------
    codes, counts
        For each combination of values, the place of its label and how many rows it has.
    size
        How many labels there are.
    """
    having = np.bincount(codes, counts, size)
    bits: NDArray[np.float64] = np.log2(counts.sum() / having)
    return bits


def bits_before(cells: Cells) -> float:
    """Return how many bits the cells of the quasi-identifiers tell, over all rows."""
    told = (
        bits_told(each.codes, cells.counts, len(each.values))[each.codes] for each in cells.columns
    )
    return float(sum(cells.counts @ each for each in told))


def measure_losses(
    sizes: NDArray[np.int64], told: NDArray[np.float64], *, rows: int, before: float, k: int
) -> Losses:
    """Return the losses of a table.

    Parameters
    ----------
    sizes, told
        For each class that stays, its rows, and how many bits the labels of a row tell.
    rows, before
        How many rows the table had, and how many bits its cells told.
    k
        What the average class size is a multiple of.
    """
    lost = before - float(sizes @ told)
    # Floats differ in the last digits where nothing at all was lost.
    lost = lost if lost > _ROUNDING * before else 0.0
    left_out = rows - int(sizes.sum())
    return Losses(
        lost,
        lost / before if before else 0.0,
        int(sizes @ sizes) + left_out * rows,
        rows / (len(sizes) * k) if len(sizes) else float("inf"),
    )
