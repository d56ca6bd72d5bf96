"""Answer once or more: `python -m benchmarks.groupby.answering MODULE WAY FILE ROUNDS`, as JSON."""

from __future__ import annotations

import json
import sys
import warnings
from contextlib import redirect_stdout
from importlib import import_module

from benchmarks.groupby.memory import peak_mib
from benchmarks.measure import timed


def main(module: str, way: str, path: str, rounds: str) -> None:
    """Print the times, the memory and the last answer; packages print to the other stream."""
    warnings.simplefilter("ignore")
    with redirect_stdout(sys.stderr):
        ask = import_module(f"benchmarks.groupby.{module}").asker(way)
        answers, seconds = zip(*(timed(lambda: ask(path)) for _ in range(int(rounds))), strict=True)
    said = {"seconds": min(seconds), "mib": peak_mib(), "answer": answers[-1]}
    print(json.dumps(said))


main(*sys.argv[1:])
