"""What is counted or chosen in cells: which cells, how many choices, and what each costs."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from sfumato.audit.certificate.content import plain_value
from sfumato.audit.certificate.expressions import read_expression
from sfumato.audit.certificate.measured import Factor, log2, read_factor
from sfumato.audit.certificate.parts import Part, refute
from sfumato.privacy.events import Exponential, PermuteAndFlip

if TYPE_CHECKING:
    from sfumato.audit.certificate.setting import Setting
    from sfumato.privacy.events import Event

__all__ = ["CELLS", "Cells", "check_choices", "read_cells"]

#: The fields of each kind of step, and whether its cells are points of a grid.
CELLS: dict[str, tuple[tuple[str, ...], bool]] = {
    "count_bins": (("of", "edges", "noise"), False),
    "choose_quantiles": (("cells",), True),
    "choose_extreme": (("cells",), True),
    "choose_values": (("of", "values"), False),
}
_CHOICES: dict[str, type[Event]] = {
    "exponential": Exponential,
    "permute_and_flip": PermuteAndFlip,
}
_GRID_BITS = 12


@dataclass(frozen=True)
class Cells:
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
    column: Factor | None = None
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


def read_cells(part: Part, setting: Setting) -> Cells:
    """Return the cells of a step, once it is derived that they are those of its bounds."""
    if "cells" in part.value:
        return _points(part["cells"], setting)
    of = read_expression(part["of"], setting.columns)
    if "edges" in part.value:
        edges = tuple(each.fraction() for each in part["edges"].list())
        if len(edges) < 2 or list(edges) != sorted(set(edges)):
            refute("{name} has edges that are not in order", name=part.name)
        return Cells(of, listed=edges)
    return Cells(of, listed=tuple(map(plain_value, part["values"].list())))


def check_choices(event: Event | None, count: int, kind: str, name: str) -> None:
    """Check that an event is so many choices of a kind, one after the other."""
    parts = [] if event is None else list(event.parts())
    if sum(times for _, times in parts) != count:
        refute("{name} makes {count} choices, and other ones are charged", name=name, count=count)
    if not all(type(each) is _CHOICES[kind] for each, _ in parts):
        refute("{name} chooses by another mechanism than what is charged", name=name)


def _points(part: Part, setting: Setting) -> Cells:
    names = ("of", "low", "high", "complete", "whole")
    part.record(*names, "exponent", "first", "last")
    given = {name: part.value[name] for name in names}
    column = read_factor(Part(given | {"shift": "0"}, part.name), setting)
    exponent = _exponent(column)
    step = Fraction(2) ** exponent
    first, last = -(-column.low // step), column.high // step
    ends = tuple(_any_whole(part[name]) for name in ("exponent", "first", "last"))
    if ends != (exponent, first, last):
        refute("{name} are not the points between the bounds", name=part.name)
    return Cells(column.of, column, *ends)


def _exponent(column: Factor) -> int:
    """Return the exponent of the step: 1 for few whole numbers, else 4,096 to 8,192 of them."""
    width = column.high - column.low
    if column.whole and width <= 2 << _GRID_BITS:
        return 0
    finest = log2(max(abs(column.low), abs(column.high))) - 52
    return max(log2(width) - _GRID_BITS, finest, -1074)


def _any_whole(part: Part) -> int:
    if type(part.value) is not int:
        refute("{name} is not a whole number", name=part.name)
    return int(part.value)
