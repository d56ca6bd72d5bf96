"""What must not be forgotten when a program is interrupted, and places that would forget."""

from __future__ import annotations

import os
import sqlite3
import sys
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from fractions import Fraction
from threading import Event
from typing import TYPE_CHECKING, Any

import pytest
import sqlalchemy as sa

import sfumato as sf
from sfumato.errors import BudgetError
from sfumato.ledger import Ledger
from sfumato.ledger.storage.connections import abandon
from tests.cases import rings
from tests.patience import PATIENCE
from tests.refusing import raises_code

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from types import FrameType

    from sfumato.ledger import Book
    from tests.postgres import Cluster

TENTH = sf.privacy.events.Pure(epsilon=0.1)
ASKED: dict[str, Any] = {"analyst": "ada", "purpose": "how many"}


def interrupting(functions: set[str], at: int) -> Any:
    """A trace that raises at the so-manieth line of some functions of the chain."""
    seen = 0

    def trace(frame: Any, event: str, _: Any) -> Any:
        nonlocal seen
        if frame.f_code.co_name not in functions or not frame.f_code.co_filename.endswith(
            "ledger/chain.py"
        ):
            return trace
        if event == "line":
            seen += 1
            if seen == at:
                raise KeyboardInterrupt
        return trace

    return trace


@pytest.mark.no_cover
@pytest.mark.parametrize("function", ["_advanced", "_look"])
@pytest.mark.parametrize("at", rings(range(1, 9), first=[2, 5]))
def test_an_interrupt_at_any_line_forgets_no_charge(place: str, function: str, at: int) -> None:
    """An analyst's own sums and the end of the book are remembered together, or looked up."""
    with Ledger.create(place) as ledger, Ledger.open(place) as other:
        budget, own = sf.PureDP(epsilon=5), sf.PureDP(epsilon=4)
        book = ledger.add_book("patients", budget, each_analyst=own)
        book.spend(TENTH, **ASKED)
        other.book("patients").spend(TENTH, **ASKED)
        before = sys.gettrace()
        try:
            sys.settrace(interrupting({function}, at))
            book.spend(TENTH, **ASKED)
        except KeyboardInterrupt:
            pass
        finally:
            sys.settrace(before)
        for each in (book, other.book("patients"), book):
            each.spend(TENTH, **ASKED)
        charges = book.count() - 1
        everyone, ada = book.standing("ada")
        assert everyone.used * 5 == ada.used * 4 == Fraction(charges, 10)
        assert ledger.verify().problems == ()


class Interrupting:
    """A profile that raises at the so-manieth moment of those that are meant, as a signal would."""

    def __init__(self, is_meant: Callable[[FrameType, str, Any], bool], at: int) -> None:
        self._is_meant, self._left = is_meant, at

    def __call__(self, frame: FrameType, event: str, called: Any) -> None:
        if self._is_meant(frame, event, called):
            self._left -= 1
            if self._left == 0:
                raise KeyboardInterrupt

    def spend(self, book: Book) -> KeyboardInterrupt | None:
        """Charge while it watches; return the interrupt, whose traceback holds what was open."""
        before = sys.getprofile()
        sys.setprofile(self)
        try:
            book.spend(TENTH, **ASKED)
        except KeyboardInterrupt as error:
            return error
        finally:
            sys.setprofile(before)
        return None


def after_sqlite(_: FrameType, event: str, called: Any) -> bool:
    """Tell whether a call of SQLite has just returned."""
    by = getattr(called, "__self__", None)
    return event == "c_return" and isinstance(by, sqlite3.Cursor | sqlite3.Connection)


def around_a_block(frame: FrameType, event: str, _: Any) -> bool:
    """Tell whether a block of a context manager has just ended, or is about to begin."""
    code = frame.f_code
    return event == "call" and code.co_name == "__exit__" and "contextlib" in code.co_filename


