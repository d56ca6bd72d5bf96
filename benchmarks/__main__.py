"""Run the benchmarks: `python -m benchmarks [name ...]`, all of them by default."""

from __future__ import annotations

import sys
from importlib import import_module

NAMES = (
    "information",
    "columns",
    "accounting",
    "noise",
    "audit_peers",
    "ledger",
    "groupby",
    "engines",
    "risk",
    "kmeans",
    "survey",
    "scoreboard",
    "import_time",
)


def main(names: list[str]) -> None:
    """Run each benchmark by its module's name."""
    for name in names or NAMES:
        if name not in NAMES:
            sys.exit(f"there is no benchmark {name!r}; known: {', '.join(NAMES)}")
        import_module(f"benchmarks.{name}").main()


main(sys.argv[1:])
