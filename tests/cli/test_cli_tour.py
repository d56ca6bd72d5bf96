"""The tour: what it says is so, its commands can be repeated, and its report needs nothing else."""

from __future__ import annotations

import csv
import math
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import pytest

from sfumato.application.demo import walk_hospital
from sfumato.application.demo.tour import STOPS, copy_files, prepared, tour_page, walk_of
from sfumato.application.demo.walk import CUT
from sfumato.printing.layout import places
from tests.pages import pictures

if TYPE_CHECKING:
    from sfumato.application.demo.tour.stop import Visited
    from tests.cli.conftest import Shell

EXAMPLES = Path(__file__).parents[2] / "examples"
#: How a command ends that shows what is refused, does not hold, or is violated.
ENDS = {"GROUP BY smoker": 3, "forged.json": 5, "half_the_noise": 5}
#: What a command says anew each time.
NOISY = ("reconstruct", "query", "audit")


@pytest.fixture(scope="module")
def toured() -> tuple[list[Visited], str]:
    """Every stop, and the report: computed once."""
    before = (os.environ.get("SFUMATO_SIGNING_KEY"), Path.cwd())
    with prepared() as folder:
        found = [stop.visit(folder) for stop in STOPS]
        drawn = tour_page(found)
    assert (os.environ.get("SFUMATO_SIGNING_KEY"), Path.cwd()) == before
    assert not folder.exists()
    return found, drawn


@pytest.fixture
def visited(toured: tuple[list[Visited], str]) -> list[Visited]:
    return toured[0]


@pytest.fixture
def page(toured: tuple[list[Visited], str]) -> str:
    return toured[1]


def said(visited: list[Visited], stop: int) -> list[str]:
    """The first line of each answer at a stop."""
    return [shown.lines[0] if shown.lines else "" for shown in visited[stop].step.shown]


def test_every_stop_shows_what_it_says(visited: list[Visited]) -> None:
    exposed, linked = said(visited, 0)
    assert exposed.startswith("1,393 of 1,449 rows are unique on age, sex, visited")
    assert "department is oncology, for certain" in linked
    assert said(visited, 1) == [
        "from exact answers 200 of 200 values of smoker=yes are reconstructed"
    ]
    _, refused, spent = said(visited, 3)
    assert refused.startswith("sfumato: refused, the answer would cost ε = 1, and ε = 0.5 is left")
    assert spent == "patients: 75 % of the budget is spent"
    assert said(visited, 4) == ["HOLDS: 1-DP (add or remove one patient_id)"]
    assert said(visited, 5)[1] == (
        "DOES NOT HOLD: steps[0]: its noise costs ε = 1, and its event says something else"
    )
    wrong, right = said(visited, 6)
    assert wrong.startswith("violated: 1-DP does not hold; ε is at least 1.")
    assert right.startswith("no violation of 1-DP found")


def test_the_truth_is_beside_each_private_answer(visited: list[Visited]) -> None:
    with (EXAMPLES / "patients.csv").open(encoding="utf-8") as file:
        women = [int(row["age"]) for row in csv.DictReader(file) if row["sex"] == "F"]
    table, _, truth = visited[2].step.shown[1].lines[1].partition("|")
    private, age = re.findall(r"(\S+) ±", table)
    assert truth.split() == [f"{len(women):,}", f"{sum(women) / len(women):.1f}"]
    assert "does not print what is right of the | sign" in visited[2].step.remark
    # Nearly twenty times the noise scale: passed with a probability below 1e-6.
    assert abs(float(private) - len(women)) < 400
    assert abs(float(age) - sum(women) / len(women)) < 40


@pytest.mark.full
def test_what_is_said_to_be_the_most_is_not_rounded_down(visited: list[Visited]) -> None:
    most = 100 / (1 + math.exp(-1))
    remarks = " ".join(each.remark for each in (*walk_of(visited).steps, *walk_hospital().steps))
    found = [float(each) for each in re.findall(r"right ([\d.]+) % of the time at most", remarks)]
    assert len(found) == 2
    assert all(most <= each < most + 0.1 for each in found)


def test_it_fits_terminals_of_eighty_and_of_sixty_places(visited: list[Visited]) -> None:
    for width in (80, 60):
        lines = [line for each in visited for line in each.step.printed(1, width)]
        wide = [line for line in lines if places(line) > width]
        assert not [line for line in wide if "SELECT" not in line and "department=" not in line]
        assert width == 60 or not wide


@pytest.mark.full
def test_every_command_that_is_shown_runs(
    visited: list[Visited],
    tmp_path: Path,
    shell: Shell,
    monkeypatch: pytest.MonkeyPatch,
    place: Path,
) -> None:
    copy_files(str(tmp_path))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    for shown in (each for one in visited for each in one.step.shown):
        if shown.command.startswith("sed "):
            sed, change, read, _, written = shlex.split(shown.command)
            with Path(written).open("wb") as file:
                subprocess.run([sed, change, read], check=True, stdout=file)
            continue
        program, *arguments = shlex.split(shown.command)
        done = shell(*arguments)
        wanted = next((code for part, code in ENDS.items() if part in shown.command), 0)
        assert (program, done.code) == ("sfumato", wanted), (shown.command, done.err)
        if not any(word in shown.command for word in NOISY) or wanted == 3:
            assert shown.lines[0] in " ".join((done.out + done.err).split())
        lines = (done.out or done.err).splitlines()
        assert (CUT in shown.lines) == (len(lines) > len(shown.lines)), shown.command
    monkeypatch.delitem(sys.modules, "mechanisms", raising=False)


def test_the_files_are_those_of_the_examples(tmp_path: Path) -> None:
    for copy in copy_files(str(tmp_path)):
        assert copy.read_bytes() == (EXAMPLES / copy.name).read_bytes()


def test_the_report_asks_nothing_of_any_network(page: str) -> None:
    sources = re.findall(r'(?:src|href|action|url)\s*[=(]\s*"?([^">)]*)', page)
    assert sources
    assert all(each.startswith("data:image/svg+xml;base64,") for each in sources)
    assert "<script" not in page
    assert "@import" not in page
    for drawing in pictures(page):
        assert ET.fromstring(drawing).tag.endswith("svg")  # noqa: S314, since it is ours
        assert not re.search(r'(?:href|src)="(?!#)', drawing)


def test_the_report_says_what_the_terminal_says(page: str) -> None:
    for words in ("1,393 of 1,449 rows", "$ sfumato attack link", "200 of 200 values", "made up"):
        assert words in page
    assert 'lang="en"' in page
    assert page.count("<img") == page.count(' alt="') == page.count("<figcaption>") == 5


def test_the_picture_of_the_answers_has_the_truth_in_it(page: str) -> None:
    drawn = pictures(page)
    (answers,) = [each for each in drawn if "cover the truth" in each]
    assert "truth: 764" in answers
    assert "nobody in this table exists" in answers
    (attack,) = [each for each in drawn if "give away 200 of 200 values" in each]
    assert "a guess without any answer" in attack


@pytest.mark.full
def test_without_a_part_that_draws_the_report_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "altair", None)
    with prepared() as folder:
        found = tour_page([STOPS[0].visit(folder)])
    assert "<img" not in found
    assert "A picture is missing: How likely it is to find somebody" in found


def test_a_walk_is_ready_for_json(visited: list[Visited]) -> None:
    found: dict[str, Any] = walk_of(visited).as_dict()
    assert len(found["steps"]) == 7
    assert all(set(each) == {"title", "shown", "remark"} for each in found["steps"])
