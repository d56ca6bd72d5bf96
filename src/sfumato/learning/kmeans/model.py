"""What private k-means gives out: centres, noisy counts, and how much noise is in each centre."""

from __future__ import annotations

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

    Examples
    --------
    >>> import numpy as np
    >>> from sfumato.learning.kmeans.model import Centres
    >>> Centres(np.zeros((3, 2)), np.zeros(3), np.zeros((3, 2))).places.shape
    (3, 2)
    """

    places: Reals
    counts: Reals
    noise: Reals
    cost: float = np.nan
