"""diffprivlib: one number at a time; its real noise is snapped to no grid."""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

from benchmarks.noises.noise import DELTA, EPSILON

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.noises.noise import Noise


def vector(noise: Noise) -> Callable[[int], Any]:
    """Return a release of so many values, one by one."""
    randomise, zero = _mechanism(noise).randomise, 0 if noise.is_whole else 0.0
    return lambda size: [randomise(zero) for _ in range(size)]


def single(noise: Noise) -> Callable[[], Any]:
    """Return a release of one number."""
    return partial(_mechanism(noise).randomise, 42 if noise.is_whole else 42.0)


def _mechanism(noise: Noise) -> Any:
    zoo = import_module("diffprivlib.mechanisms")
    make = {
        ("integer", "Laplace"): zoo.Geometric,
        ("integer", "Gaussian"): partial(zoo.GaussianDiscrete, delta=DELTA),
        ("real", "Laplace"): zoo.Laplace,
        ("real", "Gaussian"): partial(zoo.GaussianAnalytic, delta=DELTA),
    }
    return make[noise.shape](epsilon=EPSILON, sensitivity=noise.scale)
