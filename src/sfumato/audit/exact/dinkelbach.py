"""The event where one distribution most exceeds another, in floats: a start for exact searches."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Mask = NDArray[np.bool_]

__all__ = ["best_event"]


def best_event(p: Floats, q: Floats, delta: float) -> Mask:
    """Return, nearly, the event at which (P(S) - δ) / Q(S) is greatest."""
    event, ratio = p > 0, 0.0
    while True:
        mass_p, mass_q = float(p[event].sum()), float(q[event].sum())
        if mass_q == 0 or (mass_p - delta) / mass_q <= ratio:
            return event
        ratio = (mass_p - delta) / mass_q
        event = p > ratio * q
