"""The same measurements where every flush takes a millisecond longer: `flushes.c`, preloaded."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

SOURCE = Path(__file__).with_name("flushes.c")
PROGRAM = """
import json
from benchmarks.charges.stores import stores
from benchmarks.ledger import growth, race
with stores() as places:
    raced = [row for store in places for row in race(store)]
with stores() as places:
    grown = [row for store in places for row in growth(store, sizes=(1,))]
print(json.dumps([raced, grown]))
"""


def on_a_slower_disk() -> tuple[list[list[str]], list[list[str]]]:
    """Return what a race and a short growth give there; nothing without a C compiler."""
    if shutil.which("cc") is None:
        return [], []
    with TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        library = folder / "flushes.so"
        command = ["cc", "-shared", "-fPIC", "-O1", "-o", str(library), str(SOURCE), "-ldl"]
        subprocess.run(command, check=True)  # noqa: S603 - nothing of it is given
        found = subprocess.run(  # noqa: S603 - our own program
            [sys.executable, "-c", PROGRAM],
            check=True,
            capture_output=True,
            env={**os.environ, "LD_PRELOAD": str(library)},
        )
    raced, grown = json.loads(found.stdout)
    return raced, grown
