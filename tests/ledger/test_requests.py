"""A repeated request is charged once, and answered with the same bytes."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest

import sfumato as sf
from sfumato.errors import BudgetError, PendingError, RefusedError
from sfumato.ledger import Charge, Ledger, Settled
from sfumato.ledger import charge as charge_module
from tests.ledger.crash.fresh import in_a_fresh_process
from tests.ledger.tables import head
from tests.patience import PATIENCE
from tests.refusing import raises_code

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.ledger import Book

TENTH = sf.privacy.events.Pure(epsilon=0.1)
ASKED: dict[str, Any] = {"analyst": "ada", "purpose": "patients by sex", "key": "monday"}


@pytest.fixture
def book(ledger: Ledger) -> Book:
    return ledger.add_book("patients", sf.PureDP(epsilon=1))


def answer(content: bytes = b"41") -> Any:
    """A computation that may be made only once."""
    left = [content]
    return left.pop


def released(book: Book, **other: Any) -> Settled:
    return book.release(TENTH, answer(), **(ASKED | other))


def test_the_same_request_gives_the_same_bytes_and_receipt_and_is_charged_once(book: Book) -> None:
    first = released(book)
    after = head(book)
    for again in (
        book.release(TENTH, lambda: b"never", **ASKED),
        book.reserve(TENTH, **ASKED),
        book.reserve(sf.privacy.events.Pure(epsilon="1/10"), **ASKED),
    ):
        assert isinstance(again, Settled)
        assert again.repeated
        assert again.content == first.content == b"41"
        assert again.receipt.to_json() == first.receipt.to_json()
    assert head(book) == after


def test_a_repeated_spending_gives_the_same_receipt(book: Book) -> None:
    first = book.spend(TENTH, **ASKED)
    after = head(book)
    assert book.spend(TENTH, **ASKED).to_json() == first.to_json()
    assert head(book) == after


def test_requests_without_a_key_are_all_charged(book: Book) -> None:
    for _ in range(2):
        assert not released(book, key=None).repeated
    assert book.standing()[0].used * 10 == 2


def test_the_same_key_of_another_analyst_is_another_request(book: Book) -> None:
    first, second = released(book), book.release(TENTH, lambda: b"42", **(ASKED | {"analyst": "g"}))
    assert (first.content, second.content) == (b"41", b"42")
    assert not second.repeated
    assert book.standing()[0].used * 10 == 2


def test_the_same_key_in_another_book_is_another_request(ledger: Ledger, book: Book) -> None:
    other = ledger.add_book("visits", sf.PureDP(epsilon=1))
    released(book)
    assert not released(other).repeated


@pytest.mark.parametrize(
    ("event", "other"),
    [
        (sf.privacy.events.Pure(epsilon=0.2), {}),
        (sf.privacy.events.Laplace(scale=10), {}),
        (TENTH, {"purpose": "patients by age"}),
    ],
    ids=["another amount", "another event", "another purpose"],
)
def test_a_key_is_for_one_request(book: Book, event: Any, other: dict[str, Any]) -> None:
    released(book)
    after = head(book)
    for way in (book.reserve, book.spend):
        with raises_code("E-KEY-REUSED"):
            way(event, **(ASKED | other))
    assert head(book) == after


def test_a_key_of_a_release_is_not_one_of_a_spending(book: Book) -> None:
    released(book)
    with raises_code("E-KEY-REUSED"):
        book.spend(TENTH, **ASKED)


class Clock:
    """Shows what those who pause have waited; others work meanwhile."""

    def __init__(self, work: Callable[[], object]) -> None:
        self.now, self._work = 0.0, work

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds
        self._work()


def test_a_request_under_way_is_waited_for(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    charge = book.reserve(TENTH, **ASKED)
    assert isinstance(charge, Charge)
    clock = Clock(lambda: charge.commit(b"41"))
    monkeypatch.setattr(charge_module, "time", clock)
    assert released(book, wait=20).content == b"41"
    assert 0 < clock.now < 1


def test_a_request_that_is_not_answered_is_told_and_not_charged_again(
    book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    book.reserve(TENTH, **ASKED)
    after, clock = head(book), Clock(lambda: None)
    monkeypatch.setattr(charge_module, "time", clock)
    with raises_code("E-CHARGE-PENDING", kind=PendingError):
        book.reserve(TENTH, **ASKED, wait=0.1)
    assert 0.1 <= clock.now < 0.2
    with pytest.raises(PendingError):
        book.release(TENTH, lambda: b"never", **ASKED, wait=0)
    assert head(book) == after


def test_a_request_that_was_closed_is_refused(book: Book) -> None:
    charge = book.reserve(TENTH, **ASKED)
    assert isinstance(charge, Charge)
    book.close_orphan(charge.receipt_id, reason="the power failed")
    after = head(book)
    with raises_code("E-KEY-CLOSED", kind=RefusedError):
        book.reserve(TENTH, **ASKED)
    assert head(book) == after


def test_an_answer_is_found_although_the_budget_is_spent(book: Book) -> None:
    released(book)
    book.spend(sf.privacy.events.Pure(epsilon=0.9), analyst="grace", purpose="all that is left")
    with pytest.raises(BudgetError):
        released(book, key="tuesday")
    assert released(book).repeated


def test_what_was_refused_may_be_asked_again_with_its_key(book: Book) -> None:
    """A refusal leaves no trace by which the key would be taken."""
    with pytest.raises(BudgetError):
        book.reserve(sf.privacy.events.Pure(epsilon=2), **ASKED)
    assert not released(book).repeated


def test_another_view_of_the_ledger_finds_the_answer(book: Book, place: str) -> None:
    first = released(book)
    with Ledger.open(place) as other:
        again = released(other.book("patients"))
    assert (again.content, again.receipt) == (first.content, first.receipt)
    assert again.repeated


def found_at(place: str) -> tuple[bytes, bool, str]:
    with Ledger.open(place) as ledger:
        found = ledger.book("patients").release(TENTH, lambda: b"never", **ASKED)
        return found.content, found.repeated, found.receipt.to_json()


def test_another_process_finds_the_answer(book: Book, place: str) -> None:
    first = released(book)
    assert in_a_fresh_process(found_at, place) == (b"41", True, first.receipt.to_json())


def test_of_many_who_ask_at_once_one_computes(book: Book, place: str) -> None:
    """Two views of the ledger, eight threads, one key: one charge, one computation, one answer."""
    computed: list[int] = []
    together = threading.Barrier(8)

    def compute() -> bytes:
        computed.append(1)
        return b"%d" % len(computed)

    def ask(each: Book) -> Settled:
        together.wait()
        return each.release(TENTH, compute, **ASKED, wait=PATIENCE)

    with Ledger.open(place) as other, ThreadPoolExecutor(8) as pool:
        books = [book, other.book("patients")] * 4
        asking = [pool.submit(ask, each) for each in books]
        answers = [each.result() for each in asking]
    assert {each.content for each in answers} == {b"1"}
    assert len({each.receipt.to_json() for each in answers}) == 1
    assert [each.repeated for each in answers].count(False) == 1
    assert [entry.kind for entry in book.entries()] == ["opening", "charge", "release"]
