"""A book: charged before anything is released, refused in one sentence, and never less."""

from __future__ import annotations

import inspect
import json
from fractions import Fraction
from typing import Any

import pytest

import sfumato as sf
from sfumato.errors import RefusedError
from sfumato.ledger import Book, Charge, Entry, Ledger, Receipt, Settled, Standing
from sfumato.ledger.entry import digest_of
from sfumato.ledger.validate import read_content
from sfumato.privacy import guarantee_from_document
from tests.ledger.tables import change, drop_triggers, head, rows
from tests.refusing import raises_code

TENTH = sf.privacy.events.Pure(epsilon=0.1)
ASKED: dict[str, Any] = {"analyst": "ada", "purpose": "patients by sex"}


@pytest.fixture
def book(ledger: Ledger) -> Book:
    return ledger.add_book("patients", sf.PureDP(epsilon=1), each_analyst=sf.PureDP(epsilon=0.5))


def reserved(book: Book, **other: Any) -> Charge:
    made = book.reserve(TENTH, **(ASKED | other))
    assert isinstance(made, Charge)
    return made


# What is written.


def test_a_book_opens_with_its_rules_and_the_key_of_its_owner(ledger: Ledger, book: Book) -> None:
    (opening,) = book.entries()
    assert (opening.kind, opening.sequence, opening.previous) == ("opening", 1, "0" * 64)
    assert [guarantee_from_document(each["budget"]) for each in opening.body["rules"]] == [
        sf.PureDP(epsilon=1),
        sf.PureDP(epsilon=0.5),
    ]
    assert (opening.ledger, opening.dataset) == (ledger.id, "patients")


def test_an_entry_says_who_when_why_and_what(book: Book) -> None:
    receipt = book.spend(sf.mechanisms.Laplace(epsilon=0.1, sensitivity=1), **ASKED)
    opening, charge = book.entries()
    assert (charge.kind, charge.previous, charge.hash) == ("spending", opening.hash, receipt.hash)
    assert (charge.body["analyst"], charge.body["purpose"]) == ("ada", "patients by sex")
    assert charge.event == sf.mechanisms.Laplace(epsilon=0.1, sensitivity=1).event
    assert opening.when <= charge.when
    assert receipt.problems() == ()


def test_a_release_is_charged_computed_recorded_and_returned(book: Book) -> None:
    seen: list[list[str]] = []

    def compute() -> bytes:
        seen.append([entry.kind for entry in book.entries()])
        return b"41"

    settled = book.release(TENTH, compute, **ASKED)
    assert seen == [["opening", "charge"]]
    release = list(book.entries())[-1]
    assert (release.kind, release.body["digest"]) == ("release", digest_of(b"41"))
    assert (settled.content, settled.repeated) == (b"41", False)
    assert settled.receipt.problems(content=b"41") == ()
    assert settled.receipt.problems(content=b"42") != ()


def test_what_was_reserved_stays_spent_if_the_computation_fails(book: Book) -> None:
    def compute() -> bytes:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        book.release(TENTH, compute, **ASKED)
    assert book.standing()[0].used == Fraction(1, 10)
    (orphan,) = book.orphans()
    assert orphan.event == TENTH


def test_only_what_has_a_key_is_kept(book: Book, place: str) -> None:
    """What was released without a key cannot be asked for again, so that it is not kept."""
    book.release(TENTH, lambda: b"first", **ASKED)
    book.release(TENTH, lambda: b"second", **ASKED, key="k")
    assert [row["content"] for row in rows(place)] == [None, None, None, None, b"second"]


def test_entries_are_given_from_any_place(book: Book) -> None:
    for _ in range(3):
        book.spend(TENTH, **ASKED)
    assert [entry.sequence for entry in book.entries(after=2)] == [3, 4]
    assert list(book.entries(after=4)) == []


def test_an_empty_answer_is_an_answer(book: Book) -> None:
    settled = reserved(book).commit(b"")
    assert settled.receipt.digest == digest_of(b"")
    assert book.orphans() == ()


# Each charge is settled once.


def test_a_charge_is_settled_once(book: Book) -> None:
    charge = reserved(book)
    assert charge.commit(b"41").receipt.id == charge.receipt_id
    before = head(book)
    with raises_code("E-CHARGE-SETTLED", kind=RefusedError):
        charge.commit(b"42")
    with raises_code("E-CHARGE-UNKNOWN", match="no open charge"):
        book.close_orphan(charge.receipt_id, reason="lost")
    assert head(book) == before


