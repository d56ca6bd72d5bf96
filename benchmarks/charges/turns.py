"""Turns on an unsteady disk: small blocks of ours and of the floor, one after the other."""

from __future__ import annotations

import time
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    Call = Callable[[], Any]

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
    wall, processor = time.perf_counter(), time.process_time()
    for _ in range(_CALLS):
        call()
    return (time.perf_counter() - wall) / _CALLS, (time.process_time() - processor) / _CALLS
