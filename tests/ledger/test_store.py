"""The store itself: rows are only ever added, one in each place, none beyond a budget."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import sqlalchemy as sa

import sfumato as sf
from sfumato.errors import InputError, StoreError
from sfumato.ledger import Charge, Ledger
from sfumato.ledger.storage import sqlite as sqlite_store
from sfumato.ledger.storage.connections import connected
from sfumato.ledger.storage.place import read_place
from sfumato.ledger.storage.schema import FULL, entries
from tests.ledger.tables import ENTRIES, do, drop_triggers, rows, tables
from tests.refusing import raises_code

if TYPE_CHECKING:
    from pathlib import Path

    from sfumato.ledger import Book
    from tests.postgres import Cluster

TENTH = sf.privacy.events.Pure(epsilon=0.1)
ASKED: dict[str, Any] = {"analyst": "ada", "purpose": "patients by sex"}


@pytest.fixture
def book(ledger: Ledger) -> Book:
    made = ledger.add_book("patients", sf.PureDP(epsilon=1))
    made.release(TENTH, lambda: b"41", **ASKED, key="monday")
    return made


CHANGING = [
    "UPDATE sfumato_entries SET used = 0",
    "UPDATE sfumato_entries SET body = body WHERE sequence = 2",
    "DELETE FROM sfumato_entries WHERE sequence = 3",
    "DELETE FROM sfumato_entries",
]


@pytest.mark.usefixtures("book")
def test_rows_are_not_changed_or_removed(place: str) -> None:
    before = rows(place)
    for statement in CHANGING:
        with pytest.raises(sa.exc.DBAPIError, match="a ledger is only ever appended to"):
            do(place, statement)
    assert rows(place) == before
    drop_triggers(place)
    for statement in CHANGING:
        do(place, statement)
    assert rows(place) == []


@pytest.mark.usefixtures("book")
def test_a_table_is_not_emptied_or_written_over(place: str) -> None:
    before = rows(place)
    over = f"INSERT OR REPLACE INTO {ENTRIES} SELECT * FROM {ENTRIES}"  # noqa: S608
    with pytest.raises(sa.exc.DBAPIError, match="a ledger is only ever appended to"):
        do(place, f"TRUNCATE {ENTRIES}" if "://" in place else over)
    assert rows(place) == before


def inserted(place: str, **columns: Any) -> None:
    """Write one more row by hand, like the last one but for some columns."""
    fresh = {"sequence": 4, "settles": None, "request": None}
    with tables(place) as connection:
        connection.execute(entries.insert().values(**(rows(place)[-1] | fresh | columns)))


IMPOSSIBLE: list[dict[str, Any]] = [
    {"used": FULL + 1},
    {"used": -1},
    {"sequence": 3},
    {"sequence": 0},
    {"settles": 2},
    {"analyst": "ada", "request": "monday"},
    {"book": 7},
    {"hash": None},
    {"body": None},
]


@pytest.mark.usefixtures("book")
def test_rows_that_cannot_be_are_not_taken(place: str) -> None:
    for columns in IMPOSSIBLE:
        with pytest.raises(sa.exc.IntegrityError):
            inserted(place, **columns)
    assert len(rows(place)) == 3
    inserted(place, used=FULL)


def test_a_budget_is_used_up_to_the_last_unit(ledger: Ledger, place: str) -> None:
    book = ledger.add_book("thirds", sf.PureDP(epsilon=1))
    for _ in range(3):
        book.spend(sf.privacy.events.Pure(epsilon="1/3"), **ASKED)
    assert [row["used"] for row in rows(place)] == [0, FULL // 3 + 1, 2 * FULL // 3 + 1, FULL]


def test_a_locked_file_is_waited_for_and_then_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_store, "_PATIENCE", 0.2)
    path = tmp_path / "ledger.db"
    with Ledger.create(path) as ledger:
        book = ledger.add_book("patients", sf.PureDP(epsilon=1))
        with tables(str(path)) as connection:
            connection.exec_driver_sql("BEGIN IMMEDIATE")
            for way in (book.spend, book.reserve):
                with raises_code("E-LEDGER-FAILED", kind=StoreError):
                    way(TENTH, **ASKED)
            assert book.standing()[0].used == 0
        assert book.spend(TENTH, **ASKED).sequence == 2


def test_a_damaged_file_is_told(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    with Ledger.create(path) as ledger:
        ledger.add_book("patients", sf.PureDP(epsilon=1))
    whole = path.read_bytes()
    path.write_bytes(whole[:4096] + b"\xff" * (len(whole) - 4096))
    with raises_code("E-LEDGER-FAILED", kind=StoreError), Ledger.open(path) as ledger:
        ledger.book("patients").spend(TENTH, **ASKED)


@pytest.mark.full
def test_a_server_that_went_away_is_told_and_found_again(own_postgres: Cluster) -> None:
    with Ledger.create(own_postgres.database()) as ledger:
        book = ledger.add_book("patients", sf.PureDP(epsilon=1))
        charge = book.reserve(TENTH, **ASKED)
        assert isinstance(charge, Charge)
        own_postgres.stop("immediate")
        with pytest.raises(StoreError, match="nothing was released") as caught:
            book.spend(TENTH, **ASKED)
        assert own_postgres.password not in str(caught.value)
        with pytest.raises(StoreError):
            charge.commit(b"41")
        own_postgres.start()
        own_postgres.wait(20)
        assert charge.commit(b"41").content == b"41"
        assert ledger.verify().is_sound
        assert [entry.kind for entry in book.entries()] == ["opening", "charge", "release"]


@pytest.mark.full
def test_a_server_that_does_not_write_to_its_disk_is_refused(own_postgres: Cluster) -> None:
    place = own_postgres.database()
    own_postgres.stop()
    own_postgres.start(settings={"fsync": "off"})
    with pytest.raises(InputError, match="fsync = off") as caught:
        Ledger.create(place)
    assert caught.value.code == "E-LEDGER-SERVER"


@pytest.mark.full
def test_commits_wait_for_the_disk_whatever_the_server_was_told(own_postgres: Cluster) -> None:
    place = own_postgres.database()
    own_postgres.stop()
    own_postgres.start(settings={"synchronous_commit": "off"})
    for alone in (False, True):
        engine = connected(read_place(place), alone=alone)
        with engine.connect() as connection:
            assert connection.exec_driver_sql("SHOW synchronous_commit").scalar() == "on"
        engine.dispose()
