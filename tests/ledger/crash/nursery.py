"""Processes by `fork`: a child of a program that has imported everything starts at once."""

from __future__ import annotations

import os
import traceback
from typing import TYPE_CHECKING

import cryptography.hazmat.primitives.serialization  # noqa: F401 imported late by who signs

if TYPE_CHECKING:
    from collections.abc import Callable


def start(task: Callable[[], None]) -> int:
    """Do a task in a child process, and return its number."""
    child = os.fork()
    if child == 0:
        try:
            task()
            os._exit(0)
        except BaseException:  # noqa: BLE001
            traceback.print_exc()
            os._exit(1)
    return child


def finished(child: int) -> int:
    """Wait for a child; return its exit code, or the signal that ended it with a minus."""
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
