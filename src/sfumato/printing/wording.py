"""Words and numbers that the answers share."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["counted", "figure", "listed", "setting"]


def figure(value: float) -> str:
    """Return a number for reading: six decimals, more digits where it is tiny.

    Examples
    --------
    >>> from sfumato.printing.wording import figure
    >>> figure(2.9477027792), figure(1.5e-7), figure(float("inf"))
    ('2.947703', '1.5e-07', 'infinity')
    """
    if math.isinf(value):
        return "infinity" if value > 0 else "-infinity"
    unsigned_zero = value + 0.0
    return f"{value:.6g}" if 0 < abs(value) < 1e-3 else f"{unsigned_zero:.6f}"


def setting(value: float) -> str:
    """Return a number that was asked for with all its digits, so that 1 means 1.

    Examples
    --------
    >>> from sfumato.printing.wording import setting
    >>> setting(0.5), setting(3.0), setting(1.0000000000000002)
    ('0.5', '3', '1.0000000000000002')
    """
    return repr(float(value)).removesuffix(".0")


def counted(number: int, noun: str) -> str:
    """Return how many there are of something.

    Examples
    --------
    >>> from sfumato.printing.wording import counted
    >>> counted(1, "row"), counted(12000, "row")
    ('1 row', '12,000 rows')
    """
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def listed(names: Sequence[str]) -> str:
    """Return names as a list in a sentence.

    Examples
    --------
    >>> from sfumato.printing.wording import listed
    >>> listed(["age", "sex", "zip"])
    'age, sex, zip'
    """
    return ", ".join(names)
