"""Single statements: their connections are kept at hand, each for one at a time, and only here."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import sfumato as sf
from sfumato.ledger import Ledger
from sfumato.ledger.storage.connections import SingleStatements
from sfumato.ledger.storage.place import read_place

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def opened(place: Path | str) -> Iterator[SingleStatements]:
    single = SingleStatements(read_place(str(place)))
    try:
        yield single
    finally:
        single.dispose()


@contextmanager
def notes(place: str) -> Iterator[SingleStatements]:
    """Single statements on a ledger's store, with a table of notes in it."""
    Ledger.create(place).close()
    with opened(place) as single:
        single.run("CREATE TABLE notes (note INTEGER PRIMARY KEY)", {})
        yield single


def insert(single: SingleStatements, note: int) -> int:
    mark = ":note" if single.dialect.name == "sqlite" else "%(note)s"
    return single.run(f"INSERT INTO notes VALUES ({mark})", {"note": note})  # noqa: S608


def counted(single: SingleStatements) -> int:
    found = single.first("SELECT count(*) AS many FROM notes", {})
    assert found is not None
    return int(found["many"])


def test_a_refused_row_is_none_and_harms_nothing(place: str) -> None:
    with notes(place) as single:
        assert [insert(single, note) for note in (1, 1, 2)] == [1, 0, 1]
        assert counted(single) == 2


@pytest.mark.full
def test_threads_write_side_by_side(place: str) -> None:
    with notes(place) as single, ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(lambda note: insert(single, note), range(400))) == 400
        assert counted(single) == 400


class TakenMeanwhile(deque[Any]):
    """Holds nothing, though it did a moment ago, when somebody asked."""

    def __bool__(self) -> bool:
        return True


def test_a_connection_that_another_thread_took_is_not_waited_for(place: str) -> None:
    with notes(place) as single:
        single.dispose()
        single._idle = TakenMeanwhile()  # noqa: SLF001
        assert insert(single, 1) == 1


def test_a_statement_that_fails_leaves_a_fresh_connection(place: str) -> None:
    with notes(place) as single:
        driver = single.dialect.loaded_dbapi
        with pytest.raises(driver.Error):
            single.run("INSERT INTO nothing VALUES (1)", {})
        assert insert(single, 1) == 1


def test_nothing_is_open_after_all_is_closed(tmp_path: Path) -> None:
    with notes(str(tmp_path / "ledger.db")) as single:
        insert(single, 1)
    assert not [each for each in open_files() if str(tmp_path) in each]


def test_a_child_has_connections_of_its_own(place: str) -> None:
    with notes(place) as single:
        insert(single, 1)
        child = os.fork()
        if child == 0:
            os._exit(0 if insert(single, 2) == 1 and counted(single) == 2 else 1)
        assert os.waitpid(child, 0)[1] == 0
        assert insert(single, 3) == 1
        assert counted(single) == 3


def test_a_file_put_in_the_place_of_another_is_the_one_that_is_used(tmp_path: Path) -> None:
    place, copy = tmp_path / "ledger.db", tmp_path / "copy.db"
    tenth, asked = sf.privacy.events.Pure(epsilon=0.1), {"analyst": "ada", "purpose": "by sex"}
    with Ledger.create(place) as ledger:
        ledger.add_book("patients", sf.PureDP(epsilon=1)).spend(tenth, **asked)
    shutil.copy(place, copy)
    with opened(place) as single:
        last = "SELECT max(sequence) AS last FROM sfumato_entries"
        assert single.first(last, {}) == {"last": 2}
        with Ledger.open(copy) as other:
            other.book("patients").spend(tenth, **asked)
        copy.rename(place)
        assert single.first(last, {}) == {"last": 3}
        place.unlink()
        with pytest.raises(sqlite3.OperationalError):
            single.first(last, {})


def open_files() -> list[str]:
    """What this process has open."""
    found = []
    for each in Path("/proc/self/fd").iterdir():
        with suppress(OSError):
            found.append(str(each.readlink()))
    return found
