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
    """

    sample: Sample
    first: int

    def sides(self, column: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return a column as its part on the first dataset and that on the second."""
        return column[: self.first], column[self.first :]
