"""Charges that are not charges: refused in one sentence each, and nothing is written."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

import sfumato as sf
from sfumato.errors import InputError, SfumatoError
from sfumato.ledger import Book, Ledger
from sfumato.privacy import Substitute
from tests.ledger.tables import head
from tests.refusing import raises_code

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

TENTH = sf.privacy.events.Pure(epsilon=0.1)
ASKED: dict[str, Any] = {"analyst": "ada", "purpose": "patients by sex"}


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
        book.reserve(TENTH, **ASKED)
        before = head(book)
        yield book
        assert head(book) == before


HUGE = 10**400
NOT_EVENTS: list[tuple[str, Callable[[], Any], str]] = [
    ("negative", lambda: sf.privacy.events.Pure(epsilon=-0.1), "epsilon"),
    ("nan", lambda: sf.privacy.events.Pure(epsilon=float("nan")), "epsilon"),
    ("infinite", lambda: sf.privacy.events.Pure(epsilon=float("inf")), "epsilon"),
    ("nothing", lambda: sf.privacy.events.Pure(epsilon=0), "costs nothing"),
    ("float 1e-400", lambda: sf.privacy.events.Pure(epsilon=float("1e-400")), "costs nothing"),
    ("text 1e-400", lambda: sf.privacy.events.Pure(epsilon="1e-400"), "between 1e-100 and"),
    ("noise without end", lambda: sf.privacy.events.Laplace(scale=HUGE), "between 1e-100 and"),
    ("huge", lambda: sf.privacy.events.Pure(epsilon=HUGE), "between 1e-100 and"),
    ("many digits", lambda: sf.privacy.events.Pure(epsilon=f"0.{'1' * 999}"), "between 1e-100 and"),
    (
        "deep",
        lambda: sf.privacy.events.Composed(TENTH, sf.privacy.events.Pure(epsilon="1e-400")),
        "between",
    ),
    ("text", lambda: "0.1", "event"),
    ("number", lambda: 0.1, "event"),
    ("none", lambda: None, "event"),
    ("class", lambda: sf.privacy.events.Pure, "event"),
    ("several", lambda: [TENTH, TENTH], "event"),
    ("guarantee", lambda: sf.PureDP(epsilon=0.1), "event"),
    ("document", lambda: {"event": "pure", "epsilon": "0.1"}, "event"),
    (
        "another relation",
        lambda: sf.mechanisms.Laplace(epsilon=0.1, sensitivity=1, relation=Substitute()),
        "relation",
    ),
    (
        "another version",
        lambda: sf.privacy.events.from_json('{"version": 99, "events": [{"event": "pure"}]}'),
        "version",
    ),
    (
        "another kind",
        lambda: sf.privacy.events.from_json('{"version": 1, "events": [{"event": "free lunch"}]}'),
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
    ("purpose with NUL", {"purpose": "why\0"}, "its character 4, .*, is not"),
    (
        "purpose with half a character",
        {"purpose": "why \ud83d"},
        "its character 5, .*, is not",
    ),
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
    with raises_code("E-ARGUMENT-RANGE", match="wait"):
        untouched.reserve(TENTH, **ASKED, key="k", wait=wait)
    assert head(untouched) == before


@pytest.mark.parametrize("reason", ["", None, 3, "\0", "r" * 20_000])
def test_an_orphan_is_closed_for_a_reason(untouched: Book, reason: Any) -> None:
    (orphan,) = untouched.orphans()
    with pytest.raises(InputError, match="reason must be"):
        untouched.close_orphan(orphan.body["receipt"], reason=reason)
    assert untouched.orphans() == (orphan,)


@pytest.mark.parametrize("receipt_id", ["", "0" * 32, None, 7, "'; DROP TABLE sfumato_entries"])
def test_an_unknown_charge_is_not_closed(untouched: Book, receipt_id: Any) -> None:
    before = head(untouched)
    with raises_code("E-CHARGE-UNKNOWN", match="no open charge"):
        untouched.close_orphan(receipt_id, reason="lost")
    assert head(untouched) == before


@pytest.mark.parametrize("after", [-1, 10**30, "2", None, 1.5, True])
def test_a_place_in_the_book_is_a_number(untouched: Book, after: Any) -> None:
    with raises_code("E-ARGUMENT-RANGE", match="after"):
        list(untouched.entries(after=after))


@pytest.mark.parametrize("analyst", [3, "", " ada", b"ada"])
def test_the_standing_of_nobody_is_refused(untouched: Book, analyst: Any) -> None:
    with raises_code("E-TEXT-FORM"):
        untouched.standing(analyst)
