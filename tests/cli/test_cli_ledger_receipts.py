"""The shell's receipts: written once, checked with the ledger and without it."""

from __future__ import annotations

import json
import shutil
import sqlite3
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Finished, Shell

ADA = ("--analyst", "ada", "--purpose", "patients by sex")
SPEND = ("ledger", "spend", "patients", "--epsilon", "0.1", *ADA)


pytestmark = pytest.mark.usefixtures("book")


@pytest.fixture
def receipt(shell: Shell, tmp_path: Path) -> Path:
    path = tmp_path / "receipt.json"
    assert shell(*SPEND, "--receipt", path).code == 0
    return path


def refuses(done: Finished, sentence: str, code: int = 2) -> None:
    assert (done.code, done.out) == (code, ""), done.err
    assert sentence in done.err
    assert done.err.count("\n") == 1


def left(shell: Shell) -> str:
    shown = json.loads(shell("ledger", "show", "patients", "--json").out)
    return str(shown["budgets"][0]["remaining"]["epsilon"])


def test_a_ledger_is_sound_with_its_receipt(shell: Shell, receipt: Path) -> None:
    done = shell("ledger", "verify", "--receipt", receipt)
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[0] == "sound: 1 book, 2 entries, 1 receipt"
    assert lines[1].startswith("patients: sound, 2 entries, head ")
    assert lines[2].startswith("  signed by ed25519:")
    assert lines[3].endswith("0.1-DP by its filter, ε ≤ 0.1 at δ = 0 by the accountant")
    read = json.loads(shell("ledger", "verify", "patients", "--json").out)
    (spent,) = read["books"][0]["spent"]
    assert spent["filter"]["epsilon"] == "0.1"
    assert spent["accountant"] == {"epsilon": 0.1, "delta": 0.0}


@pytest.mark.parametrize(
    ("budget", "accounted"),
    [
        (["--epsilon", "1", "--delta", "1e-6"], "at δ = 1e-06 by the accountant"),
        (["--rho", "0.5"], "at δ = 1e-06 by the accountant"),
    ],
)
def test_verify_says_what_was_spent_of_every_kind(
    shell: Shell, budget: list[str], accounted: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    shell("ledger", "init", "visits", *budget, "--each-analyst", "0.25")
    assert shell("ledger", "spend", "visits", "--epsilon", "0.1", *ADA).code == 0
    shown = shell("ledger", "verify", "visits").out.splitlines()
    assert len(shown) == 5
    assert all(line.endswith(accounted) for line in shown[3:])
    assert all("by its filter" in line for line in shown[3:])


def test_a_roll_back_is_seen_by_a_receipt_from_after_it(
    shell: Shell, place: Path, tmp_path: Path
) -> None:
    copy, receipt = tmp_path / "old.db", tmp_path / "receipt.json"
    shutil.copy(place, copy)
    shell(*SPEND, "--receipt", receipt)
    shown = ("ledger", "verify", "--receipt", receipt, "--ledger", copy)
    done = shell(*shown)
    assert done.code == 5
    assert done.out.startswith("NOT SOUND: 1 book, 1 entry, 1 receipt\n")
    assert "an older copy of the ledger was put in its place" in " ".join(done.out.split())
    read = json.loads(shell(*shown, "--json").out)
    assert not read["sound"]
    assert read["books"][0]["sound"]
    assert len(read["receipts"]["problems"]) == 1


def test_an_entry_that_was_changed_is_seen(shell: Shell, place: Path, receipt: Path) -> None:
    with sqlite3.connect(place) as database:
        for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'"):
            database.execute(f"DROP TRIGGER {name}")
        changed = "UPDATE {} SET body = replace(body, 'by sex', 'by age') WHERE sequence = 2"
        (table,) = (
            name
            for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            if "entr" in name
        )
        database.execute(changed.format(table))
    database.close()
    done = shell("ledger", "verify")
    assert done.code == 5
    assert "patients: NOT SOUND" in done.out
    assert "entry 2: its text was changed after it was written" in done.out


def test_a_receipt_is_checked_without_the_ledger(shell: Shell, place: Path, receipt: Path) -> None:
    place.unlink()
    done = shell("ledger", "verify", "--without-ledger", "--receipt", receipt)
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("sound: 1 receipt, without the ledger\n")
    changed = receipt.read_text(encoding="utf-8").replace("by sex", "by age")
    receipt.write_text(changed, encoding="utf-8")
    done = shell("ledger", "verify", "--without-ledger", "--receipt", receipt)
    assert done.code == 5
    assert "the signature is not of this receipt" in done.out
    read = json.loads(
        shell("ledger", "verify", "--without-ledger", "--receipt", receipt, "--json").out
    )
    assert not read["sound"]
    assert len(read["receipts"][0]["problems"]) == 1


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--without-ledger"], "name one with --receipt"),
        (["patients", "--without-ledger", "--receipt", "r.json"], "leave out DATASET"),
        (["--receipt", "nothing.json"], "there is no file 'nothing.json'"),
        (["--receipt", "examples/events.json"], "the text is not a receipt of sfumato"),
        (["--receipt", "."], "is a folder"),
        (["visits"], "there is no book 'visits'"),
    ],
)
def test_verify_refuses_in_one_sentence(shell: Shell, options: list[str], sentence: str) -> None:
    refuses(shell("ledger", "verify", *options), sentence)


def test_a_receipt_is_never_overwritten_by_another(shell: Shell, receipt: Path) -> None:
    kept = receipt.read_bytes()
    refuses(shell(*SPEND, "--receipt", receipt), "would be overwritten")
    refuses(shell(*SPEND, "--receipt", receipt, "--key", "k"), "would be overwritten")
    assert receipt.read_bytes() == kept
    assert left(shell) == "0.9"


def test_the_receipt_of_the_same_request_is_written_again(shell: Shell, tmp_path: Path) -> None:
    path = tmp_path / "receipt.json"
    asked = (*SPEND, "--key", "monday", "--receipt", path)
    assert shell(*asked).code == 0
    first = path.read_bytes()
    done = shell(*asked)
    assert (done.code, path.read_bytes()) == (0, first)
    assert "nothing more was spent now" in done.out
    assert left(shell) == "0.9"


def test_a_refused_charge_leaves_no_file(shell: Shell, tmp_path: Path) -> None:
    path = tmp_path / "receipt.json"
    much = ("ledger", "spend", "patients", "--epsilon", "2", *ADA, "--receipt", path)
    assert shell(*much).code == 3
    assert not path.exists()


def test_an_empty_file_that_is_there_is_not_taken(shell: Shell, tmp_path: Path) -> None:
    """It may be the log of a ledger, or another program's lock."""
    path = tmp_path / "receipt.json"
    path.touch()
    refuses(shell(*SPEND, "--receipt", path), "already")
    assert left(shell) == "1"
    assert path.read_bytes() == b""


def test_a_receipt_that_does_not_fit_on_the_disk_is_exit_4(shell: Shell) -> None:
    done = shell(*SPEND, "--receipt", "/dev/full")
    refuses(done, "the charge is made, but its receipt", code=4)
    assert left(shell) == "0.9"
