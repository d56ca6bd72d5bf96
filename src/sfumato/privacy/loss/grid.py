"""A loss of many values moved onto a lattice, from above and from below."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from sfumato.numeric import Disc
from sfumato.privacy.loss.tabulated import LossBracket, LossCells, halves, lattice_step

if TYPE_CHECKING:
    from sfumato.privacy.loss.finite import FiniteLoss

_ROUNDING = 2.0**-48


def gridded(loss: FiniteLoss, cells: int) -> LossBracket:
    """Return distributions on a lattice around a loss that lies on none.

    Each value is split between the two points beside it; see
    :class:`~sfumato.privacy.loss.tabulated.LossCells`.
    """
    values, masses = loss.values.mid, loss.masses.mid
    step = lattice_step(float(np.ptp(values)), cells)
    first = math.floor(values.min() / float(step))
    split = halves(values - first * float(step), masses, float(step), cells + 2)
    doubt = float((loss.masses.rad / np.maximum(masses, 1e-300)).max()) + _ROUNDING
    left, right = (Disc(each, each * doubt + 1e-300) for each in split)
    reach = float(np.abs(values).max()) * _ROUNDING + float(np.max(loss.values.rad))
    table = LossCells(step, first, left, right, Fraction(reach))
    return LossBracket(table.upper(loss.lost), table.lower())
