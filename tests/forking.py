"""Children that a test forks."""

from __future__ import annotations

import os
import sys
import traceback
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["assert_ended_well", "forked"]


def forked(child: Callable[[], object]) -> int:
    """Run something in a child that was forked; give its process id."""
    process = os.fork()
    if process:
        return process
    status = 1
    try:
        child()
        status = 0
    except BaseException:  # noqa: BLE001 - the parent reads what is said, and the status
        traceback.print_exc()
        sys.stderr.flush()
    finally:
        os._exit(status)


def assert_ended_well(process: int) -> None:
    assert os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == 0
