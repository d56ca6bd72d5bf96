"""A round of k-means on a CUDA device, 100 million points of 16 coordinates and 32 centres.

Ours, plain torch, and the floor: to read the data once.  Ours is checked against points in memory
and against plain torch in whole numbers, and must equal both bit for bit.

Run as `python -m benchmarks.kmeans.device` where there is a CUDA device.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from benchmarks.measure import markdown, milliseconds, ratio, save, side_by_side, timed
from sfumato.learning.kmeans.points import tensors
from sfumato.learning.kmeans.points.arrays import ArrayPoints
from sfumato.learning.kmeans.points.tensors import TensorPoints, tensor_points
from sfumato.learning.kmeans.space import Ball, GridBox, space_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from sfumato.learning.kmeans.points.grid import Totals

    Whole = NDArray[np.int64]

ROWS, DIMENSIONS, CENTRES = 100_000_000, 16, 32
CHECKED = 300_000
CHUNK = 2_000_000
PLAIN, READING = "plain torch", "reading once"
BALLS = {
    "sums": None,
    "distances in an L1 ball": Ball(1 << 23),
    "distances in an L2 ball": Ball(1 << 21, "l2"),
}
NOTE = (
    "Milliseconds of one round on one {device}, torch {version}: {rows:,} points of {dimensions} "
    "coordinates in single precision, {centres} centres; the best of seven, in turns. Plain torch "
    "is a chunked matmul, argmin and one-hot matmul in single precision, of sums that depend on "
    "the order of threads; ours are whole numbers and equal those of the processor bit for bit."
)


def made() -> torch.Tensor:
    """Return uniform points in the box from -1 to 1."""
    torch.manual_seed(0)
    return torch.rand(ROWS, DIMENSIONS, device="cuda") * 2 - 1


def plain_round(values: torch.Tensor, centres: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Return counts and sums by the nearest centre, in single precision."""
    squares = (centres * centres).sum(dim=1)
    counts = torch.zeros(len(centres), device=values.device)
    sums = torch.zeros_like(centres)
    order = torch.arange(len(centres), device=values.device)
    for chunk in values.split(CHUNK):
        labels = torch.addmm(squares, chunk, centres.T, alpha=-2).argmin(dim=1)
        shares = (labels[:, None] == order).to(chunk.dtype)
        counts += shares.sum(dim=0)
        sums += shares.T @ chunk
    return counts, sums


def finished(run: Callable[[], Any]) -> Callable[[], None]:
    """Return a run that waits for the device."""

    def ran() -> None:
        run()
        torch.cuda.synchronize()

    return ran


def check(values: torch.Tensor, points: TensorPoints, centres: Whole) -> None:
    """Stop unless ours equals points in memory, and plain torch in whole numbers."""
    few = values[:CHECKED]
    array = ArrayPoints(points.space, points.space.whole(few.double().cpu().numpy()))
    for name, ball in BALLS.items():
        ours = tensor_points(few, points.space).totals(centres, ball=ball)
        everything = points.totals(centres, ball=ball)
        if not (
            same(ours, array.totals(centres, ball=ball))
            and same(everything, tensors.add_up(points.steps, None, centres, ball))
        ):
            sys.exit(f"{name}: ours differs")


def same(one: Totals, other: Totals) -> bool:
    """Tell whether two totals are equal bit for bit."""
    return np.array_equal(one.counts, other.counts) and np.array_equal(one.sums, other.sums)


def rounds(values: torch.Tensor, points: TensorPoints, centres: Whole) -> list[list[str]]:
    """Return the lines of the table of rounds, one a ball."""
    real = torch.as_tensor(points.space.real(centres), device="cuda").float()
    contestants = {
        READING: finished(values.sum),
        PLAIN: finished(lambda: plain_round(values, real)),
        **{name: _asking(points, centres, ball) for name, ball in BALLS.items()},
    }
    seconds = side_by_side("a round", contestants).seconds
    return [
        [
            name,
            milliseconds(each),
            ratio(each, seconds[PLAIN]),
            ratio(each, seconds[READING]),
        ]
        for name, each in seconds.items()
    ]


def _asking(points: TensorPoints, centres: Whole, ball: Ball | None) -> Callable[[], Totals]:
    return lambda: points.totals(centres, ball=ball)


def converted(values: torch.Tensor, space: GridBox) -> tuple[TensorPoints, float]:
    """Return the points in whole steps, and the seconds that they took to make."""
    tensor_points(values[:CHUNK], space)
    torch.cuda.synchronize()

    def made_whole() -> TensorPoints:
        points = tensor_points(values, space)
        torch.cuda.synchronize()
        return points

    return timed(made_whole)


def main() -> None:
    """Check, measure, print and save."""
    values = made()
    space = space_of(-np.ones(DIMENSIONS), np.ones(DIMENSIONS))
    centres = space.held(
        np.random.default_rng(0).uniform(-1, 1, (CENTRES, DIMENSIONS)) * space.unit
    )
    points, once = converted(values, space)
    check(values, points, centres)
    header = ["a round", "ms", f"/ {PLAIN}", f"/ {READING}"]
    lines = [
        header,
        *rounds(values, points, centres),
        ["once: to whole steps", milliseconds(once), "–", "–"],
    ]
    note = NOTE.format(
        device=torch.cuda.get_device_name(),
        version=torch.__version__,
        rows=ROWS,
        dimensions=DIMENSIONS,
        centres=CENTRES,
    )
    save("kmeans-device", "python -m benchmarks.kmeans.device", markdown(lines), note=note)


if __name__ == "__main__":
    main()
