"""The working precision of ball arithmetic, which the library keeps for the whole process."""

from __future__ import annotations

import os
from threading import RLock, get_ident
from typing import TYPE_CHECKING, TypeVar

from flint import ctx

from sfumato.errors import InternalError

if TYPE_CHECKING:
    from collections.abc import Callable

    from flint import arb


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


Answer = TypeVar("Answer")

_FIRST_BITS = 128
_MOST_BITS = 1 << 16


def nearest_float(ball: Callable[[], arb]) -> float:
    """Return the float nearest to a real number that ``ball`` encloses at any precision.

    The number must not lie midway between two floats: an irrational one never does.

    Examples
    --------
    >>> from flint import arb
    >>> from sfumato.numeric import nearest_float
    >>> nearest_float(lambda: arb(2).log())
    0.6931471805599453
    """

    def settled(value: arb) -> float | None:
        low, high = float(value.lower()), float(value.upper())
        return low + 0.0 if low == high else None

    return _refine(ball, settled)


def decide_sign(ball: Callable[[], arb]) -> int:
    """Return the sign (-1 or 1) of a nonzero real that ``ball`` encloses at any precision.

    Examples
    --------
    >>> from flint import arb
    >>> from sfumato.numeric import decide_sign
    >>> decide_sign(lambda: arb(2).log() - arb(0.6931471805599453))
    1
    """

    def settled(value: arb) -> int | None:
        return 1 if value > 0 else -1 if value < 0 else None

    return _refine(ball, settled)


def _refine(ball: Callable[[], arb], settled: Callable[[arb], Answer | None]) -> Answer:
    """Raise the working precision until ``settled`` reads an answer off the ball."""
    bits = _FIRST_BITS
    while bits <= _MOST_BITS:
        with working_precision(bits):
            answer = settled(ball())
        if answer is not None:
            return answer
        bits *= 2
    raise InternalError(
        "E-NUMBER-UNDECIDED",
        "a number stayed undecided at the greatest precision: is it zero, or a tie?",
    )
