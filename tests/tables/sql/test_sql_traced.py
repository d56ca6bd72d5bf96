"""Reading a text touches no file and no network, whatever it says (Y9)."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.engines import missing

_MARK = "/nowhere/sfumato-sql-mark"
#: Reads every text twice: what the parser imports at first use is imported in the first round.
_SCRIPT = f"""
import os
from sfumato.errors import InputError
from sfumato.tables.sql import read_sql
from tests.tables.sql.clinic import whole_clinic
from tests.tables.sql.corpus.illegal import ILLEGAL
clinic = whole_clinic()
for _ in range(2):
    os.path.exists("{_MARK}")
    for dialect in ("duckdb", "postgres", "spark"):
        for text in ILLEGAL:
            if len(text) > 2000:
                continue
            try:
                read_sql(text, clinic.visits, clinic.tables, dialect=dialect)
            except InputError:
                pass
os.path.exists("{_MARK}")
"""
_TOUCHES = re.compile(r"\b(open|openat|connect|socket|execve|unlink|rename|mkdir|sendto)\(")


def traced(script: str, log: Path) -> list[list[str]]:
    """What a script asked of the system, cut at the marks."""
    if shutil.which("strace") is None:
        missing("strace", "apt-get install strace")
    command = ["strace", "-f", "-e", "trace=file,network,process", "-o", str(log)]
    where = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])}
    done = subprocess.run(
        [*command, sys.executable, "-c", script], env=where, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr.decode()[-2000:]
    parts: list[list[str]] = [[]]
    for line in log.read_text(errors="replace").splitlines():
        if _MARK in line:
            parts.append([])
        elif _TOUCHES.search(line):
            parts[-1].append(line)
    return parts


@pytest.mark.full
def test_no_text_touches_a_file_or_the_network(tmp_path: Path) -> None:
    _, first, second, _ = traced(_SCRIPT, tmp_path / "trace")
    assert not second
    opened = [line for line in first if not re.search(r'\.(py|pyc|so)"|O_DIRECTORY|"/sys/', line)]
    assert not [line for line in opened if "__pycache__" not in line and "ENOENT" not in line]


def test_the_trace_sees_a_file_that_is_opened(tmp_path: Path) -> None:
    script = f"import os\nos.path.exists('{_MARK}')\nopen(os.devnull)\nos.path.exists('{_MARK}')"
    _, between, _ = traced(script, tmp_path / "trace")
    assert len(between) == 1
