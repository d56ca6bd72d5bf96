"""What the classes of a table should be, and which of them are not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from sfumato.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from sfumato.risk.generalising.partition import Partition

__all__ = ["DiversityName", "Targets", "check_targets"]

#: How diversity is counted.
DiversityName = Literal["distinct", "entropy"]

_DIVERSITIES = ("distinct", "entropy")
_ROUNDING = 1e-9


@dataclass(frozen=True)
class Targets:
    """What every class of rows that look alike should be.

    Attributes
    ----------
    k
        Rows at least.
    l
        Different sensitive values at least; None for no such wish.
    t
        How far its sensitive values may be from those of the whole table; None for no such wish.
    diversity
        How different values are counted: "distinct", or "entropy".
    """

    k: int
    l: float | None = None  # noqa: E741
    t: float | None = None
    diversity: DiversityName = "distinct"

    def firmly_failing(self, partition: Partition) -> NDArray[np.bool_]:
        """Return which classes fail in a way that a merge can only mend.

        A class of k rows or l distinct values keeps them when others join it.  So the rows that
        fail here become fewer on every coarser level, whatever is left out.
        """
        failing: NDArray[np.bool_] = partition.sizes < self.k
        if self.l is not None and self.diversity == "distinct":
            for spread in partition.spreads:
                failing |= spread.distinct(len(failing)) < self.l
        return failing

    def failing(
        self, partition: Partition, tables: Sequence[NDArray[np.float64]] = ()
    ) -> NDArray[np.bool_]:
        """Return which classes have to be left out so that all others reach every target.

        Closeness is to the rows that stay, so leaving out some may bring others to fail: then
        those are left out too, until none fails.

        Parameters
        ----------
        partition
            The classes.
        tables
            The shares of each sensitive column that closeness is to, instead.
        """
        failing = self.firmly_failing(partition)
        if self.l is not None and self.diversity == "entropy":
            for spread in partition.spreads:
                failing |= np.exp2(spread.entropy(partition.sizes)) < self.l - _ROUNDING
        before = -1
        while self.t is not None and before != np.count_nonzero(failing):
            before = int(np.count_nonzero(failing))
            shares = tables or [each.of_table(~failing) for each in partition.spreads]
            failing |= self._too_far(partition, shares)
        return failing

    def _too_far(
        self, partition: Partition, tables: Sequence[NDArray[np.float64]]
    ) -> NDArray[np.bool_]:
        far = np.zeros(len(partition.sizes), dtype=np.bool_)
        for spread, shares in zip(partition.spreads, tables, strict=True):
            far |= spread.distance(partition.sizes, shares) > float(self.t or 0) + _ROUNDING
        return far

    def __str__(self) -> str:
        parts = [f"k = {self.k:,}"]
        if self.l is not None:
            parts.append(f"{'entropy ' if self.diversity == 'entropy' else ''}l = {self.l:g}")
        if self.t is not None:
            parts.append(f"t = {self.t:g}")
        return ", ".join(parts)


def check_targets(targets: Targets, *, has_sensitive: bool) -> None:
    """Refuse targets that no table can have."""
    _check_k(targets.k)
    if targets.diversity not in _DIVERSITIES:
        raise UnknownNameError(kind="diversity", name=targets.diversity, known=_DIVERSITIES)
    if targets.l is not None and not 1 <= targets.l < float("inf"):
        message = f"l counts different sensitive values, 1 or more; {targets.l!r:.60} is not so"
        raise InputError(message)
    if targets.t is not None and not 0 <= targets.t <= 1:
        message = f"t is a distance from 0 to 1; {targets.t!r:.60} is not"
        raise InputError(message)
    for name, target in (("l", targets.l), ("t", targets.t)):
        if target is not None and not has_sensitive:
            message = f"{name} is about a sensitive column, and none is named; name one"
            raise InputError(message)


def _check_k(k: int) -> None:
    if type(k) is not int or k < 1:
        message = f"k counts the rows of the smallest class, 1 or more; {k!r:.60} is not so"
        raise InputError(message)
