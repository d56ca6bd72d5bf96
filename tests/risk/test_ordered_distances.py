"""How far ordered values are moved, against plain Python: also to a table without some of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.risk.generalising.cells import SensitiveSpread

if TYPE_CHECKING:
    from collections.abc import Sequence

counts = st.lists(st.integers(0, 4), min_size=5, max_size=5)


def moved(own: Sequence[int], table: Sequence[int]) -> float:
    """The mean over the steps between values of the table of what has to cross them."""
    steps = [place for place, rows in enumerate(table) if rows][:-1]
    crossing = (
        abs(sum(own[: step + 1]) / sum(own) - sum(table[: step + 1]) / sum(table)) for step in steps
    )
    return sum(crossing) / max(len(steps), 1)


@settings(max_examples=200, deadline=None)
@given(st.lists(counts.filter(any), min_size=1, max_size=5), st.data())
def test_distances_to_the_classes_that_stay(classes: list[list[int]], data: st.DataObject) -> None:
    kept = data.draw(st.lists(st.booleans(), min_size=len(classes), max_size=len(classes)))
    order = data.draw(st.permutations(range(5)))
    ranks = np.array(order, dtype=np.int64)
    owner, value = np.nonzero(np.array(classes))
    counts = np.array(classes)[owner, value]
    spread = SensitiveSpread("secret", owner, value, counts, 5, ranks)
    found = spread.distance(
        np.array(classes).sum(axis=1), spread.of_table(np.array(kept, dtype=np.bool_))
    )
    by_rank = [[own[order.index(rank)] for rank in range(5)] for own in classes]
    table = [
        sum(own[rank] for own, stays in zip(by_rank, kept, strict=True) if stays)
        for rank in range(5)
    ]
    expected = [moved(own, table) if any(kept) else 0.0 for own in by_rank]
    assert found.tolist() == pytest.approx(expected, abs=1e-12)
