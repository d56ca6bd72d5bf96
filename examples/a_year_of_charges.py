"""A ledger with a year of charges by three analysts, to look at."""

from __future__ import annotations

import tempfile
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from itertools import cycle
from typing import TYPE_CHECKING

import sfumato as sf

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["a_year_of_charges"]

ANALYSTS = ("epidemiology", "planning", "teaching", "epidemiology")


@contextmanager
def a_year_of_charges() -> Iterator[sf.Ledger]:
    """Keep a ledger for as long as the block runs: 21 charges of ε = 0.1, every 17 days."""
    days = iter(datetime(2025, 1, 7, tzinfo=UTC) + timedelta(days=17 * n) for n in range(100))
    with (
        tempfile.TemporaryDirectory() as folder,
        sf.Ledger.create(
            f"{folder}/ledger.db", key=f"{folder}/key.pem", clock=lambda: next(days)
        ) as ledger,
    ):
        book = ledger.add_book("patients", sf.PureDP(epsilon=3))
        for _, analyst in zip(range(21), cycle(ANALYSTS), strict=False):
            book.spend(
                sf.privacy.events.Laplace(scale=10), analyst=analyst, purpose="patients by ward"
            )
        yield ledger
