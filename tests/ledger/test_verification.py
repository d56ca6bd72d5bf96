"""Whatever is done to the tables past the program is told, and the entry is named."""

from __future__ import annotations

import json
import shutil
import sqlite3
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.errors import RolledBackError
from sfumato.ledger import Charge, Ledger, Receipt, Signer
from sfumato.ledger.entries import Entry, canonical
from sfumato.ledger.receipts import signed_message
from sfumato.ledger.schema import books, entries, ledgers
from tests.ledger.tables import change, drop_triggers, rows, tables

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from sfumato.ledger import Book

TENTH = sf.events.Pure(epsilon=0.1)
ASKED: dict[str, Any] = {"analyst": "ada", "purpose": "patients by sex"}

#: The places of entries in the book that `fill` writes.
OPENING, SPENDING, CHARGE, RELEASE, ORPHAN, CLOSING, OPEN, LAST = range(1, 9)


def fill(book: Book) -> list[Receipt]:
    """Write an entry of every kind."""
    spent = book.spend(TENTH, **ASKED)
    released = book.release(TENTH, lambda: b"41", **ASKED, key="monday")
    orphan = book.reserve(TENTH, **ASKED)
    assert isinstance(orphan, Charge)
    book.close_orphan(orphan.receipt_id, reason="the power failed")
    book.reserve(TENTH, **ASKED)
    last = book.spend(TENTH, analyst="grace", purpose="patients by age")
    return [spent, released.receipt, last]


@dataclass
class Kept:
    """A ledger with entries of all kinds, that nobody has open, without triggers."""

    place: str
    receipts: list[Receipt]

    def problems(self, *receipts: Receipt) -> tuple[str, ...]:
        with Ledger.open(self.place) as ledger:
            return ledger.verify(receipts).problems


def keep(place: str, key: Path | None = None) -> Kept:
    with Ledger.create(place, key=key) as ledger:
        budgets = {"each_analyst": sf.PureDP(epsilon=0.5)}
        receipts = fill(ledger.add_book("patients", sf.PureDP(epsilon=1), **budgets))
        ledger.add_book("visits", sf.PureDP(epsilon=5))
    drop_triggers(place)
    return Kept(place, receipts)


@pytest.fixture
def kept(place: str) -> Kept:
    return keep(place)


# Untouched.


def test_what_nobody_touched_is_sound(kept: Kept) -> None:
    with Ledger.open(kept.place) as ledger:
        verdict = ledger.verify(kept.receipts)
        assert verdict.is_sound
        assert verdict.problems == ()
        assert str(verdict) == "sound: 2 books, 9 entries, 3 receipts"
        patients = verdict.books[0]
        assert (patients.entries, patients.head) == (LAST, rows(kept.place)[LAST - 1]["hash"])
        assert all(not each.is_exceeded for each in patients.spent)
        together = {(each.window, each.analyst): each for each in patients.spent}
        assert together["", ""].promise.bounds(delta=0).upper == pytest.approx(0.5)
        assert together["", "grace"].promise.bounds(delta=0).upper == pytest.approx(0.1)


def test_a_book_without_charges_is_sound(ledger: Ledger) -> None:
    assert str(ledger.verify()) == "sound: 0 books, 0 entries"
    ledger.add_book("patients", sf.PureDP(epsilon=1))
    assert str(ledger.verify()) == "sound: 1 book, 1 entry"


def test_one_book_can_be_read_alone(kept: Kept) -> None:
    change(kept.place, SPENDING, signature="0" * 128)
    with Ledger.open(kept.place) as ledger:
        assert ledger.verify(books=["visits"]).is_sound
        assert not ledger.verify(books=["patients"]).is_sound


def test_progress_is_told_to_the_end(kept: Kept) -> None:
    told: list[tuple[int, int]] = []
    with Ledger.open(kept.place) as ledger:
        ledger.verify(progress=lambda *each: told.append(each))
    assert told == [(n, LAST) for n in range(1, LAST + 1)] + [(1, 1)]


# One row changed.


def edited(row: dict[str, Any], **fields: Any) -> str:
    return canonical(json.loads(row["body"]) | fields)


