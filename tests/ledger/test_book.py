"""A book: charged before anything is released, refused in one sentence, and never less."""

from __future__ import annotations

import inspect
import json
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

import sfumato as sf
from sfumato.errors import InputError, RefusedError, SfumatoError
from sfumato.ledger import Book, Charge, Entry, Ledger, Receipt, Settled, Standing
from sfumato.ledger.charging import read_content
from sfumato.ledger.entries import digest_of
from sfumato.privacy import Substitute, guarantee_from_document
from tests.ledger.tables import change, drop_triggers, head, rows

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

TENTH = sf.events.Pure(epsilon=0.1)
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
    receipt = book.spend(sf.Laplace(epsilon=0.1, sensitivity=1), **ASKED)
    opening, charge = book.entries()
    assert (charge.kind, charge.previous, charge.hash) == ("spending", opening.hash, receipt.hash)
    assert (charge.body["analyst"], charge.body["purpose"]) == ("ada", "patients by sex")
    assert charge.event == sf.Laplace(epsilon=0.1, sensitivity=1).event
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
    with pytest.raises(RefusedError, match="settled only once"):
        charge.commit(b"42")
    with pytest.raises(InputError, match="no open charge"):
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
    with pytest.raises(RefusedError, match="settled only once"):
        charge.commit(b"41")
    assert head(book) == before


def test_charges_are_settled_in_any_order(ledger: Ledger, book: Book) -> None:
    first, second = reserved(book), reserved(book)
    second.commit(b"second")
    first.commit(b"first")
    assert book.orphans() == ()
    assert ledger.verify().is_sound


# Charges that are not charges.


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def untouched(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Book]:
    """A book that nothing is ever charged to, with one open charge from the start."""
    folder = tmp_path_factory.mktemp("untouched")
    place = folder / "ledger.db"
    if request.param == "postgres":
        place = request.getfixturevalue("postgres").database()
    with Ledger.create(place, key=folder / "key.pem") as ledger:
        book = ledger.add_book("patients", sf.PureDP(epsilon=1))
        reserved(book)
        before = head(book)
        yield book
        assert head(book) == before


HUGE = 10**400
NOT_EVENTS: list[tuple[str, Callable[[], Any], str]] = [
    ("negative", lambda: sf.events.Pure(epsilon=-0.1), "epsilon"),
    ("nan", lambda: sf.events.Pure(epsilon=float("nan")), "epsilon"),
    ("infinite", lambda: sf.events.Pure(epsilon=float("inf")), "epsilon"),
    ("nothing", lambda: sf.events.Pure(epsilon=0), "costs nothing"),
    ("float 1e-400", lambda: sf.events.Pure(epsilon=float("1e-400")), "costs nothing"),
    ("text 1e-400", lambda: sf.events.Pure(epsilon="1e-400"), "between 1e-100 and"),
    ("noise without end", lambda: sf.events.Laplace(scale=HUGE), "between 1e-100 and"),
    ("huge", lambda: sf.events.Pure(epsilon=HUGE), "between 1e-100 and"),
    ("many digits", lambda: sf.events.Pure(epsilon=f"0.{'1' * 999}"), "between 1e-100 and"),
    ("deep", lambda: sf.events.Composed(TENTH, sf.events.Pure(epsilon="1e-400")), "between"),
    ("text", lambda: "0.1", "event"),
    ("number", lambda: 0.1, "event"),
    ("none", lambda: None, "event"),
    ("class", lambda: sf.events.Pure, "event"),
    ("several", lambda: [TENTH, TENTH], "event"),
    ("guarantee", lambda: sf.PureDP(epsilon=0.1), "event"),
    ("document", lambda: {"event": "pure", "epsilon": "0.1"}, "event"),
    (
        "another relation",
        lambda: sf.Laplace(epsilon=0.1, sensitivity=1, relation=Substitute()),
        "relation",
    ),
    (
        "another version",
        lambda: sf.events.from_json('{"version": 99, "events": [{"event": "pure"}]}'),
        "version",
    ),
    (
        "another kind",
        lambda: sf.events.from_json('{"version": 1, "events": [{"event": "free lunch"}]}'),
        "free lunch",
    ),
]


def one_sentence(error: SfumatoError) -> bool:
    text = str(error)
    return "\n" not in text and "Traceback" not in text and 10 < len(text) < 500


@pytest.mark.parametrize(
    ("make", "says"), [each[1:] for each in NOT_EVENTS], ids=[each[0] for each in NOT_EVENTS]
)
def test_what_is_no_charge_is_refused_and_nothing_is_written(
    untouched: Book, make: Callable[[], Any], says: str
) -> None:
    before = head(untouched)
    for way in (untouched.spend, untouched.reserve, partial(untouched.release, compute=bytes)):
        with pytest.raises(InputError, match=says) as caught:
            way(make(), **ASKED)
        assert one_sentence(caught.value)
    assert head(untouched) == before


