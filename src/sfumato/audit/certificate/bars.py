"""How likely it is that an interval misses, derived from the noise that an answer has."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.audit.certificate.tails import Beyond

    #: How likely it is that an interval between two numbers misses.
    Missed = Callable[[Fraction, Fraction], float]

__all__ = ["around", "of_share", "within"]

#: Ends that are whole numbers are rounded, and floats are: far less than a step that a row is
#: cut into.
_ROUNDED = Fraction(1, 500_000)


def around(exact: Fraction, beyond: Beyond, *, never_negative: bool = False) -> Missed:
    """Return how likely an interval around a noisy number misses.

    Parameters
    ----------
    exact
        The noisy number, before anything is rounded or shown as 0.
    beyond
        The tail of its noise.
    never_negative
        Whether a lower end at 0 holds whatever the noise is.
    """

    def missed(low: Fraction, high: Fraction) -> float:
        reaches = [high - exact]
        if not (never_negative and low <= 0):
            reaches.append(exact - low)
        reach = min(reaches) + _ROUNDED
        return beyond(reach) if reach >= 0 else 1.0

    return missed


def of_share(
    upper: Fraction, lower: Fraction, ends: tuple[Fraction, Fraction], beyond: Beyond
) -> Missed:
    """Return how likely an interval of a mean misses, by Fieller's interval.

    For the true share r of the upper part A in A + B, a share of the noisy A in the noisy whole
    is off by the noise of (1 - r)A - rB, over that whole.

    Parameters
    ----------
    upper, lower
        What the column is above its lower bound, and below its upper one, with noise.
    ends
        The bounds, which no mean is beyond.
    beyond
        The tail of that noise, whatever r is.
    """
    (least, most), whole = ends, upper + lower
    if whole <= 0:
        return within(least, ends, Fraction(1), lambda _: 1.0)
    width = (most - least) / whole
    return within(least + upper * width, ends, 1 / width, beyond)


def within(
    exact: Fraction, ends: tuple[Fraction, Fraction], times: Fraction, beyond: Beyond
) -> Missed:
    """Return how likely an interval misses that ends where nothing can be beyond.

    Parameters
    ----------
    exact
        What it is around.
    ends
        Between which it is.
    times
        How much more of the noise there is in what was measured.
    beyond
        The tail of the noise in that.
    """
    least, most = ends
    off = _ROUNDED * (most - least)

    def missed(low: Fraction, high: Fraction) -> float:
        reaches = [(high - exact) * times] if high < most - off else []
        reaches += [(exact - low) * times] if low > least + off else []
        reach = min(reaches, default=None)
        if reach is None:
            return 0.0
        return beyond(reach + off * times) if reach + off * times >= 0 else 1.0

    return missed
