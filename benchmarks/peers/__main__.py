"""Answer one case by one method: `python -m benchmarks.peers MODULE METHOD CASE`, as JSON."""

from __future__ import annotations

import json
import sys
import warnings
from contextlib import redirect_stdout
from dataclasses import asdict
from importlib import import_module

from benchmarks.peers.cases import CASES
from benchmarks.peers.method import best_of_rounds


def main(module: str, name: str, case: str) -> None:
    """Print the answer and its time; what a package itself prints goes to the other stream."""
    warnings.simplefilter("ignore")
    methods = import_module(f"benchmarks.peers.{module}").METHODS
    method = next(method for method in methods if method.name == name)
    with redirect_stdout(sys.stderr):
        answer, seconds = best_of_rounds(method, CASES[case])
    print(json.dumps({"case": case, "method": name, **asdict(answer), "seconds": seconds}))


main(*sys.argv[1:])
