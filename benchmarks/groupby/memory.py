"""The most memory that a process held, with the processes that it started."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_PEAK = re.compile(r"VmHWM:\s+(\d+) kB")


def peak_mib(process: str = "self") -> float:
    """Return the peaks of a process and of all it started, added up, in MiB.

    Linux keeps the peak of each program; that of `getrusage` begins with the parent's.
    """
    return sum(map(_peak_kib, _family(process))) / 1024


def _family(process: str) -> Iterator[str]:
    yield process
    for listed in Path(f"/proc/{process}/task").glob("*/children"):
        for child in listed.read_text().split():
            yield from _family(child)


def _peak_kib(process: str) -> int:
    found = _PEAK.search(Path(f"/proc/{process}/status").read_text())
    return int(found[1]) if found else 0