CHANGES: list[tuple[str, int, Callable[[dict[str, Any]], dict[str, Any]]]] = [
    ("who", SPENDING, lambda row: {"body": edited(row, analyst="eve"), "analyst": "eve"}),
    ("why", CHARGE, lambda row: {"body": edited(row, purpose="nothing of note")}),
    ("when", CLOSING, lambda row: {"body": edited(row, when="2001-01-01T00:00:00.000000Z")}),
    ("the budget", OPENING, lambda row: {"body": row["body"].replace('"1"', '"9"')}),
    (
        "a cheaper event",
        SPENDING,
        lambda row: {"body": row["body"].replace('"0.1"', '"0.01"')},
    ),
    ("what was released", RELEASE, lambda row: {"body": edited(row, digest="0" * 64)}),
    ("a field more", ORPHAN, lambda row: {"body": edited(row, note="paid back")}),
    ("spaces", ORPHAN, lambda row: {"body": json.dumps(json.loads(row["body"]))}),
    ("no JSON", ORPHAN, lambda row: {"body": "{"}),
    ("no object", ORPHAN, lambda row: {"body": "[]"}),
    ("a form to come", ORPHAN, lambda row: {"body": edited(row, version=2)}),
    ("the hash", CHARGE, lambda row: {"hash": "f" * 64}),
    ("the hash of the last", LAST, lambda row: {"hash": "f" * 64}),
    ("the kind", OPEN, lambda row: {"kind": "release"}),
    ("the analyst", SPENDING, lambda row: {"analyst": "eve"}),
    ("the key", CHARGE, lambda row: {"request": "tuesday"}),
    ("no key", CHARGE, lambda row: {"request": None}),
    ("what it settles", CLOSING, lambda row: {"settles": OPEN}),
    ("the signature", RELEASE, lambda row: {"signature": row["signature"][::-1]}),
    ("no signature", SPENDING, lambda row: {"signature": None}),
    ("odd signature", SPENDING, lambda row: {"signature": "signed"}),
    ("a signature more", CHARGE, lambda row: {"signature": "0" * 128}),
    ("the answer", RELEASE, lambda row: {"content": b"42"}),
    ("no answer", RELEASE, lambda row: {"content": None}),
    ("an answer more", SPENDING, lambda row: {"content": b"42"}),
    ("the share", SPENDING, lambda row: {"used": 0}),
    ("nothing spent", LAST, lambda row: {"shared": "[]"}),
    ("less spent", LAST, lambda row: {"shared": row["shared"].replace("1/2", "1/10")}),
    ("less spent by one", LAST, lambda row: {"own": row["own"].replace("1/10", "0")}),
    ("nothing spent by one", LAST, lambda row: {"own": None}),
    ("another's standing", CLOSING, lambda row: {"own": '[[1,"",0,"{}"]]'}),
    ("no standing", LAST, lambda row: {"shared": "{"}),
    ("odd standing", LAST, lambda row: {"shared": '[["0","",0,"{}"]]'}),
    ("standing of another rule", LAST, lambda row: {"shared": moved(row["shared"], rule=7)}),
    ("standing of another time", LAST, lambda row: {"shared": moved(row["shared"], window="1999")}),
]