def test_an_orphan_is_closed_and_stays_spent(book: Book) -> None:
    charge = reserved(book)
    assert [entry.hash for entry in book.orphans()] == [charge.entry.hash]
    book.close_orphan(charge.receipt_id, reason="the power failed")
    assert book.orphans() == ()
    assert book.standing("ada")[0].used == Fraction(1, 10)
    closing = list(book.entries())[-1]
    assert (closing.kind, closing.body["reason"]) == ("closing", "the power failed")
    before = head(book)
    with raises_code("E-CHARGE-SETTLED", kind=RefusedError):
        charge.commit(b"41")
    assert head(book) == before


def test_charges_are_settled_in_any_order(ledger: Ledger, book: Book) -> None:
    first, second = reserved(book), reserved(book)
    second.commit(b"second")
    first.commit(b"first")
    assert book.orphans() == ()
    assert ledger.verify().is_sound


def test_what_is_released_is_bytes(book: Book) -> None:
    charge = reserved(book)
    before = head(book)
    not_bytes: list[Any] = ["41", 41, None, bytearray(b"41"), memoryview(b"41"), [b"4"]]
    for content in not_bytes:
        with raises_code("E-ARGUMENT-TYPE", match="must be bytes"):
            charge.commit(content)
    assert head(book) == before
    assert charge.commit(b"41").content == b"41"


def test_what_is_released_has_a_greatest_size() -> None:
    most = 64 * 2**20
    assert len(read_content(bytes(most))) == most
    with raises_code("E-TOO-LARGE", match="67,108,865 bytes"):
        read_content(bytes(most + 1))


def test_the_standing_of_an_analyst_is_found_however_unicode_writes_it(book: Book) -> None:
    book.spend(TENTH, analyst="Zoë", purpose="patients by sex")
    assert book.standing("Zoe\u0308") == book.standing("Zoë")
    assert book.standing("Zoë")[1].used == Fraction(1, 5)


def test_an_entry_of_an_unknown_version_is_told(ledger: Ledger, book: Book, place: str) -> None:
    """An event of a version that nobody knows, in a row written by hand."""
    book.spend(TENTH, **ASKED)
    body = json.loads(rows(place)[1]["body"])
    body["event"]["version"] = 99
    drop_triggers(place)
    change(place, 2, body=json.dumps(body, sort_keys=True, separators=(",", ":")))
    assert any("version" in each for each in ledger.verify().problems)


# Nothing is ever less.


def public(kind: type) -> set[str]:
    return {name for name in dir(kind) if not name.startswith("_")}


def test_no_part_of_the_public_face_takes_back_what_was_spent() -> None:
    """Every public method is known here; one that is added has to be thought about."""
    reading = {"relation", "standing", "entries", "orphans", "count", "analysts", "plot"}
    assert public(Book) == reading | {"spend", "reserve", "release", "close_orphan"}
    made = {"at", "create", "open", "close", "id", "place"}
    assert public(Ledger) == made | {"add_book", "book", "books", "verify", "plot"}
    assert public(Charge) == {"commit", "entry", "receipt_id"}


def test_whatever_is_done_to_a_book_its_standing_never_falls(ledger: Ledger, book: Book) -> None:
    used: list[Fraction] = []

    def note() -> None:
        used.append(book.standing("ada")[1].used)

    charge = reserved(book)
    for act in (
        lambda: charge.commit(b"41"),
        lambda: book.close_orphan(reserved(book).receipt_id, reason="lost"),
        lambda: book.spend(TENTH, **ASKED),
        lambda: book.release(TENTH, lambda: b"42", **ASKED, key="k"),
        lambda: book.release(TENTH, lambda: b"43", **ASKED, key="k"),
        ledger.verify,
        lambda: ledger.book("patients"),
    ):
        act()
        note()
    assert used == [Fraction(n, 5) for n in (1, 2, 3, 4, 4, 4, 4)]


@pytest.mark.parametrize("kind", [Charge, Entry, Settled, Standing, Receipt])
def test_what_a_book_gives_cannot_be_changed(kind: Any) -> None:
    assert kind.__dataclass_params__.frozen


def test_a_book_takes_no_amount_but_events() -> None:
    """There is no parameter by which an amount could be given, so that none can be negative."""
    for way in (Book.spend, Book.reserve, Book.release):
        assert set(inspect.signature(way).parameters) <= {
            *("self", "event", "compute", "analyst", "purpose", "key", "wait"),
        }
