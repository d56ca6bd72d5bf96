"""Put faults into a copy of the project, one at a time, and see which the tests catch.

Each is tried with those tests nearest to it that are in the first ring, and with the others where
these miss it.  What has caught one must pass where there is none.  `--room ledger` or `--fault
"charge after noise"` tries some of them, `--resume FILE` keeps there what came, and tries only what
is not in it.  A fault that no test catches is a test that is missing: the program then fails, as it
does where the first ring catches fewer than 95 of 100.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import astuple, replace
from pathlib import Path
from queue import SimpleQueue

from tests.mutants.faults import Fault, faults
from tests.mutants.trials import CAUGHT, RINGS, SEEN, Copy, Trial

Came = dict[Fault, dict[str, Trial]]
#: The share of the faults that the tests of a ring have to catch.
_LEAST = {"first": 0.95, "full": 1.0}


class Log:
    """What came of trials, line by line in a file: those that an earlier run made are known."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        lines = path.read_text("utf-8").splitlines() if path and path.exists() else []
        self._known = {tuple(key): Trial(*trial) for key, trial in map(json.loads, lines)}

    def known(self, fault: Fault, ring: str) -> Trial | None:
        return self._known.get((fault.digest, ring))

    def kept(self, fault: Fault, ring: str, copy: Copy) -> Trial:
        trial = copy.trial(fault, ring)
        if self._path is not None:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps([(fault.digest, ring), astuple(trial)]) + "\n")
        return trial


def main() -> int:
    """Try faults, print a table, and fail if one is missed."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.mutants",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--room", action="append", help="only faults of this room")
    parser.add_argument("--fault", action="append", help="only the fault of this name")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="trials at a time")
    parser.add_argument("--resume", type=Path, help="the file that keeps what came")
    given = parser.parse_args()
    chosen = [
        each
        for each in faults()
        if each.room in (given.room or [each.room]) and each.name in (given.fault or [each.name])
    ]
    if not chosen:
        parser.error("there is no such fault")
    came = try_all(chosen, given.jobs, Log(given.resume))
    print("\n".join(table(came)))
    caught = {ring: sum(each[ring].came in SEEN for each in came.values()) for ring in RINGS}
    return any(caught[ring] < _LEAST[ring] * len(came) for ring in RINGS)


def try_all(chosen: list[Fault], jobs: int, log: Log) -> Came:
    """Try faults, several at a time; a test that fails without them has caught none."""
    with tempfile.TemporaryDirectory(prefix="sfumato-faults-") as folder:
        free: SimpleQueue[Copy] = SimpleQueue()
        for number in range(jobs):
            free.put(Copy(Path(folder) / str(number)))
        came = {}
        with ThreadPoolExecutor(jobs) as pool:
            running = {pool.submit(_rings, each, free, log): each for each in chosen}
            for done in as_completed(running):
                fault = running[done]
                came[fault] = done.result()
                words = ", ".join(f"{ring} ring {each.came}" for ring, each in came[fault].items())
                where = f"{len(came)}/{len(chosen)} {fault.room}: {fault.name}"
                print(f"{where}: {words}", file=sys.stderr, flush=True)
        return _confirmed({fault: came[fault] for fault in chosen}, free.get())


def _rings(fault: Fault, free: SimpleQueue[Copy], log: Log) -> dict[str, Trial]:
    """What came of a fault in each ring: what the first catches, the full one does."""
    copy = free.get()
    try:
        trials: dict[str, Trial] = {}
        for ring in RINGS:
            seen = next((each for each in trials.values() if each.came in SEEN), None)
            trials[ring] = seen or log.known(fault, ring) or log.kept(fault, ring, copy)
        return trials
    finally:
        free.put(copy)


def _confirmed(came: Came, copy: Copy) -> Came:
    failing = copy.failing_anyway(sorted({each["full"].test for each in came.values()} - {""}))
    return {
        fault: {
            ring: replace(trial, came="failing anyway") if trial.test in failing else trial
            for ring, trial in trials.items()
        }
        for fault, trials in came.items()
    }


def table(came: Came) -> list[str]:
    """Lines of Markdown: how many faults of each room each ring catches, and which it does not."""
    rooms: dict[str, list[dict[str, Trial]]] = defaultdict(list)
    for fault, trials in came.items():
        rooms[fault.room].append(trials)
    rooms["in all"] = list(came.values())
    lines = ["| room | faults | first ring | full ring |", "| --- | ---: | ---: | ---: |"]
    for room, tried in rooms.items():
        caught = [sum(each[ring].came in SEEN for each in tried) for ring in RINGS]
        lines.append("| " + " | ".join(map(str, (room, len(tried), *caught))) + " |")
    others = [
        f"- {ring} ring: {trial.came}: {fault.room}: {fault.name} ({fault.file})"
        for fault, trials in came.items()
        for ring, trial in trials.items()
        if trial.came != CAUGHT
    ]
    return [*lines, *([""] if others else []), *others]


if __name__ == "__main__":
    sys.exit(main())
