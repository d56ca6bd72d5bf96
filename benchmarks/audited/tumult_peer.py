"""Tumult Core: one number at a time."""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

from benchmarks.audited.case import DELTA, EPSILON, SIGMA, Case

if TYPE_CHECKING:
    from collections.abc import Callable

CASES = (
    Case("AddLaplaceNoise"),
    Case("AddGaussianNoise", delta=DELTA),
    Case("AddGeometricNoise", is_whole=True),
    Case("AddDiscreteGaussianNoise", DELTA, is_whole=True),
)


def sampler(case: Case) -> Callable[[Any, int], list[Any]]:
    """Return a function of a value and a size: so many outputs."""
    make = getattr(import_module("tmlt.core.measurements.noise_mechanisms"), case.mechanism)
    if not case.is_whole:
        make = partial(make, import_module("tmlt.core.domains.numpy_domains").NumpyFloatDomain())
    exact = import_module("tmlt.core.utils.exact_number").ExactNumber.from_float
    amount = SIGMA**2 if case.delta else 1 / EPSILON
    measurement = make(exact(amount, round_up=True))
    types = import_module("numpy")
    number = types.int64 if case.is_whole else types.float64
    return lambda value, size: [measurement(number(value)) for _ in range(size)]
