"""An older copy of a ledger is told by a receipt, and noticed by whoever knows better."""

from __future__ import annotations

import os
import sqlite3
from typing import TYPE_CHECKING

import pytest

import sfumato as sf
from sfumato.errors import RolledBackError
from sfumato.ledger import Ledger
from tests.ledger.filled import ASKED, CLOSING, LAST, OPEN, TENTH, fill
from tests.ledger.tables import drop_triggers, remove, rows
from tests.refusing import raises_code

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

# An older copy.


@pytest.fixture
def copied(tmp_path: Path) -> Iterator[tuple[Ledger, Path, Path]]:
    """A ledger in a file, with a copy of it from before the last charges."""
    path, copy = tmp_path / "ledger.db", tmp_path / "copy.db"
    with Ledger.create(path) as ledger:
        book = ledger.add_book("patients", sf.PureDP(epsilon=1))
        book.spend(TENTH, **ASKED)
        with sqlite3.connect(path) as source, sqlite3.connect(copy) as target:
            source.backup(target)
        source.close()
        target.close()
        yield ledger, path, copy


def put_back(copy: Path, path: Path) -> None:
    for suffix in ("-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
    copy.replace(path)


def test_an_older_copy_is_told_by_a_later_receipt(copied: tuple[Ledger, Path, Path]) -> None:
    ledger, path, copy = copied
    later = ledger.book("patients").spend(TENTH, **ASKED)
    ledger.close()
    put_back(copy, path)
    with Ledger.open(path) as again:
        assert again.verify().is_sound
        verdict = again.verify([later])
        assert not verdict.is_sound
        assert "ends with entry 2: an older copy of the ledger" in verdict.problems[0]


def fork_in_vain() -> None:
    child = os.fork()
    if not child:
        os._exit(0)
    os.waitpid(child, 0)


@pytest.mark.parametrize("forked", [True, False])
def test_an_older_copy_is_noticed_by_a_process_that_knows_better(
    copied: tuple[Ledger, Path, Path], *, forked: bool
) -> None:
    """Also where no connection is open any more, as after a fork."""
    ledger, path, copy = copied
    book = ledger.book("patients")
    book.spend(TENTH, **ASKED)
    if forked:
        fork_in_vain()
    put_back(copy, path)
    before = rows(str(path))
    for act in (
        lambda: book.spend(TENTH, **ASKED),
        lambda: book.reserve(TENTH, **ASKED),
        book.standing,
    ):
        with raises_code("E-LEDGER-ROLLED-BACK", kind=RolledBackError):
            act()
    assert rows(str(path)) == before


def test_a_copy_that_went_another_way_is_noticed(copied: tuple[Ledger, Path, Path]) -> None:
    """As long as the one that is known, but with another last entry."""
    ledger, path, copy = copied
    ledger.book("patients").spend(TENTH, **ASKED)
    with Ledger.open(copy) as other:
        for _ in range(3):
            other.book("patients").spend(TENTH, analyst="eve", purpose="another way")
    put_back(copy, path)
    with raises_code("E-LEDGER-ROLLED-BACK", kind=RolledBackError):
        ledger.book("patients").spend(TENTH, **ASKED)


def test_the_end_taken_away_is_noticed_by_a_process_that_knows_better(place: str) -> None:
    with Ledger.create(place) as ledger:
        book = ledger.add_book("patients", sf.PureDP(epsilon=1))
        fill(book)
        drop_triggers(place)
        remove(place, OPEN, LAST)
        with raises_code("E-LEDGER-ROLLED-BACK", kind=RolledBackError):
            book.spend(TENTH, **ASKED)
    assert len(rows(place)) == CLOSING


def test_a_copy_of_the_newest_is_as_good(copied: tuple[Ledger, Path, Path]) -> None:
    """The twin: what is put back lacks nothing, so that charging goes on."""
    ledger, path, copy = copied
    put_back(copy, path)
    assert ledger.book("patients").spend(TENTH, **ASKED).sequence == 3
    with Ledger.open(path) as again:
        assert str(again.verify()) == "sound: 1 book, 3 entries"
