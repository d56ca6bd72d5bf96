"""The working precision of ball arithmetic, which the library keeps for the whole process."""

from __future__ import annotations

import os
from threading import RLock, get_ident

from flint import ctx

__all__ = ["working_precision"]

_USUAL_BITS = 53


class _Turn:
    """Whose turn it is to set the precision; a child process begins anew."""

    def __init__(self) -> None:
        self.lock = RLock()
        self.holder: int | None = None

    def begin_anew(self) -> None:
        if self.holder == get_ident():
            return
        self.lock = RLock()
        if self.holder is not None:
            self.holder, ctx.prec = None, _USUAL_BITS


_TURN = _Turn()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_TURN.begin_anew)


class working_precision:  # noqa: N801 - it is used as a statement
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

    def __init__(self, bits: int) -> None:
        self._bits = bits

    def __enter__(self) -> None:
        self._lock = _TURN.lock
        self._lock.acquire()
        self._before = ctx.prec, _TURN.holder
        _TURN.holder = get_ident()
        ctx.prec = self._bits

    def __exit__(self, *_: object) -> None:
        ctx.prec, _TURN.holder = self._before
        self._lock.release()
