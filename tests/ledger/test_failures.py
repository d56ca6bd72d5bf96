"""What comes out of a store that was interrupted or refused: never a statement or its values."""

from __future__ import annotations

import os
import pwd
import socket
import stat
import sys
from pathlib import Path
from traceback import format_exception
from typing import TYPE_CHECKING, Any

import pytest
import sqlalchemy as sa

import sfumato as sf
from sfumato.errors import StoreError
from sfumato.ledger import Ledger
from sfumato.ledger.signer import SIGNING_KEY, key_path
from sfumato.ledger.storage.failures import reported
from sfumato.ledger.storage.place import default_place, read_place
from sfumato.ledger.storage.sqlite import Gate
from tests.refusing import raises_code

if TYPE_CHECKING:
    from collections.abc import Callable


class TimeUpError(Exception):
    """What a worker's time limit raises from its signal handler."""


def stopping(function: str) -> Any:
    """A trace that raises in a function of SQLAlchemy, as a signal handler can anywhere."""

    def trace(frame: Any, event: str, _: Any) -> Any:
        if event == "line" and frame.f_code.co_name == function:
            raise TimeUpError
        return trace

    return trace


@pytest.mark.no_cover
@pytest.mark.parametrize("act", ["spend", "standing"])
@pytest.mark.parametrize("where", ["_init_compiled", "do_execute"])
def test_a_handler_that_raises_comes_out_as_itself(place: str, act: str, where: str) -> None:
    """D11: not as an error of SQLAlchemy whose text is the statement, with what was written."""
    with Ledger.create(place) as ledger, Ledger.open(place) as other:
        book = ledger.add_book("patients", sf.PureDP(epsilon=1))
        asked: dict[str, Any] = {"analyst": "ada", "purpose": "secret purpose"}
        acts: dict[str, Callable[[], Any]] = {
            "spend": lambda: book.spend(sf.privacy.events.Pure(epsilon=0.1), **asked),
            "standing": book.standing,
        }
        acts["spend"]()
        other.book("patients").spend(sf.privacy.events.Pure(epsilon=0.1), **asked)
        before = sys.gettrace()
        try:
            sys.settrace(stopping(where))
            with pytest.raises(TimeUpError) as caught:
                acts[act]()
        finally:
            sys.settrace(before)
        assert "sfumato_entries" not in "".join(format_exception(caught.value))
        book.spend(sf.privacy.events.Pure(epsilon=0.1), **asked)
        assert ledger.verify().problems == ()


def test_what_interrupted_a_statement_keeps_its_own_cause(tmp_path: Path) -> None:
    cause, url = KeyError("k"), read_place(tmp_path / "ledger.db")
    interrupted = TimeUpError()
    interrupted.__cause__ = cause
    with pytest.raises(TimeUpError) as caught, reported(url):
        raise sa.exc.StatementError("INSERT", "INSERT INTO t", {"body": "secret"}, interrupted)
    assert caught.value is interrupted
    assert caught.value.__cause__ is cause


def test_what_a_block_raises_itself_is_left_alone(tmp_path: Path) -> None:
    raised = TimeUpError()
    with pytest.raises(TimeUpError) as caught, reported(read_place(tmp_path / "ledger.db")):
        raise raised
    assert caught.value is raised
    assert not raised.__suppress_context__


# Places that are no files.


def pipe(folder: Path) -> Path:
    os.mkfifo(folder / "pipe")
    return folder / "pipe"


def listening(folder: Path) -> Path:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(folder / "s"))
    return folder / "s"


ODD: dict[str, Callable[[Path], Path]] = {
    "a pipe": pipe,
    "a socket": listening,
    "nothing": lambda _: Path(os.devnull),
    "a folder": lambda folder: folder,
}


@pytest.mark.parametrize("make", ODD.values(), ids=ODD)
@pytest.mark.parametrize("act", [Ledger.create, Ledger.open, Ledger.at])
def test_what_is_no_file_is_refused_at_once(
    tmp_path_factory: pytest.TempPathFactory, make: Callable[[Path], Path], act: Any
) -> None:
    """A pipe that nobody reads from would let a program wait for ever."""
    odd = make(tmp_path_factory.mktemp("p"))
    with raises_code("E-LEDGER-PLACE") as caught:
        act(odd)
    assert "\n" not in str(caught.value)
    assert not stat.S_ISREG(odd.stat().st_mode)


def test_a_pipe_that_somebody_reads_from_is_refused_too(tmp_path: Path) -> None:
    odd = pipe(tmp_path)
    reader = os.open(odd, os.O_RDONLY | os.O_NONBLOCK)
    try:
        with raises_code("E-LEDGER-PLACE"):
            Ledger.create(odd)
    finally:
        os.close(reader)


@pytest.mark.parametrize(
    ("find", "told"), [(default_place, "for a ledger.*SFUMATO_LEDGER"), (key_path, "signing key")]
)
def test_who_has_no_home_is_told_what_to_name(
    monkeypatch: pytest.MonkeyPatch, find: Callable[[], Any], told: str
) -> None:
    """A container's user may have neither HOME nor an entry in the list of users."""

    def unknown(_: int) -> Any:
        raise KeyError

    for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "SFUMATO_LEDGER", SIGNING_KEY):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(pwd, "getpwuid", unknown)
    with raises_code("E-HOME-MISSING"):
        find()


def test_a_system_that_cannot_fork_needs_no_gate(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "register_at_fork")
    with Gate(leave=lambda: None).inside("ledger.db"):
        pass


def test_errors_of_the_store_are_still_told(tmp_path: Path) -> None:
    """The twin: what the driver raises is no stranger."""
    with Ledger.create(tmp_path / "ledger.db") as ledger:
        (tmp_path / "ledger.db").write_bytes(b"no database" * 1000)
        with raises_code("E-LEDGER-FAILED", kind=StoreError):
            ledger.books()
