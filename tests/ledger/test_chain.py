"""Many at once: threads that share a ledger, processes that were forked, clocks that differ."""

from __future__ import annotations

import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest

import sfumato as sf
from sfumato.errors import BudgetError, StoreError
from sfumato.ledger import Ledger
from sfumato.ledger.admission import Admission
from sfumato.ledger.entry import BEFORE_THE_FIRST
from sfumato.privacy.filters import PureFilter
from tests.forking import assert_ended_well, forked
from tests.patience import PATIENCE

if TYPE_CHECKING:
    from pathlib import Path

    from sfumato.ledger import Book

TENTH = sf.privacy.events.Pure(epsilon=0.1)
ASKED: dict[str, Any] = {"analyst": "ada", "purpose": "patients by sex"}


@pytest.fixture
def book(ledger: Ledger) -> Book:
    return ledger.add_book("patients", sf.PureDP(epsilon=20), each_analyst=sf.PureDP(epsilon=10))


def spend(book: Book, times: int, analyst: str = "ada") -> int:
    """Charge so often, or until the budget is spent; say how often it was charged."""
    for done in range(times):
        try:
            book.spend(TENTH, analyst=analyst, purpose="patients by sex")
        except BudgetError:
            return done
    return times


def assert_chained(book: Book) -> None:
    written = list(book.entries())
    assert written[0].previous == BEFORE_THE_FIRST
    for number, (before, after) in enumerate(pairwise(written), start=2):
        assert (after.sequence, after.previous) == (number, before.hash)
        assert before.when <= after.when


# Threads.


def test_threads_share_a_ledger(ledger: Ledger, book: Book) -> None:
    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(lambda who: spend(book, 10, who), "abcd")) == 40
    assert book.standing()[0].used == Fraction(4, 20)
    assert_chained(book)
    assert ledger.verify().is_sound


def test_views_of_a_ledger_take_turns(book: Book, place: str) -> None:
    """Each remembers an end that the others have passed, and none goes by it."""
    with Ledger.open(place) as second, Ledger.open(place) as third:
        books = [book, second.book("patients"), third.book("patients")]
        for number in range(12):
            spend(books[number % 3], 1, "ab"[number % 2])
        assert {each.standing("a")[1].used for each in books} == {Fraction(6, 100)}
        assert {each.standing()[0].used for each in books} == {Fraction(12, 200)}
        assert second.verify().is_sound
    assert_chained(book)


@pytest.mark.parametrize("views", [1, 2])
def test_of_those_who_race_for_the_last_tenth_one_wins(
    ledger: Ledger, place: str, views: int
) -> None:
    book = ledger.add_book("patients", sf.PureDP(epsilon=1))
    spend(book, 9)
    with Ledger.open(place) as other, ThreadPoolExecutor(8) as pool:
        books = [book, other.book("patients") if views == 2 else book] * 4
        assert sum(pool.map(lambda each: spend(each, 1), books)) == 1
    assert book.standing()[0].used == 1


def test_who_looks_does_not_disturb_who_charges(
    ledger: Ledger, book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A standing that was looked up before is worked out in the midst of a charge."""
    looked, charging, done = threading.Event(), threading.Event(), threading.Event()
    standing, admit = Admission.standing, PureFilter.admit

    def late(*given: Any) -> Any:
        looked.set()
        assert charging.wait(PATIENCE)
        return standing(*given)

    def slow(keeper: PureFilter, event: Any) -> None:
        charging.set()
        assert done.wait(PATIENCE)
        admit(keeper, event)

    def look() -> None:
        book.standing("grace")
        done.set()

    spend(book, 1, "grace")
    with monkeypatch.context() as patch:
        patch.setattr(Admission, "standing", late)
        watcher = threading.Thread(target=look)
        watcher.start()
        assert looked.wait(PATIENCE)
        spend(book, 1)
        patch.setattr(PureFilter, "admit", slow)
        spend(book, 1)
        watcher.join()
    assert [each.used for each in book.standing("ada")] == [Fraction(3, 200), Fraction(2, 100)]
    assert ledger.verify().is_sound


# Forked processes.


def test_a_ledger_works_on_in_parent_and_child(book: Book, ledger: Ledger) -> None:
    spend(book, 1)
    process = forked(lambda: spend(book, 5, "child"))
    assert spend(book, 5) == 5
    assert_ended_well(process)
    assert spend(book, 1) == 1
    assert book.standing("child")[1].used == Fraction(5, 100)
    assert book.standing()[0].used == Fraction(12, 200)
    assert_chained(book)
    assert ledger.verify().is_sound


def test_what_a_child_charges_outlives_the_parents_ledger(book: Book, place: str) -> None:
    """The parent closes its last connection while the child still charges: nothing is lost."""
    spend(book, 1)
    (told, tell), (heard, say) = os.pipe(), os.pipe()

    def child() -> None:
        spend(book, 1, "child")
        os.write(tell, b".")
        os.read(heard, 1)
        spend(book, 3, "child")

    process = forked(child)
    os.read(told, 1)
    spend(book, 1)
    book._store.close()  # noqa: SLF001
    os.write(say, b".")
    assert_ended_well(process)
    for each in (told, tell, heard, say):
        os.close(each)
    with Ledger.open(place) as again:
        assert again.book("patients").standing()[0].used == Fraction(6, 200)
        assert again.verify().is_sound


@pytest.mark.full
def test_children_of_a_busy_parent_never_lose_a_charge(book: Book, place: str) -> None:
    """A file in use by another thread at the moment of a fork is refused in the child, in words."""
    stop = threading.Event()
    charged: list[int] = []

    def work() -> None:
        while not stop.is_set():
            charged.append(spend(book, 1))
            time.sleep(0.001)

    worker = threading.Thread(target=work)
    worker.start()
    reading, writing = os.pipe()

    def child() -> None:
        try:
            os.write(writing, b"+" * spend(book, 2, "child"))
        except StoreError:
            os.write(writing, b"-")

    try:
        for _ in range(6):
            assert_ended_well(forked(child))
    finally:
        stop.set()
        worker.join()
    os.close(writing)
    told = os.read(reading, 100)
    os.close(reading)
    with Ledger.open(place) as again:
        expected = Fraction(sum(charged) + told.count(b"+"), 200)
        assert again.book("patients").standing()[0].used == expected
        assert again.verify().is_sound


# Durable before it returns.


def test_what_was_charged_is_seen_by_a_process_that_starts_after(book: Book, place: str) -> None:
    def child() -> None:
        with Ledger.open(place) as other:
            assert other.book("patients").standing()[0].used == Fraction(1, 200)

    spend(book, 1)
    assert_ended_well(forked(child))


def test_a_child_that_ends_at_once_has_charged(book: Book) -> None:
    """The child ends without closing anything right after its charge returned."""
    process = forked(lambda: spend(book, 1, "child"))
    assert_ended_well(process)
    assert book.standing("child")[1].used == Fraction(1, 100)


def test_a_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    with Ledger.create(path) as ledger:
        spend(ledger.add_book("patients", sf.PureDP(epsilon=1)), 1)
        for each in tmp_path.glob("ledger.db*"):
            assert each.stat().st_mode & 0o077 == 0
