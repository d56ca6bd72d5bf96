"""The tour in a shell: it waits for who reads along, ends when told to, and spares files."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sfumato.application.demo import tour
from sfumato.application.demo.tour.stop import Picture, Seen, Stop
from sfumato.application.demo.walk import Shown
from sfumato.cli.demo import tour as verb
from sfumato.data import writing

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.cli.conftest import Shell

REPORT = "sfumato-demo.html"


def quick(number: int) -> Stop:
    shown = (Shown(f"sfumato risk {number}.csv", (f"k = {number}",)),)
    picture = Picture("a dot", lambda: "<svg/>")
    return Stop(f"Stop {number}.", "looking on", lambda: Seen(shown, "So it is.", (picture,)))


@pytest.fixture(autouse=True)
def three_stops(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(tour, "STOPS", (quick(1), quick(2), quick(3)))


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Somebody at a terminal who types lines, or presses keys."""

    def read_along(*typed: object) -> None:
        answers = iter(typed)

        def answer() -> str:
            each = next(answers)
            if isinstance(each, type):
                raise each
            return str(each)

        monkeypatch.setattr(verb, "can_pause", lambda: True)
        monkeypatch.setattr("builtins.input", answer)

    return read_along


def test_in_a_pipe_it_runs_to_its_end_without_colours(shell: Shell) -> None:
    done = shell("demo")
    assert done.code == 0
    assert done.err == ""
    assert [line for line in done.out.splitlines() if line.startswith("Stop") or "k =" in line] == [
        "  k = 1",
        "  k = 2",
        "  k = 3",
    ]
    assert "\x1b" not in done.out
    assert f"The report, with pictures: {REPORT}" in done.out
    assert Path(REPORT).read_text(encoding="utf-8").count("<section>") == 3


def test_it_begins_before_what_later_stops_need_is_loaded() -> None:
    rooms = ("audit", "ledger", "risk", "tables")
    code = f"""
import sys, sfumato.application.demo.tour
print([each for each in {rooms} if "sfumato." + each in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_a_reader_goes_on_by_enter(shell: Shell, reader: Callable[..., None]) -> None:
    reader("", "")
    done = shell("demo")
    assert done.code == 0
    assert "k = 3" in done.out
    assert done.err.count("Enter: on to") == 2


@pytest.mark.parametrize("end", ["q", " Quit", EOFError])
def test_a_reader_ends_it_and_keeps_what_was_seen(
    shell: Shell, reader: Callable[..., None], end: object
) -> None:
    reader("", end)
    done = shell("demo")
    assert done.code == 0
    assert "k = 2" in done.out
    assert "k = 3" not in done.out
    assert "Ended after 2 of 3 stops." in done.out
    assert Path(REPORT).read_text(encoding="utf-8").count("<section>") == 2


def interrupted() -> Seen:
    raise KeyboardInterrupt


def test_control_c_while_it_waits_ends_it_with_a_sentence_and_leaves_nothing(
    shell: Shell, reader: Callable[..., None], tmp_path: Path
) -> None:
    reader(KeyboardInterrupt)
    done = shell("demo")
    assert done.code == 130
    assert done.err.endswith("\nsfumato: the tour was ended, and no report was written\n")
    assert list(tmp_path.iterdir()) == []


def test_control_c_while_it_computes_does_so_too_and_spares_an_earlier_report(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert shell("demo").code == 0
    earlier = Path(REPORT).read_bytes()
    monkeypatch.setattr(tour, "STOPS", (quick(1), Stop("A long one.", "looking on", interrupted)))
    done = shell("demo")
    assert done.code == 130
    assert done.err == "\nsfumato: the tour was ended, and no report was written\n"
    assert Path(REPORT).read_bytes() == earlier
    assert [each.name for each in Path().iterdir()] == [REPORT]


def test_no_pause_waits_for_nobody(shell: Shell, reader: Callable[..., None]) -> None:
    reader()
    assert "k = 3" in shell("demo", "--no-pause").out


def test_another_file_is_not_written_over_and_its_own_report_is(shell: Shell) -> None:
    Path(REPORT).write_text("<p>mine</p>", encoding="utf-8")
    done = shell("demo")
    assert done.code == 2
    assert done.out == ""
    assert f"{REPORT!r} is there already, and is no report of this tour" in done.err
    assert Path(REPORT).read_text(encoding="utf-8") == "<p>mine</p>"
    for _ in range(2):
        assert shell("demo", "--html", "other.html").code == 0


@pytest.mark.parametrize(
    ("html", "why"),
    [("tour.pdf", "is no name of a page"), ("none/tour.html", "in a folder")],
)
def test_a_report_that_cannot_be_written_is_refused_at_once(
    shell: Shell, html: str, why: str
) -> None:
    done = shell("demo", "--html", html)
    assert (done.code, done.out) == (2, "")
    assert why in done.err


def test_a_folder_that_takes_no_report_is_refused_at_once(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refusing(**_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(writing, "TemporaryDirectory", refusing)
    done = shell("demo")
    assert (done.code, done.out) == (2, "")
    assert f"'{REPORT}' cannot be written (Permission denied)" in done.err


def test_json_has_every_stop_and_where_the_report_is(shell: Shell) -> None:
    found = json.loads(shell("demo", "--json").out)
    assert [each["title"] for each in found["steps"]] == ["Stop 1.", "Stop 2.", "Stop 3."]
    assert found["report"] == REPORT


def test_files_are_copied_to_a_folder_and_never_over_others(shell: Shell) -> None:
    assert "cd 'my tour'" in shell("demo", "--folder", "my tour").out
    assert {each.name for each in Path("my tour").iterdir()} == {"patients.csv", "mechanisms.py"}
    done = shell("demo", "--folder", "my tour")
    assert done.code == 2
    assert "exists already; name a folder without it" in done.err


def test_without_the_engine_it_says_so_before_anything(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sfumato.application.demo.tour.route.find_spec", lambda _: None)
    done = shell("demo")
    assert (done.code, done.out) == (2, "")
    assert done.err == ("sfumato: the tour needs an optional part: pip install 'sfumato[duckdb]'\n")


def test_the_hospital_is_still_a_walk_of_its_own(shell: Shell) -> None:
    done = shell("demo", "hospital", "--nonsense")
    assert done.code == 2
    assert not Path(REPORT).exists()
