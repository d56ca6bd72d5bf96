"""What the rings of tests cost: items and seconds by room, collection, and what is installed.

The tests of the first ring are run as `make test` does, then the others, with the environment of
this interpreter.  Seconds of a room are those of its tests added up, so that a ring with two
workers takes half of their sum on a quiet machine.
"""

from __future__ import annotations

import os
import re
import resource
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from collections import defaultdict
from pathlib import Path

from benchmarks.installed import brought, megabytes
from benchmarks.interpreters import ROOT
from benchmarks.measure import markdown, save, timed

#: What pytest is given, as in the Makefile.
RINGS = {
    "first": ["-m", "not full", "src", "tests", "README.md"],
    "rest": ["-m", "full", "tests", "docs"],
}
EXTRAS = {"first": "test", "rest": "dev"}
WORKERS = ["--numprocesses=logical", "--dist=worksteal"]
#: The seconds of each test, by room.
Rooms = dict[str, list[float]]


def run(*words: str) -> tuple[float, float]:
    """Return the wall and processor seconds of pytest; a ring that fails is not measured."""
    kept = {name: each for name, each in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, "-m", "pytest", "--quiet", *words]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done, wall = timed(
        lambda: subprocess.run(  # noqa: S603
            command, cwd=ROOT, env=kept, capture_output=True, text=True, check=False
        )
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        sys.exit(f"pytest {' '.join(words)} ended with {done.returncode}:\n{done.stdout[-2000:]}")
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def rooms(report: Path) -> Rooms:
    """Return the seconds of each test, room by room, from a report of pytest."""
    found: Rooms = defaultdict(list)
    for case in ET.parse(report).getroot().iter("testcase"):  # noqa: S314 - pytest wrote it
        room = re.sub(r"^(\w+\.)?(\w+).*", r"\2", case.get("classname", ""))
        found[room].append(float(case.get("time", 0)))
    return found


def measured(ring: str) -> tuple[list[str], Rooms]:
    """Return a line of what a ring costs, and the seconds of its tests."""
    run("--collect-only", *RINGS[ring])
    collected, _ = run("--collect-only", *RINGS[ring])
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        wall, processor = run(*WORKERS, f"--junitxml={report}", *RINGS[ring])
        found = rooms(report)
    tests, size = sum(map(len, found.values())), megabytes(brought(EXTRAS[ring]))
    costs = [f"{tests:,}", f"{size:,.0f}", f"{collected:.1f}"]
    return [ring, *costs, f"{wall / 60:.1f}", f"{processor / 60:.1f}"], found


def by_room(found: dict[str, Rooms]) -> list[list[str]]:
    """Return the lines of a table: tests and seconds of each room, ring by ring."""
    lines = [["room", *(f"{ring}, {of}" for ring in found for of in ("tests", "seconds"))]]
    for room in sorted({name for each in found.values() for name in each}):
        times = [each.get(room, []) for each in found.values()]
        cells = [cell for each in times for cell in (f"{len(each):,}", f"{sum(each):.0f}")]
        lines.append([room, *cells])
    return lines


def main() -> None:
    """Measure, print and save."""
    costs = [["ring", "tests", "MB", "collection (s)", "minutes", "processor minutes"]]
    found = {}
    for ring in RINGS:
        line, found[ring] = measured(ring)
        costs.append(line)
    note = f"On {os.cpu_count()} cores. Collection is by one process, with compiled bytecode."
    text = f"{markdown(costs)}\n{markdown(by_room(found))}"
    save("rings", "python -m benchmarks rings", text, note=note)
