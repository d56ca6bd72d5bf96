"""OpenDP: exact discrete noise, on vectors and single numbers."""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.noises.noise import Noise


def vector(noise: Noise) -> Callable[[int], Any]:
    """Return a release of so many values at once."""
    package = _package()
    distance = {"Laplace": package.l1_distance, "Gaussian": package.l2_distance}[noise.distribution]
    domain = package.vector_domain(_atoms(noise))
    measurement = _measurement(noise, domain, distance(T=_distance_type(noise)))
    zero = 0 if noise.is_whole else 0.0
    return lambda size: measurement([zero] * size)


def single(noise: Noise) -> Callable[[], Any]:
    """Return a release of one number."""
    distance = _package().absolute_distance(T=_distance_type(noise))
    return partial(_measurement(noise, _atoms(noise), distance), 42 if noise.is_whole else 42.0)


def _package() -> Any:
    package = import_module("opendp.prelude")
    package.enable_features("contrib")
    return package


def _atoms(noise: Noise) -> Any:
    domain = _package().atom_domain
    return domain(T=int) if noise.is_whole else domain(T=float, nan=False)


def _distance_type(noise: Noise) -> type:
    return int if noise.shape == ("integer", "Laplace") else float


def _measurement(noise: Noise, domain: Any, distance: Any) -> Callable[[Any], Any]:
    make = {"Laplace": _package().m.make_laplace, "Gaussian": _package().m.make_gaussian}
    made: Callable[[Any], Any] = make[noise.distribution](
        domain, distance, scale=float(noise.scale)
    )
    return made
