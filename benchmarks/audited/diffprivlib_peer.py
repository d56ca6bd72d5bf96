"""diffprivlib: one number at a time."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from benchmarks.audited.case import DELTA, EPSILON, Case

if TYPE_CHECKING:
    from collections.abc import Callable

CASES = (
    Case("Laplace"),
    Case("Staircase"),
    Case("GaussianAnalytic", delta=DELTA),
    Case("Snapping"),
    Case("Geometric", is_whole=True),
    Case("GaussianDiscrete", DELTA, is_whole=True),
)
OPTIONS = {"Snapping": {"lower": -10.0, "upper": 10.0}}


def sampler(case: Case) -> Callable[[Any, int], list[Any]]:
    """Return a function of a value and a size: so many outputs."""
    kind = getattr(import_module("diffprivlib.mechanisms"), case.mechanism)
    given: dict[str, Any] = {"delta": case.delta} if case.delta else {}
    given |= OPTIONS.get(case.mechanism, {})
    randomise = kind(epsilon=EPSILON, sensitivity=1, **given).randomise
    return lambda value, size: [randomise(value) for _ in range(size)]
