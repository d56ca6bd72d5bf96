"""Reading private counts of cells, and adding them up level by level."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.errors import InputError
from sfumato.mechanisms.values.arrays import as_array
from sfumato.mechanisms.values.kinds import is_whole

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["WORDS", "level_counts", "read_counts"]

#: Counts up to here, and twice as far, are added and compared without wrapping around.
WORDS = 1 << 61


def read_counts(value: Any) -> NDArray[np.int64]:
    """Return private counts of any shape, cut at 0 and 2^61; type and shape alone are looked at."""
    array = _as_array(value)
    if array.dtype.kind not in "iu" and not all(map(is_whole, array.flat)):
        raise InputError(
            "E-ARGUMENT-TYPE",
            "the counts of cells must be whole numbers",
            "give a list or an array of integers, [12, 0, 5, 3], say",
        )
    exact = array.astype(np.int64 if np.can_cast(array.dtype, np.int64) else object)
    return np.asarray(np.clip(exact, 0, WORDS), dtype=np.int64)


def _as_array(value: Any) -> NDArray[Any]:
    if isinstance(value, (list, tuple)) or hasattr(value, "__array__"):
        return as_array(value, whole=True)
    return np.array(value if is_whole(value) else None, dtype=object)


def level_counts(value: Any, depth: int) -> list[NDArray[np.int64]]:
    """Return the counts of the cells of every level, the root first, from those of the finest."""
    finest = read_counts(value)
    if finest.ndim != 1 or finest.size.bit_count() != 1:
        raise InputError(
            "E-ARGUMENT-TYPE",
            "a tree is grown over a list of counts whose length is a power of two, not over "
            "counts of shape {shape}",
            "put zeros in the place of missing cells",
            shape=finest.shape,
        )
    within = np.minimum(finest, WORDS // finest.size)
    levels = min(finest.size.bit_length() - 1, depth)
    return [within.reshape(1 << level, -1).sum(axis=1) for level in range(levels + 1)]
