"""The sweep of `make totality`: how many questions were asked of what, and what differs."""

from __future__ import annotations

import argparse
import sys
import warnings
from concurrent.futures import ProcessPoolExecutor, as_completed
from os import cpu_count

from tests.totality.questions import all_met
from tests.totality.storages import STORAGES
from tests.totality.sweep import Found, sweep

_LEAST = 100


def _part(seed: int, tables: int, questions: int) -> Found:
    warnings.simplefilter("ignore", DeprecationWarning)
    return sweep(STORAGES, seed=seed, tables=tables, questions=questions, people=seed % 4 == 0)


def main() -> int:
    """Sweep, print a table of what was met, and fail if anything differs or was met too seldom."""
    parser = argparse.ArgumentParser(prog="python -m tests.totality", description=__doc__)
    parser.add_argument("--pairs", type=int, default=50_000, help="question pairs in all")
    parser.add_argument("--tables", type=int, default=4, help="pairs of tables in a round")
    parser.add_argument("--questions", type=int, default=40, help="questions in a round")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    rounds = -(-given.pairs // (given.questions * given.tables * len(STORAGES)))
    found = Found()
    with ProcessPoolExecutor(cpu_count()) as pool:
        parts = [
            pool.submit(_part, given.seed + each, given.tables, given.questions)
            for each in range(rounds)
        ]
        for done, part in enumerate(as_completed(parts), start=1):
            found.add(part.result())
            said = f"{done}/{rounds} rounds, {found.pairs.total():,} question pairs"
            print(f"{said}, {len(found.differing)} differ", file=sys.stderr, flush=True)
    _report(found)
    seldom = sorted(each for each in all_met() if found.met[each] < _LEAST)
    print(f"met fewer than {_LEAST} times: {', '.join(seldom) or 'none'}")
    return 1 if found.differing or seldom else 0


def _report(found: Found) -> None:
    print("| storage | question pairs | answered |\n| --- | ---: | ---: |")
    for name, pairs in found.pairs.items():
        print(f"| {name} | {pairs:,} | {found.answered[name]:,} |")
    print(f"| in all | {found.pairs.total():,} | {found.answered.total():,} |\n")
    print(", ".join(f"{name} {times:,}" for name, times in found.met.most_common()))
    print(f"differing outcomes: {len(found.differing)}")
    for each in found.differing[:20]:
        print(f"- {each}")


if __name__ == "__main__":
    sys.exit(main())
