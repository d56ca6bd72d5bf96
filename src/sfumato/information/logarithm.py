"""Logarithms in any base, exact at powers of two and ten."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["in_base", "logarithm"]

_NATIVE: dict[float, Callable[[Any], Any]] = {2.0: np.log2, math.e: np.log, 10.0: np.log10}


def logarithm(base: float) -> Callable[[Any], Any]:
    """Return the logarithm function of a base."""
    scale = math.log(base)
    return _NATIVE.get(base, lambda x: np.log(x) / scale)


def in_base(nats: float, base: float) -> float:
    """Return an amount of information given in nats in units of another base."""
    return nats if base == math.e else nats / math.log(base)
