"""Many rows on two workers give what DuckDB gives, also if a worker dies in the middle."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.engines import missing
from tests.spark import INSTALL, can_start

pytestmark = pytest.mark.full

ROOT = Path(__file__).parents[3]
#: About 29 bytes each: 1 GB where thousands of cases are swept, 12 MB elsewhere.
ROWS = 36_000_000 if os.environ.get("SFUMATO_TEST_PROFILE") == "sweep" else 400_000
CHARGED_ONCE = ["opening", "charge", "release"]


def test_a_worker_that_is_killed_changes_neither_the_answer_nor_the_charge(tmp_path: Path) -> None:
    if not can_start():
        missing("Java and Spark", INSTALL)
    command = [sys.executable, "-m", "tests.tables.engines.large", str(tmp_path), str(ROWS)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    found: dict[str, Any] = {}
    for line in done.stdout.splitlines():
        found |= json.loads(line)
    assert found["bytes"] > 25 * ROWS
    assert len(found["killed_after"]) == 1
    for run in ("duckdb", "spark", "killed"):
        assert found[run]["answer"] == found["duckdb"]["answer"]
        assert found[run]["ledger"] == CHARGED_ONCE
