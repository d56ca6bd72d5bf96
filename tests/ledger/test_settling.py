"""A release is charged for before it is computed, and what a book has against it is said."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import sfumato as sf
from sfumato.errors import BudgetError, InputError
from sfumato.ledger import Ledger
from sfumato.ledger.settlement import Price, check_without_ledger, objection, settle
from tests.refusing import raises_code

if TYPE_CHECKING:
    from pathlib import Path

PRICE = Price(sf.privacy.events.Laplace(scale=4), sf.PureDP(epsilon=0.25))
DEAR = Price(sf.privacy.events.Laplace(scale=0.5), sf.PureDP(epsilon=2))
GAUSSIAN = Price(sf.privacy.events.Gaussian(sigma=5), sf.ApproxDP(epsilon=1, delta=1e-6))


@pytest.fixture
def path(tmp_path: Path) -> str:
    place = str(tmp_path / "ledger.db")
    with Ledger.create(place) as ledger:
        ledger.add_book("patients", sf.PureDP(epsilon=1))
    return place


def settled(path: str, price: Price = PRICE, **changes: Any) -> Any:
    told = {"purpose": "centres", "analyst": "ada", "key": None, "compute": lambda: b"41"}
    book = changes.pop("book", "patients")
    return settle(path, book, price, **{**told, **changes})


def left(path: str) -> Any:
    with Ledger.open(path) as ledger:
        return ledger.book("patients").standing()[0].remaining.epsilon(delta=0)


def test_what_is_released_is_charged_and_recorded(path: str) -> None:
    assert settled(path).content == b"41"
    assert left(path) == 0.75


def test_a_retry_by_the_same_key_is_not_computed_again(path: str) -> None:
    first = settled(path, key="one")
    again = settled(path, key="one", compute=lambda: b"other")
    assert (first.content, again.content, again.repeated) == (b"41", b"41", True)
    assert left(path) == 0.75


def test_too_much_is_refused_before_a_row_is_read(path: str) -> None:
    def never() -> bytes:
        raise AssertionError

    with raises_code("E-BUDGET-EXCEEDED", kind=BudgetError):
        settled(path, DEAR, compute=never)
    assert left(path) == 1


def test_a_refusal_is_one_error_and_not_two(path: str) -> None:
    with pytest.raises(BudgetError) as caught:
        settled(path, DEAR)
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__


def test_where_the_engine_fails_the_charge_is_said_to_stay(path: str) -> None:
    def fails() -> bytes:
        message = "the table cannot be read"
        raise InputError("E-INTERNAL", message)

    with raises_code("E-INTERNAL", match="cannot be read; the charge was made before a row"):
        settled(path, compute=fails)
    assert left(path) == 0.75


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"analyst": None}, "an analyst is required"),
        ({"book": None}, r"which book of the ledger to charge; declare one \('patients'\)"),
        ({"price": GAUSSIAN}, "Gaussian noise needs a delta, .* 1-DP, has none; leave delta"),
    ],
)
def test_what_cannot_be_charged_is_refused(path: str, changes: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        settled(path, **changes)
    assert left(path) == 1


def test_a_guarantee_about_other_neighbours_is_refused(path: str) -> None:
    people = sf.privacy.AddRemove(unit=sf.privacy.Person())
    other = Price(PRICE.event, sf.PureDP(epsilon=0.25, relation=people))
    with raises_code(
        "E-RELATION-OTHER", match="open a book with the table's neighbouring relation"
    ):
        settled(path, other)


def test_a_book_says_what_it_has_against_a_price_and_charges_nothing(path: str) -> None:
    with Ledger.open(path) as ledger:
        book = ledger.book("patients")
        assert objection(PRICE, book, "ada") is None
        assert isinstance(objection(DEAR, book, "ada"), BudgetError)
        assert isinstance(objection(GAUSSIAN, book, None), InputError)
    assert left(path) == 1


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"budgeted": True, "analyst": None, "key": None}, "a budget is declared and no ledger"),
        ({"budgeted": False, "analyst": "ada", "key": None}, "analyst and key are for a ledger"),
        ({"budgeted": False, "analyst": None, "key": "one"}, "analyst and key are for a ledger"),
    ],
)
def test_what_only_a_ledger_keeps_is_refused_without(given: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        check_without_ledger(**given)
