"""The working precision of ball arithmetic, which the library keeps for the whole process."""

from __future__ import annotations

import os
from contextlib import contextmanager
from threading import RLock, get_ident
from typing import TYPE_CHECKING

from flint import ctx

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["working_precision"]

_USUAL_BITS = 53


class _Turn:
    """Whose turn it is to set the precision; a child process begins anew."""

    def __init__(self) -> None:
        self.lock = RLock()
        self.holder: int | None = None

    def begin_anew(self) -> None:
        if self.holder != get_ident():
            self.lock = RLock()
            ctx.prec = _USUAL_BITS


_TURN = _Turn()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_TURN.begin_anew)


@contextmanager
def working_precision(bits: int) -> Iterator[None]:
    """Work with balls of so many bits; other threads that ask for a precision wait.

    Examples
    --------
    >>> from flint import arb
    >>> from sfumato.numeric import working_precision
    >>> with working_precision(200):
    ...     third = arb(1) / 3
    >>> float(third.rad()) < 1e-60
    True
    """
    with _TURN.lock:
        before, _TURN.holder = _TURN.holder, get_ident()
        try:
            with ctx.workprec(bits):
                yield
        finally:
            _TURN.holder = before
