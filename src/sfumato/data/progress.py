"""How far a long scan is: told to whoever watches, while it runs."""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from threading import Event, Thread
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["told", "watching"]

#: Who is told how far a scan is, as a share from 0 to 1.
_WATCHER: ContextVar[Callable[[float], None] | None] = ContextVar("watcher", default=None)
_EVERY = 0.1


@contextmanager
def watching(tell: Callable[[float], None]) -> Iterator[None]:
    """Tell how far each scan in the block is, as a share from 0 to 1.

    Parameters
    ----------
    tell
        Called now and then, from another thread, while a scan runs.
    """
    token = _WATCHER.set(tell)
    try:
        yield
    finally:
        _WATCHER.reset(token)


@contextmanager
def told(percent: Callable[[], float]) -> Iterator[None]:
    """Tell the watcher, if there is one, what ``percent`` says while the block runs."""
    tell = _WATCHER.get()
    if tell is None:
        yield
        return
    done = Event()
    teller = Thread(target=_telling, args=(percent, tell, done), daemon=True)
    teller.start()
    try:
        yield
    finally:
        done.set()
        teller.join()


def _telling(percent: Callable[[], float], tell: Callable[[float], None], done: Event) -> None:
    while not done.wait(_EVERY):
        share = percent() / 100
        if share >= 0:
            tell(min(share, 1.0))
