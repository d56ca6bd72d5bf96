"""What a number of an answer should be, and whether what is stated is that."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sfumato.audit.certificate.bars import Missed

__all__ = ["Expected"]

#: Floats in a few operations are off by less than this share of what they are computed from.
_OFF = Fraction(1, 10**9)
#: Whole numbers are rounded in floats, too; steps that are cut off are far greater.
_ROUNDED = Fraction(1, 10**6)
#: Intervals are as wide as they should be but for this share of the error that they allow.
_LOOSE = 1.01


@dataclass(frozen=True)
class Expected:
    """A number, or a value, of an answer.

    Parameters
    ----------
    value
        What follows from what was released.
    whole
        Whether it is rounded to a whole number.
    given
        Whether it is a value as it is, and not a number.
    never_negative
        Whether it could not be below 0 without noise.
    missed
        How likely an interval misses, where that is derived.
    far
        How great the numbers are that it is computed from.
    """

    value: Any
    whole: bool = False
    given: bool = False
    never_negative: bool = False
    missed: Missed | None = None
    far: Fraction = Fraction(0)

    def allows(self, stated: Any) -> bool:
        """Tell whether a stated value is the one that follows."""
        if self.given:
            return type(stated) is type(self.value) and bool(stated == self.value)
        if type(stated) not in (int, float) or (self.whole and type(stated) is not int):
            return False
        off = abs(Fraction(stated) - Fraction(self.value))
        if self.whole:
            return off <= Fraction(1, 2) + _ROUNDED
        return off <= _OFF * (abs(Fraction(self.value)) + self.far)

    def not_below_0(self) -> Expected:
        """Return what is shown where an answer below 0 is shown as 0."""
        return replace(self, value=max(self.value, Fraction(0))) if self.never_negative else self

    def shown(self) -> Any:
        """Return the value as an answer shows it."""
        if self.given:
            return self.value
        return round(self.value) if self.whole else float(self.value)

    def covered(self, low: float, high: float, confidence: Fraction) -> bool:
        """Tell whether an interval holds the noise with a confidence, where that is derived."""
        if self.missed is None:
            return True
        return self.missed(Fraction(low), Fraction(high)) <= float(1 - confidence) * _LOOSE
