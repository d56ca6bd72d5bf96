"""Processes that race for one key, and processes that were forked from one with an open ledger."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest

from tests.ledger.crash.answers import Answer, judge, make_ledger, noted
from tests.ledger.crash.fresh import in_a_fresh_process
from tests.ledger.crash.rivals import KEYS, PROCESSES, heirs, orphans, rivals

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

pytestmark = pytest.mark.full


def answers_of(race: Callable[[str, Path], None], place: str, folder: Path) -> list[Answer]:
    """Run a race of processes in a new ledger."""
    make_ledger(place)
    folder.mkdir()
    in_a_fresh_process(race, place, folder)
    return noted(folder)


def test_processes_race_for_a_key(place: str, tmp_path: Path) -> None:
    """All are told the same, with the same receipt, for one charge."""
    answers = answers_of(rivals, place, tmp_path / "answers")
    assert sorted(Counter(answers).values()) == [PROCESSES] * KEYS
    read = judge(place, answers)
    assert (read.problems, read.charges, read.orphans) == ((), KEYS, 0)


def test_a_ledger_that_is_open_while_a_process_forks_loses_nothing(
    place: str, tmp_path: Path
) -> None:
    answers = answers_of(heirs, place, tmp_path / "answers")
    read = judge(place, answers)
    assert (read.problems, read.charges, len(answers)) == ((), 48, 48)


def test_a_fork_beside_a_thread_that_charges_loses_nothing(place: str, tmp_path: Path) -> None:
    answers = answers_of(orphans, place, tmp_path / "answers")
    assert judge(place, answers).problems == ()
