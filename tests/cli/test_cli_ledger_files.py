"""What the shell's ledger writes: answers that get lost, files that are there, pipes, dashes."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sfumato.application.ledger.receipts import read_receipt
from sfumato.errors import StoreError
from sfumato.ledger import Book, Ledger
from tests.patience import PATIENCE

if TYPE_CHECKING:
    from tests.cli.conftest import Finished, Shell

SPEND = ("ledger", "spend", "patients", "--analyst", "ada", "--purpose", "sex", "--epsilon", "0.1")
LOST = [
    (">/dev/full", "No space left on device"),
    (">&-", "standard output is closed"),
    ("| true", "Broken pipe"),
]


@pytest.fixture(autouse=True)
def charged(book: Path, shell: Shell) -> Path:
    """A ledger with a book, and a charge."""
    assert shell(*SPEND).code == 0
    return book


def refuses(done: Finished, sentence: str) -> None:
    assert (done.code, done.out) == (2, ""), done.err
    assert sentence in done.err
    assert done.err.count("\n") == 1


def left(shell: Shell) -> str:
    shown = json.loads(shell("ledger", "show", "patients", "--json").out)
    return str(shown["budgets"][0]["remaining"]["epsilon"])


def run(arguments: str, streams: str) -> subprocess.CompletedProcess[str]:
    command = f"set -o pipefail; '{sys.executable}' -m sfumato {arguments} {streams}"
    return subprocess.run(
        ["bash", "-c", command], capture_output=True, text=True, check=False, timeout=PATIENCE
    )


# Answers that get lost.


@pytest.mark.full
@pytest.mark.parametrize(("streams", "reason"), LOST)
@pytest.mark.parametrize("form", ["", "--json"])
def test_a_charge_whose_receipt_cannot_be_printed_is_told(
    shell: Shell, streams: str, reason: str, form: str
) -> None:
    done = run(f"{' '.join(SPEND)} {form}", streams)
    assert done.returncode == 4
    said = re.fullmatch(
        r"sfumato: the charge is made, with receipt ([0-9a-f]{32}) \(sfumato ledger export shows "
        rf"its entry\), but the answer cannot be written \({reason}\)\n",
        done.stderr,
    )
    assert said
    (_, _, last) = shell("ledger", "export").out.splitlines()
    assert json.loads(last)["entry"]["receipt"] == said[1]
    assert left(shell) == "0.8"


@pytest.mark.full
@pytest.mark.parametrize(("streams", "reason"), LOST)
def test_a_book_that_is_open_is_told(shell: Shell, streams: str, reason: str) -> None:
    done = run("ledger init visits --epsilon 1", streams)
    assert done.returncode == 4
    assert done.stderr == (
        "sfumato: the book of visits is open (sfumato ledger show shows it), "
        f"but the answer cannot be written ({reason})\n"
    )
    assert "visits" in shell("ledger", "show").out


def test_a_charge_is_told_where_what_is_left_cannot_be_read(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        message = "the disk failed"
        raise StoreError("E-INTERNAL", message)

    with monkeypatch.context() as broken:
        broken.setattr(Book, "standing", fails)
        done = shell(*SPEND)
    assert done.code == 4
    assert "the charge is made, with receipt " in done.err
    assert done.err.endswith("but what is left cannot be read: the disk failed\n")
    assert left(shell) == "0.8"


# Files that are there.


def test_an_export_is_replaced_only_if_it_is_said(shell: Shell, tmp_path: Path) -> None:
    path = tmp_path / "all.json"
    whole = ("ledger", "export", "--output", path)
    assert shell(*whole).code == 0
    assert len(path.read_text(encoding="utf-8").splitlines()) == 2
    shell(*SPEND)
    refuses(shell(*whole), "already")
    assert len(path.read_text(encoding="utf-8").splitlines()) == 2
    assert shell(*whole, "--replace").code == 0
    assert len(path.read_text(encoding="utf-8").splitlines()) == 3
    assert shell(*whole, "--replace", "--format", "csv").code == 0
    assert shell(*whole, "--replace").code == 0


def test_an_empty_file_counts_as_an_earlier_export(shell: Shell, tmp_path: Path) -> None:
    """A ledger without a book is exported as nothing."""
    path = tmp_path / "all.json"
    Ledger.create(tmp_path / "empty.db").close()
    for _ in range(2):
        done = shell(
            "ledger", "export", "--output", path, "--replace", "--ledger", tmp_path / "empty.db"
        )
        assert (done.code, path.read_bytes()) == (0, b"")


def test_what_is_no_export_is_never_replaced(shell: Shell, tmp_path: Path) -> None:
    receipt = tmp_path / "receipt.json"
    assert shell(*SPEND, "--receipt", receipt).code == 0
    other, key = tmp_path / "other.db", tmp_path / "other.pem"
    Ledger.create(other).close()
    key.write_bytes((tmp_path / "key.pem").read_bytes())
    for path in (receipt, other, key):
        before = path.read_bytes()
        done = shell("ledger", "export", "--output", path, "--replace")
        refuses(done, "is not an earlier export, and is not replaced")
        assert path.read_bytes() == before


@pytest.mark.parametrize("name", ["ledger.db", "key.pem", "ledger.db-wal", "other.db-journal"])
def test_nothing_is_written_over_a_file_of_a_ledger(
    shell: Shell, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "link").symlink_to(tmp_path, target_is_directory=True)
    monkeypatch.chdir(tmp_path)
    for path in (name, tmp_path / name, tmp_path / "link" / name):
        before = sorted(tmp_path.iterdir())
        for verb in (
            ["ledger", "export", "--output", path],
            ["ledger", "export", "--output", path, "--replace"],
            [*SPEND, "--receipt", path],
        ):
            refuses(shell(*verb), "is a file of a ledger itself; name another file")
        assert sorted(tmp_path.iterdir()) == before
    assert left(shell) == "0.9"


def test_replace_goes_with_output(shell: Shell) -> None:
    refuses(shell("ledger", "export", "--replace"), "--replace goes with --output")
    refuses(shell("ledger", "export", "--replace", "--output", "-"), "--replace goes with")


# Dashes, and options that are empty.


def test_a_dash_is_standard_output(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = shell("ledger", "export", "--output", "-")
    assert done.out == shell("ledger", "export").out != ""
    refuses(shell(*SPEND, "--receipt", "-"), "--json writes the receipt to standard output")
    assert not Path("-").exists()


def test_events_are_read_from_standard_input(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = ("ledger", "spend", "patients", "--analyst", "ada", "--purpose", "sex", "--event", "-")
    document = '{"version": 1, "events": [{"event": "pure", "epsilon": "0.2"}]}'
    monkeypatch.setattr(sys, "stdin", io.StringIO(document))
    assert shell(*asked).code == 0
    assert left(shell) == "0.7"
    monkeypatch.setattr(sys, "stdin", None)
    refuses(shell(*asked), "standard input is closed; name a JSON file of events")


@pytest.mark.full
@pytest.mark.parametrize(
    ("verb", "option"),
    [
        *(("spend", each) for each in ("--key", "--receipt", "--event", "--delta", "--ledger")),
        *(("init", each) for each in ("--per", "--total", "--each-analyst", "--analyst")),
        *(("init", each) for each in ("--delta", "--ledger", "--total-delta")),
        ("export", "--output"),
        *((each, "--ledger") for each in ("show", "verify", "recover", "export")),
    ],
)
def test_an_option_that_is_empty_is_refused(shell: Shell, verb: str, option: str) -> None:
    """Most often it is a variable of a script that was not set."""
    needed = {"spend": SPEND[2:], "init": ("visits", "--epsilon", "1")}.get(verb, ())
    refuses(shell("ledger", verb, *needed, option, ""), f"sfumato: {option} is empty; write")
    assert left(shell) == "0.9"


# Pipes.


def test_nobody_waits_for_a_pipe(shell: Shell, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    refuses(shell("ledger", "export", "--output", pipe), "cannot be written")
    refuses(shell("ledger", "verify", "--receipt", pipe), "is not JSON")
    refuses(shell(*SPEND, "--receipt", pipe), "and nothing was charged")
    assert left(shell) == "0.9"


@pytest.mark.full
def test_receipts_go_through_pipes_that_have_an_end(shell: Shell, tmp_path: Path) -> None:
    receipt, pipe = tmp_path / "receipt.json", tmp_path / "pipe"
    os.mkfifo(pipe)
    with receipt.open("wb") as kept, subprocess.Popen(["cat", pipe], stdout=kept):
        assert run(" ".join(SPEND), f"--receipt '{pipe}'").returncode == 0
    assert read_receipt(str(receipt)).problems() == ()
    done = run("ledger verify", f"--receipt <(sleep 0.2; cat '{receipt}') | head -1")
    assert done.stdout == "sound: 1 book, 3 entries, 1 receipt\n"


# Help.


@pytest.mark.parametrize(
    ("verb", "words"),
    [
        ("init", ["SFUMATO_SIGNING_KEY", "may be given several times", "the δ of --delta"]),
        ("spend", ["SFUMATO_SIGNING_KEY", "- reads standard input"]),
        ("verify", ["--signer KEY", "Several may be given", "--answer FILE"]),
        ("export", ["--replace", "standard output"]),
        ("", ["SFUMATO_SIGNING_KEY"]),
    ],
)
def test_help_says_it(shell: Shell, verb: str, words: list[str]) -> None:
    shown = " ".join(shell("ledger", *filter(None, [verb]), "--help").out.split())
    assert [word for word in words if word not in shown] == []
