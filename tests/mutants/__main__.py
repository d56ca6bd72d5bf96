"""Put faults into copies of the project, one at a time, and see which the tests catch.

`python -m tests.mutants` tries all of them, `--ring first` with the tests of the first ring alone,
`--room ledger` or `--fault "charge after noise"` some of them.  A fault that no test catches is a
test that is missing: the program then fails.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from os import cpu_count
from pathlib import Path

import pytest

from tests.mutants.faults import ROOT, Fault, faults

#: What a copy leaves out.
_LEFT_OUT = shutil.ignore_patterns(".*", "__pycache__", "_build", "results")
_COPIED = ("src", "tests", "docs", "examples", "benchmarks", "README.md", "pyproject.toml")
_RINGS = {"first": ["-m", "not full"], "full": []}
_SECONDS = 900


@dataclass(frozen=True)
class Trial:
    """What came of a fault: "caught", "missed", or what kept the tests from being run."""

    fault: Fault
    came: str


def main() -> int:
    """Try faults, print a table, and fail if one is missed."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.mutants",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--ring", choices=_RINGS, default="full")
    parser.add_argument("--room", action="append", help="only faults of this room")
    parser.add_argument("--fault", action="append", help="only the fault of this name")
    parser.add_argument("--jobs", type=int, default=cpu_count())
    given = parser.parse_args()
    chosen = [
        each
        for each in faults()
        if each.room in (given.room or [each.room]) and each.name in (given.fault or [each.name])
    ]
    if not chosen:
        parser.error("there is no such fault")
    trials = _tried(chosen, given.ring, given.jobs)
    _report(trials)
    return any(each.came != "caught" for each in trials)


def _tried(chosen: list[Fault], ring: str, jobs: int) -> list[Trial]:
    """Try faults beside each other; first the tests alone, which must pass where there is none."""
    nearest = sorted({test for each in chosen for test in each.tests})
    status, said = _outcome(None, nearest, ring)
    if status != 0:
        sys.exit(f"the tests fail where there is no fault:\n{said}")
    trials = []
    with ProcessPoolExecutor(jobs) as pool:
        running = [pool.submit(_trial, each, ring) for each in chosen]
        for done in as_completed(running):
            trial = done.result()
            trials.append(trial)
            where = f"{trial.fault.room}: {trial.fault.name}"
            print(f"{len(trials)}/{len(chosen)} {trial.came}: {where}", file=sys.stderr, flush=True)
    return sorted(trials, key=lambda each: (each.fault.room, each.fault.name))


def _trial(fault: Fault, ring: str) -> Trial:
    status, said = _outcome(fault, fault.tests, ring)
    if status == pytest.ExitCode.TESTS_FAILED:
        return Trial(fault, "caught")
    if status in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        return Trial(fault, "missed")
    return Trial(fault, f"not run: {said.strip().splitlines()[-1]}")


def _outcome(fault: Fault | None, tests: list[str] | tuple[str, ...], ring: str) -> tuple[int, str]:
    """Run tests in a copy with a fault: pytest's exit status, and what it printed."""
    with tempfile.TemporaryDirectory(prefix="sfumato-fault-") as folder:
        copy = Path(folder)
        for name in _COPIED:
            (_copied_folder if (ROOT / name).is_dir() else shutil.copy)(ROOT / name, copy / name)
        if fault is not None:
            fault.put_into(copy)
        command = [sys.executable, "-m", "pytest", "-x", "-q", "--no-header", *_RINGS[ring]]
        try:
            done = subprocess.run(
                [*command, "-p", "no:cacheprovider", "-p", "no:randomly", *tests],
                cwd=copy,
                env={**os.environ, "PYTHONPATH": str(copy / "src")},
                capture_output=True,
                text=True,
                check=False,
                timeout=_SECONDS,
            )
        except subprocess.TimeoutExpired:
            return -1, f"the tests took longer than {_SECONDS} s"
    return done.returncode, done.stdout[-4000:] + done.stderr[-1000:]


def _copied_folder(start: Path, to: Path) -> None:
    shutil.copytree(start, to, ignore=_LEFT_OUT)


def _report(trials: list[Trial]) -> None:
    print("| room | faults | caught |\n| --- | ---: | ---: |")
    tried = Counter(each.fault.room for each in trials)
    caught = Counter(each.fault.room for each in trials if each.came == "caught")
    for room, number in tried.items():
        print(f"| {room} | {number} | {caught[room]} |")
    print(f"| in all | {tried.total()} | {caught.total()} |")
    for each in trials:
        if each.came != "caught":
            print(f"- {each.came}: {each.fault.room}: {each.fault.name} ({each.fault.file})")


if __name__ == "__main__":
    sys.exit(main())
