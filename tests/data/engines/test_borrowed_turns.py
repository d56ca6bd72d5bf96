"""Threads that ask one DuckDB connection of the user's take turns, each for a whole answer."""

from __future__ import annotations

from collections import Counter
from threading import Event, RLock, Thread
from typing import TYPE_CHECKING, Any

import ibis
import pytest

from sfumato.data import gathered, open_source
from sfumato.data.engines.duck import BorrowedDuckDB
from sfumato.risk import k_anonymity
from tests.patience import PATIENCE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from sfumato.data import Source

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")
SIZES = (100, 4)


@pytest.fixture
def backend() -> Iterator[Any]:
    found = ibis.duckdb.connect()
    yield found
    found.disconnect()


def gets_in_between(first: BorrowedDuckDB, second: BorrowedDuckDB, *, within: float) -> bool:
    """Whether one thread reads while another, of the same connection, is still reading."""
    asked, inside = Event(), Event()

    def other() -> None:
        asked.set()
        with second.reading():
            inside.set()

    waiting = Thread(target=other)
    with first.reading():
        waiting.start()
        asked.wait(PATIENCE)
        early = inside.wait(within)
    waiting.join(PATIENCE)
    assert inside.is_set()
    return early


def test_two_engines_of_one_connection_take_turns(backend: Any) -> None:
    """However slow the machine, nobody gets in between: the wait is for who wrongly does."""
    first, second = BorrowedDuckDB(backend), BorrowedDuckDB(backend)
    assert not gets_in_between(first, second, within=0.2)


def test_without_turns_they_would_share_a_transaction(
    backend: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = BorrowedDuckDB(backend), BorrowedDuckDB(backend)
    monkeypatch.setattr(second, "_alone", RLock())
    assert gets_in_between(first, second, within=PATIENCE)


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


def alike(backend: Any, size: int) -> Any:
    """A table of the user's in which each row looks like so many."""
    rows = ibis.range(1000).unnest().name("row").as_table()
    return backend.create_table(f"by_{size}", rows.select(kind=rows.row % (1000 // size)))


def in_the_users_connection(backend: Any, _: Path) -> list[Source]:
    return [open_source(alike(backend, size)) for size in SIZES]


def in_files(backend: Any, folder: Path) -> list[Source]:
    for size in SIZES:
        alike(backend, size).to_parquet(folder / f"{size}.parquet")
    return list(gathered([open_source(folder / f"{size}.parquet") for size in SIZES]))


@pytest.mark.full
@pytest.mark.parametrize("opened", [in_the_users_connection, in_files])
def test_threads_that_ask_one_connection_get_their_own_answers(
    opened: Callable[[Any, Path], list[Source]], backend: Any, tmp_path: Path
) -> None:
    """Were what the connection found last taken for one's own, every other would be wrong."""
    found: list[tuple[int, int]] = []

    def ask(size: int, source: Source) -> None:
        found.extend((size, k_anonymity(source, quasi="kind").k) for _ in range(150))

    sources = opened(backend, tmp_path)
    threads = [Thread(target=ask, args=each) for each in zip(SIZES, sources, strict=True)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert Counter(found) == {(size, size): 150 for size in SIZES}


def band(age: int) -> int:
    return age // 10


def test_a_function_of_the_user_is_asked_about(backend: Any) -> None:
    people = backend.create_table("people", ibis.memtable({"age": [31, 35, 42, 47, 49]}))
    source = open_source(people.mutate(band=ibis.udf.scalar.python(band)(people.age)))
    assert [k_anonymity(source, quasi="band").k for _ in range(2)] == [2, 2]
