"""The verbs that attack sparse records, answers and models, as their user sees them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.cli.conftest import Shell

EXAMPLES = Path(__file__).parents[2] / "examples"
RATINGS, FACTS = EXAMPLES / "ratings.csv", EXAMPLES / "known-ratings.csv"
SCOREBOARD = ["attack", "scoreboard", RATINGS, "--known", FACTS, "--person", "user"]
COLUMNS = ["--item", "film", "--rating", "stars", "--day", "date"]


def test_scoreboard_finds_the_person_and_says_that_it_is_not_private(shell: Shell) -> None:
    done = shell(*SCOREBOARD, *COLUMNS)
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[0] == "found: user u37"
    assert lines[-1] == "not private: exact figures, for the data owner"
    assert max(map(len, lines)) <= 80


def test_scoreboard_writes_json(shell: Shell) -> None:
    found = json.loads(shell(*SCOREBOARD, *COLUMNS, "--json").out)
    assert (found["private"], found["people"], found["declared"]) == (False, 60, 1)
    assert found["matches"][0]["person"] == "u37"
    assert len(found["matches"][0]["candidates"]) == 5


def test_scoreboard_abstains_at_a_threshold_that_nobody_reaches(shell: Shell) -> None:
    done = shell(*SCOREBOARD, *COLUMNS, "--threshold", "20", "--candidates", "1")
    assert done.out.startswith("nobody is declared: user u37 fits best, but not well enough\n")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--item", "film", "--rating", "star"], "did you mean 'stars'"),
        (["--item", "film", "--rating", "date"], "a number, such as 4"),
        (["--item", "film", "--threshold", "high"], "--threshold takes"),
        (["--item", "film", "--candidates", "0"], "1 or more"),
        (["--item", "film", "--rating-scale", "0"], "above 0"),
        (["--item", "film", "--who", "whose"], "the known facts"),
    ],
)
def test_scoreboard_refuses_in_one_sentence(shell: Shell, options: list[str], said: str) -> None:
    done = shell(*SCOREBOARD, *options)
    assert (done.code, done.out) == (2, "")
    assert said in done.err
    assert len(done.err.splitlines()) == 1


PATIENTS = EXAMPLES / "patients.csv"


def test_reconstruct_shows_what_exact_answers_give_away(shell: Shell, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    done = shell(
        "attack", "reconstruct", PATIENTS, "--column", "smoker=yes", "--people", 60, "--html", page
    )
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("exact answers give 60 of 60 values of smoker=yes away\n")
    assert max(map(len, done.out.splitlines())) <= 80
    assert "<svg" in page.read_text(encoding="utf-8")


def test_reconstruct_writes_json(shell: Shell) -> None:
    done = shell(
        "attack", "reconstruct", PATIENTS, "--column", "smoker", "--people", 40, "--epsilon", "1,10",
        "--queries", 90, "--json",
    )  # fmt: skip
    found = json.loads(done.out)
    assert (found["private"], found["queries"], found["exact"]["right"]) == (False, 90, 40)
    assert [trial["epsilon"] for trial in found["trials"]] == [1.0, 10.0]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--column", "smokr=yes"], "did you mean 'smoker'"),
        (["--column", "smoker=yess"], "did you mean 'yes'"),
        (["--column", "department"], "department=VALUE"),
        (["--column", "smoker", "--epsilon", "0"], "above 0"),
        (["--column", "smoker", "--epsilon", "little"], "epsilon"),
        (["--column", "smoker", "--people", "all"], "--people takes"),
        (["--column", "smoker", "--html", "no-such-folder/a.html"], "cannot be written"),
    ],
)
def test_reconstruct_refuses_in_one_sentence(shell: Shell, options: list[str], said: str) -> None:
    done = shell("attack", "reconstruct", PATIENTS, *options)
    assert (done.code, done.out) == (2, "")
    assert said in done.err
    assert len(done.err.splitlines()) == 1
