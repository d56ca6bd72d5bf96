"""Running peers in interpreters of their own, so that packages which clash can race."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def interpreters() -> list[str]:
    """Return this interpreter and those named in SFUMATO_PEERS."""
    named = filter(None, os.environ.get("SFUMATO_PEERS", "").split(os.pathsep))
    return [_runnable(place) for place in [sys.executable, *named]]


def version(package: str, interpreter: str) -> str:
    """Return the version of a package that an interpreter has, or an empty text."""
    code = "import importlib.metadata, sys; print(importlib.metadata.version(sys.argv[1]))"
    return run(interpreter, "-c", code, package, limit=60).stdout.strip()


def run(*command: str, limit: float) -> subprocess.CompletedProcess[str]:
    """Run an interpreter in the root of the project, for so many seconds at most."""
    return subprocess.run(  # noqa: S603
        command, cwd=ROOT, capture_output=True, encoding="utf-8", timeout=limit, check=False
    )


def reason(errors: str) -> str:
    """Return the name of the error in a traceback's last line."""
    lines = errors.strip().splitlines()
    return lines[-1].partition(":")[0].rpartition(".")[2] if lines else "killed"


def _runnable(place: str) -> str:
    program = shutil.which(place)
    if program is None:
        sys.exit(f"SFUMATO_PEERS names {place!r}, which cannot be run; name Python interpreters")
    return str(Path(program).absolute())
