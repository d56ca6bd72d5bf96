"""python-dp, which wraps Google's C++ library: one number at a time."""

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
    add_noise, zero = _mechanism(noise).add_noise, 0 if noise.is_whole else 0.0
    return lambda size: [add_noise(zero) for _ in range(size)]


def single(noise: Noise) -> Callable[[], Any]:
    """Return a release of one number."""
    return partial(_mechanism(noise).add_noise, 42 if noise.is_whole else 42.0)


def _mechanism(noise: Noise) -> Any:
    zoo = import_module("pydp.algorithms.numerical_mechanisms")
    if noise.distribution == "Laplace":
        return zoo.LaplaceMechanism(EPSILON, sensitivity=float(noise.scale))
    return zoo.GaussianMechanism(EPSILON, DELTA, float(noise.scale))
