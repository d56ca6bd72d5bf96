"""Rows split at random into disjoint blocks, and a user's function computed on each."""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.errors import InputError
from sfumato.mechanisms.estimators.block_rows import rows_at
from sfumato.mechanisms.values.kinds import exactly, is_number
from sfumato.numeric import exact

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

__all__ = ["BlockFunction", "Interval", "block_results", "read_answer"]

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
    """

    function: Callable[[Any], Any]
    bounds: tuple[Interval, ...]
    is_vector: bool
    default: tuple[Fraction, ...]

    def answer(self, block: Any) -> tuple[Fraction, ...]:
        """Return the numbers of a block, clamped to the bounds."""
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
    number = read_answer(value)
    return number if isinstance(number, Fraction) else exact(number)


def read_answer(answer: Any) -> Fraction | float:
    """Return the number that a user's function gave, exactly; NaN and infinities as floats.

    Numbers of Python and NumPy, arrays of one number, and Decimals.
    """
    number = answer.reshape(())[()] if isinstance(answer, np.ndarray) else answer
    if not is_number(number) and not isinstance(number, Decimal):
        raise InputError(
            "E-FUNCTION-RESULT",
            "a function's answer must be a number, not of type {kind}",
            kind=type(number).__name__,
        )
    return exactly(number)


def block_results(
    function: BlockFunction, rows: Any, places: NDArray[np.int64], blocks: int
) -> list[tuple[Fraction, ...]]:
    """Return the answer of each block; the default for one without rows."""
    by_position = replace(
        function, function=lambda inside: function.function(rows_at(rows, inside))
    )
    return [
        by_position.answer(inside) if len(inside) else function.default
        for inside in _members(places, blocks)
    ]


def _members(places: NDArray[np.int64], blocks: int) -> Iterator[NDArray[np.int64]]:
    """Yield the positions of the rows in each block, in order."""
    order = np.argsort(places, kind="stable")
    ends = np.cumsum(np.bincount(places, minlength=blocks))
    yield from np.split(order, ends[:-1])
