"""Somebody who owns many points: each weighs less, so that together they weigh no more."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.learning.kmeans.points.base import WEIGHT_BITS

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["is_missing", "numbered", "person_weights"]


def person_weights(people: NDArray[Any], limit: int) -> NDArray[np.float64]:
    """Return what each row weighs, in 1/1024: those of one person at most the limit together.

    A row of somebody with m rows weighs min(1024, ⌊limit·1024 / m⌋).

    Parameters
    ----------
    people
        Whose each row is.
    limit
        How many rows of a person count fully.
    """
    whose = numbered(people)
    fine = 1 << WEIGHT_BITS
    return np.minimum(fine, limit * fine // np.bincount(whose))[whose].astype(np.float64)


def numbered(people: NDArray[Any]) -> NDArray[np.int64]:
    """Return a number for each different id; ids that are missing are all one person's."""
    if people.dtype.kind in "iubf":
        found: NDArray[np.int64] = np.unique(people, return_inverse=True)[1]
        return found
    known: dict[Any, int] = {}
    ids = (None if is_missing(each) else _compared(each) for each in people)
    return np.array([known.setdefault(each, len(known)) for each in ids], dtype=np.int64)


def _compared(each: Any) -> Any:
    """Return an id that is equal to others like it; some are equal to themselves alone."""
    kind: Any = type(each)
    if each is not None and kind.__eq__ is object.__eq__:
        message = "such ids are never equal"
        raise TypeError(message)
    return each.item() if hasattr(each, "item") else each


def is_missing(each: Any) -> bool:
    """Tell whether something differs from itself, or cannot tell, as pandas.NA."""
    try:
        return bool(each != each)
    except (TypeError, ValueError, ArithmeticError):
        return True
