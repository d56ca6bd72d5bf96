"""A disk that fails at the k-th write or sync: nothing is released without a durable charge.

The faults come from a library that programs are started with (`faults.c`).
"""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from dataclasses import astuple, dataclass
from typing import TYPE_CHECKING, Any

import pytest

from tests.ledger.crash.answers import ROOT, Answer, Reading, judge, make_ledger, noted
from tests.ledger.crash.shim import FOREVER, Shim
from tests.ledger.crash.sufferer import RELEASES, Case, is_plain
from tests.patience import PATIENCE

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.full

FAULTS = range(1, 51)


@dataclass(frozen=True)
class Outcome:
    """What became of a ledger on a disk that failed."""

    name: str
    code: int
    fired: int
    answers: list[Answer]
    failures: list[dict[str, Any]]
    read: Reading

    def __str__(self) -> str:
        return f"{self.name}: {self.read.problems} {[each['shown'] for each in self.failures]}"


def failing_once(*errors: int, step: int = 1) -> list[Case]:
    """One of the first fifty calls fails."""
    return [
        Case(f"{errno.errorcode[each]} at {k}", each, k, k)
        for each in errors
        for k in FAULTS[::step]
    ]


def staying_full() -> list[Case]:
    """The disk is full from a call on."""
    return [Case(f"full from {k}", errno.ENOSPC, k, FOREVER) for k in FAULTS[::7]]


def suffered(home: Path, library: Path, cashier: str, listed: list[Case]) -> Iterator[Outcome]:
    """Use a ledger while its disk fails, once for every case, and read it on a sound disk."""
    (home / "disks").mkdir()
    preload = Shim(home / "control").environment(library, home / "disks")
    done = subprocess.run(
        [sys.executable, "-m", "tests.ledger.crash.sufferer", str(home), cashier],
        input="\n".join(json.dumps(astuple(each)) for each in listed),
        env={**os.environ, **preload},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    assert (done.returncode, done.stderr) == (0, "")
    for line in done.stdout.splitlines():
        name, code, _, fired = json.loads(line)
        notes, failures = home / "notes" / name, home / "notes" / name / "failures"
        told = failures.read_text().splitlines() if failures.exists() else []
        answers = noted(notes)
        read = judge(str(home / "disks" / name / "ledger.db"), answers)
        yield Outcome(name, code, fired, answers, [json.loads(each) for each in told], read)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A folder for ledgers, with one that others are copies of."""
    folder = tmp_path / "home"
    folder.mkdir()
    make_ledger(str(folder / "template.db"))
    return folder


def assert_said_plainly(outcome: Outcome) -> None:
    assert {each["kind"] for each in outcome.failures} <= {"StoreError"}, outcome
    for failure in outcome.failures:
        assert is_plain(failure["message"], failure["shown"]), outcome


def test_a_failing_disk_releases_nothing_that_is_not_charged(home: Path, library: Path) -> None:
    """The k-th write or sync of SQLite fails, for k from 1 to 50; the program goes on."""
    for outcome in suffered(home, library, "careful", failing_once(errno.EIO, errno.ENOSPC)):
        assert (outcome.code, outcome.fired, outcome.read.problems) == (0, 1, ()), outcome
        assert len(set(outcome.answers)) >= RELEASES - 1, outcome
        assert_said_plainly(outcome)


def test_nothing_is_released_while_the_disk_stays_full(home: Path, library: Path) -> None:
    for outcome in suffered(home, library, "careful", staying_full()):
        assert (outcome.code, outcome.read.problems) == (0, ()), outcome
        assert outcome.fired > 1, outcome
        assert len(set(outcome.answers)) < RELEASES, outcome
        assert_said_plainly(outcome)


def test_a_ledger_whose_making_fails_can_be_made_again(home: Path, library: Path) -> None:
    (home / "template.db").unlink()
    for outcome in suffered(home, library, "careful", failing_once(errno.EIO, step=2)):
        assert (outcome.code, outcome.fired, outcome.read.problems) == (0, 1, ()), outcome
        assert outcome.answers, outcome


def test_a_cashier_who_does_not_heed_the_store_is_caught(home: Path, library: Path) -> None:
    """The twin: whatever the store says, the answer is handed out."""
    caught = [
        outcome.name
        for outcome in suffered(home, library, "unheeding", failing_once(errno.EIO, step=5))
        if any("is not in the book" in each for each in outcome.read.problems)
    ]
    assert len(caught) >= 5
