"""Which classes of rows miss what is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from sfumato.risk.generalising.partition import Partition
    from sfumato.risk.generalising.targets import Targets

__all__ = ["failing_classes", "firmly_failing"]

_ROUNDING = 1e-9


def firmly_failing(targets: Targets, partition: Partition) -> NDArray[np.bool_]:
    """Return which classes fail in a way that a merge can only mend.

    A class of k rows or l distinct values keeps them when others join it.  So the rows that
    fail here become fewer on every higher level, whatever is suppressed.
    """
    failing: NDArray[np.bool_] = partition.sizes < targets.k
    if targets.l is not None and targets.diversity == "distinct":
        for spread in partition.spreads:
            failing |= spread.distinct(len(failing)) < targets.l
    return failing


def failing_classes(
    targets: Targets, partition: Partition, tables: Sequence[NDArray[np.float64]] = ()
) -> NDArray[np.bool_]:
    """Return which classes have to be suppressed so that all others reach every target.

    Closeness is to the rows that stay, so leaving out some may bring others to fail: then
    those are suppressed too, until none fails.

    Parameters
    ----------
    targets, partition
        What is asked for, and the classes.
    tables
        The shares of each sensitive column that closeness is to, instead.
    """
    failing = firmly_failing(targets, partition)
    if targets.l is not None and targets.diversity == "entropy":
        for spread in partition.spreads:
            failing |= np.exp2(spread.entropy(partition.sizes)) < targets.l - _ROUNDING
    before = -1
    while targets.t is not None and before != np.count_nonzero(failing):
        before = int(np.count_nonzero(failing))
        shares = tables or [each.of_table(~failing) for each in partition.spreads]
        failing |= _too_far(partition, shares, targets.t)
    return failing


def _too_far(
    partition: Partition, tables: Sequence[NDArray[np.float64]], most: float
) -> NDArray[np.bool_]:
    far = np.zeros(len(partition.sizes), dtype=np.bool_)
    for spread, shares in zip(partition.spreads, tables, strict=True):
        far |= spread.distance(partition.sizes, shares) > most + _ROUNDING
    return far
