"""Reading how the sparse vector technique splits its ε, and the noise that it leads to."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from flint import fmpz

from sfumato.errors import InputError
from sfumato.numeric import shown
from sfumato.privacy import written
from sfumato.refusal import Argument

__all__ = ["noise_scale", "read_share"]

_SCALES = Fraction(1, 10**6), Fraction(10**18)


def read_share(share: Any, shifts: int) -> Fraction:
    """Return the threshold's share of ε: as given, or 1 to shifts^(2/3) for the queries.

    Parameters
    ----------
    share
        Between 0 and 1, or None.
    shifts
        By how many sensitivities the noise on all positive answers together moves.
    """
    if share is None:
        return 1 / (1 + Fraction(int(fmpz(shifts**2 * 10**9).root(3)), 1000))
    found = written(share, "threshold_share")
    if not 0 < found < 1:
        raise InputError(
            "E-ARGUMENT-RANGE",
            "threshold_share must lie between 0 and 1, not be {share}",
            "write 0.5",
            share=shown(share),
        )
    return found


def noise_scale(moved: int, epsilon: Fraction) -> Fraction:
    """Return the scale of noise that hides a move by so many steps, if it can be drawn."""
    scale = moved / epsilon
    if not _SCALES[0] <= scale <= _SCALES[1]:
        raise InputError(
            "E-EPSILON-TOO-SMALL",
            "{argument} leaves {epsilon} to one of its two parts, for which no noise can be drawn",
            "write 1, say",
            epsilon=shown(epsilon),
            argument=Argument("epsilon"),
        )
    return scale
