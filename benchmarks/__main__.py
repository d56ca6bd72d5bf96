"""Run the benchmarks: `python -m benchmarks [name ...]`, all of them by default.

The page of the documentation is made anew at the end; `python -m benchmarks page` makes it from
the results that are there, and measures nothing.
"""

from __future__ import annotations

import sys
import traceback
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
    "risk.known",
    "risk.adult",
    "risk.adult_optimal",
    "kmeans",
    "kmeans.out_of_core",
    "kmeans.device",
    "survey",
    "scoreboard",
    "import_time",
    "verbs",
    "rings",
    "house",
)
PAGE = "page"


def main(names: list[str]) -> None:
    """Run each benchmark by its module's name; one that cannot run does not keep others from it."""
    for name in names:
        if name not in (*NAMES, PAGE):
            sys.exit(f"there is no benchmark {name!r}; known: {', '.join((*NAMES, PAGE))}")
    asked = [name for name in names if name != PAGE] if names else NAMES
    failed = [name for name in asked if not ran(name)]
    import_module(f"benchmarks.{PAGE}").main()
    if failed:
        sys.exit(f"not run: {', '.join(failed)}")


def ran(name: str) -> bool:
    """Run a benchmark, and say whether it came to its end."""
    try:
        import_module(f"benchmarks.{name}").main()
    except SystemExit as lacking:
        print(f"\n{name} was not run: {lacking}", file=sys.stderr)
    except Exception:  # noqa: BLE001
        traceback.print_exc()
    else:
        return True
    return False


if __name__ == "__main__":
    main(sys.argv[1:])
