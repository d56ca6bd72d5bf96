"""A damaged entry, met by any verb, is one sentence that sends to verify; never a traceback."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing, suppress
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from sfumato.application.ledger.export import FORMATS, export_ledger
from sfumato.application.ledger.listing import list_books
from sfumato.application.ledger.recovery import close_orphan, list_orphans
from sfumato.application.ledger.showing import show_book
from sfumato.application.ledger.verifying import verify_ledger
from sfumato.errors import InputError, SfumatoError
from sfumato.ledger import Entry, Ledger
from sfumato.ledger.entry import canonical, read_moment
from tests.ledger.filled import ASKED, LAST, OPEN, OPENING, RELEASE, TENTH, Kept
from tests.ledger.tables import change, rows
from tests.refusing import raises_code

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

GONE: Any = ...


def edited(kept: Kept, at: int, field: str, value: Any) -> None:
    """Change a field of an entry, or take it out, as somebody with the store can."""
    body = json.loads(rows(kept.place)[at - 1]["body"]) | {field: value}
    change(kept.place, at, body=canonical({k: v for k, v in body.items() if v is not GONE}))


def charged(ledger: Ledger, key: str | None = None) -> None:
    ledger.book("patients").spend(TENTH, **ASKED, key=key)


def exported(place: str, *, form: str) -> list[str]:
    return [*export_ledger(place=place, form=form)]


def on_book(act: Callable[[Ledger], Any]) -> Callable[[str], None]:
    def done(place: str) -> None:
        with Ledger.open(place) as ledger:
            act(ledger)

    return done


VERBS: dict[str, Callable[[str], Any]] = {
    "standing": on_book(lambda ledger: ledger.book("patients").standing("ada")),
    "entries": on_book(lambda ledger: [each.when for each in ledger.book("patients").entries()]),
    "orphans": on_book(lambda ledger: [each.body for each in ledger.book("patients").orphans()]),
    "spend": on_book(charged),
    "spend with a key": on_book(lambda ledger: charged(ledger, "monday")),
    "list": lambda place: str(list_books(place=place)),
    "show": lambda place: str(show_book("patients", place=place)),
    "show one": lambda place: show_book("patients", place=place, analyst="ada").as_dict(),
    "recover": lambda place: str(list_orphans(place=place)),
    "recover as JSON": lambda place: list_orphans(place=place).as_dict(),
    "close": lambda place: close_orphan("0" * 32, reason="it crashed", place=place),
    **{form: partial(exported, form=form) for form in FORMATS},
}

BODIES = {"no JSON": "x", "nothing": "{}", "a list": "[]", "deep": "[" * 5_000}
FIELDS: list[tuple[int, str, Any]] = [
    (OPENING, "rules", 5),
    (OPENING, "rules", []),
    (OPENING, "rules", [1]),
    (OPENING, "rules", [{}]),
    (RELEASE, "settles", "x"),
    (RELEASE, "settles", GONE),
    (RELEASE, "size", "x"),
    (RELEASE, "digest", GONE),
    (RELEASE, "kind", "zap"),
    (OPEN, "event", 5),
    (OPEN, "event", {"version": 9, "events": []}),
    (OPEN, "event", GONE),
    (OPEN, "when", 5),
    (OPEN, "when", "2026-11-16T00:00:00"),
    (OPEN, "sequence", "x"),
    (OPEN, "sequence", True),
    (OPEN, "analyst", GONE),
    (OPEN, "purpose", None),
    (OPEN, "request", GONE),
    (OPEN, "receipt", GONE),
    (LAST, "when", "x"),
    (LAST, "when", GONE),
    (LAST, "signer", GONE),
]


def said(kept: Kept) -> Iterator[tuple[str, str]]:
    """What each verb says that does not go on; anything but an error of ours escapes."""
    for name, verb in VERBS.items():
        try:
            verb(kept.place)
        except SfumatoError as error:
            yield name, str(error)


def check_told(kept: Kept) -> None:
    """Verbs say one sentence, or what they always say of the damage; verify says NOT SOUND."""
    for name, sentence in said(kept):
        assert "\n" not in sentence, name
        if "no open charge" not in sentence and "was used for another request" not in sentence:
            assert "damaged" in sentence or "sfumato" in sentence, name
    report = verify_ledger(place=kept.place)
    assert not report.is_sound
    json.dumps(report.as_dict())


@pytest.mark.full
@pytest.mark.parametrize("at", [OPENING, LAST])
@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_an_entry_that_is_none_is_told_by_every_verb(kept: Kept, at: int, body: str) -> None:
    """M-LEDGER: no verb ends in a traceback on a ledger that somebody has changed."""
    change(kept.place, at, body=body)
    check_told(kept)


@pytest.mark.full
@pytest.mark.parametrize("place", ["sqlite"], indirect=True)
@pytest.mark.parametrize(("at", "field", "value"), FIELDS)
def test_an_odd_field_is_told_by_every_verb(kept: Kept, at: int, field: str, value: Any) -> None:
    edited(kept, at, field, value)
    check_told(kept)


def test_the_sentence_names_the_entry_and_sends_to_verify(kept: Kept) -> None:
    edited(kept, OPEN, "receipt", GONE)
    assert dict(said(kept))["recover"] == (
        f"entry {OPEN} of 'patients' is damaged: its field 'receipt' is missing, or not as "
        "sfumato writes it; see what sfumato ledger verify says"
    )


def test_every_verb_works_on_a_sound_ledger(kept: Kept) -> None:
    """The twin: what the verbs above say is said of the damage."""
    assert {name for name, _ in said(kept)} == {"close", "spend with a key"}


ODD_COLUMNS = [("body", b"\xff\x00"), ("signature", b"\x00"), ("hash", b"\xff"), ("hash", "x")]


@pytest.mark.parametrize("place", ["sqlite"], indirect=True)
@pytest.mark.parametrize(("column", "value"), ODD_COLUMNS)
def test_bytes_where_a_file_should_have_text_are_told(kept: Kept, column: str, value: Any) -> None:
    """SQLite keeps in a column whatever it is given."""
    change_raw(kept.place, LAST, column, value)
    for _, sentence in said(kept):
        assert "\n" not in sentence
    report = verify_ledger(place=kept.place)
    assert not report.is_sound
    json.dumps(report.as_dict())


def change_raw(place: str, at: int, column: str, value: Any) -> None:
    with closing(sqlite3.connect(place)) as file:
        where = "WHERE book = 1 AND sequence = ?"
        file.execute(f"UPDATE sfumato_entries SET {column} = ? {where}", (value, at))  # noqa: S608
        file.commit()


@pytest.mark.parametrize("text", ["x", "", "2026-11-16T00:00:00", 5, None])
def test_a_moment_that_is_none_is_told(text: Any) -> None:
    with raises_code("E-LEDGER-DAMAGED", match="see what sfumato ledger verify says"):
        read_moment(text)


def test_an_entry_keeps_what_it_says_from_who_reads_it() -> None:
    entry = Entry('{"sequence":2}')
    entry.body["sequence"] = 3
    with suppress(InputError):
        _ = entry.event
    assert entry.sequence == entry.body["sequence"] == 2
