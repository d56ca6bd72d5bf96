"""Rows that go, come or change places, and chains written anew, are told."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest
import sqlalchemy as sa

import sfumato as sf
from sfumato.errors import InputError
from sfumato.ledger import Ledger, Signer
from sfumato.ledger.entry import Entry, canonical
from sfumato.ledger.receipt import signed_message
from sfumato.ledger.storage.schema import books, entries, ledgers
from tests.ledger.filled import (
    ASKED,
    CHARGE,
    CLOSING,
    LAST,
    OPEN,
    OPENING,
    ORPHAN,
    RELEASE,
    SPENDING,
    TENTH,
    Kept,
    keep,
)
from tests.ledger.tables import change, remove, rows, tables

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

# Rows that go, come, or change places.


def write(place: str, row: dict[str, Any], **other: Any) -> None:
    with tables(place) as connection:
        connection.execute(entries.insert().values(**(row | other)))


@pytest.mark.full
@pytest.mark.parametrize("gone", [SPENDING, CHARGE, RELEASE, CLOSING, OPEN])
def test_a_row_taken_out_is_missed(kept: Kept, gone: int) -> None:
    remove(kept.place, gone)
    assert any(f"entry {gone + 1}: " in each for each in kept.problems())


def test_a_book_without_its_beginning_is_told(kept: Kept) -> None:
    remove(kept.place, OPENING)
    assert kept.problems() == ("book 'patients': its first entry cannot be read",)
    with Ledger.open(kept.place) as ledger:
        verdict = ledger.verify()
        assert not verdict
        assert list(map(bool, verdict.books)) == [False, True]


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


def test_entries_whose_book_is_gone_are_told(kept: Kept) -> None:
    if kept.place.startswith("postgresql"):
        with tables(kept.place) as connection:
            key = "ALTER TABLE sfumato_entries DROP CONSTRAINT sfumato_entries_book_fkey"
            connection.execute(sa.text(key))
            connection.execute(books.delete().where(books.c.id == 1))
    else:
        with closing(sqlite3.connect(kept.place)) as file:
            file.execute("DELETE FROM sfumato_books WHERE id = 1")
            file.commit()
    (told,) = kept.problems()
    assert "books that are not listed" in told


def test_a_new_book_is_not_opened_among_the_entries_of_one_that_is_gone(tmp_path: Path) -> None:
    kept = keep(str(tmp_path / "ledger.db"))
    with closing(sqlite3.connect(kept.place)) as file:
        file.execute("DELETE FROM sfumato_books")
        file.commit()
    with (
        Ledger.open(kept.place) as ledger,
        pytest.raises(InputError, match="holds entries of one that is not listed"),
    ):
        ledger.add_book("others", sf.PureDP(epsilon=1))


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


def test_an_entry_written_anew_with_its_hash_is_told_by_the_next(kept: Kept) -> None:
    """An open charge is not signed, and nothing but the chain holds it."""
    body = json.loads(rows(kept.place)[OPEN - 1]["body"])
    entry = Entry(canonical(body | {"purpose": "for eve"}))
    change(kept.place, OPEN, body=entry.text, hash=entry.hash)
    assert kept.problems() == (
        f"book 'patients': entry {LAST}: it does not follow the entry before it",
    )


def test_the_signature_of_an_opening_is_checked(kept: Kept) -> None:
    forged = "0" * len(rows(kept.place)[OPENING - 1]["signature"])
    change(kept.place, OPENING, signature=forged)
    assert kept.problems() == (
        f"book 'patients': entry {OPENING}: its signature is not of what it says",
    )


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
