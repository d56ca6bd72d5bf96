"""What a row adds to a sum or a choice among cells, how much that can be, and what it costs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil
from typing import Any

from sfumato.audit.certificate.document import DocumentPart, plain_value, refute
from sfumato.audit.certificate.setting import QuestionSetting, column_of, read_expression
from sfumato.privacy.events import Event, Exponential, PermuteAndFlip

#: A value is measured in at most 2^24 steps on each side of its centre.
_GRID = 2**24
#: The fields of each kind of step.
CELLS: dict[str, tuple[str, ...]] = {
    "count_bins": ("of", "edges", "noise"),
    "choose_quantiles": ("cells",),
    "choose_extreme": ("cells",),
    "choose_values": ("of", "values"),
}
_CHOICES: dict[str, type[Event]] = {"exponential": Exponential, "permute_and_flip": PermuteAndFlip}
_GRID_BITS = 12


@dataclass(frozen=True)
class BoundedFactor:
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

    @property
    def farthest(self) -> Fraction:
        """How great the values of the column can be."""
        return max(abs(self.low), abs(self.high))


@dataclass(frozen=True)
class MeasuredSum:
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
    factors: tuple[BoundedFactor, ...] = ()
    centre: Fraction = Fraction(0)
    grid: Fraction = Fraction(1)
    most: int = 1
    turned: bool = False

    @property
    def size(self) -> Fraction:
        """The most that a row adds."""
        return self.most * self.grid

    @property
    def part_of(self) -> BoundedFactor | None:
        """The column of which it is what lies above the lower bound, or below the upper one."""
        if len(self.factors) != 1 or self.factors[0].shift != 0:
            return None
        (column,) = self.factors
        return column if self.centre == column.low else None


def read_measured(part: DocumentPart, setting: QuestionSetting) -> MeasuredSum:
    """Return what a row adds, once it is derived that this is the most it can add."""
    kind = part["measured"].text("rows", "absent", "people", "sum")
    if kind == "people":
        part.record("measured")
        if setting.declared.person is None:
            refute("{name} counts people, and the privacy unit is the row", part)
        return MeasuredSum(kind)
    if kind != "sum":
        return MeasuredSum(kind, _present(part.record("measured", "present"), setting))
    part.record("measured", "factors", "centre", "grid", "most", "turned", "present")
    found = MeasuredSum(
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


def read_factor(part: DocumentPart, setting: QuestionSetting) -> BoundedFactor:
    """Return a column of numbers; what is known of it has to be said alike."""
    part.record("of", "low", "high", "shift", "complete", "whole")
    found = BoundedFactor(
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
        refute("{name} has no room between its bounds", part)
    if found.complete != (known is not None and known.complete):
        refute("{name} and the policy say different things about missing values", part)
    if known is not None and found.whole != _is_whole(known.type, found):
        refute("{name} and its column say different things about whole numbers", part)
    return found


def unshifted(factor: BoundedFactor) -> BoundedFactor:
    """Return the column itself."""
    return replace(factor, shift=Fraction(0))


def _is_whole(kind: str, factor: BoundedFactor) -> bool:
    return kind != "number" and factor.low.denominator == factor.high.denominator == 1


def _present(part: DocumentPart, setting: QuestionSetting) -> tuple[str, ...]:
    return tuple(read_expression(each, setting.columns) for each in part["present"].list())


def _check_size(measured: MeasuredSum, part: DocumentPart) -> None:
    """Derive the grid and the most that a row adds, in steps of it, from the bounds."""
    low, high = _ends(measured.factors, part)
    size = max(abs(low - measured.centre), abs(high - measured.centre))
    whole = all(each.whole and each.shift.denominator == 1 for each in measured.factors)
    grid = _grid(size, whole=whole and measured.centre.denominator == 1)
    if measured.grid != grid:
        refute(
            "{name} is measured in steps of {grid}, and not of {expected}",
            part,
            grid=measured.grid,
            expected=grid,
        )
    most = max(ceil(size / grid), 1)
    if measured.most != most:
        refute(
            "{name}: a row can add {most} steps, and {claimed} are claimed",
            part,
            most=most,
            claimed=measured.most,
        )
    if measured.turned and measured.part_of is None:
        refute("{name} is turned, and not what lies above a lower bound", part)


def _ends(factors: tuple[BoundedFactor, ...], part: DocumentPart) -> tuple[Fraction, Fraction]:
    """Return the least and the greatest product."""
    if len(factors) == 1:
        return factors[0].ends
    if len(factors) != 2:
        refute(
            "{name} is a product of {count} columns, and not of one or two",
            part,
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


@dataclass(frozen=True)
class PublicCells:
    """The public cells that rows fall into.

    Parameters
    ----------
    of
        What is looked at, as the text of its expression.
    column
        The same with its bounds, where cells are points between them.
    exponent, first, last
        The points: the multiples of a power of two from one to another.
    listed
        The edges of bins, or the values.
    """

    of: str
    column: BoundedFactor | None = None
    exponent: int = 0
    first: int = 0
    last: int = 0
    listed: tuple[Any, ...] = ()

    @property
    def count(self) -> int:
        """How many cells there are."""
        return self.last - self.first + 1 if self.column is not None else len(self.listed)

    def value(self, cell: int) -> Fraction:
        """Return a point."""
        return (self.first + cell) * Fraction(2) ** self.exponent


def read_cells(part: DocumentPart, setting: QuestionSetting) -> PublicCells:
    """Return the cells of a step, once it is derived that they are those of its bounds."""
    if "cells" in part.value:
        return _points(part["cells"], setting)
    of = read_expression(part["of"], setting.columns)
    if "edges" in part.value:
        edges = tuple(each.fraction() for each in part["edges"].list())
        if len(edges) < 2 or list(edges) != sorted(set(edges)):
            refute("{name} has edges that are not in order", part)
        return PublicCells(of, listed=edges)
    return PublicCells(of, listed=tuple(map(plain_value, part["values"].list())))


def check_choices(event: Event | None, count: int, kind: str, name: str) -> None:
    """Check that an event is so many choices of a kind, one after the other."""
    parts = [] if event is None else list(event.parts())
    if sum(times for _, times in parts) != count:
        refute("{name} makes {count} choices, and other ones are charged", name=name, count=count)
    if not all(type(each) is _CHOICES[kind] for each, _ in parts):
        refute("{name} chooses by another mechanism than what is charged", name=name)


def _points(part: DocumentPart, setting: QuestionSetting) -> PublicCells:
    names = ("of", "low", "high", "complete", "whole")
    part.record(*names, "exponent", "first", "last")
    given = {name: part.value[name] for name in names}
    column = read_factor(DocumentPart(given | {"shift": "0"}, part.name), setting)
    exponent = _exponent(column)
    step = Fraction(2) ** exponent
    first, last = -(-column.low // step), column.high // step
    ends = tuple(_any_whole(part[name]) for name in ("exponent", "first", "last"))
    if ends != (exponent, first, last):
        refute("{name} are not the points between the bounds", part)
    return PublicCells(column.of, column, *ends)


def _exponent(column: BoundedFactor) -> int:
    """Return the exponent of the step: 1 for few whole numbers, else 4,096 to 8,192 of them."""
    width = column.high - column.low
    if column.whole and width <= 2 << _GRID_BITS:
        return 0
    finest = log2(column.farthest) - 52
    return max(log2(width) - _GRID_BITS, finest, -1074)


def _any_whole(part: DocumentPart) -> int:
    if type(part.value) is not int:
        refute("{name} is not a whole number", part)
    return int(part.value)
