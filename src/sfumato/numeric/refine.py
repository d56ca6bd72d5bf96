"""Questions about a real number, answered by ever finer balls around it: never guessed."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from sfumato.errors import InternalError
from sfumato.numeric.precision import working_precision

if TYPE_CHECKING:
    from collections.abc import Callable

    from flint import arb

__all__ = ["decide_sign", "nearest_float"]

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
