"""The verbs that attack sparse records, answers and models, as their user sees them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.pages import pictures

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
    assert lines[-1].startswith("not private: ")
    assert max(map(len, lines)) <= 80


def test_scoreboard_writes_json(shell: Shell) -> None:
    found = json.loads(shell(*SCOREBOARD, *COLUMNS, "--json").out)
    assert (found["private"], found["people"], found["declared"]) == (False, 60, 1)
    assert found["matches"][0]["person"] == "u37"
    assert len(found["matches"][0]["candidates"]) == 5


def test_scoreboard_writes_a_page_with_a_picture(shell: Shell, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    assert shell(*SCOREBOARD, *COLUMNS, "--html", page).code == 0
    (picture,) = pictures(page.read_text(encoding="utf-8"))
    assert picture.count('aria-roledescription="bar"') == 5


def test_scoreboard_abstains_at_a_threshold_that_nobody_reaches(shell: Shell) -> None:
    done = shell(*SCOREBOARD, *COLUMNS, "--threshold", "20", "--candidates", "1")
    assert done.out.startswith("nobody is declared: user u37 fits best, but not well enough\n")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--item", "film", "--rating", "star"], "did you mean 'stars'"),
        (["--item", "film", "--rating", "date"], "a number, such as 4"),
        (["--item", "film", "--threshold", "high"], "--threshold takes"),
        (["--item", "film", "--candidates", "0"], "sfumato: --candidates must be"),
        (["--item", "film", "--rating-scale", "0"], "sfumato: --rating-scale must be"),
        (["--item", "film", "--threshold", "inf", "--json"], "sfumato: --threshold must be"),
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
    assert (done.code, done.err) == (0, f"sfumato: {page} is written\n")
    assert done.out.startswith(
        "from exact answers 60 of 60 values of smoker=yes are reconstructed\n"
    )
    assert max(map(len, done.out.splitlines())) <= 80
    assert len(pictures(page.read_text(encoding="utf-8"))) == 1


def test_reconstruct_writes_json(shell: Shell) -> None:
    done = shell(
        "attack", "reconstruct", PATIENTS, "--column", "smoker", "--people", 40, "--epsilon",
        "1,10", "--queries", 90, "--json",
    )  # fmt: skip
    found = json.loads(done.out)
    assert (found["private"], found["queries"], found["exact"]["right"]) == (False, 90, 40)
    assert [trial["epsilon"] for trial in found["trials"]] == [1.0, 10.0]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--column", "smokr=yes"], "did you mean 'smoker'"),
        (["--column", "smoker=yess"], "no row has the value 'yess' in the column 'smoker'"),
        (["--column", "patient_id=1"], "no row has the value '1' in the column 'patient_id'; w"),
        (["--column", "department"], "department=VALUE"),
        (["--column", "smoker", "--epsilon", "0"], "sfumato: --epsilon must"),
        (["--column", "smoker", "--epsilon", "little"], "sfumato: --epsilon must be"),
        (["--column", "smoker", "--epsilon", "1e300"], "sfumato: --epsilon must be"),
        (["--column", "smoker", "--queries", "0"], "sfumato: --queries must be"),
        (["--column", "smoker", "--people", "all"], "--people takes"),
        (["--column", "smoker", "--html", "no-such-folder/a.html"], "cannot be written"),
    ],
)
def test_reconstruct_refuses_in_one_sentence(shell: Shell, options: list[str], said: str) -> None:
    done = shell("attack", "reconstruct", PATIENTS, *options)
    assert (done.code, done.out) == (2, "")
    assert said in done.err
    assert len(done.err.splitlines()) == 1


TRAINED = ["--data", "examples.models:PEOPLE", "--epsilon", 1, "--trials", 150]


@pytest.fixture
def scores(tmp_path: Path) -> Path:
    file = tmp_path / "scores.csv"
    file.write_text("loss,in\n" + "0.1,yes\n0.9,no\n" * 150, encoding="utf-8")
    return file


def test_membership_of_a_model_that_remembers_breaks_the_guarantee(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(EXAMPLES.parent)
    page = tmp_path / "report.html"
    done = shell("attack", "membership", "examples.models:counts", *TRAINED, "--html", page)
    assert done.code == 5
    assert done.out.startswith("violated: the attack proves ε ≥ 1.493, and 1-DP was claimed\n")
    assert done.out.splitlines()[-1].startswith("not private: ")
    assert max(map(len, done.out.splitlines())) <= 80
    assert len(pictures(page.read_text(encoding="utf-8"))) == 1


def test_membership_of_a_private_model_keeps_it(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(EXAMPLES.parent)
    done = shell("attack", "membership", "examples.models:noisy_counts", *TRAINED, "--json")
    found = json.loads(done.out)
    assert (done.code, found["private"], found["violated"]) == (0, False, False)


def test_membership_reads_scores_from_a_table(shell: Shell, scores: Path) -> None:
    done = shell(
        "attack", "membership", scores, "--score", "loss", "--member", "in", "--smaller",
        "--epsilon", "1",
    )  # fmt: skip
    assert done.code == 5
    assert "a score of at most 0.1: 75 of 75 members and 0 of 75 others" in done.out


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--score", "los", "--member", "in"], "did you mean 'loss'"),
        (["--score", "loss"], "--score and --member"),
        (["--score", "in", "--member", "loss"], "no number"),
        (["--score", "loss", "--member", "in", "--person", "1"], "--person is a row of --data"),
        (["--data", "[1, 2]"], "module:function"),
    ],
)
def test_membership_refuses_in_one_sentence(
    shell: Shell, scores: Path, options: list[str], said: str
) -> None:
    done = shell("attack", "membership", scores, "--epsilon", "1", *options)
    assert (done.code, done.out) == (2, "")
    assert said in done.err
    assert len(done.err.splitlines()) == 1


def test_membership_of_a_model_asks_for_data_and_for_a_row(shell: Shell) -> None:
    model = ["attack", "membership", "examples.models:counts", "--epsilon", "1"]
    assert "add --data" in shell(*model).err
    assert "--person takes" in shell(*model, "--data", "[1, 2]", "--person", "ann").err
    assert "sfumato: --data must be a list" in shell(*model, "--data", "[1]").err


LOSING = """
import sys
from examples.models import counts
def losing(rows):
    model = counts(rows)
    return lambda row: -model(row)
