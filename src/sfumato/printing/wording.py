"""Words and numbers that the answers share."""

from __future__ import annotations

import math
from decimal import ROUND_DOWN, Context
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

__all__ = ["counted", "figure", "listed", "one_of_a_list", "percentage", "setting"]

_DIGITS = 17


def figure(value: float) -> str:
    """Return a number for reading: six decimals, more digits where it is tiny, and separators.

    Examples
    --------
    >>> from sfumato.printing.wording import figure
    >>> figure(2.9477027792), figure(1.5e-7), figure(1234.5), figure(float("inf"))
    ('2.947703', '1.5e-07', '1,234.500000', 'infinity')
    """
    if math.isinf(value):
        return "infinity" if value > 0 else "-infinity"
    unsigned_zero = value + 0.0
    return f"{value:.6g}" if 0 < abs(value) < 1e-3 else f"{unsigned_zero:,.6f}"


def setting(value: float) -> str:
    """Return a number that was asked for with all its digits, so that 1 means 1.

    Examples
    --------
    >>> from sfumato.printing.wording import setting
    >>> setting(0.5), setting(3.0), setting(1.0000000000000002)
    ('0.5', '3', '1.0000000000000002')
    """
    return repr(float(value)).removesuffix(".0")


def percentage(share: Fraction) -> str:
    """Return a share below 1 in percent; however near it is to all, it is not said to be all.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from sfumato.printing.wording import percentage
    >>> percentage(Fraction("0.95")), percentage(Fraction("0.9999999"))
    ('95 %', '99.99999 %')
    """
    said = f"{100 * float(share):.6g}"
    if said == "100":
        exact = Context(prec=_DIGITS, rounding=ROUND_DOWN)
        said = str(exact.divide(100 * share.numerator, share.denominator))
    return f"{said} %"


def counted(number: int, noun: str) -> str:
    """Return how many there are of something.

    Examples
    --------
    >>> from sfumato.printing.wording import counted
    >>> counted(1, "row"), counted(12000, "row")
    ('1 row', '12,000 rows')
    """
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def listed(names: Sequence[str], between: str = ", ") -> str:
    """Return names as a list in a sentence; one that holds a comma is in quotes.

    Examples
    --------
    >>> from sfumato.printing.wording import listed
    >>> listed(["age", "sex", "ward, floor"])
    'age, sex, "ward, floor"'
    """
    return between.join(map(one_of_a_list, names))


def one_of_a_list(text: str) -> str:
    """Return a text in quotes where it could be taken for several, as in the header of a CSV.

    Examples
    --------
    >>> from sfumato.printing.wording import one_of_a_list
    >>> one_of_a_list("age"), one_of_a_list("ward, floor")
    ('age', '"ward, floor"')
    """
    if not {",", '"'} & set(text):
        return text
    doubled = text.replace('"', '""')
    return f'"{doubled}"'
