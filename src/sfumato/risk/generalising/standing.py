"""How exposed people are in a table, before and after it is generalised."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.risk.generalising.measures import Spread
    from sfumato.risk.generalising.partition import Partition

__all__ = ["Standing", "StandingOfColumn", "measure_standing"]


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


def measure_standing(partition: Partition, names: Sequence[str]) -> Standing:
    """Return how exposed people are, from the classes of a table that has rows."""
    sizes = partition.sizes
    return Standing(
        rows=int(sizes.sum()),
        classes=len(sizes),
        k=int(sizes.min()),
        uniques=int(np.count_nonzero(sizes == 1)),
        sensitive=tuple(
            _of_column(name, spread, partition)
            for name, spread in zip(names, partition.spreads, strict=True)
        ),
    )


def _of_column(name: str, spread: Spread, partition: Partition) -> StandingOfColumn:
    sizes = partition.sizes
    different = spread.distinct(len(sizes))
    everyone = np.ones(len(sizes), dtype=np.bool_)
    distance = spread.distance(sizes, spread.of_table(everyone))
    return StandingOfColumn(
        name=name,
        l=int(different.min()),
        t=float(distance.max()),
        bits_left=abs(float(sizes @ spread.entropy(sizes)) / float(sizes.sum())),
        told_classes=int(np.count_nonzero(different == 1)),
        told_rows=int(sizes[different == 1].sum()),
    )
