"""What floats may be off by: when a difference above a claim is no more than rounding.

Adding up n floats one by one is off by at most n - 1 half units in the last place of the sum of
their sizes :cite:p:`higham2002`.  As much for both tables, and two steps more, is taken to be what
rounding can explain; what is above that is a violation.  That is no proof of innocence: where
numbers cancel, floats may be off by more, and a function may really move by as little.  Rationals
decide.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal, getcontext
from fractions import Fraction
from typing import Any

import numpy as np

from sfumato.mechanisms.sensitivity.tables import is_number, read_cell

_STEPS = 2


def allowance(
    tables: Sequence[Any], outputs: Sequence[Any], apart: int, most: Fraction
) -> Fraction:
    """Return how far apart rounding may have put the outputs on two tables.

    Parameters
    ----------
    tables, outputs
        Those of both.
    apart
        How many numbers an output has.
    most
        The greatest size of any of them, and of the claim.
    """
    unit = max(map(grain, outputs))
    size = max(most, *map(_size, tables)) if unit else unit
    return unit * (sum(map(len, tables)) + _STEPS) * size * apart


def grain(output: Any) -> Fraction:
    """Return by which share of itself a number in an output may be rounded; 0 for rationals."""
    if isinstance(output, np.ndarray) and output.dtype.kind == "f":
        return _half_unit(output.dtype)
    if isinstance(output, np.floating):
        return _half_unit(output.dtype)
    if isinstance(output, float):
        return _half_unit(float)
    if isinstance(output, Decimal):
        return Fraction(10) ** (1 - getcontext().prec)
    if isinstance(output, (list, tuple, np.ndarray)):
        return max(map(grain, output), default=Fraction(0))
    return Fraction(0)


def _half_unit(kind: Any) -> Fraction:
    return Fraction(float(np.finfo(kind).eps)) / 2


def in_fractions(row: Any) -> Any:
    """Return a row with every number in it as the rational that it is."""
    if isinstance(row, (list, tuple)):
        return type(row)(map(in_fractions, row))
    number = read_cell(row) if is_number(row) else None
    return number if isinstance(number, Fraction) else row


def _size(cells: Any) -> Fraction:
    """Return the sum of the sizes of all numbers in a table."""
    if isinstance(cells, Iterable) and not isinstance(cells, (str, bytes)):
        return sum(map(_size, cells), Fraction(0))
    number = read_cell(cells) if is_number(cells) else None
    return abs(number) if isinstance(number, Fraction) else Fraction(0)
