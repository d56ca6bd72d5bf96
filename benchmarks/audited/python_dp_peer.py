"""python-dp, which wraps Google's C++ library: one number at a time."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from benchmarks.audited.case import DELTA, EPSILON, Case

if TYPE_CHECKING:
    from collections.abc import Callable

CASES = (
    Case("LaplaceMechanism"),
    Case("GaussianMechanism", delta=DELTA),
    Case("LaplaceMechanism", is_whole=True),
    Case("GaussianMechanism", DELTA, is_whole=True),
)


def sampler(case: Case) -> Callable[[Any, int], list[Any]]:
    """Return a function of a value and a size: so many outputs."""
    kind = getattr(import_module("pydp.algorithms.numerical_mechanisms"), case.mechanism)
    made = kind(EPSILON, case.delta, 1.0) if case.delta else kind(EPSILON, sensitivity=1.0)
    return lambda value, size: [made.add_noise(value) for _ in range(size)]
