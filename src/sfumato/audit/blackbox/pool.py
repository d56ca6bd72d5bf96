"""Draws on two datasets side by side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sfumato.audit.blackbox.outcomes import Sample

__all__ = ["Pool"]


@dataclass(frozen=True, eq=False)
class Pool:
    """Outputs on both datasets in one sample: those on the first dataset come first.

    Attributes
    ----------
    sample
        All the outputs.
    first
        How many of them are of the first dataset.

    Examples
    --------
    >>> from sfumato.audit.blackbox.outcomes import read_outputs
    >>> from sfumato.audit.blackbox.pool import Pool
    >>> Pool(read_outputs([1.0, 2.0, 3.0, 4.0]), 2).first
    2
    """

    sample: Sample
    first: int

    def sides(self, column: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return a column as its part on the first dataset and that on the second.

        Examples
        --------
        >>> import numpy as np
        >>> from sfumato.audit.blackbox.outcomes import read_outputs
        >>> from sfumato.audit.blackbox.pool import Pool
        >>> Pool(read_outputs([1, 2]), 1).sides(np.array([5, 6]))
        (array([5]), array([6]))
        """
        return column[: self.first], column[self.first :]
