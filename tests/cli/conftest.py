"""Running the command inside this process."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from sfumato.cli import main
from sfumato.translation import EVERYWHERE, VARIABLE
from tests.noise import same_noise

if TYPE_CHECKING:
    from pathlib import Path


__all__ = ["same_noise"]


@dataclass(frozen=True)
class Finished:
    code: int
    out: str
    err: str


Shell = Callable[..., Finished]


@pytest.fixture(autouse=True)
def wide_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same width wherever tests run; those about widths set their own."""
    monkeypatch.setenv("COLUMNS", "120")


@pytest.fixture(autouse=True)
def language_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """A command speaks as it is asked to, whatever was spoken in this process before."""
    monkeypatch.delitem(EVERYWHERE, VARIABLE, raising=False)


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    def run(*arguments: object) -> Finished:
        monkeypatch.setattr(sys, "argv", ["sfumato", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            main()
        captured = capsys.readouterr()
        return Finished(int(ended.value.code or 0), captured.out, captured.err)

    return run


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the ledger of a test is or will be, with a signing key of its own."""
    path = tmp_path / "ledger.db"
    monkeypatch.setenv("SFUMATO_LEDGER", str(path))
    monkeypatch.setenv("SFUMATO_SIGNING_KEY", str(tmp_path / "key.pem"))
    return path


@pytest.fixture
def book(place: Path, shell: Shell) -> Path:
    """A ledger with a book of a budget of ε = 1."""
    assert shell("ledger", "init", "patients", "--epsilon", "1").code == 0
    return place
