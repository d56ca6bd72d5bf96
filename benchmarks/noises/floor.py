"""The floor: numpy's generators, which are fast and not exact."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from benchmarks.noises.noise import Noise


def raw(noise: Noise, values: NDArray[Any]) -> Callable[[], NDArray[Any]]:
    """Return a draw of bare floats for whole noise, of values with noise for reals."""
    draw = _generator(noise)
    return (lambda: draw(values.size)) if noise.is_whole else (lambda: values + draw(values.size))


def rounded(noise: Noise, values: NDArray[Any]) -> Callable[[], NDArray[Any]]:
    """Return a draw of 64-bit integers."""
    draw = _generator(noise)
    return lambda: np.rint(draw(values.size)).astype(np.int64)


def _generator(noise: Noise) -> Callable[[int], NDArray[Any]]:
    generator = np.random.default_rng()
    draw = generator.laplace if noise.distribution == "Laplace" else generator.normal
    return lambda size: draw(0, noise.scale, size)
