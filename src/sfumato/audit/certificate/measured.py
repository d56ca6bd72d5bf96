"""What a row adds to a sum, and how much that can be."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil
from typing import TYPE_CHECKING

from sfumato.audit.certificate.expressions import column_of, read_expression
from sfumato.audit.certificate.parts import refute

if TYPE_CHECKING:
    from sfumato.audit.certificate.parts import Part
    from sfumato.audit.certificate.setting import Setting

__all__ = ["Factor", "Measured", "log2", "read_factor", "read_measured", "unshifted"]

#: A value is measured in at most 2^24 steps on each side of its centre.
_GRID = 2**24


@dataclass(frozen=True)
class Factor:
    """A column of numbers between two bounds, less a number.

    Parameters
    ----------
    of
        The column, as the text of its expression.
    low, high
        The bounds.
    shift
        What is subtracted.
    complete
        Whether a missing value counts as the middle.
    whole
        Whether the values are whole numbers.
    """

    of: str
    low: Fraction
    high: Fraction
    shift: Fraction
    complete: bool
    whole: bool

    @property
    def ends(self) -> tuple[Fraction, Fraction]:
        """The least and the greatest that it can be."""
        return self.low - self.shift, self.high - self.shift


@dataclass(frozen=True)
class Measured:
    """A sum over rows, in steps of a grid.

    Parameters
    ----------
    kind
        "rows", "absent" for rows in which something is missing, "people", or "sum".
    present
        What must not be missing, as texts of expressions; in "absent" rows one of it is.
    factors, centre, grid
        A row adds the product of the factors less the centre, in steps of the grid.
    most
        The most that a row adds, in steps.
    turned
        Whether it adds what is left of the most instead.
    """

    kind: str
    present: tuple[str, ...] = ()
    factors: tuple[Factor, ...] = ()
    centre: Fraction = Fraction(0)
    grid: Fraction = Fraction(1)
    most: int = 1
    turned: bool = False

    @property
    def size(self) -> Fraction:
        """The most that a row adds."""
        return self.most * self.grid

    @property
    def part_of(self) -> Factor | None:
        """The column of which it is what lies above the lower bound, or below the upper one."""
        if len(self.factors) != 1 or self.factors[0].shift != 0:
            return None
        (column,) = self.factors
        return column if self.centre == column.low else None


def read_measured(part: Part, setting: Setting) -> Measured:
    """Return what a row adds, once it is derived that this is the most it can add."""
    kind = part["measured"].text("rows", "absent", "people", "sum")
    if kind == "people":
        part.record("measured")
        if setting.declared.person is None:
            refute("{name} counts people, and the privacy unit is the row", name=part.name)
        return Measured(kind)
    if kind != "sum":
        return Measured(kind, _present(part.record("measured", "present"), setting))
    part.record("measured", "factors", "centre", "grid", "most", "turned", "present")
    found = Measured(
        kind,
        _present(part, setting),
        tuple(read_factor(each, setting) for each in part["factors"].list()),
        part["centre"].fraction(),
        part["grid"].fraction(),
        part["most"].whole(1),
        part["turned"].flag(),
    )
    _check_size(found, part)
    return found


def read_factor(part: Part, setting: Setting) -> Factor:
    """Return a column of numbers; what is known of it has to be said alike."""
    part.record("of", "low", "high", "shift", "complete", "whole")
    found = Factor(
        read_expression(part["of"], setting.columns),
        part["low"].fraction(),
        part["high"].fraction(),
        part["shift"].fraction(),
        part["complete"].flag(),
        part["whole"].flag(),
    )
    name = column_of(part["of"])
    known = None if name is None else setting.columns[name]
    if not found.low < found.high:
        refute("{name} has no room between its bounds", name=part.name)
    if found.complete != (known is not None and known.complete):
        refute("{name} and the policy say different things about missing values", name=part.name)
    if known is not None and found.whole != _is_whole(known.type, found):
        refute("{name} and its column say different things about whole numbers", name=part.name)
    return found


def unshifted(factor: Factor) -> Factor:
    """Return the column itself."""
    return replace(factor, shift=Fraction(0))


def _is_whole(kind: str, factor: Factor) -> bool:
    return kind != "number" and factor.low.denominator == factor.high.denominator == 1


def _present(part: Part, setting: Setting) -> tuple[str, ...]:
    return tuple(read_expression(each, setting.columns) for each in part["present"].list())


def _check_size(measured: Measured, part: Part) -> None:
    """Derive the grid and the most that a row adds, in steps of it, from the bounds."""
    low, high = _ends(measured.factors, part)
    size = max(abs(low - measured.centre), abs(high - measured.centre))
    whole = all(each.whole and each.shift.denominator == 1 for each in measured.factors)
    grid = _grid(size, whole=whole and measured.centre.denominator == 1)
    if measured.grid != grid:
        refute(
            "{name} is measured in steps of {grid}, and not of {expected}",
            name=part.name,
            grid=measured.grid,
            expected=grid,
        )
    most = max(ceil(size / grid), 1)
    if measured.most != most:
        refute(
            "{name}: a row can add {most} steps, and {claimed} are claimed",
            name=part.name,
            most=most,
            claimed=measured.most,
        )
    if measured.turned and measured.part_of is None:
        refute("{name} is turned, and not what lies above a lower bound", name=part.name)


def _ends(factors: tuple[Factor, ...], part: Part) -> tuple[Fraction, Fraction]:
    """Return the least and the greatest product."""
    if len(factors) == 1:
        return factors[0].ends
    if len(factors) != 2:
        refute(
            "{name} is a product of {count} columns, and not of one or two",
            name=part.name,
            count=len(factors),
        )
    corners = [one * other for one in factors[0].ends for other in factors[1].ends]
    if factors[0] != factors[1]:
        return min(corners), max(corners)
    low, high = factors[0].ends
    return (Fraction(0) if low <= 0 <= high else min(corners)), max(corners)


def _grid(size: Fraction, *, whole: bool) -> Fraction:
    """Return 1 for whole numbers of no more than 2^24, else the least power of two that fits."""
    if whole and size <= _GRID:
        return Fraction(1)
    below = log2(size / _GRID)
    return Fraction(2) ** (below if Fraction(2) ** below * _GRID == size else below + 1)


def log2(number: Fraction) -> int:
    """Return the greatest e with 2^e not above a positive number."""
    near = number.numerator.bit_length() - number.denominator.bit_length()
    return near if Fraction(2) ** near <= number else near - 1
