"""The search on Adult against every way: `python -m benchmarks.risk.adult_optimal [FOLDER]`.

The folder has `adult.csv` and its hierarchies as distributed with ARX.  On four of the columns all
ways to make whole columns coarser are worked out row by row in plain Python, by nothing of ours.
"""

from __future__ import annotations

import csv
import math
import sys
from collections import Counter
from itertools import product
from pathlib import Path
from typing import get_args

from benchmarks.measure import markdown, save
from benchmarks.risk.generalising import DEFAULT
from benchmarks.risk.generalising_peer import LEAST
from sfumato.risk import anonymize
from sfumato.risk.generalising.losses import LossName

COMMAND = "python -m benchmarks.risk.adult_optimal"
COLUMNS = ("age", "education", "native-country", "occupation")
SHARES = (0.0, 0.04)

#: What a way loses, by each measure.
Lost = dict[str, float]


def main(folder: Path = DEFAULT) -> None:
    """Compare, print and save."""
    if not Path(folder, "adult.csv").exists():
        sys.exit(f"there is no adult.csv in {folder}; name the folder that has it")
    lines = [["may leave out", "least", "the search", "every way", "agree", "looked at"]]
    for share in SHARES:
        reached, ways = _every_way(folder, share)
        for loss in get_args(LossName):
            best = min(each[loss] for each in reached)
            lines.append(_compared(folder, share, loss, best, ways))
    save("generalising_adult", COMMAND, markdown(lines), note="Losses: less is better.")


def _compared(folder: Path, share: float, loss: LossName, best: float, ways: int) -> list[str]:
    found = anonymize(
        folder / "adult.csv",
        quasi=COLUMNS,
        k=LEAST,
        suppression=share,
        loss=loss,
        hierarchies={name: folder / f"adult_hierarchy_{name}.csv" for name in COLUMNS},
        method="optimal",
    )
    ours = found.losses.of(loss)
    agree = "yes" if math.isclose(ours, best, rel_tol=1e-9) and found.search.ways == ways else "NO"
    looked = f"{found.search.checked} of {ways}"
    return [f"{share:.0%}", loss, f"{ours:.6f}", f"{best:.6f}", agree, looked]


def _every_way(folder: Path, share: float) -> tuple[list[Lost], int]:
    """Return what each way loses that reaches k, and how many ways there are."""
    with Path(folder, "adult.csv").open(encoding="utf-8") as file:
        rows = [tuple(row[name] for name in COLUMNS) for row in csv.DictReader(file, delimiter=";")]
    levels = [_levels(folder / f"adult_hierarchy_{name}.csv") for name in COLUMNS]
    points = list(product(*(range(len(next(iter(each.values())))) for each in levels)))
    found = []
    for point in points:
        coarser = [
            tuple(of[cell][level] for of, cell, level in zip(levels, row, point, strict=True))
            for row in rows
        ]
        sizes = Counter(coarser)
        kept = [row for row in coarser if sizes[row] >= LEAST]
        if len(rows) - len(kept) <= share * len(rows):
            found.append(_lost(rows, coarser, kept, sizes))
    return found, len(points)


def _lost(
    rows: list[tuple[str, ...]],
    coarser: list[tuple[str, ...]],
    kept: list[tuple[str, ...]],
    sizes: Counter[tuple[str, ...]],
) -> Lost:
    total = len(rows)
    bits = 0.0
    for column in range(len(COLUMNS)):
        values = Counter(row[column] for row in rows)
        labels = Counter(row[column] for row in coarser)
        bits += sum(count * math.log2(total / count) for count in values.values())
        bits -= sum(math.log2(total / labels[row[column]]) for row in kept)
    staying = [size for size in sizes.values() if size >= LEAST]
    return {
        "entropy": bits,
        "discernibility": sum(each * each for each in staying) + (total - len(kept)) * total,
        "average class size": total / (len(staying) * LEAST),
    }


def _levels(path: Path) -> dict[str, list[str]]:
    with path.open(encoding="utf-8") as file:
        return {row[0]: row for row in csv.reader(file, delimiter=";")}


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:2]))
