"""Points in a tensor, where it is: on the processor, or on a device with one pass a round."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from subprocess import SubprocessError
from typing import TYPE_CHECKING

from sfumato.learning.kmeans.points.grid import (
    WEIGHT_BITS,
    CellCounts,
    Totals,
    halvings,
)
from sfumato.learning.kmeans.space import PULL

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    import torch
    from numpy.typing import NDArray

    from sfumato.learning.kmeans.space import Ball, GridBox

    Whole = NDArray[np.int64]


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

    asked = _CentreChunk.of(centres, steps.device)
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
class _CentreChunk:
    """Centres, ready to be compared with points: the nearest has the highest 2x·c - |c|²."""

    centres: torch.Tensor
    order: torch.Tensor

    @classmethod
    def of(cls, centres: Whole, device: torch.device) -> _CentreChunk:
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


@dataclass(frozen=True, eq=False)
class TensorPoints:
    """Points in a tensor; what is found equals what is found of an array, bit for bit.

    Parameters
    ----------
    space
        The box they lie in.
    steps
        The points in whole steps, one a row, as 32-bit integers.
    weights
        What each weighs, in 1/1024; None where each counts fully.
    """

    space: GridBox
    steps: torch.Tensor
    weights: torch.Tensor | None = None

    @property
    def fine(self) -> int:
        """What one whole point weighs."""
        return 1 if self.weights is None else 1 << WEIGHT_BITS

    def cells(self, level: int, *, inside: Whole, above: int) -> CellCounts:
        """Count the points by the cells of a level, only within some cells of a level above."""
        import torch

        outer = torch.as_tensor(inside, device=self.steps.device)
        nothing = torch.zeros(0, dtype=torch.int64, device=self.steps.device)
        found = [(nothing, nothing)]
        for rows in chunks(self.steps, width=self.space.dimensions):
            names, weights = self._names(rows, level), self._weights(rows)
            if above:
                kept = torch.isin(self._names(rows, above), outer)
                names, weights = names[kept], weights[kept]
            found.append(_added(names, weights))
        names, counts = _added(*(torch.cat(each) for each in zip(*found, strict=True)))
        return CellCounts(names.cpu().numpy(), counts.cpu().numpy())

    def totals(self, centres: Whole, *, ball: Ball | None) -> Totals:
        """Add points up by the nearest centre; of two as near, the first.

        On a CUDA device, points that each count fully are read once, by a kernel of our own.
        """
        if self.steps.is_cuda and self.weights is None:
            from sfumato.learning.kmeans.points.kernel import add_up_in_one_pass, fits

            if fits(centres):
                # Without a compiler there is no kernel, and plain torch gives the same.
                with suppress(RuntimeError, OSError, SubprocessError):
                    return add_up_in_one_pass(self.steps, centres, ball)
        return add_up(self.steps, self.weights, centres, ball)

    def _names(self, rows: slice, level: int) -> torch.Tensor:
        import torch

        unit = self.space.unit
        places = (self.steps[rows].long() + unit).clamp(max=2 * unit - 1)
        names = torch.zeros_like(places[:, 0])
        for each, bits in enumerate(halvings(level, self.space.dimensions)):
            names = (names << bits) | (places[:, each] >> (self.space.bits + 1 - bits))
        return names

    def _weights(self, rows: slice) -> torch.Tensor:
        import torch

        if self.weights is not None:
            return self.weights[rows]
        return torch.ones(rows.stop - rows.start, dtype=torch.int64, device=self.steps.device)


def tensor_points(
    values: torch.Tensor, space: GridBox, weights: torch.Tensor | NDArray[np.float64] | None = None
) -> TensorPoints:
    """Return the points of a tensor in whole steps, on its device, made chunk by chunk.

    Parameters
    ----------
    values
        One point a row, of any type of numbers; what is missing is in the middle.
    space
        The box that points are held in.
    weights
        What each weighs, in 1/1024; None where each counts fully.
    """
    import torch

    steps = torch.empty(values.shape, dtype=torch.int32, device=values.device)
    for rows in chunks(values, width=space.dimensions):
        steps[rows] = _whole(values[rows].detach().double(), space)
    if weights is not None:
        weights = torch.as_tensor(weights, device=values.device).long()
    return TensorPoints(space, steps, weights)


def _whole(values: torch.Tensor, space: GridBox) -> torch.Tensor:
    """Return points in steps as the space does, one operation after another: none is fused."""
    import torch

    low, high, middle, scale = (
        torch.as_tensor(each, dtype=torch.float64, device=values.device)
        for each in (space.low, space.high, space.middle, space.scale)
    )
    known = torch.where(values.isnan(), middle, values)
    steps = (known.clamp(low, high) - middle) * scale
    held = (steps.clamp(-space.unit, space.unit) + 0.5).floor()
    return held if space.ball is None else pulled_in(held, space.ball)


def _added(names: torch.Tensor, weights: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the different names in order, and what each weighs together."""
    import torch

    different, which = torch.unique(names, return_inverse=True)
    return different, torch.zeros_like(different).index_add_(0, which, weights)
