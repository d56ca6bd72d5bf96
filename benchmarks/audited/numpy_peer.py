"""numpy: its floating noise on a value, as programs write it that use no library."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.audited.case import DELTA, EPSILON, SIGMA, Case

if TYPE_CHECKING:
    from collections.abc import Callable

CASES = (Case("laplace"), Case("normal", delta=DELTA))


def sampler(case: Case) -> Callable[[Any, int], Any]:
    """Return a function of a value and a size: so many outputs."""
    draw = getattr(np.random.default_rng(), case.mechanism)
    scale = SIGMA if case.delta else 1 / EPSILON
    return lambda value, size: value + draw(0, scale, size)
