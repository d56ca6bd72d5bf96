"""Ours: the bare samplers, and the mechanisms that people call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato import sampling
from sfumato.mechanisms.noise.discrete_gaussian import DiscreteGaussian
from sfumato.mechanisms.noise.discrete_laplace import DiscreteLaplace
from sfumato.mechanisms.noise.gaussian import Gaussian
from sfumato.mechanisms.noise.laplace import Laplace

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from benchmarks.noises.noise import Noise


def sampler(noise: Noise) -> Callable[[Any, NDArray[Any]], NDArray[Any]]:
    """Return a function of a scale and values: reals with noise, or as many whole noises."""
    functions: dict[tuple[str, str], Callable[[Any, NDArray[Any]], NDArray[Any]]] = {
        ("integer", "Laplace"): lambda at, values: sampling.discrete_laplace(at, values.size),
        ("integer", "Gaussian"): lambda at, values: sampling.discrete_gaussian(at, values.size),
        ("real", "Laplace"): lambda at, values: sampling.add_laplace(values, at),
        ("real", "Gaussian"): lambda at, values: sampling.add_gaussian(values, at),
    }
    return functions[noise.shape]


def mechanism(noise: Noise, size: int = 1) -> Any:
    """Return the mechanism that adds a noise to so many values at most."""
    kinds: dict[tuple[str, str], Callable[[int], Any]] = {
        ("integer", "Laplace"): lambda scale: DiscreteLaplace(scale=scale),
        ("integer", "Gaussian"): lambda scale: DiscreteGaussian(sigma=scale, dimensions=size),
        ("real", "Laplace"): lambda scale: Laplace(scale=scale, sensitivity=1),
        ("real", "Gaussian"): lambda scale: Gaussian(sigma=scale, sensitivity=1),
    }
    return kinds[noise.shape](noise.scale)


def values(noise: Noise, size: int) -> NDArray[Any]:
    """Return values to protect, whole ones or reals."""
    generator = np.random.default_rng(1)
    return generator.integers(-1000, 1000, size) if noise.is_whole else generator.normal(size=size)
