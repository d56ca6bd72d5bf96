"""Running verbs in a process of their own, which sees less than this one."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
PROGRAM = Path(__file__).with_name("verbs.py")


def copied_examples(folder: Path) -> Path:
    """A copy of the folder of examples, in which verbs may write."""
    return Path(shutil.copytree(ROOT / "examples", folder / "examples"))


def endings(
    folder: Path,
    commands: list[list[str]],
    *,
    hidden: list[str] | None = None,
    python: tuple[str, ...] = (),
    **environment: str,
) -> list[dict[str, Any]]:
    """How commands end in one process, which cannot find the modules that are hidden."""
    own = {"SFUMATO_LEDGER": "own.db", "SFUMATO_SIGNING_KEY": "key.pem", "COLUMNS": "80"}
    done = subprocess.run(
        [sys.executable, *python, str(PROGRAM)],
        input=json.dumps({"hidden": hidden or [], "commands": commands}),
        cwd=folder,
        env={**os.environ, **own, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found
