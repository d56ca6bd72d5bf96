"""Streams that are closed or full, and names that hold a newline."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.cases import rings

if TYPE_CHECKING:
    from tests.cli.conftest import Shell

HOSPITAL = Path(__file__).parents[2] / "examples" / "hospital-a.csv"
GOOD = f"entropy '{HOSPITAL}' --columns age"
BAD = f"entropy '{HOSPITAL}' --columns agee"


def redirected(arguments: str, streams: str) -> subprocess.CompletedProcess[str]:
    command = f"'{sys.executable}' -m sfumato {arguments} {streams}"
    return subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)


@pytest.mark.full
@pytest.mark.parametrize(
    ("streams", "reason"),
    [(">&-", "standard output is closed"), (">/dev/full", "No space left on device")],
)
def test_an_answer_that_cannot_be_written_is_one_sentence_and_exit_4(
    streams: str, reason: str
) -> None:
    for arguments in (GOOD, f"{GOOD} --json"):
        done = redirected(arguments, streams)
        assert done.stderr == f"sfumato: the answer cannot be written ({reason})\n"
        assert done.returncode == 4


def test_help_that_cannot_be_written_is_the_same() -> None:
    done = redirected("--help", ">/dev/full")
    assert done.stderr == "sfumato: the answer cannot be written (No space left on device)\n"
    assert done.returncode == 4


@pytest.mark.parametrize(
    "streams",
    rings(["2>&-", "2>/dev/full", ">&- 2>&-", ">&-", ">/dev/full"], first=["2>&-"]),
)
def test_an_input_error_is_exit_2_whoever_listens(streams: str) -> None:
    assert redirected(BAD, streams).returncode == 2


@pytest.mark.full
def test_an_answer_needs_no_standard_error() -> None:
    done = redirected(GOOD, "2>&-")
    assert done.returncode == 0
    assert done.stdout.startswith("entropy of age: ")


def test_names_may_stand_on_several_lines(shell: Shell, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text('"a\nb",c,d\n1,2,3\n', encoding="utf-8")
    done = shell("entropy", path, "--columns", '"a\nb"\nc', "--columns", 'd"', "--json")
    assert "there is no column 'd\"'" in done.err
    done = shell("entropy", path, "--columns", '"a\nb"\nc', "--columns", "d", "--json")
    assert json.loads(done.out)["columns"] == ["a\nb", "c", "d"]
    assert shell("entropy", path, "--columns", '"a\nb"').out.startswith("entropy of a\\nb: ")


def test_a_path_that_no_file_can_have_is_exit_2(shell: Shell) -> None:
    done = shell("entropy", "a" * 5000 + ".csv", "--columns", "a")
    assert done.code == 2
    assert "cannot be reached" in done.err


def test_settings_are_shown_with_all_their_digits(shell: Shell) -> None:
    almost_one = "1.0000000000000002"
    done = shell("entropy", HOSPITAL, "--columns", "sex", "--base", almost_one)
    assert f"base {almost_one} units" in done.out
    done = shell("entropy", HOSPITAL, "--columns", "sex", "--order", almost_one)
    assert done.out.startswith(f"Rényi entropy of order {almost_one} of sex")
    done = shell("divergence", HOSPITAL, HOSPITAL, "--delta", "0.12345678")
    assert "max divergence leaving out 0.12345678" in done.out
