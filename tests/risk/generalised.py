"""Small random tables of people, and every way to make them coarser, by plain Python."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
from hypothesis import strategies as st

from sfumato.risk.generalising.cells import CodedCells, CodedColumn, SensitiveSpread
from sfumato.risk.generalising.ladders import Ladder, Rung

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hypothesis.strategies import DrawFn

    from sfumato.risk.generalising.partition import Targets

Row = tuple[tuple[int, ...], int]


@dataclass(frozen=True)
class Way:
    """One way to make whole columns coarser, and what it comes to."""

    point: tuple[int, ...]
    left_out: int
    losses: dict[str, float]


@st.composite
def tables(draw: DrawFn) -> tuple[list[Row], list[list[list[int]]]]:
    """Draw rows of two or three columns and a sensitive one, and a tree for each column."""
    values = draw(st.lists(st.integers(2, 4), min_size=2, max_size=3))
    cells = st.tuples(*(st.integers(0, size - 1) for size in values))
    rows = draw(st.lists(st.tuples(cells, st.integers(0, 2)), max_size=20))
    every = [(tuple(min(place, size - 1) for size in values), place % 3) for place in range(4)]
    return every + rows, [draw(trees(size)) for size in values]


@st.composite
def trees(draw: DrawFn, size: int) -> list[list[int]]:
    """Draw the levels of a column, the values first: each merges some labels of the one below."""
    levels = [list(range(size))]
    for _ in range(draw(st.integers(1, 2))):
        above = draw(st.lists(st.integers(0, 1), min_size=size, max_size=size))
        levels.append([above[label] for label in levels[-1]])
    return levels


def as_cells(rows: Sequence[Row], trees: Sequence[Sequence[Sequence[int]]]) -> CodedCells:
    """Return rows in short, as they come from an engine."""
    combinations = sorted({quasi for quasi, _ in rows})
    owner = {quasi: place for place, quasi in enumerate(combinations)}
    pairs = sorted(Counter((owner[quasi], secret) for quasi, secret in rows).items())
    columns = tuple(
        CodedColumn(
            f"c{place}", pa.array(tree[0]), np.array([each[place] for each in combinations])
        )
        for place, tree in enumerate(trees)
    )
    secret = SensitiveSpread(
        "secret",
        np.array([pair[0] for pair, _ in pairs]),
        np.array([pair[1] for pair, _ in pairs]),
        np.array([count for _, count in pairs]),
        3,
        None,
    )
    of = Counter(owner[quasi] for quasi, _ in rows)
    return CodedCells(columns, np.array([of[place] for place in sorted(of)]), (secret,))


def as_ladders(trees: Sequence[Sequence[Sequence[int]]]) -> list[Ladder]:
    """Return trees as levels of columns."""
    return [
        Ladder(f"c{place}", tuple(_rung(level, tree) for level in tree))
        for place, tree in enumerate(trees)
    ]


def _rung(level: Sequence[int], tree: Sequence[Sequence[int]]) -> Rung:
    labels = sorted(set(level))
    return Rung("level", tuple(map(str, labels)), np.array([labels.index(each) for each in level]))


def every_way(
    rows: Sequence[Row],
    trees: Sequence[Sequence[Sequence[int]]],
    targets: Targets,
    limit: int,
) -> Iterator[Way]:
    """Yield every way that reaches the targets, worked out row by row."""
    for point in product(*(range(len(tree)) for tree in trees)):
        classes: dict[tuple[int, ...], list[Row]] = defaultdict(list)
        for row in rows:
            label = [
                tree[level][each] for tree, level, each in zip(trees, point, row[0], strict=True)
            ]
            classes[tuple(label)].append(row)
        kept = staying(list(classes.values()), targets)
        left_out = len(rows) - sum(map(len, kept))
        if left_out <= limit:
            yield Way(point, left_out, losses(rows, kept, trees, point, targets.k))


def staying(classes: list[list[Row]], targets: Targets) -> list[list[Row]]:
    """Return the classes that reach the targets, once those that do not are left out."""
    kept = [each for each in classes if len(each) >= targets.k and is_diverse(each, targets)]
    while True:
        table = Counter(secret for each in kept for _, secret in each)
        near = [each for each in kept if targets.t is None or distance(each, table) <= targets.t]
        if len(near) == len(kept):
            return kept
        kept = near


def is_diverse(rows: Sequence[Row], targets: Targets) -> bool:
    counts = Counter(secret for _, secret in rows).values()
    if targets.l is None:
        return True
    if targets.diversity == "distinct":
        return len(counts) >= targets.l
    entropy = -sum(each / len(rows) * math.log2(each / len(rows)) for each in counts)
    return 2**entropy >= targets.l - 1e-9


def distance(rows: Sequence[Row], table: Counter[int]) -> float:
    own = Counter(secret for _, secret in rows)
    total = sum(table.values())
    off = sum(abs(own[value] / len(rows) - table[value] / total) for value in table)
    return round(off / 2, 12)


def losses(
    rows: Sequence[Row],
    kept: Sequence[Sequence[Row]],
    trees: Sequence[Sequence[Sequence[int]]],
    point: Sequence[int],
    k: int,
) -> dict[str, float]:
    """Return all losses, from their definitions."""
    stay = [row for each in kept for row in each]
    lost = 0.0
    for place, (tree, level) in enumerate(zip(trees, point, strict=True)):
        values = Counter(quasi[place] for quasi, _ in rows)
        labels = Counter(tree[level][quasi[place]] for quasi, _ in rows)
        lost += sum(math.log2(len(rows) / values[quasi[place]]) for quasi, _ in rows)
        lost -= sum(math.log2(len(rows) / labels[tree[level][quasi[place]]]) for quasi, _ in stay)
    return {
        "entropy": lost,
        "discernibility": sum(len(each) ** 2 for each in kept)
        + (len(rows) - len(stay)) * len(rows),
        "average class size": len(rows) / (len(kept) * k) if kept else math.inf,
    }
