"""A sound ledger is found sound, and a row that was changed is told and named."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import sfumato as sf
from sfumato.errors import StoreError
from sfumato.ledger import Ledger
from sfumato.ledger.entry import Entry, canonical
from sfumato.ledger.verdict import exceeds, spent_by_accountant
from tests.ledger.filled import (
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
    fill,
    keep,
)
from tests.ledger.tables import change, do, drop_triggers, rows
from tests.refusing import raises_code

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

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
        assert together["", ""].guarantee.bounds(delta=0).upper == pytest.approx(0.5)
        assert together["", "grace"].guarantee.bounds(delta=0).upper == pytest.approx(0.1)


def test_a_book_without_charges_is_sound(ledger: Ledger) -> None:
    assert str(ledger.verify()) == "sound: 0 books, 0 entries"
    ledger.add_book("patients", sf.PureDP(epsilon=1))
    assert str(ledger.verify()) == "sound: 1 book, 1 entry"


def test_one_book_can_be_read_alone(kept: Kept) -> None:
    change(kept.place, SPENDING, signature="0" * 128)
    with Ledger.open(kept.place) as ledger:
        assert ledger.verify(books=["visits"]).is_sound
        assert not ledger.verify(books=["patients"]).is_sound


@pytest.mark.parametrize("budget", [sf.PureDP(epsilon=0.25), sf.ApproxDP(epsilon=0.25, delta=1e-9)])
def test_the_accountant_tells_what_exceeds_a_budget(budget: sf.privacy.Guarantee) -> None:
    """By itself: a charge that the rules refuse is not handed to it."""
    assert not exceeds(spent_by_accountant({TENTH: 2}, budget), budget)
    assert exceeds(spent_by_accountant({TENTH: 3}, budget), budget)


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


@pytest.mark.parametrize("odd", [2**62, 1.5, "42"])
def test_an_answer_that_is_not_bytes_is_told(tmp_path: Path, odd: float | str) -> None:
    """SQLite keeps values of any type in any column."""
    kept = keep(str(tmp_path / "ledger.db"))
    do(
        kept.place,
        "UPDATE sfumato_entries SET content = :odd WHERE settles = :at",
        odd=odd,
        at=CHARGE,
    )
    assert any("the answer that is kept beside it was changed" in each for each in kept.problems())


def test_text_that_is_none_is_damage(tmp_path: Path) -> None:
    kept = keep(str(tmp_path / "ledger.db"))
    do(kept.place, "UPDATE sfumato_entries SET body = CAST(x'ff' AS TEXT) WHERE sequence = 3")
    with raises_code("E-LEDGER-FAILED", kind=StoreError):
        kept.problems()


@pytest.mark.full
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
