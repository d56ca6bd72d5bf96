"""One pass over points on a CUDA device: the nearest centre and the sums together, by Triton.

All is whole numbers, so that the order of threads does not matter.  Scores are products of whole
numbers below 2^53, in double precision.  What is added up is split into bytes, which tensor cores
add up in single precision below 2^24: a byte of 4096 rows at a time, and then in 64-bit integers.
"""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.learning.kmeans.points.grid import Totals
from sfumato.learning.kmeans.space import PULL, Ball

_INSTALLED = find_spec("triton") is not None
if _INSTALLED:
    import triton
    import triton.language as tl

if TYPE_CHECKING:
    import torch
    from numpy.typing import NDArray

    Whole = NDArray[np.int64]


#: Tensor cores multiply no fewer rows or columns.
_LEAST = 16
#: So many sums stay in a program's registers.
_MOST_SUMS = 1 << 12
#: A space keeps products below 2^53, so that no coordinate of a distance is longer, nor its highest
#: part above 2^11, which half precision holds exactly.
_MOST_DISTANCE = 1 << 27
_MOST_RADIUS = _MOST_SUMS * _MOST_DISTANCE
#: So few sums fit one warp's registers, with larger blocks of rows; more take two warps.  Never
#: four: Triton 3.6 was seen to count wrongly where tensor cores work for a group of four.
_FEW_SUMS = 1 << 9
#: A program's rows: so few that sums of their parts stay below 2^24.
_ROWS = 1 << 12
_NORMS = {None: 0, "l1": 1, "l2": 2}


def fits(centres: Whole) -> bool:
    """Tell whether there is Triton, and room for so many centres and coordinates."""
    many, width = (_padded(each) for each in centres.shape)
    return _INSTALLED and many * width <= _MOST_SUMS


def add_up_in_one_pass(steps: torch.Tensor, centres: Whole, ball: Ball | None) -> Totals:
    """Add points up by the nearest centre; of two as near, the first.

    Parameters
    ----------
    steps
        Points in whole steps on a CUDA device, one a row, as 32-bit integers without gaps.
    centres
        In steps, one a row, so many and so long that they fit.
    ball
        Where given, distances from the nearest centre are added up, pulled into the ball.
    """
    import torch

    many, columns = centres.shape
    asked = _asked(centres, steps.device)
    counts = torch.zeros_like(asked["squares"], dtype=torch.int64)
    sums = torch.zeros_like(asked["centres"], dtype=torch.int64)
    with torch.cuda.device(steps.device):
        _compiled()[(triton.cdiv(len(steps), _ROWS),)](
            steps=steps,
            **asked,
            sums=sums,
            counts=counts,
            rows=len(steps),
            radius=0 if ball is None else min(ball.radius, _MOST_RADIUS),
            columns=columns,
            pull_bits=PULL.bit_length() - 1,
            norm=_NORMS[None if ball is None else ball.norm],
            **_shape(*sums.shape),
        )
    return Totals(counts[:many].cpu().numpy(), sums[:many, :columns].cpu().numpy())


def _padded(size: int) -> int:
    return max(_LEAST, 1 << (size - 1).bit_length())


def _asked(centres: Whole, device: torch.device) -> dict[str, torch.Tensor]:
    """Return centres as the kernel takes them: those of padding are infinitely far."""
    import torch

    many, columns = centres.shape
    padded = np.zeros((_padded(many), _padded(columns)), dtype=np.int32)
    padded[:many, :columns] = centres
    squares = np.full(len(padded), np.inf)
    squares[:many] = (centres * centres).sum(axis=1)
    made = {
        "doubled": np.ascontiguousarray(2.0 * padded.T),
        "squares": squares,
        "centres": padded,
    }
    return {name: torch.as_tensor(each, device=device) for name, each in made.items()}


def _shape(many: int, width: int) -> dict[str, int]:
    """Return how the kernel is laid out for so many sums."""
    few = many * width <= _FEW_SUMS
    block, warps = (64, 1) if few else (32, 2)
    layout = {"block": block, "turns": _ROWS // block, "num_warps": warps, "num_stages": 1}
    return {"many": many, "width": width, **layout}


@cache
def _compiled() -> Any:
    return triton.jit(_one_pass, do_not_specialize=["rows", "radius"])


def _one_pass(
    steps: tl.tensor,
    doubled: tl.tensor,
    squares: tl.tensor,
    centres: tl.tensor,
    sums: tl.tensor,
    counts: tl.tensor,
    rows: tl.tensor,
    radius: tl.tensor,
    columns: tl.constexpr,
    width: tl.constexpr,
    many: tl.constexpr,
    block: tl.constexpr,
    turns: tl.constexpr,
    pull_bits: tl.constexpr,
    norm: tl.constexpr,
) -> None:
    """Add up the rows of one program; padding is never nearest, and adds nothing."""
    first = tl.program_id(0).to(tl.int64) * (block * turns)
    which = tl.arange(0, many)
    along = tl.arange(0, width)
    toward = tl.load(doubled + along[:, None] * many + which[None, :])
    square = tl.load(squares + which)
    low = tl.zeros([many, width], dtype=tl.float32)
    middle = tl.zeros([many, width], dtype=tl.float32)
    high = tl.zeros([many, width], dtype=tl.float32)
    count = tl.zeros([many, 16], dtype=tl.float32)
    for turn in range(turns):
        row = first + turn * block + tl.arange(0, block)
        known = row < rows
        there = known[:, None] if columns == width else known[:, None] & (along < columns)[None, :]
        point = tl.load(steps + row[:, None] * columns + along[None, :], mask=there, other=0)
        scores = tl.dot(point.to(tl.float64), toward, out_dtype=tl.float64) - square[None, :]
        label = tl.argmax(scores, 1)
        if norm > 0:
            point -= tl.load(centres + label[:, None] * width + along[None, :])
            size = tl.abs(point)
            if norm == 1:
                length = tl.sum(size, 1).to(tl.float64)
            else:
                real = point.to(tl.float64)
                length = tl.floor(tl.extra.cuda.libdevice.sqrt_rn(tl.sum(real * real, 1))) + 1
            # A guess in single precision is at most one off, and what is left says which way.
            whole = radius.to(tl.float64) * (1 << pull_bits)
            share = tl.floor(whole.to(tl.float32) / length.to(tl.float32)).to(tl.float64)
            left = whole - share * length
            share += tl.where(left >= length, 1.0, 0.0) - tl.where(left < 0, 1.0, 0.0)
            share = tl.where(length > radius, share, 1 << pull_bits).to(tl.int64)
            shorter = ((size.to(tl.int64) * share[:, None]) >> pull_bits).to(tl.int32)
            point = tl.where(point < 0, -shorter, shorter)
        hot = ((label[None, :] == which[:, None]) & known[None, :]).to(tl.float16)
        low = tl.dot(hot, (point & 255).to(tl.float16), acc=low)
        middle = tl.dot(hot, ((point >> 8) & 255).to(tl.float16), acc=middle)
        high = tl.dot(hot, (point >> 16).to(tl.float16), acc=high)
        count = tl.dot(hot, tl.full([block, 16], 1.0, tl.float16), acc=count)
    total = low.to(tl.int64) + middle.to(tl.int64) * 256 + high.to(tl.int64) * 65536
    tl.atomic_add(sums + which[:, None] * width + along[None, :], total)
    tl.atomic_add(counts + which, tl.max(count, 1).to(tl.int64))
