"""Words and numbers that the answers share."""

from __future__ import annotations

import math
from decimal import ROUND_DOWN, ROUND_HALF_EVEN, Context, Decimal
from functools import reduce
from typing import TYPE_CHECKING

from sfumato.translation import tr, tr_n

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

__all__ = [
    "all_of_these",
    "any_of_these",
    "counted",
    "figure",
    "listed",
    "of_number",
    "one_of_a_list",
    "percentage",
    "rounded",
    "setting",
    "share",
]

_DIGITS = 17
_VOWELS = "aeiou"
#: How many digits are read, and how many are free of the noise of floats.
_READ, _SOUND = 4, 12
_TINY = 1e-3


def figure(value: float) -> str:
    """Return a number for reading: six decimals, more digits where it is tiny, and separators."""
    if math.isinf(value):
        return tr("infinity") if value > 0 else "-infinity"
    unsigned_zero = value + 0.0
    return f"{value:.6g}" if 0 < abs(value) < 1e-3 else f"{unsigned_zero:,.6f}"


def rounded(value: float, rounding: str = ROUND_HALF_EVEN) -> str:
    """Return a number for reading: four digits, more where its whole part has more."""
    if math.isinf(value) or not value:
        return "0" if not value else figure(value)
    near = Context(prec=_SOUND).create_decimal_from_float(value + 0.0)
    digits = max(_READ, near.adjusted() + 1)
    last = Decimal(1).scaleb(near.adjusted() - digits + 1)
    short = near.quantize(last, rounding=rounding)
    return f"{short:g}" if 0 < abs(short) < _TINY else f"{short:,f}"


def setting(value: float) -> str:
    """Return a number that was asked for with all its digits, so that 1 means 1."""
    return repr(float(value)).removesuffix(".0")


def share(part: float) -> str:
    """Return a share in percent, never rounded up to all or down to nothing."""
    if 0 < part < 0.001:
        return "< 0.1 %"
    if 0.999 < part < 1:
        return "> 99.9 %"
    return f"{100 * part:.1f}".removesuffix(".0") + " %"


def percentage(share: Fraction) -> str:
    """Return a share below 1 in percent; however near it is to all, it is not said to be all."""
    said = f"{100 * float(share):.6g}"
    if said == "100":
        exact = Context(prec=_DIGITS, rounding=ROUND_DOWN)
        said = str(exact.divide(100 * share.numerator, share.denominator))
    return f"{said} %"


def counted(number: int, noun: str) -> str:
    """Return how many there are of something."""
    return tr_n(*of_number(noun), number, number=f"{number:,}")


def of_number(noun: str) -> tuple[str, str]:
    """Return how it is said that there is one of something, and that there are several."""
    return f"{{number}} {noun}", f"{{number}} {_plural(noun)}"


def _plural(noun: str) -> str:
    if noun.endswith("y") and noun[-2] not in _VOWELS:
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith("s") else f"{noun}s"


def all_of_these(parts: Sequence[str]) -> str:
    """Return parts of a sentence with "and" between them."""
    return reduce(_and, parts) if parts else ""


def any_of_these(parts: Sequence[str]) -> str:
    """Return parts of a sentence with "or" between them."""
    return reduce(_or, parts) if parts else ""


def _and(others: str, last: str) -> str:
    return tr("{others} and {last}", others=others, last=last)


def _or(others: str, last: str) -> str:
    return tr("{others} or {last}", others=others, last=last)


def listed(names: Sequence[str], between: str = ", ") -> str:
    """Return names as a list in a sentence; one that holds a comma is in quotes."""
    return between.join(map(one_of_a_list, names))


def one_of_a_list(text: str) -> str:
    """Return a text in quotes where it could be taken for several, as in the header of a CSV."""
    if not {",", '"'} & set(text):
        return text
    doubled = text.replace('"', '""')
    return f'"{doubled}"'
