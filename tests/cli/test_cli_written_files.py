"""Files that verbs write: what an answer needs is spared, and the answer comes before them."""

from __future__ import annotations

import os
import shutil
import signal
import stat
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sfumato import application
from tests.cli.test_cli_answer_plots import CENTRES, CLASS, LEAKING, LEAKS, entries
from tests.cli.test_cli_query import PATIENTS, charged, refuses

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.cli.conftest import Shell

__all__ = ["charged"]

ROOT = Path(__file__).parents[2]
WINGS = "SELECT COUNT(*) AS n FROM patients JOIN wings ON patients.sex = wings.sex"
POLICY = """
[table]
source = "mine.csv"
unit = "patient_id"
[limits]
rows = 60
[columns.sex]
keys_from = "sexes.csv"
[public.wards]
source = "wards.csv"
[ledger]
path = "{ledger}"
book = "mine"
"""
#: Draws as the command would, but the machine that it runs on is shut down meanwhile.
ENDED = """
import os, signal, sys
from sfumato import application
from sfumato.cli import main
def ended(chart, path):
    os.kill(os.getpid(), signal.SIGTERM)
application.save = ended
main()
"""
NEEDED = [
    "mine.csv",
    "mine.toml",
    "sexes.csv",
    "wards.csv",
    "wings.csv",
    "keys.csv",
    "cards.toml",
    "cards.csv",
    "book.svg",
    "key.svg",
    "ledger.svg",
]


class Panic(BaseException):
    """As a library in another language raises it."""


def soft(link: Path, file: Path) -> None:
    link.symlink_to(file.name)


def hard(link: Path, file: Path) -> None:
    os.link(file, link)


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a file of every kind that a question can need."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SFUMATO_SIGNING_KEY", str(tmp_path / "key.svg"))
    monkeypatch.setenv("SFUMATO_LEDGER", str(tmp_path / "ledger.svg"))
    shutil.copy(PATIENTS, "mine.csv")
    for name in NEEDED[2:]:
        Path(name).write_text(f"kept as {name}", encoding="utf-8")
    Path("mine.toml").write_text(POLICY.format(ledger="book.svg"), encoding="utf-8")
    Path("cards.toml").write_text('[table]\nsource = "cards.csv"\n', encoding="utf-8")
    return tmp_path


def question(*options: object) -> list[object]:
    read = ("--public", "wings=wings.csv", "--with", "cards=cards.toml", "--keys", "a=@keys.csv")
    return ["query", "mine.toml", WINGS, "--epsilon", "1", *read, *options]


@pytest.mark.parametrize("linked", [soft, hard])
@pytest.mark.parametrize("name", ["mine.csv", "wings.csv"])
def test_no_link_leads_a_page_over_the_table_that_is_measured(
    shell: Shell, house: Path, name: str, linked: Callable[[Path, Path], None]
) -> None:
    before = (house / name).read_bytes()
    linked(house / "t.html", house / name)
    measured = ("risk", "mine.csv", "--quasi", "age", "--public", "wings.csv")
    refuses(shell(*measured, "--html", "t.html"), "'t.html' is what would be read")
    assert (house / name).read_bytes() == before


@pytest.mark.parametrize("linked", [soft, hard])
@pytest.mark.parametrize("name", NEEDED)
def test_no_link_leads_a_picture_over_what_a_question_needs(
    shell: Shell, house: Path, name: str, linked: Callable[[Path, Path], None]
) -> None:
    before = (house / name).read_bytes()
    linked(house / "t.svg", house / name)
    done = shell(*question("--plot", "t.svg"))
    assert "is what would be read" in done.err or "is a file of a ledger itself" in done.err
    refuses(done, "'t.svg' is ")
    assert (house / name).read_bytes() == before


@pytest.mark.parametrize("option", ["--output", "--certificate"])
@pytest.mark.parametrize("name", ["wings.csv", "keys.csv", "cards.csv", "sexes.csv"])
def test_other_files_of_an_answer_spare_it_too(
    shell: Shell, house: Path, name: str, option: str
) -> None:
    replace = ["--replace"] if option == "--output" else []
    before = (house / name).read_bytes()
    refuses(shell(*question(option, name, *replace)), f"{name!r} is what would be read")
    assert (house / name).read_bytes() == before


@pytest.mark.parametrize("option", ["--plot", "--html"])
@pytest.mark.parametrize("name", ["mine.csv", "book.svg", "key.svg"])
def test_centres_spare_what_they_need(shell: Shell, house: Path, name: str, option: str) -> None:
    before = (house / name).read_bytes()
    (house / "t.html").symlink_to(name)
    done = shell("kmeans", "mine.toml", "--k", "2", "--epsilon", "1", option, "t.html")
    assert (done.code, done.out) == (2, "")
    assert "'t.html' is " in done.err
    assert (house / name).read_bytes() == before


def test_other_verbs_draw_into_pictures_only(shell: Shell, tmp_path: Path, book: Path) -> None:
    table = tmp_path / "other.csv"
    shutil.copy(ROOT / "examples" / "hospital-a.csv", table)
    for link, file in (("t.svg", table), ("l.svg", book), ("k.svg", tmp_path / "key.pem")):
        before, plot = file.read_bytes(), tmp_path / link
        plot.symlink_to(file)
        for asked in (
            ("risk", "examples/hospital-a.csv", "--quasi", "age"),
            ("survey", "collect", *CLASS),
            ("ledger", "show", "patients"),
            ("calibrate", "laplace", "--epsilon", "1", "--sensitivity", "1"),
            CENTRES,
            LEAKS,
        ):
            refuses(shell(*asked, "--plot", plot), f"{str(plot)!r} is ")
        assert file.read_bytes() == before


