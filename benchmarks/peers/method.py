"""A way of one package to bound the ε of a case, and how its time is taken."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from benchmarks.measure import undisturbed

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.peers.cases import Case

ROUNDS = 7
PATIENCE = 15.0


@dataclass(frozen=True)
class Answer:
    """An ε at the asked δ, and the end below it where the method gives one."""

    upper: float
    lower: float | None = None


@dataclass(frozen=True)
class Method:
    """A named way to answer; `certified` says whether its upper end is meant as a bound."""

    name: str
    answer: Callable[[Case], Answer]
    certified: bool = True
    covers: Callable[[Case], bool] = lambda _: True


def best_of_rounds(method: Method, case: Case) -> tuple[Answer, float]:
    """Answer again and again, from nothing each time, and return the answer and the least time."""
    started = time.perf_counter()
    answer, best = undisturbed(lambda: method.answer(case))
    for _ in range(ROUNDS):
        if time.perf_counter() - started > PATIENCE:
            break
        best = min(best, undisturbed(lambda: method.answer(case))[1])
    return answer, best
