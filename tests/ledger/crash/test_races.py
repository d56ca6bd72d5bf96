"""Threads that race for what is left of a budget, for a key, and for a charge: one wins."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial
from itertools import count
from threading import Barrier
from typing import TYPE_CHECKING, Any

import pytest

from sfumato.errors import BudgetError, RefusedError
from sfumato.ledger import Charge, Ledger, Settled
from sfumato.privacy import PureDP
from sfumato.privacy.events import Pure
from tests.patience import PATIENCE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from sfumato.ledger import Book

pytestmark = pytest.mark.full

THREADS = 50
ROUNDS = 200
LAST = Pure(epsilon=0.1)
ANALYSTS = ("ada", "bob")


@pytest.fixture
def hurried() -> Iterator[None]:
    """Have threads take turns often, so that they meet in the middle of things."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(usual)


def outcomes(tasks: Sequence[Callable[[], Any]], pool: ThreadPoolExecutor) -> list[Any]:
    """Do all at once, each in a thread of its own; a refusal is an outcome too."""
    barrier = Barrier(len(tasks))

    def run(task: Callable[[], Any]) -> Any:
        barrier.wait()
        try:
            return task()
        except RefusedError as error:
            return error

    return list(pool.map(run, tasks))


def kinds(found: Sequence[Any]) -> dict[str, int]:
    names = [type(each).__name__ for each in found]
    return {name: names.count(name) for name in set(names)}


def asked(number: int) -> dict[str, Any]:
    """Who asks, and why: two analysts by turns."""
    return {"analyst": ANALYSTS[number % 2], "purpose": f"thread {number}"}


def spend_last(book: Book, number: int) -> Callable[[], Any]:
    return lambda: book.release(LAST, lambda: b"42", **asked(number))


def spend_after_looking(looked: Barrier, book: Book, number: int) -> Callable[[], Any]:
    """Wrong: look first, then answer, and charge nothing that anybody checks."""

    def look_and_answer() -> str | BudgetError:
        seen = len(list(book.entries()))
        looked.wait()
        if seen > 1:
            return BudgetError("E-BUDGET-EXCEEDED", "too late")
        book.spend(Pure(epsilon=0.001), **asked(number))
        return "answered"

    return look_and_answer


def race(
    ledgers: Sequence[Ledger],
    rounds: int,
    task: Callable[[Book, int], Callable[[], Any]] = spend_last,
) -> Iterator[dict[str, int]]:
    """Let fifty threads race for the last 0.1 of a fresh book in each round."""
    with ThreadPoolExecutor(THREADS) as pool:
        for number in range(rounds):
            ledgers[0].add_book(f"round {number}", PureDP(epsilon=0.1))
            books = [each.book(f"round {number}") for each in ledgers]
            tasks = [task(books[each % len(books)], each) for each in range(THREADS)]
            yield kinds(outcomes(tasks, pool))


ONE_WINNER = {"Settled": 1, "BudgetError": THREADS - 1}


def test_threads_of_one_ledger_race_for_the_last_of_a_budget(ledger: Ledger) -> None:
    assert list(race([ledger], ROUNDS)) == [ONE_WINNER] * ROUNDS
    assert ledger.verify().is_sound


def test_threads_with_ledgers_of_their_own_race_for_the_last_of_a_budget(place: str) -> None:
    with ExitStack() as stack:
        first = stack.enter_context(Ledger.create(place))
        others = [stack.enter_context(Ledger.open(place)) for _ in range(THREADS - 1)]
        assert list(race([first, *others], 10)) == [ONE_WINNER] * 10
        assert first.verify().is_sound


def test_a_cashier_who_looks_before_charging_has_many_winners(ledger: Ledger) -> None:
    """The twin of the tests above: when all have looked before anyone answers, everyone wins."""
    task = partial(spend_after_looking, Barrier(THREADS))
    assert list(race([ledger], 3, task)) == [{"str": THREADS}] * 3


def test_threads_race_for_one_key(ledger: Ledger) -> None:
    book = ledger.add_book("patients", PureDP(epsilon=1))
    answers = iter(range(THREADS))
    same = {**asked(0), "key": "monday", "wait": PATIENCE}

    def ask() -> Settled:
        return book.release(LAST, lambda: b"%d" % next(answers), **same)

    with ThreadPoolExecutor(THREADS) as pool:
        found = outcomes([ask] * THREADS, pool)
    assert kinds(found) == {"Settled": THREADS}
    assert len({(each.content, each.receipt.to_json()) for each in found}) == 1
    assert [each.repeated for each in found].count(False) == 1
    assert [each.kind for each in book.entries()] == ["opening", "charge", "release"]


def test_threads_race_to_settle_one_charge(ledger: Ledger) -> None:
    book = ledger.add_book("patients", PureDP(epsilon=10))
    with ThreadPoolExecutor(4) as pool:
        for _ in range(20):
            charge = book.reserve(LAST, **asked(0))
            assert isinstance(charge, Charge)
            found = outcomes([lambda: charge.commit(b"42")] * 4, pool)  # noqa: B023
            assert kinds(found) == {"Settled": 1, "RefusedError": 3}
    assert ledger.verify().is_sound


def test_a_release_races_with_the_closing_of_its_charge(place: str) -> None:
    """What somebody closes as an orphan is never released, and what is released stays so."""
    with Ledger.create(place) as ledger, Ledger.open(place) as other:
        book = ledger.add_book("patients", PureDP(epsilon=10))
        closer = other.book("patients")
        with ThreadPoolExecutor(2) as pool:
            for _ in range(20):
                charge = book.reserve(LAST, **asked(0))
                assert isinstance(charge, Charge)
                found = outcomes([release(charge), close(closer, charge)], pool)
                assert [type(each) for each in found].count(RefusedError) == 1
                ended = [each.kind for each in book.entries()][-1]
                assert ended == ("release" if isinstance(found[0], Settled) else "closing")
        assert ledger.verify().is_sound


def release(charge: Charge) -> Callable[[], Settled]:
    return lambda: charge.commit(b"42")


def close(book: Book, charge: Charge) -> Callable[[], None]:
    def closing() -> None:
        try:
            book.close_orphan(charge.receipt_id, reason="took too long")
        except ValueError:
            raise RefusedError("E-CHARGE-SETTLED", "too late") from None

    return closing


@pytest.mark.usefixtures("hurried")
def test_looking_does_not_disturb_those_who_charge(place: str) -> None:
    """Standings are read beside charges, of everyone and of an analyst; no charge is lost."""
    with Ledger.create(place) as ledger, Ledger.open(place) as other:
        own = PureDP(epsilon=4)
        book = ledger.add_book("patients", PureDP(epsilon=10), each_analyst=own)
        books = [book, book, other.book("patients")]
        done: list[int] = []
        spenders = [
            partial(spend_all, each, who, done) for each, who in zip(books, "abc", strict=True)
        ]
        lookers = [partial(look_until, book, who, done) for who in "abc"]
        with ThreadPoolExecutor(len(spenders) + len(lookers)) as pool:
            outcomes([*spenders, *lookers], pool)
        assert sum(done) == 100
        assert max(done) <= 40
        assert ledger.verify().problems == ()


def spend_all(book: Book, analyst: str, done: list[int]) -> None:
    """Spend what is left, and say how many charges that were."""
    for spent in count():
        try:
            book.spend(LAST, analyst=analyst, purpose="beside those who look")
        except BudgetError:
            return done.append(spent)
    return None


def look_until(book: Book, analyst: str, done: list[int]) -> None:
    """Look at the standing of an analyst until all three have spent what they can."""
    while len(done) < 3:
        book.standing(analyst)
