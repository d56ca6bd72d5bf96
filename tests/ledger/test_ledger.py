"""A ledger: made once, opened often, with books whose budgets never change."""

from __future__ import annotations

import copy
import pickle
import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
import sqlalchemy as sa

import sfumato as sf
from sfumato.errors import SfumatoError, UnknownNameError
from sfumato.ledger import Book, Ledger
from sfumato.ledger.storage import sqlite as sqlite_store
from tests.ledger.tables import rows
from tests.refusing import raises_code

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

TENTH = sf.privacy.events.Pure(epsilon=0.1)
UNIT = sf.PureDP(epsilon=1)
ASKED: dict[str, Any] = {"analyst": "ada", "purpose": "patients by sex"}


def at_once(acts: Sequence[Callable[[], Any]]) -> list[Any]:
    """Do things at the same moment, and give what each returned or raised."""
    ready = threading.Barrier(len(acts))

    def done(act: Callable[[], Any]) -> Any:
        ready.wait()
        try:
            return act()
        except SfumatoError as error:
            return error

    with ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(done, acts))


@pytest.mark.parametrize("again", [pickle.dumps, copy.deepcopy])
def test_what_holds_connections_is_not_copied(ledger: Ledger, again: Callable[[Any], Any]) -> None:
    """As a user of other processes meets it who hands a book over."""
    book = ledger.add_book("patients", UNIT)
    for each in (ledger, book, book.reserve(TENTH, **ASKED)):
        with raises_code("E-NOT-COPIED"):
            again(each)


def test_who_stops_in_the_middle_of_the_entries_holds_nothing(ledger: Ledger) -> None:
    book = ledger.add_book("patients", UNIT)
    book.spend(TENTH, **ASKED)
    reading = book.entries()
    assert next(reading).kind == "opening"
    book.spend(TENTH, **ASKED)
    ledger.close()
    assert next(reading).kind == "spending"


def test_a_ledger_is_made_once(place: str) -> None:
    with Ledger.create(place) as first:
        first.add_book("patients", UNIT)
        before = rows(place)
        with raises_code("E-LEDGER-EXISTS") as caught:
            Ledger.create(place)
    assert str(caught.value).count("\n") == 0
    with Ledger.open(place) as again:
        assert (again.id, again.books()) == (first.id, ("patients",))
    assert rows(place) == before


def test_of_those_who_make_the_same_ledger_at_once_one_does(place: str) -> None:
    made = at_once([lambda: Ledger.create(place)] * 4)
    ledgers = [each for each in made if isinstance(each, Ledger)]
    assert len(ledgers) == 1
    assert all("already" in str(each) for each in made if not isinstance(each, Ledger))
    ledgers[0].close()


