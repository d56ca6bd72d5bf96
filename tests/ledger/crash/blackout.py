"""A program whose disk keeps what was synced and nothing else, as after a loss of power.

It is started with the library of `faults.c`; after every charge and every release, and whenever
the ledger was closed, it takes a copy of what the disk would still have.
"""

from __future__ import annotations

import secrets
import shutil
import sys
from pathlib import Path

import sqlalchemy as sa

from sfumato.ledger import Charge, Ledger
from tests.ledger.crash.answers import DATASET, QUERY, Answer, open_log

SESSIONS = 3
RELEASES = 4


class Blackouts:
    """Copies of what was synced, each with the answers that were handed out before."""

    def __init__(self, home: Path) -> None:
        self.home, self.count, self.charges = home, 0, 0
        self.answers: list[Answer] = []

    def strike(self) -> None:
        """Keep what the disk has at this moment, and what it should have."""
        copy = self.home / "copies" / f"{self.count:03} after {self.charges}"
        shutil.copytree(self.home / "shadow", copy)
        log = open_log(copy / "answers.log")
        for each in self.answers:
            each.note(log)
        self.count += 1

    def session(self) -> None:
        with Ledger.open(self.home / "disk" / "ledger.db") as ledger:
            book = ledger.book(DATASET)
            for _ in range(RELEASES):
                charge = book.reserve(QUERY, analyst="ada", purpose="blackout")
                assert isinstance(charge, Charge)
                self.charges += 1
                self.strike()
                self.answers.append(Answer.of(charge.commit(secrets.token_bytes(24))))
                self.strike()
        self.strike()


def without_waiting(connection: sa.PoolProxiedConnection, _: object) -> None:
    """Have SQLite return from a commit before the disk has it."""
    connection.execute("PRAGMA synchronous=NORMAL")


if __name__ == "__main__":
    if sys.argv[2] == "hasty":
        sa.event.listen(sa.Engine, "connect", without_waiting)
    blackouts = Blackouts(Path(sys.argv[1]))
    for _ in range(SESSIONS):
        blackouts.session()
