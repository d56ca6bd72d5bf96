"""Peers that make Adult coarser: `python -m benchmarks.risk.generalising_peer NAME FOLDER SHARE`.

Each prints as JSON the seconds it took, the sizes of the classes it made, and the labels that each
quasi-identifier has now; reading the files is not timed.
"""

from __future__ import annotations

import json
import sys
import time
from importlib import import_module
from pathlib import Path
from typing import Any

QUASI = [
    *("sex", "age", "race", "marital-status"),
    *("education", "native-country", "workclass", "occupation"),
]
LEAST = 5


def main(name: str, folder: str, share: str) -> None:
    """Answer once."""
    pandas = import_module("pandas")
    frame = pandas.read_csv(Path(folder, "adult.csv"), sep=";")
    sizes, labels, seconds = {"anjana": _anjana, "anonypy": _anonypy}[name](
        frame, folder, float(share)
    )
    print(json.dumps({"seconds": seconds, "sizes": sizes, "labels": labels}))


def _anjana(frame: Any, folder: str, share: float) -> tuple[list[int], dict[str, Any], float]:
    pandas = import_module("pandas")
    hierarchies = {}
    for name in QUASI:
        file = Path(folder, f"adult_hierarchy_{name}.csv")
        levels = pandas.read_csv(file, sep=";", header=None)
        hierarchies[name] = {level: levels[level].values for level in levels.columns}
    anonymize = import_module("anjana.anonymity").k_anonymity
    started = time.perf_counter()
    found = anonymize(frame, [], QUASI, LEAST, 100 * share, hierarchies)
    seconds = time.perf_counter() - started
    sizes = found.groupby(QUASI, observed=True).size().tolist() if len(found) else []
    return sizes, {name: sorted(map(str, set(found[name]))) for name in QUASI}, seconds


def _anonypy(frame: Any, folder: str, share: float) -> tuple[list[int], dict[str, Any], float]:  # noqa: ARG001
    for name in QUASI:
        if name != "age":
            frame[name] = frame[name].astype("category")
    anonypy = import_module("anonypy")
    started = time.perf_counter()
    found = anonypy.Preserver(frame, QUASI, "salary-class").anonymize_k_anonymity(k=LEAST)
    seconds = time.perf_counter() - started
    keys = ["|".join(map(str, (row[name] for name in QUASI))) for row in found]
    sizes: dict[str, int] = {}
    for key, row in zip(keys, found, strict=True):
        sizes[key] = sizes.get(key, 0) + int(row["count"])
    return list(sizes.values()), {}, seconds


if __name__ == "__main__":
    main(*sys.argv[1:])
