"""Where a ledger is: files with any name, servers, and all the ways in which they are not there."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import sqlalchemy as sa

import sfumato as sf
from sfumato.errors import InputError, SfumatoError, StoreError
from sfumato.ledger import Ledger
from sfumato.ledger.storage.place import VARIABLE, default_place, read_place, shown_place
from tests.cases import cases
from tests.refusing import raises_code

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.postgres import Cluster

TENTH = sf.privacy.events.Pure(epsilon=0.1)
UNIT = sf.PureDP(epsilon=1)
NOBODY = 65534


def works(ledger: Ledger) -> bool:
    book = ledger.add_book("patients", UNIT)
    book.spend(TENTH, analyst="ada", purpose="patients by sex")
    return ledger.verify().is_sound


# Files.


def test_the_default_is_the_users_own_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert default_place() == str(tmp_path / "sfumato" / "ledger.db")
    with Ledger.create() as ledger:
        assert works(ledger)
    assert (tmp_path / "sfumato").stat().st_mode & 0o777 == 0o700
    with Ledger.open() as again:
        assert again.books() == ("patients",)


def test_the_environment_names_a_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path / "named.db"))
    with Ledger.create() as ledger:
        assert ledger.place == str(tmp_path / "named.db")
    with raises_code("E-LEDGER-MISSING"):
        Ledger.open(tmp_path / "other.db")


def test_an_empty_variable_names_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "")
    assert default_place().endswith(os.path.join("sfumato", "ledger.db"))  # noqa: PTH118


def test_a_relative_path_stays_where_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The folder may be left after the ledger was opened."""
    monkeypatch.chdir(tmp_path)
    with Ledger.create("books/ledger.db") as ledger:
        monkeypatch.chdir("/")
        assert works(ledger)
    assert (tmp_path / "books" / "ledger.db").exists()


def test_a_home_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert shown_place(read_place("~/ledger.db")) == str(tmp_path / "ledger.db")


@pytest.mark.parametrize(
    "name",
    [
        "my ledger.db",
        "what?mode=memory.db",
        "a#b.db",
        "100%.db",
        "%41.db",
        "a&b=c;d.db",
        "患者 ε Zoë.db",
        "quote'\"s.db",
        "back\\slash.db",
        "line\nbreak.db",
        "no-suffix",
        ".hidden",
        "file:ledger.db",
        "-dash",
        "bytes-\udcff.db",
    ],
)
def test_a_file_may_have_any_name(tmp_path: Path, name: str) -> None:
    with Ledger.create(tmp_path / name) as ledger:
        assert works(ledger)
    assert (tmp_path / name).stat().st_size > 0
    with Ledger.open(str(tmp_path / name)) as again:
        assert again.books() == ("patients",)


def test_a_file_can_be_named_by_an_address(tmp_path: Path) -> None:
    with Ledger.create(f"sqlite:///{tmp_path}/ledger.db") as ledger:
        assert ledger.place == str(tmp_path / "ledger.db")


def test_a_link_leads_to_the_ledger(tmp_path: Path) -> None:
    with Ledger.create(tmp_path / "ledger.db") as ledger:
        (tmp_path / "link.db").symlink_to(tmp_path / "ledger.db")
        with Ledger.open(tmp_path / "link.db") as other:
            assert works(other)
        assert ledger.book("patients").standing()[0].used * 10 == 1


@cases(
    ("place", "says"),
    [
        (3, "must be text, not int"),
        (b"ledger.db", "must be text, not bytes"),
        ("", "must be text"),
        (" ", "must be text"),
        ("a\0b", "must be text"),
        (":memory:", "would forget"),
        ("~nobody-of-this-name/ledger.db", "cannot be read"),
        ("\ud800.db", "cannot be read"),
        ("sqlite://", "addresses like this"),
        ("sqlite:///ledger.db?mode=memory", "addresses like this"),
        ("mysql://ada:secret@host/books", "'mysql' addresses"),
        ("postgresql://", "addresses like this"),
        ("postgresql://ada:secret@host", "addresses like this"),
        ("postgresql+asyncpg://ada:secret@host/books", "addresses like this"),
        ("postgresql://ada:secret@host:port/books", "cannot be read"),
    ],
)
def test_what_is_no_place_is_refused(place: Any, says: str) -> None:
    for act in (Ledger.create, Ledger.open):
        with pytest.raises(InputError, match=says) as caught:
            act(place)
        assert "secret" not in str(caught.value)


def test_a_folder_that_is_missing_is_made_for_a_new_ledger_only(tmp_path: Path) -> None:
    path = tmp_path / "new" / "folder" / "ledger.db"
    with raises_code("E-LEDGER-MISSING"):
        Ledger.open(path)
    assert list(tmp_path.iterdir()) == []
    with Ledger.create(path) as ledger:
        assert works(ledger)


