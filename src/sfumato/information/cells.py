"""How a joint table is held: a full array, or only the combinations that occur."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from sfumato.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sfumato.information.intake import Floats

__all__ = ["Cells", "DenseCells", "SparseCells"]

Codes = NDArray[np.int64]


class Cells(Protocol):
    """What a joint table needs of its cells; ``axes`` are positions of variables."""

    def __len__(self) -> int: ...

    def probabilities(self) -> Floats:
        """Return the probabilities as floats, flat."""

    def masses(self) -> list[Any]:
        """Return the cells as they are held: counts, or probabilities."""

    def groups(self, axes: Sequence[int]) -> Codes:
        """Return, for each cell, a number for its values on ``axes``."""

    def marginal(self, axes: Sequence[int]) -> Cells:
        """Return the cells summed over every axis but ``axes``, in that order."""

    def slice(self, at: Mapping[int, int]) -> Cells:
        """Return the cells at fixed positions of some axes, divided by their sum."""


@dataclass(frozen=True, eq=False)
class DenseCells:
    """An array with one axis a variable: floats that sum to one, or integers over ``total``."""

    values: NDArray[Any]
    total: int

    def __len__(self) -> int:
        return self.values.size

    def probabilities(self) -> Floats:
        """Return the probabilities as floats, flat."""
        return _floats(self.values.ravel(), self.total)

    def masses(self) -> list[Any]:
        """Return the cells as they are held: counts, or probabilities."""
        masses: list[Any] = self.values.ravel().tolist()
        return masses

    def groups(self, axes: Sequence[int]) -> Codes:
        """Return, for each cell, a number for its values on ``axes``."""
        shape = self.values.shape
        code: Codes = np.zeros((1,) * len(shape), dtype=np.int64)
        for axis in axes:
            steps = np.arange(shape[axis]).reshape(
                [-1 if i == axis else 1 for i in range(len(shape))]
            )
            code = code * shape[axis] + steps
        return np.broadcast_to(code, shape).ravel()

    def marginal(self, axes: Sequence[int]) -> DenseCells:
        """Return the cells summed over every axis but ``axes``, in that order."""
        others = tuple(axis for axis in range(self.values.ndim) if axis not in axes)
        summed = self.values.sum(axis=others) if others else self.values
        kept = sorted(axes)
        return DenseCells(np.transpose(summed, [kept.index(axis) for axis in axes]), self.total)

    def slice(self, at: Mapping[int, int]) -> DenseCells:
        """Return the cells at fixed positions, divided by their sum."""
        index = tuple(at.get(axis, slice(None)) for axis in range(self.values.ndim))
        part = self.values[index]
        return DenseCells(*_rescaled(part))


@dataclass(frozen=True, eq=False)
class SparseCells:
    """The combinations that occur: one code a variable, and the value of each combination."""

    codes: tuple[Codes, ...]
    sizes: tuple[int, ...]
    values: NDArray[Any]
    total: int

    def __len__(self) -> int:
        return self.values.size

    def probabilities(self) -> Floats:
        """Return the probabilities as floats, flat."""
        return _floats(self.values, self.total)

    def masses(self) -> list[Any]:
        """Return the cells as they are held: counts, or probabilities."""
        masses: list[Any] = self.values.tolist()
        return masses

    def groups(self, axes: Sequence[int]) -> Codes:
        """Return, for each cell, a number for its values on ``axes``."""
        code: Codes = np.zeros(len(self), dtype=np.int64)
        bound = 1
        for axis in axes:
            if bound * self.sizes[axis] >= 2**62:
                code = np.unique(code, return_inverse=True)[1]
                bound = len(self)
            code = code * self.sizes[axis] + self.codes[axis]
            bound *= self.sizes[axis]
        return code

    def marginal(self, axes: Sequence[int]) -> SparseCells:
        """Return the combinations of ``axes`` that occur, equal ones added up."""
        _, first, group = np.unique(self.groups(axes), return_index=True, return_inverse=True)
        summed = np.zeros(first.size, dtype=self.values.dtype)
        np.add.at(summed, group, self.values)
        codes = tuple(self.codes[axis][first] for axis in axes)
        return SparseCells(codes, tuple(self.sizes[axis] for axis in axes), summed, self.total)

    def slice(self, at: Mapping[int, int]) -> SparseCells:
        """Return the combinations at fixed codes, divided by their sum."""
        keep = np.ones(len(self), dtype=bool)
        rest = [axis for axis in range(len(self.codes)) if axis not in at]
        for axis, code in at.items():
            keep &= self.codes[axis] == code
        codes = tuple(self.codes[axis][keep] for axis in rest)
        return SparseCells(
            codes, tuple(self.sizes[axis] for axis in rest), *_rescaled(self.values[keep])
        )


def _floats(values: NDArray[Any], total: int) -> Floats:
    if values.dtype == np.float64:
        return values
    return (values / total).astype(np.float64, copy=False)


def _rescaled(values: NDArray[Any]) -> tuple[NDArray[Any], int]:
    total = values.sum()
    if not total > 0:
        raise InputError(
            "E-CONDITION-IMPOSSIBLE",
            "the given values never occur together",
            "condition on values of positive probability",
        )
    return (values / total, 1) if values.dtype == np.float64 else (values, int(total))
