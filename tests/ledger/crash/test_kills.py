"""Workers that are killed at random moments never release more than was durably spent.

Eight processes charge 0.05 from a budget of 10 while another one sends SIGKILL forty times.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.ledger.crash.answers import (
    CAP,
    Reading,
    judge,
    make_ledger,
    noted,
    sums_of_a_fresh_process,
)
from tests.ledger.crash.fresh import in_a_fresh_process
from tests.ledger.crash.storm import blow

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.full

KILLS = 40


def storm(place: str, folder: Path, *, seed: int, cashier: str = "careful") -> None:
    """Have workers spend the budget of a new ledger while they are killed."""
    make_ledger(place)
    folder.mkdir()
    in_a_fresh_process(blow, place, folder, cashier, seed, KILLS)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_killed_workers_release_no_more_than_is_spent(
    place: str, tmp_path: Path, seed: int
) -> None:
    storm(place, tmp_path / "answers", seed=seed)
    answers = noted(tmp_path / "answers")
    read = judge(place, answers)
    assert read.problems == ()
    assert read.spent == CAP.exact_epsilon
    assert sums_of_a_fresh_process(place) == (read.spent, read.charges, read.orphans)
    assert_eventful(read, [each.key for each in answers])


def assert_eventful(read: Reading, keys: list[str]) -> None:
    """Some workers died between charge and release, and some requests were repeated."""
    keyed = [each for each in keys if each != "-"]
    assert 0 < read.orphans < read.charges == 200
    assert len(set(keyed)) < len(keyed)


@pytest.mark.parametrize("cashier", ["before_charging", "before_recording"])
def test_a_cashier_who_hands_out_too_early_is_caught(tmp_path: Path, cashier: str) -> None:
    """The twin of the test above: the same judge sees answers that are not in the book."""
    place = str(tmp_path / "ledger.db")
    storm(place, tmp_path / "answers", seed=1, cashier=cashier)
    problems = judge(place, noted(tmp_path / "answers")).problems
    assert any("is not in the book" in each for each in problems)