@pytest.mark.parametrize(
    "name",
    ["file/ledger.db", "folder", "x" * 300, "y/" * 3000],
    ids=["in a file", "folder", "long name", "long path"],
)
def test_where_no_file_can_be_made_it_is_told(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_text("1,2")
    (tmp_path / "folder").mkdir()
    with raises_code("E-LEDGER-PLACE"):
        Ledger.create(tmp_path / name)
    with pytest.raises(SfumatoError):
        Ledger.open(tmp_path / name)


def made_by_another_program(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE notes (note TEXT)")
    connection.close()


OTHER_FILES: dict[str, Callable[[Path], Any]] = {
    "empty": lambda path: path.touch(),
    "table": lambda path: path.write_text("sex,age\nf,41\n" * 400),
    "short": lambda path: path.write_text("x"),
    "database": made_by_another_program,
}


OPENED = {
    "empty": r"there is no ledger at .* yet; make one",
    "table": "is not a ledger",
    "short": "is not a ledger",
    "database": "is a file of another program",
}


@pytest.mark.parametrize("kind", OTHER_FILES)
def test_a_file_that_is_no_ledger_is_refused_and_left_alone(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "other"
    OTHER_FILES[kind](path)
    before = path.read_bytes()
    with pytest.raises(SfumatoError, match=OPENED[kind]) as caught:
        Ledger.open(path)
    assert "f,41" not in str(caught.value)
    assert path.read_bytes() == before
    if kind != "empty":
        with raises_code("E-LEDGER-PLACE", kind=SfumatoError):
            Ledger.create(path)
        assert path.read_bytes() == before


# Files of somebody else.


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that everybody may look into."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


def as_somebody_else(act: Callable[[], Any]) -> str:
    """Do something in a child with no rights of its own; give the message of what it raised."""
    reading, writing = os.pipe()
    process = os.fork()
    if process == 0:
        told = "nothing was raised"
        try:
            if os.geteuid() == 0:
                os.setgroups([])
                os.setgid(NOBODY)
                os.setuid(NOBODY)
            act()
        except BaseException as error:  # noqa: BLE001
            told = f"{type(error).__name__}: {error}"
        os.write(writing, told.encode()[:4000])
        os._exit(0)
    os.waitpid(process, 0)
    os.close(writing)
    told = os.read(reading, 4000).decode()
    os.close(reading)
    return told


def spend_at(path: Path) -> None:
    with Ledger.open(path) as ledger:
        ledger.book("patients").spend(TENTH, analyst="eve", purpose="patients by sex")


@pytest.mark.parametrize("mode", [0o400, 0o444], ids=oct)
def test_a_file_that_may_not_be_written_to_takes_no_charge(open_folder: Path, mode: int) -> None:
    path = open_folder / "ledger.db"
    with Ledger.create(path) as ledger:
        works(ledger)
    path.chmod(mode)
    open_folder.chmod(0o555)
    told = as_somebody_else(lambda: spend_at(path))
    open_folder.chmod(0o755)
    assert told.startswith(("StoreError: the ledger", "InputError: the ledger"))
    path.chmod(0o600)
    with Ledger.open(path) as again:
        assert again.book("patients").standing()[0].used * 10 == 1


def test_a_folder_that_may_not_be_written_to_takes_no_ledger(open_folder: Path) -> None:
    open_folder.chmod(0o555)
    told = as_somebody_else(lambda: Ledger.create(open_folder / "ledger.db"))
    open_folder.chmod(0o755)
    assert told.startswith("InputError: the ledger")
    assert "cannot be made (Permission denied)" in told
    assert list(open_folder.iterdir()) == []


# Servers.

REFUSED = "refuses the user, the password or the database"
UNREACHED = "no connection to the server"


def changed(cluster: Cluster, **parts: Any) -> str:
    url = sa.make_url(cluster.url("postgres")).set(**parts)
    return url.render_as_string(hide_password=False)


@pytest.mark.parametrize(
    ("parts", "says"),
    [
        ({"password": "wrong-secret"}, REFUSED),
        ({"username": "nobody", "password": "wrong-secret"}, REFUSED),
        ({"database": "missing"}, REFUSED),
        ({"port": 1}, UNREACHED),
        ({"host": "no-such-host.invalid"}, UNREACHED),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, dict) else "",
)
def test_a_server_that_does_not_answer_is_told_without_the_password(
    postgres: Cluster, parts: dict[str, Any], says: str
) -> None:
    place = changed(postgres, **parts)
    for act in (Ledger.create, Ledger.open):
        with pytest.raises(StoreError, match=says) as caught:
            act(place)
        assert "\n" not in str(caught.value)
        assert postgres.password not in str(caught.value)
        assert "wrong-secret" not in str(caught.value)


def test_a_server_that_asks_for_a_password_is_told(postgres: Cluster) -> None:
    place = postgres.url("postgres").replace(f":{postgres.password}@", "@")
    with raises_code("E-LEDGER-FAILED", kind=StoreError):
        Ledger.open(place)


def test_a_database_without_a_ledger_is_told(postgres: Cluster) -> None:
    with raises_code("E-LEDGER-MISSING"):
        Ledger.open(postgres.url("postgres"))


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+psycopg"])
def test_a_server_may_be_named_as_people_do(postgres: Cluster, scheme: str) -> None:
    place = f"{scheme}://{postgres.database().split('://')[1]}"
    with Ledger.at(place) as ledger:
        assert ledger.place.startswith("postgresql://")
