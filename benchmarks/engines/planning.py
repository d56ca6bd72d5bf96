"""From the text of a question to its plan: how long that takes, over the corpus of the tests."""

from __future__ import annotations

from functools import partial
from statistics import median, quantiles
from typing import TYPE_CHECKING

from benchmarks.measure import timed
from tests.tables.sql.clinic import clinic_of
from tests.tables.sql.corpus.legal import LEGAL

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.engines.held import Held
    from tests.tables.sql.clinic import Clinic
    from tests.tables.sql.corpus.case import Legal

ROUNDS = 5
HEADER = ["engine", "questions planned", "median (ms)", "95 in 100 below (ms)", "longest (ms)"]


def planning_times(engine: str, held: Held) -> list[str]:
    """Read and plan every question; return the median, what one in twenty exceeds, the longest."""
    clinic = clinic_of(held.private)
    times = [1e3 * _seconds(partial(_plan, case, clinic, held.dialect)) for case in LEGAL.values()]
    shown = [f"{each:.2f}" for each in (median(times), quantiles(times, n=20)[-1], max(times))]
    return [engine, str(len(times)), *shown]


def _seconds(plan: Callable[[], None]) -> float:
    """Return the best of several times."""
    plan()
    return min(timed(plan)[1] for _ in range(ROUNDS))


def _plan(case: Legal, clinic: Clinic, dialect: str) -> None:
    case.query(clinic, dialect).plan(epsilon=1)
