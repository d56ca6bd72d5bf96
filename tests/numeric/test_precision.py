"""The working precision is one for the process, and is always given back."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from flint import ctx

from sfumato.information import capacity, epsilon_bounds, hockey_stick, kl_bounds
from sfumato.information.continuous import Gaussian


def measure(number: int) -> tuple[float, ...]:
    """One of several functions that each ask for a precision of their own."""
    if number % 4 == 0:
        return kl_bounds(1).textbook, kl_bounds(1).tight
    if number % 4 == 1:
        return (epsilon_bounds(1, inputs=5).capacity,)
    if number % 4 == 2:
        found = capacity([[0.9, 0.1], [0.2, 0.8]])
        return found.lower, found.upper
    stick = hockey_stick(Gaussian(0, 1), Gaussian(1, 1), epsilon=0.5)
    return stick.lower, stick.upper


def test_threads_neither_disturb_each_other_nor_leave_a_precision_behind() -> None:
    before, alone = ctx.prec, [measure(number) for number in range(4)]
    with ThreadPoolExecutor(6) as pool:
        together = list(pool.map(measure, range(120)))
    assert ctx.prec == before
    assert together == alone * 30
