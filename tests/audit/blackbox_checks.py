"""What the tests of the black-box audit share."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from sfumato.audit.blackbox import AuditReport, audit

if TYPE_CHECKING:
    from numpy.typing import NDArray


def integer_noise(rng: np.random.Generator, epsilon: float, size: Any) -> NDArray[Any]:
    """The discrete Laplace distribution, as the difference of two geometric ones."""
    stop = -math.expm1(-epsilon)
    return np.asarray(rng.geometric(stop, size) - rng.geometric(stop, size))


def quick(release: Any, d0: Any = 0, d1: Any = 1, **options: Any) -> AuditReport:
    given = {"epsilon": 1, "samples": 4_000, **options}
    return audit(release, d0, d1, **given)
