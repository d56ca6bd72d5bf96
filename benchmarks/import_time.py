"""The weight of sfumato: time to import it, beside numpy (the floor) and pandas, and its size."""

from __future__ import annotations

import subprocess
import sys
from functools import partial

from benchmarks import installed
from benchmarks.measure import Row, save, side_by_side, table


def importing(module: str) -> None:
    """Import a module in a fresh interpreter."""
    subprocess.run([sys.executable, "-c", f"import {module}"], check=True)  # noqa: S603


def compare(module: str) -> Row:
    """Time the import of a module beside the others, less the start of the interpreter."""
    tasks = {"sfumato": module, "numpy": "numpy", "pandas": "pandas", "nothing": "sys"}
    contestants = {name: partial(importing, each) for name, each in tasks.items()}
    row = side_by_side(f"import {module}", contestants, rounds=9)
    start = row.seconds.pop("nothing")
    row.seconds = {name: seconds - start for name, seconds in row.seconds.items()}
    return row


def main() -> None:
    """Measure, print and save."""
    rows = [compare("sfumato"), compare("sfumato.information")]
    times = table(rows, ours="sfumato", others=["numpy", "pandas"])
    text = f"{times}\nOn the disk, without bytecode:\n\n{installed.table()}"
    save("import_time", "python -m benchmarks import_time", text)