NOT_WORDS: list[tuple[str, dict[str, Any], str]] = [
    ("no purpose", {"purpose": ""}, "purpose must be words"),
    ("blank purpose", {"purpose": " \t\n"}, "purpose must be words"),
    ("purpose None", {"purpose": None}, "purpose must be words"),
    ("purpose of bytes", {"purpose": b"why"}, "purpose must be words"),
    ("purpose with NUL", {"purpose": "why\0"}, "purpose must be proper text"),
    ("purpose with half a character", {"purpose": "why \ud83d"}, "purpose must be proper text"),
    ("purpose of 1 MB", {"purpose": "w" * 2**20}, "at most 10,000 characters"),
    ("no analyst", {"analyst": ""}, "analyst must be text"),
    ("analyst None", {"analyst": None}, "analyst must be text"),
    ("analyst of a number", {"analyst": 7}, "analyst must be text"),
    ("analyst with controls", {"analyst": "ada\x1b[2J"}, "printable"),
    ("analyst with a line break", {"analyst": "ada\ngrace"}, "printable"),
    ("analyst written backwards", {"analyst": "ada\u202egrace"}, "printable"),
    ("analyst with NUL", {"analyst": "ada\0"}, "printable"),
    ("analyst with half a character", {"analyst": "\udc80"}, "printable"),
    ("analyst with a space", {"analyst": " ada"}, "no space at either end"),
    ("long analyst", {"analyst": "a" * 201}, "1 to 200"),
    ("empty key", {"key": ""}, "key must be text"),
    ("key of a number", {"key": 1}, "key must be text"),
    ("key with controls", {"key": "a\tb"}, "printable"),
]


@pytest.mark.parametrize(
    ("other", "says"), [each[1:] for each in NOT_WORDS], ids=[each[0] for each in NOT_WORDS]
)
def test_improper_words_are_refused_and_nothing_is_written(
    untouched: Book, other: dict[str, Any], says: str
) -> None:
    before = head(untouched)
    for way in (untouched.spend, untouched.reserve):
        with pytest.raises(InputError, match=says) as caught:
            way(TENTH, **(ASKED | other))
        assert one_sentence(caught.value)
    assert head(untouched) == before


@pytest.mark.parametrize("wait", ["1", None, float("nan"), -1, float("inf"), True, 10**400])
def test_a_wait_that_is_no_time_is_refused_before_anything_is_charged(
    untouched: Book, wait: Any
) -> None:
    before = head(untouched)
    with pytest.raises(InputError, match="wait"):
        untouched.reserve(TENTH, **ASKED, key="k", wait=wait)
    assert head(untouched) == before


def test_what_is_released_is_bytes(book: Book) -> None:
    charge = reserved(book)
    before = head(book)
    not_bytes: list[Any] = ["41", 41, None, bytearray(b"41"), memoryview(b"41"), [b"4"]]
    for content in not_bytes:
        with pytest.raises(InputError, match="must be bytes"):
            charge.commit(content)
    assert head(book) == before
    assert charge.commit(b"41").content == b"41"


def test_what_is_released_has_a_greatest_size() -> None:
    most = 64 * 2**20
    assert len(read_content(bytes(most))) == most
    with pytest.raises(InputError, match="67,108,865 bytes"):
        read_content(bytes(most + 1))


@pytest.mark.parametrize("reason", ["", None, 3, "\0", "r" * 20_000])
def test_an_orphan_is_closed_for_a_reason(untouched: Book, reason: Any) -> None:
    (orphan,) = untouched.orphans()
    with pytest.raises(InputError, match="reason must be"):
        untouched.close_orphan(orphan.body["receipt"], reason=reason)
    assert untouched.orphans() == (orphan,)


@pytest.mark.parametrize("receipt_id", ["", "0" * 32, None, 7, "'; DROP TABLE sfumato_entries"])
def test_an_unknown_charge_is_not_closed(untouched: Book, receipt_id: Any) -> None:
    before = head(untouched)
    with pytest.raises(InputError, match="no open charge"):
        untouched.close_orphan(receipt_id, reason="lost")
    assert head(untouched) == before


@pytest.mark.parametrize("after", [-1, 10**30, "2", None, 1.5, True])
def test_a_place_in_the_book_is_a_number(untouched: Book, after: Any) -> None:
    with pytest.raises(InputError, match="after"):
        list(untouched.entries(after=after))


@pytest.mark.parametrize("analyst", [3, "", " ada", b"ada"])
def test_the_standing_of_nobody_is_refused(untouched: Book, analyst: Any) -> None:
    with pytest.raises(InputError, match="analyst must be text"):
        untouched.standing(analyst)


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
    reading = {"relation", "standing", "entries", "orphans", "count", "analysts"}
    assert public(Book) == reading | {"spend", "reserve", "release", "close_orphan"}
    made = {"at", "create", "open", "close", "id", "place"}
    assert public(Ledger) == made | {"add_book", "book", "books", "verify"}
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