def exits(rows):
    sys.exit(0)
def noargs():
    return 1
"""


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    (tmp_path / "losing_models.py").write_text(LOSING, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(EXAMPLES.parent))
    monkeypatch.syspath_prepend(str(tmp_path))
    return "losing_models"


def test_membership_of_a_model_that_loses_less_on_members(shell: Shell, module: str) -> None:
    model = ["attack", "membership", f"{module}:losing", *TRAINED]
    assert shell(*model).code == 0
    assert shell(*model, "--smaller").code == 5
    assert "leave it out with --data" in shell(*model, "--member", "in").err


@pytest.mark.parametrize(("name", "said"), [("exits", "SystemExit"), ("noargs", "TypeError")])
def test_membership_of_a_training_that_ends_is_no_verdict(
    shell: Shell, module: str, name: str, said: str
) -> None:
    done = shell("attack", "membership", f"{module}:{name}", *TRAINED)
    assert (done.code, done.out) == (2, "")
    assert f"the training function raised {said}" in done.err


def test_membership_of_long_data_may_write_over_an_earlier_page(
    shell: Shell, module: str, tmp_path: Path
) -> None:
    page = tmp_path / "report.html"
    page.write_text("earlier", encoding="utf-8")
    data = json.dumps([[0, 0, 0]] * 60)
    model = ["attack", "membership", f"{module}:losing", "--data", data, "--epsilon", 1]
    assert shell(*model, "--trials", 5, "--html", page).code == 0
    assert len(pictures(page.read_text(encoding="utf-8"))) == 1
