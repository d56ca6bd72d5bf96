"""What becomes of a table: the labels of each column, and which rows stay."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sfumato.risk.generalising.cells import CodedCells, combined, distinct
from sfumato.risk.generalising.losses import Losses, bits_before, bits_told, measure_losses
from sfumato.risk.generalising.partition import Partition, Targets, failing_classes, finest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from sfumato.risk.generalising.hierarchy import Label
    from sfumato.risk.generalising.ladders import Ladder
    from sfumato.risk.generalising.lattice import Point


@dataclass(frozen=True)
class Change:
    """What was done to a quasi-identifier.

    Attributes
    ----------
    name
        The column.
    how
        What its cells are now, in words.
    level, levels
        Its level, 0 for the values as they are, and the coarsest; None where cells were
        generalised one by one.
    made
        Whether the hierarchy was made because none was given.

    Examples
    --------
    >>> from sfumato.risk import anonymize
    >>> anonymize("examples/hospital-a.csv", quasi="age", k=2).changes
    (Change(name='age', how='bands of 10', level=2, levels=3, made=True),)
    """

    name: str
    how: str
    level: int | None
    levels: int | None
    made: bool


@dataclass(frozen=True, eq=False)
class Recoded:
    """What becomes of a column.

    Attributes
    ----------
    change
        What was done, in short.
    labels
        What its cells may say.
    bits
        How many bits each label tells.
    codes
        For each combination of values, the place of its label.
    """

    change: Change
    labels: tuple[Label, ...]
    bits: NDArray[np.float64]
    codes: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Recoding:
    """What becomes of a table.

    Attributes
    ----------
    columns
        The quasi-identifiers.
    kept
        For each combination of values, whether its rows stay.
    """

    columns: tuple[Recoded, ...]
    kept: NDArray[np.bool_]

    def partition(self, cells: CodedCells) -> Partition:
        """Return the classes of the new table."""
        return finest(cells).only(self.kept).merged(_keys(self.columns)[self.kept])

    def losses(self, cells: CodedCells, partition: Partition, *, k: int) -> Losses:
        """Return what the new table, which has these classes, no longer tells."""
        told = sum(
            (each.bits[each.codes[partition.members]] for each in self.columns),
            start=np.zeros(len(partition.sizes)),
        )
        return measure_losses(
            partition.sizes, told, rows=cells.rows, before=bits_before(cells), k=k
        )


def recode_columns(
    cells: CodedCells, ladders: Sequence[Ladder], point: Point, targets: Targets
) -> Recoding:
    """Return what becomes of a table whose whole columns are generalised."""
    columns = tuple(
        _recoded(ladder, level, column.codes, cells.counts)
        for ladder, level, column in zip(ladders, point, cells.columns, strict=True)
    )
    keys = _keys(columns)
    failing = failing_classes(targets, finest(cells).merged(keys))
    _, group = distinct(keys)
    return Recoding(columns, ~failing[group])


def _recoded(
    ladder: Ladder, level: int, codes: NDArray[np.int64], counts: NDArray[np.int64]
) -> Recoded:
    rung = ladder.rungs[level]
    return Recoded(
        change=Change(ladder.column, rung.name, level, len(ladder.rungs) - 1, ladder.made),
        labels=rung.labels,
        bits=bits_told(rung.codes[codes], counts, len(rung.labels)),
        codes=rung.codes[codes],
    )


def _keys(columns: Sequence[Recoded]) -> NDArray[np.int64]:
    return combined([each.codes for each in columns], [len(each.labels) for each in columns])
