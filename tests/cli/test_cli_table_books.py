"""What ``plan`` and ``query`` say about the book of a table, and about groups to be found."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.cli.conftest import Finished, Shell

PATIENTS = Path(__file__).parents[2] / "examples" / "patients.csv"
COUNT = "SELECT COUNT(*) AS n FROM patients"
BY_DEPARTMENT = "SELECT department, COUNT(*) AS n FROM patients GROUP BY department"
UNIT = ["--unit", "patient_id"]
FOUND = ["--delta", "1e-6", "--limit", "groups=5"]
ADA = ["--analyst", "ada"]


@pytest.fixture(autouse=True)
def folder(place: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(place.parent)
    return place.parent


def opened(shell: Shell, *budget: str) -> str:
    """Return the policy of a book that was opened with a budget."""
    said = [*UNIT, "--ledger", "ledger.db", *budget]
    assert shell("init", PATIENTS, *said).code == 0
    return "patients.toml"


def last_line(done: Finished) -> str:
    assert done.code == 0, done.err
    return done.out.splitlines()[-1]


def test_all_that_finding_groups_takes_is_said_at_once(shell: Shell) -> None:
    done = shell("query", PATIENTS, BY_DEPARTMENT, *UNIT, "--epsilon", "2")
    assert done.code == 2
    assert "--epsilon 2 --delta 1e-6 and --limit groups=5" in done.err
    assert "as in --keys department=a,b" in done.err
    assert shell("query", PATIENTS, BY_DEPARTMENT, *UNIT, "--epsilon", "2", *FOUND).code == 0


@pytest.mark.parametrize("budget", ["epsilon", "rho"])
def test_a_book_without_delta_is_left_by_what_is_said(shell: Shell, budget: str) -> None:
    policy = opened(shell, f"--{budget}", "2")
    asked = [policy, BY_DEPARTMENT, *FOUND, *ADA, "--epsilon", "1"]
    refused = shell("query", *asked)
    assert (refused.code, refused.out) == (2, "")
    assert "groups that are not declared need a delta, and the budget of the book" in refused.err
    assert "knowing that what is spent in both adds up, open a book of another name" in refused.err
    sentence = refused.err.removeprefix("sfumato: ").strip()
    assert last_line(shell("plan", *asked)) == f"query would refuse this: {sentence}"
    command = shlex.split(sentence.rpartition(" by: sfumato ")[2])
    assert shell(*command).code == 0
    assert shell("query", "patients-delta.toml", *asked[1:]).code == 0
    declared = [*asked[:2], "--keys", "department=surgery,other", *ADA, "--epsilon", "1"]
    assert shell("query", *declared).code == 0


@pytest.mark.full
@pytest.mark.parametrize(
    ("budget", "first", "second"),
    [
        (["--epsilon", "1"], ["--epsilon", "0.9"], ["--epsilon", "0.2"]),
        (["--rho", "1"], ["--rho", "0.9"], ["--rho", "0.2"]),
        (["--epsilon", "1", "--delta", "1e-6"], ["--epsilon", "0.9"], ["--epsilon", "0.3"]),
        (["--epsilon", "1"], ["--epsilon", "0.9"], ["--epsilon", "0.1"]),
        (["--epsilon", "1", "--delta", "1e-6"], ["--epsilon", "0.3"], ["--epsilon", "0.3"]),
        (["--epsilon", "1"], ["--epsilon", "0.5"], ["--rho", "0.1"]),
    ],
)
def test_a_plan_says_what_query_does(
    shell: Shell, budget: list[str], first: list[str], second: list[str]
) -> None:
    asked = [opened(shell, *budget), COUNT, "--limit", "rows=9", *ADA]
    assert shell("query", *asked, *first).code == 0
    planned = json.loads(shell("plan", *asked, *second, "--json").out)
    line = last_line(shell("plan", *asked, *second))
    assert line.startswith("query would refuse this: ") == (planned["refused"] is not None)
    answered = shell("query", *asked, *second)
    assert (planned["refused"] is not None) == (answered.code != 0), answered.err


def test_a_policy_whose_ledger_is_blank_is_left_by_what_is_said(shell: Shell, folder: Path) -> None:
    assert shell("init", PATIENTS, *UNIT, "--epsilon", "1").code == 0
    asked = ["query", "patients.toml", COUNT, "--limit", "rows=5", "--epsilon", "0.4"]
    blank = shell(*asked)
    assert blank.code == 2
    assert "write path = \"ledger.db\" in [ledger] of 'patients.toml', and open its" in blank.err
    unopened = shell(*asked, "--ledger", "ledger.db")
    assert unopened.code == 2
    opener = 'sfumato init patients.toml, once its [ledger] has path = "ledger.db"'
    assert unopened.err.endswith(f" by: {opener}\n")
    policy = folder / "patients.toml"
    said = policy.read_text(encoding="utf-8").replace('# path = "ledger.db"', 'path = "ledger.db"')
    policy.write_text(said, encoding="utf-8")
    assert shell("init", "patients.toml").code == 0
    assert shell(*asked, *ADA).code == 0


def test_gaussian_noise_under_a_book_without_delta(shell: Shell) -> None:
    asked = [opened(shell, "--epsilon", "2"), COUNT, "--limit", "rows=9", *ADA, "--epsilon", "1"]
    refused = shell("query", *asked, "--delta", "1e-6", "--noise", "gaussian")
    assert (refused.code, "leave delta and noise out" in refused.err) == (2, True)
    assert shell("query", *asked).code == 0


def test_each_analyst_is_planned_by_what_is_left_of_their_own(shell: Shell) -> None:
    asked = [PATIENTS, COUNT, "--unit", "row", "--ledger", "ledger.db", "--epsilon", "0.4"]
    shell("ledger", "init", "patients", "--epsilon", "2", "--each-analyst", "0.5")
    assert shell("query", *asked, *ADA).code == 0
    assert last_line(shell("plan", *asked, *ADA)).startswith("query would refuse this: ")
    assert shell("query", *asked, *ADA).code == 3
    assert " is left" in last_line(shell("plan", *asked, "--analyst", "bob"))
    assert shell("query", *asked, "--analyst", "bob").code == 0


def test_a_table_of_another_unit_is_refused_by_the_plan_too(shell: Shell) -> None:
    policy = opened(shell, "--epsilon", "1")
    asked = [policy, COUNT, "--unit", "row", *ADA, "--epsilon", "0.1"]
    refused = shell("query", *asked)
    assert (refused.code, "keeps a privacy budget for" in refused.err) == (2, True)
    assert "keeps a privacy budget for" in last_line(shell("plan", *asked))


def test_a_budget_that_was_changed_in_the_policy_is_said_not_to_hold(
    shell: Shell, folder: Path
) -> None:
    policy = opened(shell, "--epsilon", "2")
    asked = [policy, COUNT, "--limit", "rows=9", *ADA, "--epsilon", "0.1"]
    assert shell("query", *asked).err == ""
    text = (folder / policy).read_text()
    (folder / policy).write_text(text.replace("epsilon = 2", "epsilon = 9"))
    said = "the policy declares a budget of 9-DP, and the book 'patients' keeps 2-DP, which holds"
    answered, planned = shell("query", *asked), shell("plan", *asked)
    assert (answered.code, said in answered.err, answered.err.count("\n")) == (0, True, 1)
    assert said in planned.out
    assert json.loads(shell("plan", *asked, "--json").out)["warning"].startswith(said)


def test_init_says_what_a_budget_without_delta_is_for(shell: Shell) -> None:
    said = "this budget has no δ, so it is for answers whose groups are declared"
    both = [[*UNIT, "--epsilon", "2"], [*UNIT, "--epsilon", "2", "--delta", "1e-6"]]
    shown = [
        shell("init", PATIENTS, *each, "--ledger", f"{number}.db", "--replace").out
        for number, each in enumerate(both)
    ]
    assert [said in each for each in shown] == [True, False]
    assert all("fill in  analyst in [ledger]" in each for each in shown)