def test_who_makes_a_ledger_waits_for_who_is_about_to_write_into_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite itself has nobody wait who asks for the log then: it says at once that it is busy."""
    place = tmp_path / "ledger.db"
    place.touch()
    with closing(sqlite3.connect(place, check_same_thread=False)) as other:
        other.execute("BEGIN IMMEDIATE")
        with closing(sqlite3.connect(place)) as bare, pytest.raises(sqlite3.OperationalError):
            bare.execute("PRAGMA journal_mode=WAL")
        monkeypatch.setattr(sqlite_store, "sleep", lambda _: other.rollback())
        Ledger.create(str(place)).close()
        assert not other.in_transaction


def test_those_who_need_a_ledger_at_once_share_one(place: str) -> None:
    ledgers = at_once([lambda: Ledger.at(place)] * 4)
    assert len({each.id for each in ledgers}) == 1
    for each in ledgers:
        each.close()


def test_ledgers_have_ids_of_their_own(tmp_path: Any) -> None:
    ids = set()
    for name in ("one.db", "two.db"):
        with Ledger.create(tmp_path / name) as ledger:
            ids.add(ledger.id)
    assert len(ids) == 2


def test_a_ledger_shows_no_password(place: str) -> None:
    with Ledger.create(place) as ledger:
        secret = sa.make_url(place).password if "://" in place else "no secret"
        assert str(secret) not in f"{ledger.place} {ledger!r}"


def test_books_are_listed_as_they_were_opened(ledger: Ledger, place: str) -> None:
    names = ("visits", "patients", "Ärzte 患者 ε", "a.b/c d")
    for name in names:
        assert ledger.add_book(name, UNIT).name == name
    with Ledger.open(place) as again:
        assert again.books() == ledger.books() == names
        assert [again.book(name).relation for name in names] == [UNIT.relation] * 4


def test_a_book_is_found_however_unicode_writes_its_name(ledger: Ledger) -> None:
    ledger.add_book("Zoe\u0308", UNIT)
    assert ledger.books() == ("Zoë",)
    assert ledger.book("Zoë") is ledger.book("Zoe\u0308")


def test_the_budgets_of_a_book_never_change(ledger: Ledger, place: str) -> None:
    ledger.add_book("patients", UNIT).spend(TENTH, **ASKED)
    before = rows(place)
    for budget in (UNIT, sf.PureDP(epsilon=100)):
        with raises_code("E-BOOK-EXISTS"):
            ledger.add_book("patients", budget)
    assert rows(place) == before
    assert ledger.book("patients").rules[0].budget == UNIT


def test_of_those_who_open_the_same_book_at_once_one_does(ledger: Ledger, place: str) -> None:
    with Ledger.open(place) as other:
        ways = [partial(each.add_book, "patients", UNIT) for each in (ledger, other)]
        made = at_once(ways * 2)
    assert sum(isinstance(each, Book) for each in made) == 1
    assert all("already" in str(each) for each in made if not isinstance(each, Book))
    assert len(rows(place)) == 1
    assert ledger.verify().is_sound


def test_another_view_sees_a_new_book(ledger: Ledger, place: str) -> None:
    with Ledger.open(place) as other:
        assert other.books() == ()
        ledger.add_book("patients", UNIT).spend(TENTH, **ASKED)
        assert other.book("patients").standing()[0].used * 10 == 1


def test_rules_are_read_back_as_they_were_given(ledger: Ledger, place: str) -> None:
    given: dict[str, Any] = {
        "reserve": "1/4",
        "per": "quarter",
        "total": sf.ApproxDP(epsilon=4, delta=1e-5),
        "each_analyst": sf.ApproxDP(epsilon="1/3", delta=1e-8),
        "analysts": {"ada": sf.PureDP(epsilon=sf.numeric.Ln(2))},
    }
    rules = ledger.add_book("patients", sf.ApproxDP(epsilon=1, delta=1e-6), **given).rules
    with Ledger.open(place) as other:
        assert other.book("patients").rules == rules
    assert len(rules) == 4


def test_a_book_has_a_proper_name(ledger: Ledger) -> None:
    names: list[Any] = ["", " patients", None, 7, "a\nb", "\0", "\ud800", "x" * 201]
    for name in names:
        with raises_code("E-TEXT-FORM"):
            ledger.add_book(name, UNIT)
        with raises_code("E-TEXT-FORM"):
            ledger.book(name)
    assert ledger.books() == ()


def test_a_book_needs_a_budget(ledger: Ledger) -> None:
    budgets: list[Any] = [None, 1, "1", TENTH, sf.PureDP(epsilon=0)]
    for budget in budgets:
        with raises_code("E-BUDGET-FORM"):
            ledger.add_book("patients", budget)
    assert ledger.books() == ()


def test_a_book_that_is_not_there_is_told_with_the_nearest(ledger: Ledger) -> None:
    with raises_code("E-BOOK-MISSING"):
        ledger.book("patients")
    ledger.add_book("patients", UNIT)
    with raises_code("E-NAME-UNKNOWN", match="did you mean 'patients'", kind=UnknownNameError):
        ledger.book("patient")


def test_what_is_no_receipt_is_refused(ledger: Ledger) -> None:
    wrong: list[Any] = ["text", ["text"], [None], 3]
    for receipts in wrong:
        with raises_code("E-ARGUMENT-TYPE", match="receipts must be a list of receipts"):
            ledger.verify(receipts)


def test_books_to_verify_are_named(ledger: Ledger) -> None:
    ledger.add_book("patients", UNIT)
    wrong: Any = "patients"
    with raises_code("E-ARGUMENT-TYPE", match="books must be a list"):
        ledger.verify(books=wrong)
    with raises_code("E-NAME-UNKNOWN", match="no book 'visits'", kind=UnknownNameError):
        ledger.verify(books=["visits"])


def test_a_closed_ledger_answers_nothing_more(place: str) -> None:
    with Ledger.create(place) as made:
        book = made.add_book("patients", sf.PureDP(epsilon=1))
    made.close()
    for use in (book.standing, book.count, made.books, made.verify):
        with raises_code("E-LEDGER-CLOSED"):
            use()
    with raises_code("E-LEDGER-CLOSED"):
        book.spend(sf.privacy.events.Pure(epsilon=0.1), analyst="ada", purpose="by sex")
    with Ledger.open(place) as again:
        assert again.book("patients").count() == 1
