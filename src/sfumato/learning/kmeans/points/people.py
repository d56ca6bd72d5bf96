"""Somebody who owns many points: each weighs less, so that together they weigh no more."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.learning.kmeans.points.base import WEIGHT_BITS

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["person_weights"]


def person_weights(people: NDArray[Any], limit: int) -> NDArray[np.float64]:
    """Return what each row weighs, in 1/1024: those of one person at most the limit together.

    A row of somebody with m rows weighs min(1024, ⌊limit·1024 / m⌋).

    Parameters
    ----------
    people
        Whose each row is.
    limit
        How many rows of a person count fully.

    Examples
    --------
    >>> import numpy as np
    >>> from sfumato.learning.kmeans.points.people import person_weights
    >>> person_weights(np.array([7, 8, 7, 7]), limit=2).tolist()
    [682.0, 1024.0, 682.0, 682.0]
    """
    ids = people if people.dtype.kind in "iubf" else _numbered(people)
    _, whose, rows = np.unique(ids, return_inverse=True, return_counts=True)
    fine = 1 << WEIGHT_BITS
    return np.minimum(fine, limit * fine // rows)[whose].astype(np.float64)


def _numbered(people: NDArray[Any]) -> NDArray[np.int64]:
    """Return a number for each different id; ids that are missing are all one person's."""
    known: dict[Any, int] = {}
    found = [known.setdefault(each if each == each else None, len(known)) for each in people]
    return np.array(found, dtype=np.int64)
