"""A ledger and a risk report to draw."""

from __future__ import annotations

import tempfile
from typing import TYPE_CHECKING

import sfumato as sf
from sfumato.risk import risk, scoreboard

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.printing.page import Chart

__all__ = ["exposed", "matched", "with_ledger"]


def with_ledger(draw: Callable[[sf.Ledger], Chart]) -> Chart:
    """Draw a ledger of two books, of which one was charged by two analysts."""
    with (
        tempfile.TemporaryDirectory() as folder,
        sf.Ledger.create(f"{folder}/ledger.db", key=f"{folder}/key.pem") as ledger,
    ):
        book = ledger.add_book("patients", sf.PureDP(epsilon=3))
        ledger.add_book("visits", sf.ApproxDP(epsilon=1, delta=1e-6))
        for analyst in ("ada", "grace", "ada"):
            book.spend(
                sf.privacy.events.Laplace(scale=2), analyst=analyst, purpose="patients by sex"
            )
        return draw(ledger)


def exposed() -> sf.risk.Exposure:
    """Return how exposed the textbook's hospital is."""
    quasi = ["age", "sex", "zip", "smoker"]
    file = "examples/hospital-a-generalised.csv"
    return risk(file, quasi=quasi, sensitive="diagnosis")


def matched() -> sf.risk.ScoreboardReport:
    """Return whom in the table the facts of two people fit."""
    facts = {
        "film": ["film 227", "film 228", "film 50", "film 58", "film 227"],
        "who": ["ann", "ann", "bob", "bob", "bob"],
    }
    return scoreboard("examples/ratings.csv", facts, person="user", item="film", who="who")
