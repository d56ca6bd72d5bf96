"""What becomes of each cell of a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sfumato.risk.generalising.grouping import combined, distinct
from sfumato.risk.generalising.losses import Losses, bits_before, bits_told, measure_losses
from sfumato.risk.generalising.partition import Partition, finest
from sfumato.risk.generalising.reaching import failing_classes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from sfumato.risk.generalising.cells import Cells
    from sfumato.risk.generalising.hierarchy import Label
    from sfumato.risk.generalising.ladder import Ladder
    from sfumato.risk.generalising.lattice import Point
    from sfumato.risk.generalising.targets import Targets

__all__ = ["Recoded", "Recoding", "recode_columns"]


@dataclass(frozen=True, eq=False)
class Recoded:
    """What becomes of a column.

    Attributes
    ----------
    name
        The column.
    how
        What was done, in words.
    labels
        What its cells may say.
    bits
        How many bits each label tells.
    codes
        For each combination of values, the place of its label.
    level, levels
        Its level and how many there are above the values; None where cells are generalised one
        by one.
    made
        Whether the hierarchy was made because none was given.
    """

    name: str
    how: str
    labels: tuple[Label, ...]
    bits: NDArray[np.float64]
    codes: NDArray[np.int64]
    level: int | None = None
    levels: int | None = None
    made: bool = False


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

    def partition(self, cells: Cells) -> Partition:
        """Return the classes of the new table."""
        return finest(cells).only(self.kept).merged(_keys(self.columns)[self.kept])

    def losses(self, cells: Cells, partition: Partition, *, k: int) -> Losses:
        """Return what the new table, which has these classes, no longer tells."""
        told = sum(
            (each.bits[each.codes[partition.members]] for each in self.columns),
            start=np.zeros(len(partition.sizes)),
        )
        return measure_losses(
            partition.sizes, told, rows=cells.rows, before=bits_before(cells), k=k
        )


def recode_columns(
    cells: Cells, ladders: Sequence[Ladder], point: Point, targets: Targets
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
        name=ladder.column,
        how=rung.name,
        labels=rung.labels,
        bits=bits_told(rung.codes[codes], counts, len(rung.labels)),
        codes=rung.codes[codes],
        level=level,
        levels=len(ladder.rungs) - 1,
        made=ladder.made,
    )


def _keys(columns: Sequence[Recoded]) -> NDArray[np.int64]:
    return combined([each.codes for each in columns], [len(each.labels) for each in columns])
