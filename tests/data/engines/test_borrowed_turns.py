"""Threads that ask one DuckDB connection of the user's take turns, each for a whole answer."""

from __future__ import annotations

from threading import Event, RLock, Thread
from typing import TYPE_CHECKING, Any

import ibis
import pytest

from sfumato.data.engines.borrowed import BorrowedDuckDB

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


@pytest.fixture
def backend() -> Iterator[Any]:
    found = ibis.duckdb.connect()
    yield found
    found.disconnect()


def gets_in_between(first: BorrowedDuckDB, second: BorrowedDuckDB) -> bool:
    """Whether one thread reads while another, of the same connection, is still reading."""
    asked, inside = Event(), Event()

    def other() -> None:
        asked.set()
        with second.reading():
            inside.set()

    waiting = Thread(target=other)
    with first.reading():
        waiting.start()
        asked.wait(10)
        early = inside.wait(0.2)
    waiting.join(10)
    assert inside.is_set()
    return early


def test_two_engines_of_one_connection_take_turns(backend: Any) -> None:
    assert not gets_in_between(BorrowedDuckDB(backend), BorrowedDuckDB(backend))


def test_without_turns_they_would_share_a_transaction(
    backend: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = BorrowedDuckDB(backend), BorrowedDuckDB(backend)
    monkeypatch.setattr(second, "_turn", RLock())
    assert gets_in_between(first, second)


def test_the_transaction_of_the_user_stays_theirs(backend: Any) -> None:
    import duckdb

    engine = BorrowedDuckDB(backend)
    backend.con.execute("BEGIN")
    with engine.reading(), engine.reading():
        assert backend.con.execute("SELECT 1").fetchall() == [(1,)]
    assert backend.con.execute("SELECT 1").fetchall() == [(1,)]
    with pytest.raises(duckdb.TransactionException):
        backend.con.execute("BEGIN")
    backend.con.execute("ROLLBACK")


def test_a_transaction_that_failed_stays_the_user_s(backend: Any) -> None:
    import duckdb

    engine = BorrowedDuckDB(backend)
    backend.con.execute("BEGIN")
    with pytest.raises(duckdb.TransactionException):
        backend.con.execute("BEGIN")
    with engine.reading(), pytest.raises(duckdb.TransactionException):
        backend.con.execute("SELECT 1")
    backend.con.execute("ROLLBACK")


def test_nothing_is_left_open_when_something_is_raised(backend: Any) -> None:
    with pytest.raises(ZeroDivisionError), BorrowedDuckDB(backend).reading():
        raise ZeroDivisionError
    backend.con.execute("BEGIN")
    backend.con.execute("ROLLBACK")
