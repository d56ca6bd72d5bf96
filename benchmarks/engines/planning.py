"""From the text of a question to its plan: how long that takes, over the corpus of the tests."""

from __future__ import annotations

from functools import partial
from statistics import median, quantiles

from benchmarks.measure import markdown, timed
from tests.tables.sql.clinic import whole_clinic
from tests.tables.sql.corpus.legal import LEGAL

ROUNDS = 5


def planning_times() -> str:
    """Return the median over all questions, what one in twenty exceeds, and the longest."""
    times = [1e3 * _seconds(text) for text in LEGAL]
    shown = [f"{each:.2f}" for each in (median(times), quantiles(times, n=20)[-1], max(times))]
    header = ["questions planned", "median (ms)", "95 in 100 below (ms)", "longest (ms)"]
    return markdown([header, [str(len(times)), *shown]])


def _seconds(text: str) -> float:
    """Return the best of several times in which a question is read and planned."""
    plan = partial(_plan, text)
    plan()
    return min(timed(plan)[1] for _ in range(ROUNDS))


def _plan(text: str) -> None:
    clinic, case = whole_clinic(), LEGAL[text]
    query = clinic.visits.query(text, tables=clinic.tables, keys=case.keys)
    query.plan(epsilon=1)
