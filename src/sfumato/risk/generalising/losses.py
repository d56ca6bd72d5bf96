"""The information loss of a generalised table, and how exposed people are in it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sfumato.risk.generalising.cells import CodedCells, SensitiveSpread
    from sfumato.risk.generalising.partition import Partition


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
        value: float = getattr(self, name.replace(" ", "_"))
        return value


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


def bits_before(cells: CodedCells) -> float:
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


@dataclass(frozen=True)
class StandingOfColumn:
    """How exposed one sensitive column is, given the quasi-identifiers.

    Attributes
    ----------
    name
        The column.
    l
        How many different values the least diverse class has.
    t
        How far the farthest class is from the whole table, from 0 to 1.
    bits_left
        The uncertainty that is left of the column once the quasi-identifiers are known, in bits.
    told_classes, told_rows
        How many classes have one value only, and how many rows they have: who finds a person
        there learns it.

    Examples
    --------
    >>> from sfumato.risk import anonymize
    >>> found = anonymize("examples/hospital-a.csv", quasi=["age"], sensitive="diagnosis", k=2)
    >>> (after,) = found.after.sensitive
    >>> after.l, after.told_rows
    (4, 0)
    """

    name: str
    l: int  # noqa: E741
    t: float
    bits_left: float
    told_classes: int
    told_rows: int


@dataclass(frozen=True)
class Standing:
    """How exposed people are in a table.

    Attributes
    ----------
    rows, classes
        How many rows there are, and how many equivalence classes.
    k
        How many rows the smallest equivalence class has.
    uniques
        How many rows are unique.
    sensitive
        How exposed each sensitive column is.

    Examples
    --------
    >>> from sfumato.risk import anonymize
    >>> found = anonymize("examples/hospital-a.csv", quasi=["age"], k=2)
    >>> found.before.k, found.before.uniques
    (1, 9)
    """

    rows: int
    classes: int
    k: int
    uniques: int
    sensitive: tuple[StandingOfColumn, ...] = ()

    def figures(self) -> dict[str, Any]:
        """Return it ready for JSON.

        Examples
        --------
        >>> from sfumato.risk import anonymize
        >>> found = anonymize("examples/hospital-a.csv", quasi=["age"], k=2)
        >>> found.before.figures()
        {'rows': 9, 'classes': 9, 'k': 1, 'uniques': 9, 'sensitive': []}
        """
        return {**asdict(self), "sensitive": [asdict(each) for each in self.sensitive]}


def measure_standing(partition: Partition) -> Standing:
    """Return how exposed people are, from the classes of a table that has rows."""
    sizes = partition.sizes
    return Standing(
        rows=int(sizes.sum()),
        classes=len(sizes),
        k=int(sizes.min()),
        uniques=int(np.count_nonzero(sizes == 1)),
        sensitive=tuple(_of_column(each, sizes) for each in partition.spreads),
    )


def _of_column(spread: SensitiveSpread, sizes: NDArray[np.int64]) -> StandingOfColumn:
    different = spread.distinct(len(sizes))
    everyone = np.ones(len(sizes), dtype=np.bool_)
    distance = spread.distance(sizes, spread.of_table(everyone))
    return StandingOfColumn(
        name=spread.name,
        l=int(different.min()),
        t=float(distance.max()),
        bits_left=abs(float(sizes @ spread.entropy(sizes)) / float(sizes.sum())),
        told_classes=int(np.count_nonzero(different == 1)),
        told_rows=int(sizes[different == 1].sum()),
    )
