"""Folders for what only their owner should see, durable once they are made."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["make_folders", "settle_names"]


def make_folders(folder: Path) -> None:
    """Make the folders that are missing, each for its owner alone; none if the path is too long."""
    with suppress(FileNotFoundError):
        folder.stat()
    for each in [*reversed(folder.parents), folder]:
        if not each.is_dir():
            each.mkdir(mode=0o700, exist_ok=True)
            settle_names(each.parent)


def settle_names(folder: Path) -> None:
    """Have the names in a folder reach the disk, where the system can."""
    if os.name == "posix":
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
