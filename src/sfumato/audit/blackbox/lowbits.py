"""The last digits of numbers, where floating-point noise betrays what it was added to."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.audit.blackbox.regions import Between
from sfumato.printing.wording import all_of_these
from sfumato.translation import tr

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sfumato.audit.blackbox.regions import Region

__all__ = [
    "MODULI",
    "finest_bit",
    "finest_words",
    "remainder",
    "remainder_words",
    "size_and_bits",
    "size_words",
]

MODULI = (2, 3, 5, 16)
_DIGITS = 53
_KEPT = 3


def finest_bit(numbers: NDArray[Any]) -> NDArray[Any]:
    """Return the greatest k for which each number is a multiple of 2^k; NaN where there is none.

    A sum of floats is a multiple of the last bit of the coarser one, so that values near zero
    tell whether zero or one was added to :cite:p:`mironov2012significance`.
    """
    whole, exponent = _digits(numbers)
    lowest = np.frexp((whole & -whole).astype(np.float64))[1] - 1
    usable = np.isfinite(numbers) & (numbers != 0)
    return np.where(usable, exponent - _DIGITS + lowest, np.nan)


def size_and_bits(numbers: NDArray[Any]) -> NDArray[Any]:
    """Return a key of each number's power of two with its last three bits."""
    whole, exponent = _digits(numbers)
    kept = whole & (2**_KEPT - 1)
    return np.where(np.isfinite(numbers), exponent.astype(np.int64) * 2**_KEPT + kept, 2**62)


def size_words(number: float) -> str:
    """Return what ``size_and_bits`` keeps of a number, in words."""
    if not math.isfinite(number):
        return tr("not finite")
    whole, exponent = _digits(np.array([number]))
    bits = int(whole[0]) & (2**_KEPT - 1)
    top = int(exponent[0])
    return tr(
        "from 2^{low} to 2^{top} with the last bits {bits}",
        low=top - 1,
        top=top,
        bits=f"{bits:0{_KEPT}b}",
    )


def remainder(numbers: NDArray[Any], modulus: int) -> NDArray[Any]:
    """Return what is left of whole numbers after division, and -1 where there is no number."""
    finite = np.isfinite(numbers)
    left = np.mod(np.where(finite, numbers, 0.0), modulus)
    return np.where(finite, left, -1).astype(np.int64)


def remainder_words(left: int) -> str:
    """Return a remainder in words."""
    return str(left) if left >= 0 else tr("no number")


def finest_words(label: str, region: Region) -> str:
    """Return an event of the finest bit in words."""
    if not isinstance(region, Between):
        return tr(
            "the low bits: {label}",
            label=region.said_of(tr("the last bit of {label}", label=label)),
        )
    ends = []
    if region.low > -math.inf:
        ends.append(tr("a multiple of 2^{low}", low=int(region.low) + 1))
    if region.high < math.inf:
        ends.append(tr("no multiple of 2^{high}", high=int(region.high) + 1))
    return tr("the low bits: {label} is {ends}", label=label, ends=all_of_these(ends))


def _digits(numbers: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return floats as whole numbers of 53 bits and the exponents of their powers of two."""
    fraction, exponent = np.frexp(np.where(np.isfinite(numbers), numbers, 0.0))
    return np.abs(np.ldexp(fraction, _DIGITS)).astype(np.int64), exponent
