"""Reading what sample-and-aggregate is told: the function, its bounds, and how many blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flint import fmpz

from sfumato.errors import InputError
from sfumato.mechanisms.estimators.blocks import BlockFunction
from sfumato.numeric import shown
from sfumato.privacy import written
from sfumato.privacy.parameters import read_count, read_ends

if TYPE_CHECKING:
    from fractions import Fraction

    from sfumato.mechanisms.estimators.blocks import Interval

__all__ = ["read_aggregate", "read_all_bounds", "read_block_function", "read_blocks"]

_MOST_BLOCKS = 10**6


def read_aggregate(aggregate: Any) -> str:
    """Return how the answers of the blocks are aggregated."""
    if aggregate not in ("mean", "median"):
        raise InputError(
            "E-ARGUMENT-CHOICE",
            "aggregate must be 'mean' or 'median', not {aggregate}",
            "write 'mean'",
            aggregate=shown(aggregate),
        )
    return str(aggregate)


def read_all_bounds(bounds: Any) -> tuple[tuple[Interval, ...], bool]:
    """Return the bounds of each number of an answer, and whether answers are lists of numbers."""
    is_vector = (
        isinstance(bounds, (list, tuple))
        and len(bounds) > 0
        and all(isinstance(each, (list, tuple)) for each in bounds)
    )
    if not is_vector:
        return (read_ends(bounds),), False
    return tuple(read_ends(each) for each in bounds), True


def read_block_function(
    function: Any, bounds: tuple[Interval, ...], default: Any, *, is_vector: bool
) -> BlockFunction:
    """Return a user's function made total, with a default within the bounds."""
    if not callable(function):
        raise InputError(
            "E-ARGUMENT-TYPE",
            "function must take a block of rows, not be {function}",
            "write len, say",
            function=shown(function),
        )
    middle = _read_default(default, bounds, is_vector=is_vector)
    return BlockFunction(function, bounds, is_vector, middle)


def _read_default(
    default: Any, bounds: tuple[Interval, ...], *, is_vector: bool
) -> tuple[Fraction, ...]:
    if default is None:
        return tuple((low + high) / 2 for low, high in bounds)
    given = default if is_vector else [default]
    if not isinstance(given, (list, tuple)) or len(given) != len(bounds):
        raise InputError(
            "E-LENGTHS-DIFFER",
            "default must have one number for each pair of bounds, not be {default}",
            default=shown(default),
        )
    numbers = tuple(written(each, "default") for each in given)
    if any(not low <= each <= high for each, (low, high) in zip(numbers, bounds, strict=True)):
        raise InputError(
            "E-ARGUMENT-RANGE",
            "default must lie within the bounds, not be {default}",
            "leave it out",
            default=shown(default),
        )
    return numbers


def read_blocks(blocks: Any, rows: Any) -> int:
    """Return the number of blocks: as given, or about n^0.4 for a public number of rows."""
    if (blocks is None) == (rows is None):
        raise InputError(
            "E-ARGUMENT-CONFLICT",
            "give exactly one of blocks and rows, a public number of blocks or of rows",
            "write blocks=50, say",
        )
    number = read_count(blocks, "blocks") if rows is None else _root(read_count(rows, "rows"))
    if number > _MOST_BLOCKS:
        raise InputError(
            "E-ARGUMENT-RANGE",
            "blocks must be at most {most_blocks:,}, not {number}",
            "write 50, say",
            most_blocks=_MOST_BLOCKS,
            number=shown(number),
        )
    return number


def _root(rows: int) -> int:
    return int(fmpz(rows * rows).root(5))
