"""What private k-means is asked for, all of it public."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fractions import Fraction

__all__ = ["Asked"]


@dataclass(frozen=True)
class Asked:
    """What is asked for, all of it public.

    Parameters
    ----------
    clusters, dimensions
        How many centres, in how many coordinates.
    epsilon, delta
        What it may cost.
    size
        About how many people there are, where that is public.
    method, rounds, noise
        What the caller chose; "auto" or None where the choice is left open.
    """

    clusters: int
    dimensions: int
    epsilon: Fraction
    delta: Fraction | None = None
    size: int | None = None
    method: str = "auto"
    rounds: int | None = None
    noise: str = "auto"

    @property
    def each(self) -> float:
        """How many people there are for each centre, times ε; infinite where that is not known."""
        return float("inf") if self.size is None else self.told / self.clusters

    @property
    def told(self) -> float:
        """How many people there are, times ε."""
        return float("inf") if self.size is None else self.size * float(self.epsilon)