@pytest.mark.parametrize("option", ["--plot", "--html", "--output", "--certificate"])
@pytest.mark.parametrize(
    ("name", "reason"),
    [("a" * 300, "File name too long"), ("loop", "Too many levels of symbolic links")],
)
def test_a_name_that_no_file_can_have_costs_nothing(
    shell: Shell, charged: list[object], option: str, name: str, reason: str
) -> None:
    ending = {"--plot": "svg", "--html": "html", "--output": "csv", "--certificate": "json"}
    Path(f"loop.{ending[option]}").symlink_to(f"loop.{ending[option]}")
    asked = ["query", *charged, "--epsilon", "0.5"] if option != "--html" else CENTRES
    before = entries(shell)
    done = shell(*asked, option, f"{name}.{ending[option]}")
    there = option == "--certificate" and name == "loop"
    refuses(done, "already" if there else reason)
    assert entries(shell) == before


@pytest.mark.full
@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_a_name_that_is_not_utf8_is_as_good_as_another(
    shell: Shell, charged: list[object], tmp_path: Path, suffix: str
) -> None:
    verbs = {
        "answer": ("query", *charged, "--epsilon", "0.25", "--output"),
        "coarser": ("anonymize", PATIENTS, "--quasi", "age", "--k", "2", "--output"),
        "reports": ("survey", "simulate", ROOT / CLASS[0], "--people", "9", "--out"),
    }
    for name, verb in verbs.items():
        file = tmp_path / os.fsdecode(f"{name}\xff.{suffix}".encode("latin-1"))
        done = shell(*verb, file)
        assert done.code == 0, done.err
        assert file.stat().st_size > 0


def test_who_is_ended_while_drawing_has_the_answer_and_its_certificate(
    charged: list[object],
) -> None:
    options = ["--epsilon", "0.25", "--certificate", "a.json", "--plot", "a.svg"]
    done = subprocess.run(
        [sys.executable, "-c", ENDED, "query", *map(str, charged), *options],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == -signal.SIGTERM
    assert "charged to the ledger: receipt " in done.stdout
    assert Path("a.json").read_text(encoding="ascii").startswith("{")


@pytest.mark.parametrize("asked", [CENTRES, ("survey", "collect", *CLASS)])
def test_centres_and_surveys_are_said_before_they_are_drawn(
    shell: Shell,
    asked: tuple[object, ...],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    said = []
    monkeypatch.setattr(
        application, "save", lambda chart, path: said.append(capsys.readouterr().out)
    )
    done = shell(*asked, "--plot", "a.svg")
    assert (done.code, done.out) == (0, "")
    assert said[0].count("\n") > 3


@pytest.mark.parametrize("kind", [Panic, RuntimeError, MemoryError])
def test_whatever_the_library_that_draws_raises_is_one_sentence(
    shell: Shell, charged: list[object], kind: type[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(chart: object, path: object) -> None:
        raise kind("a cell of somebody")

    monkeypatch.setattr(application, "save", broken)
    done = shell("query", *charged, "--epsilon", "0.25", "--plot", "a.svg")
    assert done.code == 4
    assert "charged to the ledger: receipt " in done.out
    assert done.err.startswith("sfumato: the answer is charged (receipt ")
    assert f"but 'a.svg' cannot be drawn ({kind.__name__}), which is a bug of " in done.err
    assert done.err.count("\n") == 1
    assert "somebody" not in done.err


def test_a_verdict_is_told_whatever_becomes_of_its_picture(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(chart: object, path: object) -> None:
        raise Panic

    (tmp_path / "leaking.py").write_text(LEAKING, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(application, "save", broken)
    done = shell(*LEAKS, "--plot", tmp_path / "a.svg")
    assert done.code == 5
    assert "cannot be drawn (Panic)" in done.err


def test_one_who_interrupts_a_drawing_is_obeyed(
    shell: Shell, charged: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(chart: object, path: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(application, "save", interrupted)
    done = shell("query", *charged, "--epsilon", "0.25", "--plot", "a.svg")
    assert (done.code, done.err) == (130, "")
    assert "charged to the ledger: receipt " in done.out


@pytest.mark.full
def test_files_are_written_where_the_answer_cannot_be_printed(charged: list[object]) -> None:
    options = ["--epsilon", "0.25", "--output", "a.csv", "--certificate", "a.json"]
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        done = subprocess.run(
            [sys.executable, "-m", "sfumato", "query", *map(str, charged), *options],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 4
    assert "but the answer cannot be written (No space left on device)" in done.stderr
    assert Path("a.csv").read_text(encoding="utf-8").startswith("n,n_low,n_high")
    assert Path("a.json").stat().st_size > 0


def test_who_could_not_read_a_file_cannot_read_the_new_one(shell: Shell, tmp_path: Path) -> None:
    for name, option in (("a.svg", "--plot"), ("a.html", "--html")):
        file = tmp_path / name
        for mode in (0o600, 0o640):
            file.write_text("earlier", encoding="utf-8")
            file.chmod(mode)
            asked = ("risk", ROOT / "examples" / "hospital-a.csv", "--quasi", "age")
            assert shell(*asked, option, file).code == 0
            assert file.read_text(encoding="utf-8").startswith("<")
            assert stat.S_IMODE(file.stat().st_mode) == mode
