"""Files that may be pipes: opened without waiting for somebody at the other end."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["opened_to_read", "opened_to_write"]

_AT_ONCE: int = getattr(os, "O_NONBLOCK", 0)


def opened_to_read(path: Path) -> BinaryIO:
    """Return an open file; a pipe that nobody writes into is at its end."""
    return os.fdopen(_opened(path, os.O_RDONLY), "rb")


def opened_to_write(path: Path) -> BinaryIO:
    """Return an open file that is there and is no regular one; a pipe needs a reader."""
    return os.fdopen(_opened(path, os.O_WRONLY), "wb")


def _opened(path: Path, how: int) -> int:
    descriptor = os.open(path, how | _AT_ONCE)
    if _AT_ONCE:
        os.set_blocking(descriptor, True)
    return descriptor
