"""Turns on an unsteady disk: small blocks of ours and of the floor, one after the other."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    Call = Callable[[], Any]

#: Where Linux says for how long a process ran, and for how long it waited for its turn.
_QUEUE = Path("/proc/self/schedstat")
_BLOCKS = 25
_CALLS = 20


@dataclass(frozen=True)
class Turns:
    """The medians over the blocks: seconds of a call, and of ours over the floor's."""

    ours: float
    floor: float
    ratio: float
    processor: float


def take_turns(ours: Call, floor: Call) -> Turns:
    """Time blocks of calls in turn.

    How long a disk takes to flush changes many times over within minutes.  Neighbouring blocks
    mostly meet the same disk, so the ratio is taken of each such pair, and then the median.
    """
    for call in (ours, floor):
        _block(call)
    pairs = [(_block(floor), _block(ours)) for _ in range(_BLOCKS)]
    return Turns(
        ours=median(mine[0] for _, mine in pairs),
        floor=median(bare[0] for bare, _ in pairs),
        ratio=median(mine[0] / bare[0] for bare, mine in pairs),
        processor=median(mine[1] for _, mine in pairs),
    )


def _block(call: Call) -> tuple[float, float]:
    """Return the seconds of a call by the wall's clock and by the processor's."""
    queued, wall, processor = _queued(), time.perf_counter(), time.process_time()
    for _ in range(_CALLS):
        call()
    wall, processor = time.perf_counter() - wall, time.process_time() - processor
    return (wall - (_queued() - queued)) / _CALLS, processor / _CALLS


def _queued() -> float:
    """Return for how many seconds we were ready and other programs had the processor.

    That is no part of a call: on a busy machine the one that computes more would wait more.
    """
    if not _QUEUE.exists():
        return 0.0
    return int(_QUEUE.read_text("ascii").split()[1]) / 1e9
