"""A gate before files that may not be open while a process forks.

SQLite keeps the locks of a file in tables of the process.  A child inherits the tables and not the
locks, so a connection that crosses a fork can lose what is written through it.  A fork therefore
waits for those who are inside; a file that somebody stays in is closed to the child for good.
"""

from __future__ import annotations

import os
from collections import Counter
from threading import Condition, local
from typing import TYPE_CHECKING

from sfumato.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Gate", "Stay"]

#: How long a fork waits for those inside, in seconds; a transaction takes milliseconds.
_PATIENCE = 5.0


class Gate:
    """Counts who is inside which file, and lets nobody in while the process forks.

    Parameters
    ----------
    leave
        Closes what is open though nobody is inside, before a fork.
    """

    def __init__(self, leave: Callable[[], None]) -> None:
        self._close_all = leave
        self._open = Condition()
        self._is_forking = False
        self._inside: Counter[str] = Counter()
        self._own = local()
        self._crossed: set[str] = set()
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(
                before=self._before, after_in_parent=self._in_parent, after_in_child=self._in_child
            )

    def inside(self, path: str) -> Stay:
        """Stay inside a file for a while; refuse one that was in use when this process was made."""
        return Stay(self, path)

    def enter(self, path: str) -> None:
        """Go in, once nobody forks."""
        with self._open:
            while self._is_forking:
                self._open.wait()
            if path in self._crossed:
                raise StoreError(
                    "E-PROCESS-FORKED",
                    "the ledger {path!r} was in use when this process was forked, and cannot "
                    "be used in it",
                    "start a new process",
                    path=path,
                )
            self._count(path, 1)

    def leave(self, path: str) -> None:
        """Come out again."""
        with self._open:
            self._count(path, -1)
            if self._is_forking:
                self._open.notify_all()

    def _count(self, path: str, change: int) -> None:
        self._inside[path] += change
        self._own.count = getattr(self._own, "count", 0) + change

    def _others(self) -> int:
        """Return how many are inside besides this thread."""
        return self._inside.total() - getattr(self._own, "count", 0)

    def _before(self) -> None:
        self._open.acquire()
        self._is_forking = True
        self._open.wait_for(lambda: not self._others(), timeout=_PATIENCE)
        self._close_all()

    def _in_parent(self) -> None:
        self._is_forking = False
        self._open.notify_all()
        self._open.release()

    def _in_child(self) -> None:
        self._crossed.update(+self._inside)
        self._open, self._inside, self._own = Condition(), Counter(), local()
        self._is_forking = False


class Stay:
    """A stay inside a file, from the beginning of a block to its end."""

    __slots__ = ("_gate", "_path")

    def __init__(self, gate: Gate, path: str) -> None:
        self._gate, self._path = gate, path

    def __enter__(self) -> None:
        self._gate.enter(self._path)

    def __exit__(self, *_: object) -> None:
        self._gate.leave(self._path)
