"""``--plot`` of answers: checked before anything is charged, and no answer is lost to a picture."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import pytest

from sfumato import application
from sfumato.data import writing
from tests.cli.test_cli_kmeans import BOUNDS, SHOPPERS
from tests.cli.test_cli_query import charged, refuses

if TYPE_CHECKING:
    from tests.cli.conftest import Shell

__all__ = ["charged"]

CLASS = ("examples/class.toml", "examples/class-reports.csv")
LEAKS = ("audit", "leaking:told", "--d0", "[0]", "--d1", "[1]", "--epsilon", "1")
LEAKING = "def told(data, count):\n    return [data[0]] * count\n"
CENTRES = ("kmeans", SHOPPERS, "--k", "3", *BOUNDS, "--unit", "customer", "--epsilon", "1")


@pytest.fixture
def closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that takes no new file, whoever asks."""
    folder = tmp_path / "closed"
    folder.mkdir()

    def refusing(**options: Any) -> Any:
        if Path(options["dir"]) == folder:
            raise PermissionError(13, "Permission denied")
        return TemporaryDirectory(**options)

    monkeypatch.setattr(writing, "TemporaryDirectory", refusing)
    return folder


def entries(shell: Shell) -> int:
    return int(json.loads(shell("ledger", "show", "patients", "--json").out)["count"])


def test_a_picture_of_an_answer_is_written(shell: Shell, charged: list[object]) -> None:
    done = shell("query", *charged, "--epsilon", "0.25", "--plot", "answer.svg")
    assert done.code == 0, done.err
    assert done.err == "sfumato: answer.svg is written\n"


def test_each_file_that_is_written_is_named_beside_the_answer(
    shell: Shell, charged: list[object]
) -> None:
    files = ("--output", "a.csv", "--certificate", "a.json", "--plot", "a.svg")
    done = shell("query", *charged, "--epsilon", "0.25", *files)
    assert done.code == 0, done.err
    assert done.err.splitlines() == [
        f"sfumato: {file} is written" for file in ("a.csv", "a.json", "a.svg")
    ]
    assert "is written" not in done.out


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--plot", "answer.pdf"], "let it end in .html, .png or .svg"),
        (["--plot", "nowhere/answer.png"], "in a folder"),
        (["--plot", "a.svg", "--certificate", "a.svg"], "name the same file"),
        (["--output", "a.csv", "--certificate", "a.csv"], "name the same file"),
        (["--output", "a.csv", "--certificate", "./a.csv"], "name the same file"),
    ],
)
def test_a_picture_that_cannot_be_drawn_costs_nothing(
    shell: Shell, charged: list[object], options: list[str], sentence: str
) -> None:
    before = entries(shell)
    refuses(shell("query", *charged, "--epsilon", "0.5", *options), sentence)
    assert entries(shell) == before


@pytest.mark.parametrize("option", ["--plot", "--output", "--html"])
def test_a_folder_that_takes_no_file_is_refused_before_anything_is_charged(
    shell: Shell, charged: list[object], option: str, closed: Path
) -> None:
    file = closed / {"--plot": "a.svg", "--output": "a.csv", "--html": "a.html"}[option]
    asked = ["query", *charged] if option != "--html" else CENTRES[:-2]
    before = entries(shell)
    done = shell(*asked, "--epsilon", "0.25", option, file)
    refuses(done, f"'{file}' cannot be written (Permission denied); name another file")
    assert entries(shell) == before


def test_a_charged_answer_is_printed_whatever_becomes_of_its_picture(
    shell: Shell, charged: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(chart: object, path: object) -> None:
        raise OSError(28, "No space left on device")

    before = entries(shell)
    monkeypatch.setattr(application, "save", full)
    done = shell("query", *charged, "--epsilon", "0.25", "--plot", "answer.svg")
    assert done.code == 4
    assert "sfumato: the answer is charged (receipt " in done.err
    assert "), but 'answer.svg' cannot be written (No space left on device); " in done.err
    assert "charged to the ledger: receipt " in done.out
    assert "answer.svg is written" not in done.err
    assert "Traceback" not in done.err
    assert entries(shell) > before


@pytest.mark.full
def test_centres_and_surveys_take_a_picture_too(shell: Shell, tmp_path: Path) -> None:
    for number, asked in enumerate([CENTRES, ("survey", "collect", *CLASS)]):
        file = tmp_path / f"{number}.svg"
        done = shell(*asked, "--plot", file)
        assert done.code == 0, done.err
        assert done.err == f"sfumato: {file} is written\n"
        assert file.read_text(encoding="utf-8").startswith("<svg")


@pytest.mark.parametrize(
    ("asked", "code", "said"),
    [
        (("risk", "examples/hospital-a.csv", "--quasi", "age"), 2, "k = 1"),
        (("survey", "collect", *CLASS), 2, "class: the reports of 40 people"),
        (LEAKS, 5, "violated"),
    ],
)
def test_a_picture_that_fails_hides_neither_report_nor_verdict(
    shell: Shell,
    asked: tuple[str, ...],
    code: int,
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def full(chart: object, path: object) -> None:
        raise OSError(28, "No space left on device")

    (tmp_path / "leaking.py").write_text(LEAKING, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(application, "save", full)
    done = shell(*asked, "--plot", tmp_path / "a.svg")
    assert done.code == code
    assert said in done.out
    assert "a.svg' cannot be written (No space left on device)" in done.err


def test_what_is_read_and_the_page_are_not_written_over(shell: Shell, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    for asked in (CENTRES, ("survey", "collect", *CLASS)):
        refuses(shell(*asked, "--html", page, "--plot", page), "--html and --plot name the same")
    risk = ("risk", "examples/hospital-a.csv", "--quasi", "age")
    audited = ("audit", "mine:release", "--d0", "[0]", "--d1", "[1]", "--epsilon", "1")
    attacked = ("attack", "membership", "scores.csv", "--score", "s", "--member", "m")
    for measured in (risk, audited, (*attacked, "--epsilon", "1")):
        refuses(shell(*measured, "--html", page, "--plot", page), "--html and --plot name the same")
    refuses(shell(*CENTRES, "--plan", "--plot", tmp_path / "a.png"), "--plan finds none")
    assert not page.exists()
