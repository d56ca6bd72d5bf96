"""What a function did on a table: exact numbers and their shape, or what went wrong."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from numbers import Integral
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.errors import InputError
from sfumato.mechanisms.sensitivity.cells import is_number
from sfumato.mechanisms.sensitivity.tables import entries
from sfumato.numeric import exact
from sfumato.translation import mark, tr

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Exact", "Outcome", "Table"]

Table = tuple[Any, ...]
#: Exact; whole numbers as they are, since their arithmetic is faster.
Exact = int | Fraction
#: How many there are along each axis; where rows differ, the shape of each.
Shape = tuple[Any, ...]


@dataclass(frozen=True)
class Outcome:
    """What a function did on a table: numbers, or what went wrong."""

    table: Table
    output: Any
    numbers: tuple[Exact, ...] = ()
    shape: Shape = ()
    failure: str | None = None

    @classmethod
    def of(cls, function: Callable[[list[Any]], Any], table: Table) -> Outcome:
        """Return what a function does on a table; whatever it raises is an outcome too."""
        try:
            output = function(list(table))
        except Exception as error:  # noqa: BLE001
            return cls(
                table, None, failure=tr("the function raised {name}", name=type(error).__name__)
            )
        try:
            return cls(table, output, *_read(output))
        except InputError:
            failure = mark("the output is no finite number, nor a list of such")
            return cls(table, output, failure=failure)

    def is_like(self, other: Outcome) -> bool:
        """Tell whether nothing tells two outcomes apart but the table."""
        mine = (self.numbers, self.shape, self.failure)
        return mine == (other.numbers, other.shape, other.failure)


def _read(output: Any) -> tuple[tuple[Exact, ...], Shape]:
    if isinstance(output, (np.ndarray, np.generic)):
        return tuple(map(_number, entries(output.ravel()))), output.shape
    if not isinstance(output, (list, tuple)):
        return (_number(output),), ()
    parts = [_read(each) for each in output]
    numbers = chain.from_iterable(found for found, _ in parts)
    return tuple(numbers), _shape([shape for _, shape in parts])


def _shape(parts: list[Shape]) -> Shape:
    first = parts[0] if parts else ()
    return (len(parts), *first) if all(each == first for each in parts) else tuple(parts)


def _number(output: Any) -> Exact:
    if isinstance(output, bool) or (is_number(output) and isinstance(output, Integral)):
        return int(output)
    if is_number(output):
        return exact(output, mark("the output"))
    raise InputError(
        "E-FUNCTION-RESULT", "the output is a {kind}", "return numbers", kind=type(output).__name__
    )
