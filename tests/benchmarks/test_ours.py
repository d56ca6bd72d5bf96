"""Our side of each race answers, by the names that there are now."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from benchmarks.groupby import ours as groupby
from benchmarks.groupby.rows import write_rows
from benchmarks.noises import ours as noises
from benchmarks.noises.noise import SINGLE, Noise
from benchmarks.peers import ours as accounting
from benchmarks.peers.cases import COMPARED, Case
from sfumato.sampling import SeededSource

if TYPE_CHECKING:
    from pathlib import Path

#: Small ones; others count thousands of events one by one.
KNOWN = [case for case in COMPARED if case.known is not None and len(case.parts) < 100]


@pytest.mark.parametrize("case", KNOWN, ids=lambda case: case.name)
def test_what_is_known_of_a_case_lies_within_our_bounds(case: Case) -> None:
    assert case.known is not None
    for method in accounting.METHODS:
        answer = method.answer(case)
        assert answer.lower is not None
        assert answer.lower <= case.known * (1 + 1e-9)
        assert case.known * (1 - 1e-9) <= answer.upper


@pytest.mark.parametrize("way", groupby.WAYS)
def test_each_way_to_ask_by_group_answers(way: str, tmp_path: Path) -> None:
    rows = tmp_path / "rows.parquet"
    write_rows(rows, 5_000)
    found = groupby.asker(way)(str(rows))
    assert all(len(row) == 4 for row in found)


@pytest.mark.parametrize("noise", SINGLE, ids=str)
def test_each_mechanism_adds_noise(noise: Noise) -> None:
    values = noises.values(noise, 100)
    released = noises.mechanism(noise, 100).release(values, source=SeededSource(1)).value
    assert (released != values).any()
