"""Tables of an older form are brought forward, whole or not at all; newer ones are refused."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest
import sqlalchemy as sa

import sfumato as sf
from sfumato.errors import InputError, SfumatoError, StoreError
from sfumato.ledger import Charge, Ledger
from sfumato.ledger.storage import schema, statements
from sfumato.ledger.storage import store as store_module
from tests.ledger.tables import rows, tables
from tests.refusing import raises_code

if TYPE_CHECKING:
    from collections.abc import Callable

    from sfumato.ledger import Receipt

TENTH = sf.privacy.events.Pure(epsilon=0.1)
ASKED: dict[str, Any] = {"analyst": "ada", "purpose": "patients by sex"}
NEXT = schema.SCHEMA_VERSION + 1


def add_column(connection: sa.Connection) -> None:
    connection.execute(sa.text("ALTER TABLE sfumato_books ADD COLUMN shelf TEXT"))


def add_column_and_fail(connection: sa.Connection) -> None:
    add_column(connection)
    connection.execute(sa.text("SELECT shelf FROM sfumato_books"))
    raise ZeroDivisionError


def become_newer(
    monkeypatch: pytest.MonkeyPatch, step: Callable[[sa.Connection], None] = add_column
) -> None:
    """Have this program know one more form of the tables."""
    for module in (schema, statements, store_module):
        if hasattr(module, "SCHEMA_VERSION"):
            monkeypatch.setattr(module, "SCHEMA_VERSION", NEXT)
    monkeypatch.setattr(schema, "MIGRATIONS", {NEXT - 1: step})


@pytest.fixture
def older(place: str) -> Receipt:
    """A receipt of a ledger that was made by the program as it is."""
    with Ledger.create(place) as ledger:
        book = ledger.add_book("patients", sf.PureDP(epsilon=1))
        book.release(TENTH, lambda: b"41", **ASKED, key="monday")
        return book.spend(TENTH, **ASKED)


def version(place: str) -> int:
    with tables(place) as connection:
        return int(connection.execute(sa.select(schema.ledgers.c.schema_version)).scalar_one())


def has_shelf(place: str) -> bool:
    with tables(place) as connection:
        names = [each["name"] for each in sa.inspect(connection).get_columns("sfumato_books")]
    return "shelf" in names


def test_an_older_ledger_is_brought_forward_with_all_that_is_in_it(
    older: Receipt, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = rows(place)
    become_newer(monkeypatch)
    with Ledger.open(place) as ledger:
        assert (version(place), has_shelf(place)) == (NEXT, True)
        assert rows(place) == before
        assert ledger.verify([older]).is_sound
        book = ledger.book("patients")
        assert book.release(TENTH, lambda: b"never", **ASKED, key="monday").content == b"41"
        assert book.spend(TENTH, **ASKED).sequence == 5


@pytest.mark.usefixtures("older")
def test_several_who_open_at_once_bring_it_forward_once(
    place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second time would fail: the column is there."""
    become_newer(monkeypatch)

    def open_it(_: int) -> int:
        with Ledger.open(place) as ledger:
            return ledger.book("patients").spend(TENTH, **ASKED).sequence

    with ThreadPoolExecutor(4) as pool:
        assert sorted(pool.map(open_it, range(4))) == [5, 6, 7, 8]
    assert version(place) == NEXT


@pytest.mark.usefixtures("older")
def test_a_step_that_fails_leaves_everything_as_it_was(
    place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = rows(place)
    with monkeypatch.context() as patch:
        become_newer(patch, add_column_and_fail)
        with pytest.raises(ZeroDivisionError):
            Ledger.open(place)
    assert (version(place), has_shelf(place), rows(place)) == (NEXT - 1, False, before)
    with Ledger.open(place) as ledger:
        assert ledger.book("patients").spend(TENTH, **ASKED).sequence == 5


@pytest.mark.usefixtures("older")
def test_a_newer_ledger_is_refused_in_one_sentence(
    place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        become_newer(patch)
        Ledger.open(place).close()
    before = rows(place)
    says = rf"is of version {NEXT}, this program knows {NEXT - 1}; install a newer sfumato"
    with pytest.raises(InputError, match=says):
        Ledger.open(place)
    with raises_code("E-LEDGER-EXISTS"):
        Ledger.create(place)
    assert (version(place), rows(place)) == (NEXT, before)


@pytest.mark.usefixtures("older")
def test_a_program_that_had_it_open_before_writes_no_more(
    place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Ledger.open(place) as ledger:
        book = ledger.book("patients")
        charge = book.reserve(TENTH, **ASKED)
        assert isinstance(charge, Charge)
        with monkeypatch.context() as patch:
            become_newer(patch)
            Ledger.open(place).close()
        before = rows(place)
        for act in (
            lambda: book.spend(TENTH, **ASKED),
            lambda: book.reserve(TENTH, **ASKED, key="tuesday"),
            lambda: charge.commit(b"41"),
            lambda: ledger.add_book("visits", sf.PureDP(epsilon=1)),
        ):
            with raises_code("E-FORMAT-VERSION", kind=SfumatoError) as caught:
                act()
            assert isinstance(caught.value, InputError | StoreError)
        assert rows(place) == before


def test_every_form_of_the_past_has_a_way_forward() -> None:
    assert sorted(schema.MIGRATIONS) == list(range(1, schema.SCHEMA_VERSION))
