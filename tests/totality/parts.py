"""Parts of the sweep, each for a process of its own."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

from tests.totality.servers import started, sweep_servers
from tests.totality.storages import STORAGES
from tests.totality.sweep import sweep

if TYPE_CHECKING:
    from tests.totality.sweep import Found


def part_of(seed: int, tables: int, questions: int) -> Found:
    """One round on files, frames and tables of DuckDB."""
    warnings.simplefilter("ignore")
    people = seed % 4 == 0
    return sweep(STORAGES, seed=seed, tables=tables, questions=questions, people=people)


def server_part(engine: str, seed: int) -> Found:
    """One round on a server, which is started for it."""
    warnings.simplefilter("ignore")
    with started(engine) as storages:
        return sweep_servers(storages, seed=seed, questions=20, people=seed % 2 == 0)
