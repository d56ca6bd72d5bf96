"""Rows split at random into disjoint blocks, and a user's function computed on each."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from types import NoneType
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.errors import InputError
from sfumato.mechanisms.values import exactly, is_number, refuse_masked
from sfumato.numeric import exact
from sfumato.refusal import Argument

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray


PLAIN = (list, tuple, range)
#: Types of rows that nobody can change, and that need no copy.
_FIXED = frozenset({bool, bytes, complex, Decimal, float, Fraction, int, NoneType, str})


def row_count(rows: Any) -> int:
    """Return how many rows there are in a list, an array or a frame; refuse what is none."""
    refuse_masked(rows)
    if isinstance(rows, np.ndarray) and rows.ndim > 0:
        _check_array(rows)
    elif _is_pandas(rows) or _is_polars(rows):
        _check_columns([rows.dtype] if hasattr(rows, "dtype") else list(rows.dtypes))
    elif not isinstance(rows, PLAIN):
        raise InputError(
            "E-ARGUMENT-TYPE",
            "{rows} must be a list, an array or a pandas or polars frame, not of type {kind}",
            "write release([[1.5, 2], [0.5, 3]]), say",
            kind=type(rows).__name__,
            rows=Argument("rows"),
        )
    return len(rows)


def rows_at(rows: Any, positions: NDArray[np.int64]) -> Any:
    """Return a copy of some rows, made of their values alone, in the type of all of them.

    Two tables that have these rows at whatever positions, in the same order and with columns of
    the same types, give equal copies, whatever their other rows are.

    - Of a list: a list of copies.
    - Of an array: an array, whose text is as wide as these rows need.
    - Of pandas: numbered from 0, without ``attrs``; an unordered category is known if a row has
      it, in the order of the rows, and an ordered one if a row has it, in its own order.
    - Of polars, and of pandas' columns that Arrow keeps: made anew from their values.

    Parameters
    ----------
    rows
        What ``row_count`` does not refuse.
    positions
        Of the rows, in order; none gives what has no rows.
    """
    if isinstance(rows, PLAIN):
        return _of_list(rows, positions)
    if _is_pandas(rows):
        return _of_pandas(rows.iloc[positions])
    if isinstance(rows, np.ndarray):
        return _of_array(rows, positions)
    return _of_polars(rows[positions])


def _of_list(rows: Sequence[Any], positions: NDArray[np.int64]) -> list[Any]:
    taken = [rows[position] for position in positions.tolist()]
    return taken if _FIXED.issuperset(map(type, taken)) else deepcopy(taken)


def _of_array(rows: NDArray[Any], positions: NDArray[np.int64]) -> NDArray[Any]:
    taken = np.ascontiguousarray(np.asarray(rows)[positions])
    if taken.dtype.kind not in "US":
        return taken
    return np.array(taken.tolist(), dtype=taken.dtype.kind).reshape(taken.shape)


def _of_polars(taken: Any) -> Any:
    """Return a series or a frame that shares no memory with the one it was taken from."""
    if hasattr(taken, "dtype"):
        return type(taken)(taken.name, taken.to_list(), dtype=taken.dtype)
    columns = {name: taken[name].to_list() for name in taken.columns}
    return type(taken)(columns, schema=taken.schema)


def _of_pandas(taken: Any) -> Any:
    block = taken.reset_index(drop=True)
    block.attrs = {}
    if block.ndim == 1:
        return _of_own_values(block)
    for place, kind in enumerate(block.dtypes):
        if not isinstance(kind, np.dtype):
            block.isetitem(place, _of_own_values(block.iloc[:, place]))
    return block


def _of_own_values(column: Any) -> Any:
    """Return a column without what its type keeps of other rows: categories, Arrow's buffers."""
    if "[pyarrow]" in str(column.dtype):
        return type(column)(column.tolist(), dtype=column.dtype, name=column.name)
    if column.dtype != "category":
        return column
    if column.cat.ordered:
        return column.cat.remove_unused_categories()
    seen = column.cat.codes[column.notna()].unique()
    return column.cat.set_categories(column.cat.categories[seen])


def _check_array(rows: NDArray[Any]) -> None:
    if rows.dtype.names is not None and _has_text(rows.dtype):
        raise InputError(
            "E-ROWS-TYPE",
            "an array of records with text is not taken, since the text is as wide as the "
            "widest of all rows",
            "give a list of rows",
        )
    if rows.dtype.hasobject and rows.dtype.kind != "T":
        raise InputError(
            "E-ROWS-TYPE",
            "an array of Python objects is not taken, since NumPy makes one where a single "
            "value does not fit",
            "give a list of rows, or an array of a type you name, as by np.array(rows, "
            "dtype=float)",
        )


def _has_text(kind: np.dtype[Any]) -> bool:
    parts = [kind.fields[name][0] for name in kind.names or ()] if kind.fields else []
    return kind.base.kind in "US" or any(map(_has_text, parts))


def _check_columns(kinds: Iterable[Any]) -> None:
    if any(_is_dictionary(kind) for kind in kinds):
        raise InputError(
            "E-ROWS-TYPE",
            "a column whose categories come from the data is not taken, since they tell of "
            "all rows",
            "name them, as by cast(pl.Enum(['a', 'b'])), or cast the column to strings",
        )


def _is_dictionary(kind: Any) -> bool:
    """Tell whether a type, or a part of it, keeps a list of the values in the whole table."""
    if "polars" not in type(kind).__module__:
        return "dictionary<" in str(kind)
    inner = [each for each in [getattr(kind, "inner", None)] if each is not None]
    parts = inner + [each.dtype for each in getattr(kind, "fields", ())]
    return type(kind).__name__ == "Categorical" or any(map(_is_dictionary, parts))


def _is_pandas(rows: Any) -> bool:
    return hasattr(rows, "iloc") and hasattr(rows, "reset_index")


def _is_polars(rows: Any) -> bool:
    return type(rows).__module__.partition(".")[0] == "polars" and hasattr(rows, "__len__")


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
            return (finite_number(answer),)
        numbers = tuple(finite_number(each) for each in answer)
        return numbers if len(numbers) == len(self.bounds) else self.default


def finite_number(value: Any) -> Fraction:
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
    order = np.argsort(places, kind="stable")
    ends = np.cumsum(np.bincount(places, minlength=blocks))
    return [
        by_position.answer(inside) if len(inside) else function.default
        for inside in np.split(order, ends[:-1])
    ]
