"""Tumult Core: exact noise, one number at a time."""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.noises.noise import Noise


def vector(noise: Noise) -> Callable[[int], Any]:
    """Return a release of so many values, one by one."""
    measurement, zero = _measurement(noise), _number(noise, 0)
    return lambda size: [measurement(zero) for _ in range(size)]


def single(noise: Noise) -> Callable[[], Any]:
    """Return a release of one number."""
    return partial(_measurement(noise), _number(noise, 42))


def _measurement(noise: Noise) -> Callable[[Any], Any]:
    zoo = import_module("tmlt.core.measurements.noise_mechanisms")
    floats = import_module("tmlt.core.domains.numpy_domains").NumpyFloatDomain()
    make: dict[tuple[str, str], Callable[[int], Any]] = {
        ("integer", "Laplace"): zoo.AddGeometricNoise,
        ("integer", "Gaussian"): lambda sigma: zoo.AddDiscreteGaussianNoise(sigma**2),
        ("real", "Laplace"): partial(zoo.AddLaplaceNoise, floats),
        ("real", "Gaussian"): lambda sigma: zoo.AddGaussianNoise(floats, sigma**2),
    }
    made: Callable[[Any], Any] = make[noise.shape](noise.scale)
    return made


def _number(noise: Noise, value: int) -> Any:
    types = import_module("numpy")
    return types.int64(value) if noise.is_whole else types.float64(value)
