"""Points too far from a centre are pulled in, in whole steps, the same on every machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sfumato.learning.kmeans.points.base import Ball

    Reals = NDArray[np.float64]

__all__ = ["PULL", "pulled_in"]

#: Distances are pulled in by whole numbers of 1/65536.
PULL = 1 << 16


def pulled_in(distances: Reals, ball: Ball) -> Reals:
    """Return distances in steps, those beyond the ball pulled in towards the centre."""
    sizes = np.abs(distances)
    if ball.norm == "l1":
        norms = sizes.sum(axis=1)
    else:
        norms = np.floor(np.sqrt((sizes * sizes).sum(axis=1))) + 1
    beyond = norms > ball.radius
    far = np.floor(ball.radius * PULL / norms[beyond])
    shorter = np.floor(sizes[beyond] * far[:, None] / PULL)
    distances[beyond] = np.copysign(shorter, distances[beyond])
    return distances
