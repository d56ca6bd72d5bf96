"""Rows split at random into disjoint blocks, and a user's function computed on each."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.errors import InputError
from sfumato.numeric import exact

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

__all__ = ["BlockFunction", "Interval", "block_results", "row_count"]

#: A lower and an upper bound, exact.
Interval = tuple[Fraction, Fraction]


@dataclass(frozen=True)
class BlockFunction:
    """A user's function made total: every block has an answer within the bounds.

    Parameters
    ----------
    function
        Takes a block of rows, in the type in which the rows were given.
    bounds
        Of each number that it returns.
    is_vector
        Whether it returns a list or an array of as many numbers as there are bounds, or one number.
    default
        What counts where it fails: it raises, or returns anything else than finite numbers.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from sfumato.mechanisms.estimators.blocks import BlockFunction
    >>> inverse = BlockFunction(
    ...     lambda block: 1 / block[0],
    ...     bounds=((Fraction(0), Fraction(2)),),
    ...     is_vector=False,
    ...     default=(Fraction(1),),
    ... )
    >>> inverse.answer([4]), inverse.answer([0]), inverse.answer([0.1])
    ((Fraction(1, 4),), (Fraction(1, 1),), (Fraction(2, 1),))
    """

    function: Callable[[Any], Any]
    bounds: tuple[Interval, ...]
    is_vector: bool
    default: tuple[Fraction, ...]

    def answer(self, block: Any) -> tuple[Fraction, ...]:
        """Return the numbers of a block, clamped to the bounds.

        Examples
        --------
        >>> from fractions import Fraction
        >>> from sfumato.mechanisms.estimators.blocks import BlockFunction
        >>> unit = ((Fraction(0), Fraction(1)),)
        >>> BlockFunction(len, unit, is_vector=False, default=(Fraction(0),)).answer([7, 8])
        (Fraction(1, 1),)
        """
        # Whatever a user's function raises must not show that a row is there.
        try:
            numbers = self._read(self.function(block))
        except Exception:  # noqa: BLE001
            return self.default
        limits = zip(numbers, self.bounds, strict=True)
        return tuple(min(max(number, low), high) for number, (low, high) in limits)

    def _read(self, answer: Any) -> tuple[Fraction, ...]:
        if not self.is_vector:
            return (_finite_number(answer),)
        numbers = tuple(_finite_number(each) for each in answer)
        return numbers if len(numbers) == len(self.bounds) else self.default


def _finite_number(value: Any) -> Fraction:
    """Return a number exactly; anything else, and what is not finite, raises some error."""
    number = value.item() if isinstance(value, (np.generic, np.ndarray)) else value
    if isinstance(number, bool) or not isinstance(number, (Real, Decimal)):
        message = "a block's answer must be a number"
        raise InputError(message)
    return Fraction(int(number)) if isinstance(number, Integral) else exact(number)


def row_count(rows: Any) -> int:
    """Return how many rows there are, in a list, an array or a frame.

    Examples
    --------
    >>> from sfumato.mechanisms.estimators.blocks import row_count
    >>> row_count([[1, 2], [3, 4], [5, 6]])
    3
    """
    plain = isinstance(rows, (list, tuple, range))
    if not plain and not _is_array(rows) and not hasattr(rows, "iloc") and not _is_polars(rows):
        message = (
            f"rows must be a list, an array or a pandas or polars frame, not of type "
            f"{type(rows).__name__}; write release([[1.5, 2], [0.5, 3]]), say"
        )
        raise InputError(message)
    return len(rows)


def block_results(
    function: BlockFunction, rows: Any, places: NDArray[np.int64], blocks: int
) -> list[tuple[Fraction, ...]]:
    """Return the answer of each block; the default for one without rows.

    Examples
    --------
    >>> from fractions import Fraction
    >>> import numpy as np
    >>> from sfumato.mechanisms.estimators.blocks import BlockFunction, block_results
    >>> digits = ((Fraction(0), Fraction(9)),)
    >>> total = BlockFunction(sum, digits, is_vector=False, default=(Fraction(5),))
    >>> [int(number) for number, in block_results(total, [1, 2, 3], np.array([0, 2, 0]), 3)]
    [4, 5, 2]
    """
    return [
        function.answer(_taken(rows, inside)) if len(inside) else function.default
        for inside in _members(places, blocks)
    ]


def _members(places: NDArray[np.int64], blocks: int) -> Iterator[NDArray[np.int64]]:
    """Yield the positions of the rows in each block, in order."""
    order = np.argsort(places, kind="stable")
    ends = np.cumsum(np.bincount(places, minlength=blocks))
    yield from np.split(order, ends[:-1])


def _taken(rows: Any, positions: NDArray[np.int64]) -> Any:
    """Return some rows in the type of all of them."""
    if hasattr(rows, "iloc"):
        return rows.iloc[positions]
    if isinstance(rows, (list, tuple, range)):
        return _listed(rows, positions)
    return rows[positions]


def _listed(rows: Sequence[Any], positions: NDArray[np.int64]) -> list[Any]:
    return [rows[position] for position in positions.tolist()]


def _is_array(rows: Any) -> bool:
    return isinstance(rows, np.ndarray) and rows.ndim > 0


def _is_polars(rows: Any) -> bool:
    return type(rows).__module__.partition(".")[0] == "polars" and hasattr(rows, "__len__")
