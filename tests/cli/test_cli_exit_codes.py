"""Every way in which a command ends is on one page, and can be brought about."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.cli.conftest import Shell

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "command-line.md"
RESPONSE = str(ROOT / "examples" / "randomized-response.csv")
CALIBRATE = ["calibrate", "laplace", "--epsilon", "1"]


def documented() -> set[int]:
    text = PAGE.read_text(encoding="utf-8").partition("## Errors and exit codes")[2]
    rows = re.findall(r"^\| ([\d, ]+) \|", text, re.MULTILINE)
    return {int(code) for row in rows for code in row.split(",")}


def answered(shell: Shell, _: pytest.MonkeyPatch) -> int:
    return shell(*CALIBRATE).code


def a_bug(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> int:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("sfumato.application.calibrate_noise", broken)
    return shell(*CALIBRATE).code


def bad_input(shell: Shell, _: pytest.MonkeyPatch) -> int:
    return shell("calibrate", "laplace", "--epsilon", "minus one").code


def refused(shell: Shell, _: pytest.MonkeyPatch) -> int:
    assert shell("ledger", "init", "patients", "--epsilon", "1").code == 0
    spent = ["--epsilon", "2", "--analyst", "ada", "--purpose", "too much"]
    return shell("ledger", "spend", "patients", *spent).code


def unwritten(_: Shell, __: pytest.MonkeyPatch) -> int:
    with Path("/dev/full").open("w") as full:
        return subprocess.run(
            command(), stdout=full, stderr=subprocess.PIPE, check=False
        ).returncode


def not_kept(shell: Shell, _: pytest.MonkeyPatch) -> int:
    return shell("verify", RESPONSE, "--epsilon", "0.5").code


def undecided(_: Shell, __: pytest.MonkeyPatch) -> int:
    return audited("def release(rows): return 1")


def interrupted(_: Shell, __: pytest.MonkeyPatch) -> int:
    """As by Ctrl-C while a function of the user is at work."""
    return audited("import signal\ndef release(rows): signal.raise_signal(signal.SIGINT)")


def audited(code: str) -> int:
    Path("own.py").write_text(code, encoding="utf-8")
    words = ["own:release", "--d0", "[1]", "--d1", "[0]", "--epsilon", "1", "--samples", "100"]
    return subprocess.run(command("audit", *words), capture_output=True, check=False).returncode


def into_a_closed_pipe(_: Shell, __: pytest.MonkeyPatch) -> int:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(command(), stdout=writing, check=False)
    os.close(writing)
    return done.returncode


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "sfumato", *(words or CALIBRATE)]


ENDINGS = {
    0: answered,
    1: a_bug,
    2: bad_input,
    3: refused,
    4: unwritten,
    5: not_kept,
    6: undecided,
    130: interrupted,
    141: into_a_closed_pipe,
}


@pytest.mark.parametrize("code", ENDINGS)
@pytest.mark.usefixtures("place")
def test_every_ending_can_be_brought_about(
    code: int, shell: Shell, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("SFUMATO_DEBUG", raising=False)
    assert ENDINGS[code](shell, monkeypatch) == code


def test_the_page_has_these_endings_and_no_others() -> None:
    assert documented() == set(ENDINGS)


def test_the_code_has_these_endings_and_no_others() -> None:
    """Read off the two files that end the command."""
    from sfumato.cli import failures, output

    failing = {value for name, value in vars(failures).items() if name in CODES_OF_FAILURES}
    assert failing | set(vars(output)["_CODES"].values()) == set(ENDINGS)


CODES_OF_FAILURES = {"_BUG", "_INPUT", "_REFUSED", "_UNWRITTEN", "_INTERRUPTED", "_BROKEN_PIPE"}
