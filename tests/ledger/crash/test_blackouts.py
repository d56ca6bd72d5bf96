"""When the power fails, the disk has every charge that returned and every answer handed out."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.ledger.crash.answers import ROOT, Reading, judge, make_ledger, noted
from tests.ledger.crash.blackout import RELEASES, SESSIONS
from tests.ledger.crash.shim import Shim

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.full


def struck(home: Path, library: Path, how: str) -> list[tuple[int, Reading]]:
    """Charge and release, and read what every loss of power would have left."""
    for each in ("disk", "shadow", "copies"):
        (home / each).mkdir(parents=True)
    make_ledger(str(home / "disk" / "ledger.db"))
    shutil.copy(home / "disk" / "ledger.db", home / "shadow")
    preload = Shim(home / "control").environment(library, home / "disk", home / "shadow")
    command = [sys.executable, "-m", "tests.ledger.crash.blackout", str(home), how]
    subprocess.run(command, cwd=ROOT, env={**os.environ, **preload}, check=True)
    return [
        (int(each.name.split()[-1]), judge(str(each / "ledger.db"), noted(each)))
        for each in sorted((home / "copies").iterdir())
    ]


def test_a_loss_of_power_loses_no_charge_and_no_answer(tmp_path: Path, library: Path) -> None:
    left = struck(tmp_path / "home", library, "durable")
    assert len(left) == SESSIONS * (2 * RELEASES + 1)
    assert [read.problems for _, read in left if read.problems] == []
    assert [read.charges for _, read in left] == [charges for charges, _ in left]


def test_a_store_that_does_not_wait_for_the_disk_is_caught(tmp_path: Path, library: Path) -> None:
    """The twin: SQLite returns from a commit before it is on the disk."""
    left = struck(tmp_path / "home", library, "hasty")
    assert any("is not in the book" in each for _, read in left for each in read.problems)
