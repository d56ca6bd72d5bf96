"""The sweep of `make totality`: how many questions were asked of what, and what differs."""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from os import cpu_count

from tests.totality.parts import part_of, server_part
from tests.totality.questions import all_met
from tests.totality.storages import STORAGES
from tests.totality.sweep import Found

_LEAST = 100
#: How many rounds are asked of a server for each hundred of files, frames and tables.
_SERVERS = {"postgres": 50, "spark": 12}


def _rounds(pairs: int, questions: int) -> int:
    """How many rounds of so many questions make so many pairs: a frame has one pair of tables."""
    return -(-pairs // (questions * sum(each.is_file for each in STORAGES)))


def main() -> int:
    """Sweep, print a table of what was met, and fail if anything differs or was met too seldom."""
    parser = argparse.ArgumentParser(prog="python -m tests.totality", description=__doc__)
    parser.add_argument("--pairs", type=int, default=50_000, help="query pairs in all")
    parser.add_argument("--tables", type=int, default=4, help="pairs of tables in a round")
    parser.add_argument("--questions", type=int, default=40, help="questions in a round")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--servers", nargs="*", choices=_SERVERS, default=[*_SERVERS])
    given = parser.parse_args()
    seeds = range(given.seed, given.seed + _rounds(given.pairs, given.tables * given.questions))
    found = Found()
    # A part has a process of its own: what Spark keeps of questions would fill its memory.
    with ProcessPoolExecutor(cpu_count(), max_tasks_per_child=1) as pool:
        parts = [
            pool.submit(server_part, engine, seed)
            for engine in given.servers
            for seed in seeds[: -(-len(seeds) * _SERVERS[engine] // 100)]
        ]
        parts += [pool.submit(part_of, each, given.tables, given.questions) for each in seeds]
        for done, part in enumerate(as_completed(parts), start=1):
            found.add(_result(part))
            said = f"{done}/{len(parts)} parts, {found.pairs.total():,} query pairs"
            print(f"{said}, {len(found.differing)} differ", file=sys.stderr, flush=True)
    _report(found)
    seldom = sorted(each for each in all_met() if found.met[each] < _LEAST)
    print(f"met fewer than {_LEAST} times: {', '.join(seldom) or 'none'}")
    return 1 if found.differing or seldom else 0


def _result(part: Future[Found]) -> Found:
    """What a part found; that it ended early is something found as well."""
    try:
        return part.result()
    except Exception as error:  # noqa: BLE001
        return Found(differing=[f"a part ended early: {error!r}"])


def _report(found: Found) -> None:
    print("| storage | query pairs | answered |\n| --- | ---: | ---: |")
    for name, pairs in found.pairs.items():
        print(f"| {name} | {pairs:,} | {found.answered[name]:,} |")
    print(f"| in all | {found.pairs.total():,} | {found.answered.total():,} |\n")
    print(", ".join(f"{name} {times:,}" for name, times in found.met.most_common()))
    print(f"differing outcomes: {len(found.differing)}")
    for each in found.differing[:20]:
        print(f"- {each}")


if __name__ == "__main__":
    sys.exit(main())
