"""Asking a contestant, each in a process and an interpreter of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from benchmarks.interpreters import interpreters, reason, run, version

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from benchmarks.groupby.task import Contestant, Package

LIMIT = 420
ABSENT = "not installed"


@dataclass(frozen=True)
class Outcome:
    """Seconds, memory and the answer by group, or why there are none."""

    seconds: float = 0.0
    mib: float = 0.0
    answer: Mapping[int, tuple[float, float, float]] | None = None
    failure: str = ""


def ask(contestant: Contestant, path: Path) -> Outcome:
    """Return what a contestant makes of a file, in a new process."""
    interpreter = _interpreter(contestant)
    if not interpreter:
        return Outcome(failure=ABSENT)
    asked = [contestant.module, contestant.way, str(path), str(contestant.rounds)]
    try:
        done = run(interpreter, "-m", "benchmarks.groupby.answering", *asked, limit=LIMIT)
    except subprocess.TimeoutExpired:
        return Outcome(failure=f"over {LIMIT} s")
    return _told(done.stdout) if done.returncode == 0 else Outcome(failure=reason(done.stderr))


def better(one: Outcome, other: Outcome) -> Outcome:
    """Return the faster of two outcomes of one contestant, with the greater memory."""
    if one.failure or other.failure:
        return one if one.failure else other
    faster = min(one, other, key=lambda each: each.seconds)
    return Outcome(faster.seconds, max(one.mib, other.mib), faster.answer)


def _interpreter(contestant: Contestant) -> str:
    return sys.executable if contestant.package is None else _place(contestant.package)


@cache
def _place(package: Package) -> str:
    """Return the first interpreter that has a package in the version that is compared."""
    versions = ((place, version(package.name, place)) for place in interpreters())
    return next((place for place, found in versions if found == package.version), "")


def _told(text: str) -> Outcome:
    said: dict[str, Any] = json.loads(text)
    answer = {int(group): tuple(figures) for group, *figures in said["answer"]}
    return Outcome(said["seconds"], said["mib"], answer)
