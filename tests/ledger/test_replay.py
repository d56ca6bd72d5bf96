"""Long books are read again in order, on many threads; shares may differ in the last digits."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import sfumato as sf
from sfumato.ledger import Ledger
from sfumato.ledger.entry import Entry
from sfumato.ledger.replay import with_signatures
from tests.ledger.filled import ASKED, LAST, OPEN, TENTH, Kept
from tests.ledger.tables import change, drop_triggers, rows

if TYPE_CHECKING:
    from collections.abc import Callable


LONG = 505


@pytest.fixture(scope="module")
def long(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A book of more entries than are checked at a time, without triggers."""
    folder = tmp_path_factory.mktemp("long")
    with Ledger.create(folder / "ledger.db", key=folder / "key.pem") as ledger:
        book = ledger.add_book("patients", sf.PureDP(epsilon=100))
        for _ in range(LONG - 1):
            book.spend(TENTH, **ASKED)
    drop_triggers(str(folder / "ledger.db"))
    return str(folder / "ledger.db")


def test_rows_come_in_order_each_with_its_own_verdict(long: str) -> None:
    found = rows(long)
    broken = {2, 240, 241, 242, 480, LONG}
    for row in found:
        if row["sequence"] in broken:
            row["signature"] = row["signature"][::-1]
    checked = [*with_signatures(found)]
    assert [row for row, _ in checked] == found
    assert {row["sequence"] for row, is_signed in checked if not is_signed} == broken


def test_no_rows_have_no_verdicts() -> None:
    assert [*with_signatures([])] == []


@pytest.mark.parametrize(
    "odd", [{"body": "x"}, {"body": b"x"}, {"signature": None}, {"signature": b"x"}]
)
def test_a_row_that_cannot_be_read_is_not_signed(long: str, odd: dict[str, Any]) -> None:
    (first, *_) = rows(long)
    assert [*with_signatures([first, first | odd])] == [(first, True), (first | odd, False)]


def test_a_long_book_is_sound_and_a_forgery_in_it_is_found(long: str, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    with Ledger.open(long) as ledger:
        assert str(ledger.verify()) == f"sound: 1 book, {LONG} entries"
    copy.write_bytes(Path(long).read_bytes())
    change(str(copy), 300, signature="0" * 128)
    with Ledger.open(copy) as ledger:
        assert ledger.verify().problems == (
            "book 'patients': entry 300: its signature is not of what it says",
        )


# Shares of budgets, some of which are found by floating point.


def shifted(row: dict[str, Any], by: int) -> dict[str, Any]:
    """The columns of a row whose shares are a little more or less."""
    share = row["used"]
    texts = {
        name: row[name].replace(f',{share},"', f',{share + by},"') for name in ("shared", "own")
    }
    return {**texts, "used": share + by}


@pytest.mark.parametrize("by", [1, -1, 1_000])
def test_shares_that_differ_in_the_last_digits_are_the_same(kept: Kept, by: int) -> None:
    """Another machine's logarithms may differ there, and its ledgers are sound all the same."""
    last = rows(kept.place)[LAST - 1]
    assert shifted(last, by) != {name: last[name] for name in ("shared", "own", "used")}
    change(kept.place, LAST, **shifted(last, by))
    assert kept.problems() == ()


PARTS: list[Callable[[dict[str, Any]], dict[str, Any]]] = [
    lambda moved: {"used": moved["used"]},
    lambda moved: {"shared": moved["shared"]},
]


@pytest.mark.full
@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("by", [10**10, -(10**10)])
def test_shares_that_differ_by_more_are_told(
    kept: Kept, by: int, part: Callable[[dict[str, Any]], dict[str, Any]]
) -> None:
    change(kept.place, LAST, **part(shifted(rows(kept.place)[LAST - 1], by)))
    assert any(f"entry {LAST}: " in each for each in kept.problems())


# Sums, some of which are of bounds that were found by floating point.


def more_spent(row: dict[str, Any], by: float) -> dict[str, Any]:
    """The column of a row whose sum over everyone is a little more."""
    assert '\\"1/2\\"' in row["shared"]
    share = Fraction(by).limit_denominator(10**15) + Fraction(1, 2)
    return {"shared": row["shared"].replace('\\"1/2\\"', f'\\"{share}\\"')}


@pytest.mark.parametrize(("by", "told"), [(1e-13, 0), (-1e-13, 0), (1e-6, 1), (-1e-6, 1)])
def test_sums_may_differ_in_the_last_digits_only(kept: Kept, by: float, told: int) -> None:
    last = rows(kept.place)[LAST - 1]
    moved = more_spent(last, by)
    assert moved["shared"] != last["shared"]
    change(kept.place, LAST, **moved)
    found = [each for each in kept.problems() if "not the sum of the charges" in each]
    assert len(found) == told


def test_a_standing_of_another_way_excuses_no_other(kept: Kept) -> None:
    """Sums over everyone that cannot be compared, and beside them an analyst's that can."""
    last = rows(kept.place)[LAST - 1]
    shared = last["shared"].replace("pure", "zzz")
    change(kept.place, LAST, shared=shared)
    assert kept.problems() == ()
    change(kept.place, LAST, own=last["own"].replace("1/10", "0"), used=0)
    (told,) = kept.problems()
    assert f"entry {LAST}: what it says was spent by the analyst is not the sum" in told


def test_who_changes_the_fields_of_an_entry_changes_only_those(kept: Kept) -> None:
    with Ledger.open(kept.place) as ledger:
        for entry in ledger.book("patients").entries():
            body = entry.body
            (body.get("event") or body.get("rules") or [0]).clear()
        assert ledger.verify().problems == ()
        events = [entry.event for entry in ledger.book("patients").entries()]
        assert events.count(TENTH) == 5


@pytest.mark.parametrize("version", [0, -1, 2])
def test_an_entry_of_a_version_that_never_was_is_told(kept: Kept, version: int) -> None:
    row = rows(kept.place)[OPEN - 1]
    body = row["body"].replace('"version":1,"when"', f'"version":{version},"when"')
    assert body != row["body"]
    change(kept.place, OPEN, body=body, hash=Entry(body).hash)
    assert any(f"entry {OPEN} cannot be read" in each for each in kept.problems())
