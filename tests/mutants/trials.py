"""Trials: tests run in a copy of the project that has a fault."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import pytest

from tests.mutants import witness
from tests.mutants.faults import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from tests.mutants.faults import Fault

#: What the tests of each ring are called; those of the full one besides those of the first.
RINGS: Final = {"first": "not full", "full": "full"}
#: What may come of a fault; uncollected are tests of a program that fails as it is imported.
CAUGHT, HUNG, UNCOLLECTED, MISSED = "caught", "hung", "uncollected", "missed"
NO_PROGRAM: Final = "no program"
SEEN: Final = (CAUGHT, HUNG, UNCOLLECTED)
_COPIED = ("src", "tests", "docs", "examples", "benchmarks", "README.md", "pyproject.toml")
_LEFT_OUT = shutil.ignore_patterns(".*", "__pycache__", "_build", "results")
#: How long a run may wait for others, who may have the processor, and then for its own end.
_SECONDS, _GRACE = 3600, 30
#: Whoever says these is no wrong program, but none.
_UNKNOWN_NAMES = ("ImportError", "ModuleNotFoundError", "NameError", "SyntaxError")


@dataclass(frozen=True)
class Trial:
    """What came of the tests of a ring: a word of those above, or why they say nothing.

    Attributes
    ----------
    came
        The word, or the reason.
    test
        What failed first.
    said
        How.
    """

    came: str
    test: str = ""
    said: str = ""


class Copy:
    """A copy of the project, which has one fault at a time."""

    def __init__(self, folder: Path) -> None:
        self.folder, self._faults = folder, 0
        for name in _COPIED:
            if (ROOT / name).is_dir():
                shutil.copytree(ROOT / name, folder / name, ignore=_LEFT_OUT)
            else:
                shutil.copy2(ROOT / name, folder / name)

    def trial(self, fault: Fault, ring: str) -> Trial:
        """Run the tests of a ring that are nearest to a fault, up to the first that fails."""
        with self._having(fault):
            status, failed = self._run(["-x", "-m", RINGS[ring], *fault.tests])
        if status in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
            return Trial(MISSED)
        if status in (None, -signal.SIGXCPU):
            return Trial(HUNG)
        if not failed:
            early = status == pytest.ExitCode.USAGE_ERROR
            return Trial(UNCOLLECTED if early else f"not run: status {status}")
        first = failed[0]
        came = UNCOLLECTED if first["when"] == "collect" else CAUGHT
        if first["said"].startswith(_UNKNOWN_NAMES):
            came = NO_PROGRAM
        return Trial(came, first["test"], first["said"])

    def failing(self, tests: Sequence[str], **settings: str) -> set[str]:
        """Which of some tests fail where there is no fault, in an environment with settings."""
        status, failed = self._run(tests, settings)
        if status != (pytest.ExitCode.TESTS_FAILED if failed else pytest.ExitCode.OK):
            sys.exit(f"the tests cannot be run where there is no fault (status {status})")
        return {each["test"] for each in failed}

    def failing_anyway(self, tests: Sequence[str]) -> set[str]:
        """Of which tests the function fails where there is no fault."""
        wanted = self.folder / "wanted.txt"
        wanted.write_text("\n".join(tests), encoding="utf-8")
        functions = sorted(set(map(witness.function, tests)))
        failing = self.failing(functions, **{witness.WANTED: str(wanted)})
        wrong = set(map(witness.function, failing))
        return {each for each in tests if witness.function(each) in wrong}

    @contextmanager
    def _having(self, fault: Fault) -> Iterator[None]:
        """Put a fault in and take it out.

        No two states of a file have the same time, so that bytecode is never that of another,
        however soon they follow each other.
        """
        path = self.folder / fault.path
        was, text = path.stat(), path.read_bytes()
        self._faults += 1
        fault.put_into(self.folder)
        os.utime(path, ns=(was.st_atime_ns, was.st_mtime_ns + self._faults * 10**9))
        try:
            yield
        finally:
            path.write_bytes(text)
            os.utime(path, ns=(was.st_atime_ns, was.st_mtime_ns))

    def _run(
        self, arguments: Sequence[str], settings: Mapping[str, str] | None = None
    ) -> tuple[int | None, list[dict[str, str]]]:
        """Run pytest: its exit status, None where it never ends, and what failed."""
        seen, chosen = self.folder / "failed.jsonl", self.folder / "arguments.txt"
        seen.write_text("", encoding="utf-8")
        chosen.write_text("\n".join(arguments), encoding="utf-8")
        status = _ended(
            subprocess.Popen(
                [
                    *(sys.executable, "-m", "pytest", "-q", f"--basetemp={self.folder / 'tmp'}"),
                    *("-p", "no:cacheprovider", "-p", "no:randomly", "-p", witness.PLUGIN),
                    f"@{chosen}",
                ],
                cwd=self.folder,
                env=self._environment() | {witness.FILE: str(seen)} | dict(settings or {}),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        )
        return status, [json.loads(line) for line in seen.read_text("utf-8").splitlines()]

    def _environment(self) -> dict[str, str]:
        """Ours, with the copy's modules, and with their bytecode kept beside them."""
        others = ("PYTHONDONTWRITEBYTECODE", "PYTHONPYCACHEPREFIX")
        kept = {name: value for name, value in os.environ.items() if name not in others}
        return kept | {"PYTHONPATH": str(self.folder / "src")}


def _ended(process: subprocess.Popen[bytes]) -> int | None:
    try:
        return process.wait(_SECONDS)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGINT)
    try:
        process.wait(_GRACE)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    return None
