"""Noise from numpy that is as good as exact: whole, or rounded to a grid after the sum.

Bare floats show the value by their low bits; a grid that is coarse beside them hides it, and moves
no probability by more than about 2^-30 of itself.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

__all__ = ["SIGMA", "laplace", "normal", "whole_laplace"]

GRID = 2.0**-20
#: Normal noise for ε = 1 and δ = 1e-5 at sensitivity 1, rounded up.
SIGMA = 3.7306317


def laplace(
    generator: np.random.Generator, values: ArrayLike, scale: float, n: int
) -> NDArray[np.float64]:
    """Return values with Laplace noise n times: a vector for a number, a matrix for a vector."""
    noise = generator.laplace(scale=scale, size=(n, *np.shape(values)))
    return _on_grid(np.asarray(values) + noise)


def normal(
    generator: np.random.Generator, value: float, sigma: float, n: int
) -> NDArray[np.float64]:
    """Return a value with normal noise n times."""
    return _on_grid(value + generator.normal(scale=sigma, size=n))


def whole_laplace(
    generator: np.random.Generator, value: int, scale: float, n: int
) -> NDArray[np.int64]:
    """Return a whole value with discrete Laplace noise n times: a difference of geometrics."""
    success = -math.expm1(-1 / scale)
    return value + generator.geometric(success, n) - generator.geometric(success, n)


def _on_grid(values: NDArray[Any]) -> NDArray[np.float64]:
    """Return the nearest points of the grid; zero has no sign."""
    return np.round(values / GRID) * GRID + 0.0
