"""Chunks of a tensor, by plain torch: the same whole numbers as in memory, on any device."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sfumato.learning.kmeans.points.base import Totals
from sfumato.learning.kmeans.points.pulling import PULL

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    import torch
    from numpy.typing import NDArray

    from sfumato.learning.kmeans.points.base import Ball

    Whole = NDArray[np.int64]

__all__ = ["add_up", "chunks", "pulled_in"]

#: How many numbers a chunk has: a processor's fits its cache, a device's keeps all of it busy.
_IN_CACHE, _ON_DEVICE = 1 << 18, 1 << 26
#: So many rows, each of at most 2^26 steps and a weight of at most 2^10, add up to at most 2^53.
_MOST_ROWS = 1 << 17


def chunks(like: torch.Tensor, *, width: int, most: int | None = None) -> Iterator[slice]:
    """Yield the rows of a tensor in chunks that suit its device."""
    numbers = _IN_CACHE if like.device.type == "cpu" else _ON_DEVICE
    size = max(min(numbers // width, most or numbers), 1)
    for start in range(0, len(like), size):
        yield slice(start, min(start + size, len(like)))


def add_up(
    steps: torch.Tensor, weights: torch.Tensor | None, centres: Whole, ball: Ball | None
) -> Totals:
    """Add points up by the nearest centre, exactly; of two as near, the first."""
    import torch

    asked = _Asked.of(centres, steps.device)
    counts = torch.zeros(len(centres), dtype=torch.int64, device=steps.device)
    sums = torch.zeros(centres.shape, dtype=torch.int64, device=steps.device)
    for rows in chunks(steps, width=len(centres), most=_MOST_ROWS):
        points, shares = asked.shared(steps[rows].double(), ball)
        if weights is not None:
            shares *= weights[rows, None]
        counts += shares.sum(dim=0).long()
        sums += (shares.T @ points).long()
    return Totals(counts.cpu().numpy(), sums.cpu().numpy())


def pulled_in(distances: torch.Tensor, ball: Ball) -> torch.Tensor:
    """Return distances in steps, those beyond the ball pulled in towards the centre."""
    import torch

    sizes = distances.abs()
    if ball.norm == "l1":
        norms = sizes.sum(dim=1, keepdim=True)
    else:
        norms = (sizes * sizes).sum(dim=1, keepdim=True).sqrt().floor() + 1
    # A number over a tensor would be the tensor's reciprocal, rounded, times the number.
    far = (torch.full_like(norms, float(ball.radius * PULL)) / norms).floor()
    shorter = (sizes * far / PULL).floor()
    return torch.where(norms > ball.radius, shorter.copysign(distances), distances)


@dataclass(frozen=True, eq=False)
class _Asked:
    """Centres, ready to be compared with points: the nearest has the highest 2x·c - |c|²."""

    centres: torch.Tensor
    order: torch.Tensor

    @classmethod
    def of(cls, centres: Whole, device: torch.device) -> _Asked:
        import torch

        floats = torch.as_tensor(centres, device=device).double()
        return cls(floats, torch.arange(len(floats), device=device))

    def nearest(self, points: torch.Tensor) -> torch.Tensor:
        import torch

        scores = points @ (2 * self.centres).T
        scores -= (self.centres * self.centres).sum(dim=1)
        highest = scores.amax(dim=1, keepdim=True)
        return torch.where(scores == highest, self.order, len(self.order)).amin(dim=1)

    def shared(self, points: torch.Tensor, ball: Ball | None) -> tuple[torch.Tensor, torch.Tensor]:
        """Return what is to be added up of each point, and a 1 for the centre it goes to."""
        labels = self.nearest(points)
        if ball is not None:
            points = pulled_in(points - self.centres[labels], ball)
        return points, (labels[:, None] == self.order).double()