#: A connection that is interrupted before anybody has it is closed by the collector, which tells.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.no_cover
@pytest.mark.parametrize(
    ("is_meant", "least"), [(after_sqlite, 10), (around_a_block, 3)], ids=["calls", "blocks"]
)
def test_an_interrupt_keeps_nobody_waiting(
    tmp_path: Path, is_meant: Callable[[FrameType, str, Any], bool], least: int
) -> None:
    """SQLite's lock is let go at once, wherever in a charge in turn the interrupt comes."""
    place, interrupts = tmp_path / "ledger.db", 0
    with Ledger.create(place) as ledger, Ledger.open(place) as other:
        book = ledger.add_book("patients", sf.PureDP(epsilon=1000))
        other.book("patients").spend(TENTH, **ASKED)
        while (interrupt := Interrupting(is_meant, interrupts + 1).spend(book)) is not None:
            with closing(sqlite3.connect(place, timeout=0)) as third:
                third.execute("BEGIN IMMEDIATE")
            other.book("patients").spend(TENTH, **ASKED)
            interrupts += 1
            del interrupt
        assert interrupts >= least
        assert ledger.verify().problems == ()


@pytest.mark.no_cover
def test_an_interrupt_leaves_no_row_of_a_server_locked(postgres: Cluster) -> None:
    place, interrupts = postgres.database(), 0
    with Ledger.create(place) as ledger, Ledger.open(place) as other:
        book = ledger.add_book("patients", sf.PureDP(epsilon=1000))
        other.book("patients").spend(TENTH, **ASKED)
        while (interrupt := Interrupting(around_a_block, interrupts + 1).spend(book)) is not None:
            engine = sa.create_engine(place, poolclass=sa.NullPool)
            with engine.begin() as third:
                third.execute(sa.text("SELECT id FROM sfumato_books FOR UPDATE NOWAIT"))
            other.book("patients").spend(TENTH, **ASKED)
            interrupts += 1
            del interrupt
        assert interrupts >= 3
        assert ledger.verify().problems == ()


def test_a_file_with_two_names_is_refused(tmp_path: Path) -> None:
    """SQLite keeps a log for each name, so that each could spend the whole budget."""
    first, second = tmp_path / "ledger.db", tmp_path / "copy.db"
    with Ledger.create(first) as ledger:
        book = ledger.add_book("patients", sf.PureDP(epsilon=1))
        os.link(first, second)
        for act in (lambda: book.spend(TENTH, **ASKED), lambda: Ledger.open(second)):
            with raises_code("E-LEDGER-PLACE"):
                act()
        second.unlink()
        assert book.spend(TENTH, **ASKED).sequence == 2


@pytest.mark.full
@pytest.mark.parametrize("level", ["repeatable read", "serializable"])
def test_a_server_s_own_isolation_level_changes_nothing(postgres: Cluster, level: str) -> None:
    place = postgres.database()
    engine = sa.create_engine(place, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        name = connection.execute(sa.text("SELECT current_database()")).scalar_one()
        setting = f"ALTER DATABASE {name} SET default_transaction_isolation = '{level}'"
        connection.execute(sa.text(setting))
    engine.dispose()
    with Ledger.create(place) as ledger:
        ledger.add_book("patients", sf.PureDP(epsilon=1))

    def ask(number: int) -> bytes:
        with Ledger.open(place) as own:
            asked = {**ASKED, "key": f"question {number}"}
            settled = own.book("patients").release(
                sf.privacy.events.Pure(epsilon="1/40"), lambda: str(number).encode(), **asked
            )
            return settled.content

    with ThreadPoolExecutor(8) as pool:
        assert [*pool.map(ask, range(40))] == [str(number).encode() for number in range(40)]
    with Ledger.open(place) as ledger:
        assert ledger.book("patients").standing()[0].used == 1
        assert ledger.verify().problems == ()


def test_a_refusal_leaves_the_connection_to_whoever_has_it_next(
    place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was given back is not undone: another thread may be in the middle of a charge."""
    with Ledger.create(place) as ledger, ThreadPoolExecutor(1) as another_thread:
        book = ledger.add_book("patients", sf.PureDP(epsilon=1))
        store = ledger._store  # noqa: SLF001
        written, refused = Event(), Event()

        def write() -> None:
            with store.writing() as connection:
                connection.execute(sa.text("CREATE TABLE notes (note INTEGER)"))
                written.set()
                assert refused.wait(PATIENCE)

        def abandon_late() -> None:
            writing.append(another_thread.submit(write))
            assert written.wait(PATIENCE)
            abandon()
            refused.set()

        writing: list[Future[None]] = []
        monkeypatch.setattr("sfumato.ledger.chain.abandon", abandon_late)
        with pytest.raises(BudgetError):
            book.spend(sf.privacy.events.Pure(epsilon=2), **ASKED)
        writing[0].result()
        with store.reading() as connection:
            assert connection.execute(sa.text("SELECT count(*) FROM notes")).scalar() == 0
