"""pycanon over a pandas frame: `python -m benchmarks.risk.pycanon_peer FIGURE FILE`.

It prints the seconds and the figure as JSON; reading the file is not timed.
"""

from __future__ import annotations

import json
import sys
import time
from importlib import import_module
from typing import Any

from benchmarks.risk.people import QUASI, SENSITIVE


def main(figure: str, path: str) -> None:
    """Answer once."""
    frame = import_module("pandas").read_parquet(path)
    package = import_module("pycanon.anonymity")
    started = time.perf_counter()
    answer = _asked(package, frame, figure)
    print(json.dumps({"seconds": time.perf_counter() - started, "answer": float(answer)}))


def _asked(package: Any, frame: Any, figure: str) -> Any:
    if figure == "k":
        return package.k_anonymity(frame, list(QUASI))
    asked = {"l": package.l_diversity, "t": package.t_closeness}[figure]
    return asked(frame, list(QUASI), [SENSITIVE])


if __name__ == "__main__":
    main(*sys.argv[1:])
