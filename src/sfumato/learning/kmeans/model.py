"""What private k-means gives out: centres, noisy counts, and how much noise is in each centre."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Reals = NDArray[np.float64]

__all__ = ["Centres"]


@dataclass(frozen=True, eq=False)
class Centres:
    """Centres in steps, computed from what was released with noise.

    Parameters
    ----------
    places
        One centre a row, in steps from the middle of the box.
    counts
        How many points are next to each, with noise.
    noise
        The standard deviation of the noise in each coordinate of each centre, in steps.
    cost
        The mean square distance of points from their centre, as far as released cells tell, in
        half widths of the box; NaN where no cells were released.
    seeded
        Whether the noise came from a seed, so that nothing is private.
    """

    places: Reals
    counts: Reals
    noise: Reals
    cost: float = np.nan
    seeded: bool = False

    def to_bytes(self) -> bytes:
        """Return the one way to write them, as a ledger keeps them."""
        document = {
            "places": self.places.tolist(),
            "counts": self.counts.tolist(),
            "noise": self.noise.tolist(),
            "cost": None if np.isnan(self.cost) else self.cost,
            "seeded": self.seeded,
        }
        return json.dumps(document, sort_keys=True, separators=(",", ":")).encode()

    @classmethod
    def from_bytes(cls, content: bytes) -> Centres:
        """Return what was written."""
        document = json.loads(content)
        places, counts, noise = (
            np.array(document[name], dtype=np.float64) for name in ("places", "counts", "noise")
        )
        cost = np.nan if document["cost"] is None else document["cost"]
        return cls(places, counts, noise, cost, document["seeded"])
