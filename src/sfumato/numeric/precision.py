"""The working precision of ball arithmetic, which the library keeps for the whole process."""

from __future__ import annotations

from contextlib import contextmanager
from threading import RLock
from typing import TYPE_CHECKING

from flint import ctx

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["working_precision"]

_ONE_AT_A_TIME = RLock()


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
    with _ONE_AT_A_TIME, ctx.workprec(bits):
        yield