def moved(standing: str, *, rule: int = 0, window: str = "") -> str:
    """A standing added up another way, which is not looked at, filed where nobody looks."""
    account = json.loads(standing)[0]
    state = json.loads(account[3]) | {"basis": "another way"}
    return canonical([[rule, window, account[2], canonical(state)]])


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def mended(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Kept:
    """A ledger whose rows are put right again after each test."""
    folder = tmp_path_factory.mktemp("mended")
    place = str(folder / "ledger.db")
    if request.param == "postgres":
        place = request.getfixturevalue("postgres").database()
    return keep(place, folder / "key.pem")


@pytest.mark.parametrize(
    ("sequence", "changes"), [each[1:] for each in CHANGES], ids=[each[0] for each in CHANGES]
)
def test_a_change_of_a_row_is_told_and_named(
    mended: Kept, sequence: int, changes: Callable[[dict[str, Any]], dict[str, Any]]
) -> None:
    row = rows(mended.place)[sequence - 1]
    changed = changes(row)
    assert any(row[name] != value for name, value in changed.items())
    assert mended.problems() == ()
    change(mended.place, sequence, **changed)
    found = mended.problems()
    change(mended.place, sequence, **{name: row[name] for name in changed})
    assert any(each.startswith(f"book 'patients': entry {sequence}") for each in found)


# Rows that go, come, or change places.


def remove(place: str, *sequences: int) -> None:
    with tables(place) as connection:
        gone = (entries.c.book == 1) & entries.c.sequence.in_(sequences)
        assert connection.execute(entries.delete().where(gone)).rowcount == len(sequences)


def write(place: str, row: dict[str, Any], **other: Any) -> None:
    with tables(place) as connection:
        connection.execute(entries.insert().values(**(row | other)))


@pytest.mark.parametrize("gone", [SPENDING, CHARGE, RELEASE, CLOSING, OPEN])
def test_a_row_taken_out_is_missed(kept: Kept, gone: int) -> None:
    remove(kept.place, gone)
    assert any(f"entry {gone + 1}: " in each for each in kept.problems())


def test_a_book_without_its_beginning_is_told(kept: Kept) -> None:
    remove(kept.place, OPENING)
    assert kept.problems() == ("book 'patients': its first entry cannot be read",)


def test_the_end_taken_away_is_missed_by_who_has_a_receipt(kept: Kept) -> None:
    """A chain that is shorter is a chain: only what is known from elsewhere tells."""
    remove(kept.place, OPEN, LAST)
    assert kept.problems() == ()
    before, released, after = kept.receipts
    assert kept.problems(before, released) == ()
    (told,) = kept.problems(after)
    assert after.id in told
    assert "ends with entry 6: an older copy" in told


def test_rows_that_change_places_are_told(kept: Kept) -> None:
    first, second = rows(kept.place)[ORPHAN - 1], rows(kept.place)[OPEN - 1]
    remove(kept.place, ORPHAN, OPEN)
    write(kept.place, first, sequence=OPEN)
    write(kept.place, second, sequence=ORPHAN)
    found = kept.problems()
    assert any(f"entry {ORPHAN}: " in each for each in found)
    assert any(f"entry {OPEN}: " in each for each in found)


def forged(after: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """A row that follows another as the program would write it, but for a signature."""
    body = json.loads(after["body"])
    place = {"sequence": body["sequence"] + 1, "previous": after["hash"]}
    entry = Entry(canonical(body | place | fields))
    return after | {"sequence": entry.sequence, "body": entry.text, "hash": entry.hash}


def test_a_forged_row_at_the_end_is_told(kept: Kept) -> None:
    last = rows(kept.place)[LAST - 1]
    write(kept.place, forged(last, receipt="0" * 32))
    assert any(f"entry {LAST + 1}: its signature" in each for each in kept.problems())


def test_a_forged_charge_shows_in_the_sums(kept: Kept) -> None:
    """A charge carries no signature, but has to add up."""
    last = rows(kept.place)[OPEN - 1]
    remove(kept.place, LAST)
    write(kept.place, forged(last, receipt="0" * 32))
    assert any(f"entry {LAST}: what it says was spent" in each for each in kept.problems())


def test_more_than_the_budget_is_told_by_the_rules_and_by_the_accountant(
    place: str, signing_key: Path
) -> None:
    """Entries that are chained, signed and added up, but that should have been refused."""
    with Ledger.create(place) as ledger:
        book = ledger.add_book("patients", sf.PureDP(epsilon=0.25))
        book.spend(TENTH, **ASKED)
        book.spend(TENTH, **ASKED)
    last = rows(place)[-1]
    row = forged(last, receipt="0" * 32)
    row["signature"] = Signer.at(signing_key).sign(signed_message(row["hash"]))
    write(place, row)
    with Ledger.open(place) as ledger:
        verdict = ledger.verify()
    assert any("entry 4: it should have been refused" in each for each in verdict.problems)
    assert not any("entry 4: its signature" in each for each in verdict.problems)


def test_a_book_copied_to_another_name_is_told(kept: Kept) -> None:
    with tables(kept.place) as connection:
        connection.execute(books.insert().values(id=3, name="copy"))
    for row in rows(kept.place)[:LAST]:
        write(kept.place, row, book=3)
    found = kept.problems()
    assert {each.split(":")[0] for each in found} == {"book 'copy'"}
    assert found[0] == "book 'copy': entry 1: it belongs to another ledger or book"


def test_a_renamed_book_is_told(kept: Kept) -> None:
    with tables(kept.place) as connection:
        connection.execute(books.update().where(books.c.id == 1).values(name="others"))
    assert kept.problems()[0].startswith("book 'others': entry 1: it belongs to another")


def test_a_ledger_under_another_number_is_told(kept: Kept) -> None:
    with tables(kept.place) as connection:
        connection.execute(ledgers.update().values(id="0" * 32))
    assert any("entry 1: it belongs to another ledger" in each for each in kept.problems())
    assert "the receipt is of another ledger" in kept.problems(kept.receipts[0])[-1]


def test_a_book_taken_away_is_missed_by_who_has_a_receipt(kept: Kept) -> None:
    with tables(kept.place) as connection:
        connection.execute(entries.delete().where(entries.c.book == 1))
        connection.execute(books.delete().where(books.c.id == 1))
    assert kept.problems() == ()
    (told,) = kept.problems(kept.receipts[0])
    assert "has no book 'patients'" in told


# The whole chain written anew.


def rewrite(place: str, edit: Callable[[dict[str, Any]], dict[str, Any]], signer: Any) -> None:
    """Write the first book anew, all hashes right, as somebody with the store can."""
    previous, hashes = "0" * 64, dict[int, str]()
    for row in rows(place):
        if row["book"] != 1:
            continue
        body = edit(json.loads(row["body"])) | {"previous": previous}
        if "charge" in body:
            body["charge"] = hashes[body["settles"]]
        if signer is not None and "signer" in body:
            body["signer"] = signer.public
        entry = Entry(canonical(body))
        signature = row["signature"]
        if signer is not None and "signer" in body:
            signature = signer.sign(signed_message(entry.hash))
        change(place, entry.sequence, body=entry.text, hash=entry.hash, signature=signature)
        previous = hashes[entry.sequence] = entry.hash


def blamed_on_eve(body: dict[str, Any]) -> dict[str, Any]:
    return body | {"purpose": "for eve"} if body["sequence"] == CHARGE else body


def test_a_chain_written_anew_without_the_key_is_told_by_the_signatures(kept: Kept) -> None:
    rewrite(kept.place, blamed_on_eve, None)
    found = kept.problems()
    wrong = [RELEASE, LAST]
    assert found == tuple(
        f"book 'patients': entry {each}: its signature is not of what it says" for each in wrong
    )


def test_a_chain_written_anew_with_another_key_is_told_by_a_receipt(
    kept: Kept, tmp_path: Path
) -> None:
    rewrite(kept.place, blamed_on_eve, Signer.at(tmp_path / "eve.pem"))
    (told,) = kept.problems(kept.receipts[-1])
    assert "is not the one of the receipt" in told


def test_writing_the_same_chain_anew_changes_nothing(kept: Kept) -> None:
    """The twin of the two above: what they use writes sound chains."""
    before = rows(kept.place)
    rewrite(kept.place, dict, None)
    assert rows(kept.place) == before
    assert kept.problems(*kept.receipts) == ()


# An older copy.


@pytest.fixture
def copied(tmp_path: Path) -> Iterator[tuple[Ledger, Path, Path]]:
    """A ledger in a file, with a copy of it from before the last charges."""
    path, copy = tmp_path / "ledger.db", tmp_path / "copy.db"
    with Ledger.create(path) as ledger:
        book = ledger.add_book("patients", sf.PureDP(epsilon=1))
        book.spend(TENTH, **ASKED)
        with sqlite3.connect(path) as source, sqlite3.connect(copy) as target:
            source.backup(target)
        source.close()
        target.close()
        yield ledger, path, copy


def put_back(copy: Path, path: Path) -> None:
    for suffix in ("-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
    copy.replace(path)


def test_an_older_copy_is_told_by_a_later_receipt(copied: tuple[Ledger, Path, Path]) -> None:
    ledger, path, copy = copied
    later = ledger.book("patients").spend(TENTH, **ASKED)
    ledger.close()
    put_back(copy, path)
    with Ledger.open(path) as again:
        assert again.verify().is_sound
        verdict = again.verify([later])
        assert not verdict.is_sound
        assert "ends with entry 2: an older copy of the ledger" in verdict.problems[0]


@pytest.mark.parametrize("closed", [True, False])
def test_an_older_copy_is_noticed_by_a_process_that_knows_better(
    copied: tuple[Ledger, Path, Path], *, closed: bool
) -> None:
    ledger, path, copy = copied
    book = ledger.book("patients")
    book.spend(TENTH, **ASKED)
    if closed:
        ledger.close()
    put_back(copy, path)
    before = copy_of_rows(path)
    for act in (
        lambda: book.spend(TENTH, **ASKED),
        lambda: book.reserve(TENTH, **ASKED),
        book.standing,
    ):
        with pytest.raises(RolledBackError, match="lacks entry 3"):
            act()
    assert copy_of_rows(path) == before


def copy_of_rows(path: Path) -> list[dict[str, Any]]:
    return rows(str(path))


def test_a_copy_that_went_another_way_is_noticed(copied: tuple[Ledger, Path, Path]) -> None:
    """As long as the one that is known, but with another last entry."""
    ledger, path, copy = copied
    ledger.book("patients").spend(TENTH, **ASKED)
    with Ledger.open(copy) as other:
        for _ in range(3):
            other.book("patients").spend(TENTH, analyst="eve", purpose="another way")
    put_back(copy, path)
    with pytest.raises(RolledBackError, match="lacks entry 3"):
        ledger.book("patients").spend(TENTH, **ASKED)


def test_the_end_taken_away_is_noticed_by_a_process_that_knows_better(place: str) -> None:
    with Ledger.create(place) as ledger:
        book = ledger.add_book("patients", sf.PureDP(epsilon=1))
        fill(book)
        drop_triggers(place)
        remove(place, OPEN, LAST)
        with pytest.raises(RolledBackError, match="lacks entry 8"):
            book.spend(TENTH, **ASKED)
    assert len(rows(place)) == CLOSING


def test_a_copy_of_the_newest_is_as_good(copied: tuple[Ledger, Path, Path]) -> None:
    """The twin: what is put back lacks nothing, so that charging goes on."""
    ledger, path, copy = copied
    put_back(copy, path)
    assert ledger.book("patients").spend(TENTH, **ASKED).sequence == 3
    with Ledger.open(path) as again:
        assert str(again.verify()) == "sound: 1 book, 3 entries"


# Anything else.

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=5,
)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ledger in a file with entries of all kinds."""
    path = tmp_path_factory.mktemp("whole") / "ledger.db"
    with Ledger.create(path, key=path.with_name("key.pem")) as ledger:
        fill(ledger.add_book("patients", sf.PureDP(epsilon=1)))
    drop_triggers(str(path))
    return path


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_no_nonsense_in_a_field_stops_the_verdict(
    whole: Path, tmp_path: Path, data: st.DataObject
) -> None:
    path = tmp_path / "ledger.db"
    shutil.copyfile(whole, path)
    row = data.draw(st.sampled_from(rows(str(path))))
    body = json.loads(row["body"])
    name = data.draw(st.sampled_from(sorted(body)))
    nonsense = data.draw(ANYTHING.filter(lambda each: each != body[name]))
    entry = Entry(canonical(body | {name: nonsense}))
    change(str(path), row["sequence"], body=entry.text, hash=entry.hash)
    assert_told(path)


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_no_nonsense_in_a_column_stops_the_verdict(
    whole: Path, tmp_path: Path, data: st.DataObject
) -> None:
    path = tmp_path / "ledger.db"
    shutil.copyfile(whole, path)
    sequence = data.draw(st.integers(OPENING, LAST))
    name = data.draw(st.sampled_from(["hash", "body", "kind", "shared", "signature", "own"]))
    before = rows(str(path))[sequence - 1][name]
    other = (st.text(max_size=12) | ANYTHING.map(canonical)).filter(lambda each: each != before)
    nonsense = data.draw(other)
    change(str(path), sequence, **{name: nonsense})
    assert_told(path)


def assert_told(path: Path) -> None:
    with Ledger.open(path) as ledger:
        verdict = ledger.verify()
    assert not verdict.is_sound
    assert all("\n" not in each for each in verdict.problems)
