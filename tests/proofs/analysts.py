"""Analysts who take randomized responses, each chosen by the loss of those before it."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import TypeAlias

from tests.proofs.finite import ONE

#: From e^L so far, and the number of steps, to the e^ε of the next one; 1 is to stop.
Strategy: TypeAlias = Callable[[Fraction, int], Fraction]

STRATEGIES: list[Strategy] = [
    lambda _loss, _step: Fraction(3, 2),
    lambda loss, _step: Fraction(3) if loss > 1 else Fraction(6, 5),
    lambda loss, _step: ONE if loss > 3 else Fraction(2),
    lambda loss, step: Fraction(step + 2, step + 1) if loss <= 4 else ONE,
]


def growth(factor: Fraction, order: int) -> Fraction:
    """e^((α-1) r) of randomized response at a whole order."""
    return (factor**order + factor ** (1 - order)) / (1 + factor)
