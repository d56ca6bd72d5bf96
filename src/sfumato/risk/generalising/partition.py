"""Equivalence classes of a table that is generalised, and which of them miss the targets."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from sfumato.errors import InputError, UnknownNameError
from sfumato.refusal import Argument
from sfumato.risk.generalising.cells import CodedCells, SensitiveSpread, distinct, summed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


#: How diversity is counted.
DiversityName = Literal["distinct", "entropy"]

_DIVERSITIES = ("distinct", "entropy")
_ROUNDING = 1e-9


@dataclass(frozen=True)
class Targets:
    """What every equivalence class should be.

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

    Examples
    --------
    >>> from sfumato.risk import Targets
    >>> print(Targets(5, l=2, t=0.3))
    k = 5, l = 2, t = 0.3
    """

    k: int
    l: float | None = None  # noqa: E741
    t: float | None = None
    diversity: DiversityName = "distinct"

    def __str__(self) -> str:
        parts = [f"k = {self.k:,}"]
        if self.l is not None:
            parts.append(f"{'entropy ' if self.diversity == 'entropy' else ''}l = {self.l:g}")
        if self.t is not None:
            parts.append(f"t = {self.t:g}")
        return ", ".join(parts)


def check_targets(targets: Targets, *, has_sensitive: bool) -> None:
    """Refuse targets that no table can have."""
    if type(targets.k) is not int or targets.k < 1:
        raise InputError(
            "E-ARGUMENT-RANGE",
            "{argument} counts the rows of the smallest equivalence class, 1 or more",
            "it was {k!r:.60}",
            k=targets.k,
            argument=Argument("k"),
        )
    if targets.diversity not in _DIVERSITIES:
        raise UnknownNameError(kind="diversity", name=targets.diversity, known=_DIVERSITIES)
    if targets.l is not None and not (_is_number(targets.l) and 1 <= targets.l < float("inf")):
        raise InputError(
            "E-ARGUMENT-RANGE",
            "{argument} counts different sensitive values, 1 or more",
            "it was {l!r:.60}",
            l=targets.l,
            argument=Argument("l"),
        )
    if targets.t is not None and not (_is_number(targets.t) and 0 <= targets.t <= 1):
        raise InputError(
            "E-ARGUMENT-RANGE",
            "{argument} is a distance from 0 to 1",
            "{t!r:.60} is not",
            t=targets.t,
            argument=Argument("t"),
        )
    for name, target in (("l", targets.l), ("t", targets.t)):
        if target is not None and not has_sensitive:
            raise InputError(
                "E-SENSITIVE-MISSING",
                "{name} is about a sensitive column, and none is named",
                "name one, such as {sensitive}",
                name=Argument(name),
                sensitive=Argument("sensitive", "diagnosis"),
            )


def _is_number(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


@dataclass(frozen=True, eq=False)
class Partition:
    """Equivalence classes.

    Attributes
    ----------
    members
        One cell of each class, which stands for all of it.
    sizes
        How many rows each class has.
    spreads
        What the classes hold of each sensitive column.
    """

    members: NDArray[np.int64]
    sizes: NDArray[np.int64]
    spreads: tuple[SensitiveSpread, ...]

    def merged(self, keys: NDArray[np.int64]) -> Partition:
        """Return the classes with those in one that have the same key."""
        first, group = distinct(keys)
        return Partition(
            self.members[first],
            summed(self.sizes, group, len(first)),
            tuple(each.merged(group) for each in self.spreads),
        )

    def only(self, kept: NDArray[np.bool_]) -> Partition:
        """Return some of the classes."""
        spreads = tuple(each.only(kept) for each in self.spreads)
        return Partition(self.members[kept], self.sizes[kept], spreads)


def finest(cells: CodedCells) -> Partition:
    """Return the classes of the table as it is: each cell is one."""
    return Partition(np.arange(len(cells.counts)), cells.counts, cells.secrets)


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
