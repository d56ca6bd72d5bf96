"""Ours, by the same way as all others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.audited.case import DELTA, EPSILON, Case
from sfumato import mechanisms

if TYPE_CHECKING:
    from collections.abc import Callable

CASES = (
    Case("Laplace"),
    Case("Gaussian", delta=DELTA),
    Case("DiscreteLaplace", is_whole=True),
    Case("DiscreteGaussian", DELTA, is_whole=True),
)


def sampler(case: Case) -> Callable[[Any, int], Any]:
    """Return a function of a value and a size: so many outputs."""
    given: dict[str, Any] = {"epsilon": EPSILON, "sensitivity": 1}
    given |= {"delta": case.delta} if case.delta else {}
    made = getattr(mechanisms, case.mechanism)(**given)
    if case.mechanism == "DiscreteGaussian":
        return lambda value, size: [made.release(value).value for _ in range(size)]
    return lambda value, size: made.release(np.full(size, value)).value
