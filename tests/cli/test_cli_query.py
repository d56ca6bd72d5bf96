"""The verb ``query``: answers about a private table, as a newcomer meets them."""

from __future__ import annotations

import csv
import json
import os
import pty
import shlex
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow.parquet as pq
import pytest

from tests.cli.test_cli_commands import all_that_comes

if TYPE_CHECKING:
    from tests.cli.conftest import Finished, Shell

PATIENTS = Path(__file__).parents[2] / "examples" / "patients.csv"
BY_SEX = "SELECT sex, COUNT(*) AS n, AVG(age) AS age FROM patients GROUP BY sex"
COUNT = "SELECT COUNT(*) AS n FROM patients"
DECLARED = ("--unit", "patient_id", "--bounds", "age=0:110", "--keys", "sex=F,M")
ROWS = ("--unit", "patient_id", "--limit", "rows=60")
PEOPLE = "(add or remove one patient_id)"


def refuses(done: Finished, sentence: str, code: int = 2) -> None:
    assert (done.code, done.out) == (code, ""), done.err
    assert sentence in done.err
    assert done.err.startswith("sfumato: ")
    assert done.err.count("\n") == 1


def rows() -> list[dict[str, str]]:
    return list(csv.DictReader(PATIENTS.read_text(encoding="utf-8").splitlines()))


def answer(shell: Shell, *arguments: object) -> dict[str, Any]:
    done = shell("query", *arguments, "--json")
    assert (done.code, done.err) == (0, "")
    read: dict[str, Any] = json.loads(done.out)
    return read


def test_the_command_of_the_readme_answers(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(PATIENTS.parents[1])
    command = (
        f'query examples/patients.csv "{BY_SEX}" --unit patient_id --bounds age=0:110 '
        "--keys sex=F,M --epsilon 1"
    )
    done = shell(*shlex.split(command))
    assert (done.code, done.err) == (0, "")
    header, women, men, guarantee, *_ = done.out.splitlines()
    assert header.split() == ["sex", "n", "age"]
    assert [line.split()[0] for line in (women, men)] == ["F", "M"]
    assert all("±" in line and " to " in line for line in (women, men))
    assert guarantee == f"1-DP {PEOPLE}, charged to no ledger"


def test_much_budget_gives_the_plain_answer(shell: Shell) -> None:
    """The other end of the trade: at ε = 100,000 the answer is that of a plain query."""
    options = [*DECLARED, "--limit", "rows=60", "--epsilon", "100000"]
    found = {row["sex"]: row for row in answer(shell, PATIENTS, BY_SEX, *options)["rows"]}
    counts = Counter(row["sex"] for row in rows())
    for sex, count in counts.items():
        ages = [int(row["age"]) for row in rows() if row["sex"] == sex]
        assert found[sex]["n"] == count
        assert found[sex]["age"] == pytest.approx(sum(ages) / count, abs=0.01)


def test_json_has_intervals_and_the_guarantee(shell: Shell) -> None:
    read = answer(shell, PATIENTS, BY_SEX, *DECLARED, "--epsilon", "1", "--confidence", "0.99")
    assert read["columns"] == ["sex", "n", "n_low", "n_high", "age", "age_low", "age_high"]
    assert (read["private"], read["confidence"], read["receipt"]) == (True, 0.99, None)
    assert read["guarantee_in_words"] == f"1-DP {PEOPLE}"
    assert all(row["n_low"] < row["n"] < row["n_high"] for row in read["rows"])
    assert all(isinstance(row["n"], int) for row in read["rows"])


@pytest.mark.parametrize(
    ("target", "guarantee"),
    [
        (["--epsilon", "0.5"], f"0.5-DP {PEOPLE}"),
        (["--epsilon", "1", "--delta", "1e-6", "--noise", "gaussian"], f"(1, 1e-06)-DP {PEOPLE}"),
        (["--rho", "0.1"], f"0.1-zCDP {PEOPLE}"),
        (["--epsilon", "1", "--relation", "substitute"], "1-DP (substitute one patient_id"),
    ],
)
def test_every_kind_of_guarantee(shell: Shell, target: list[str], guarantee: str) -> None:
    assert answer(shell, PATIENTS, COUNT, *ROWS, *target)["guarantee_in_words"].startswith(
        guarantee
    )


def test_public_keys_may_come_from_a_file(shell: Shell, tmp_path: Path) -> None:
    pairs = tmp_path / "pairs.csv"
    pairs.write_text("sex,smoker\nF,yes\nF,no\n", encoding="utf-8")
    sql = "SELECT sex, smoker, COUNT(*) AS n FROM patients GROUP BY sex, smoker"
    read = answer(shell, PATIENTS, sql, *ROWS, "--keys", f"sex,smoker=@{pairs}", "--epsilon", "1")
    assert [(row["sex"], row["smoker"]) for row in read["rows"]] == [("F", "no"), ("F", "yes")]


def test_keys_of_what_is_derived_may_come_from_a_file(shell: Shell, tmp_path: Path) -> None:
    bands = tmp_path / "bands.csv"
    bands.write_text("band\nchild\nadult\n", encoding="utf-8")
    sql = "SELECT IF(age < 18, 'child', 'adult') AS band, COUNT(*) AS n FROM patients GROUP BY band"
    options = [*ROWS, "--types", "age=integer", "--keys", f"band=@{bands}", "--epsilon", "1"]
    read = answer(shell, PATIENTS, sql, *options)
    assert [row["band"] for row in read["rows"]] == ["adult", "child"]


def test_clipping_in_sql_gives_the_bounds(shell: Shell) -> None:
    sql = "SELECT SUM(CLIP(IF(sex = 'F', 1, 0), 0, 1)) AS s FROM patients"
    women = "SELECT COUNT(*) AS s FROM patients WHERE sex = 'F'"
    sums = [answer(shell, PATIENTS, each, *ROWS, "--epsilon", "1000") for each in (sql, women)]
    assert sums[0]["rows"][0]["s"] == pytest.approx(sums[1]["rows"][0]["s"], abs=0.5)


def test_a_policy_is_asked_and_options_go_before_it(shell: Shell, tmp_path: Path) -> None:
    policy = tmp_path / "patients.toml"
    policy.write_text(
        f'[table]\nsource = "{PATIENTS}"\nunit = "patient_id"\n[limits]\nrows = 60\n'
        '[columns.age]\nbounds = [0, 110]\n[columns.sex]\nvalues = ["F", "M"]\n',
        encoding="utf-8",
    )
    assert len(answer(shell, policy, BY_SEX, "--epsilon", "1")["rows"]) == 2
    assert len(answer(shell, policy, BY_SEX, "--epsilon", "1", "--keys", "sex=F")["rows"]) == 1
    sql = "SELECT AVG(cost) AS cost FROM patients"
    costs = answer(shell, policy, sql, "--epsilon", "1", "--bounds", "cost=0:500")["rows"]
    assert set(costs[0]) == {"cost", "cost_low", "cost_high"}


def test_an_answer_goes_to_a_file_that_is_new(shell: Shell, tmp_path: Path) -> None:
    file = tmp_path / "answer.csv"
    asked = ["query", PATIENTS, BY_SEX, *DECLARED, "--epsilon", "1", "--output", file]
    first = json.loads(shell(*asked, "--json").out)
    written = list(csv.DictReader(file.read_text(encoding="utf-8").splitlines()))
    assert [int(row["n"]) for row in written] == [row["n"] for row in first["rows"]]
    assert list(written[0]) == first["columns"]
    before = file.read_bytes()
    refuses(shell(*asked), f"'{file}' is there already; name a new file, or add --replace")
    assert file.read_bytes() == before
    assert shell(*asked, "--replace").code == 0
    assert file.read_bytes() != before


def test_an_answer_goes_to_parquet(shell: Shell, tmp_path: Path) -> None:
    file = tmp_path / "answer.parquet"
    options = [*DECLARED, "--epsilon", "1", "--output", file]
    done = shell("query", PATIENTS, BY_SEX, *options, "--json")
    assert (done.code, done.err) == (0, f"sfumato: {file} is written\n")
    assert pq.read_table(file).to_pylist() == json.loads(done.out)["rows"]


def test_no_spreadsheet_takes_a_key_for_a_formula(shell: Shell, tmp_path: Path) -> None:
    table, file = tmp_path / "t.csv", tmp_path / "answer.csv"
    table.write_text("id,k\n1,=1+1\n", encoding="utf-8")
    sql = 'SELECT k, COUNT(*) AS "=n" FROM t GROUP BY k'
    options = ["--unit", "row", "--keys", "k==1+1,-2", "--epsilon", "1", "--output", file]
    assert shell("query", table, sql, *options).code == 0
    rows = csv.DictReader(file.read_text(encoding="utf-8").splitlines())
    assert rows.fieldnames is not None
    assert rows.fieldnames[:2] == ["k", "'=n"]
    assert {row["k"] for row in rows} == {"'=1+1", "-2"}


@pytest.mark.parametrize("name", ["patients.csv", "patients.toml"])
def test_what_is_read_is_never_written_over(shell: Shell, tmp_path: Path, name: str) -> None:
    table, policy = tmp_path / "patients.csv", tmp_path / "patients.toml"
    table.write_bytes(PATIENTS.read_bytes())
    policy.write_text('[table]\nsource = "patients.csv"\nunit = "row"\n', encoding="utf-8")
    asked = ["query", tmp_path / name, COUNT, "--epsilon", "1", "--output", table, "--replace"]
    refuses(shell(*asked, *(["--unit", "row"] if name == "patients.csv" else [])), "would be read")
    assert table.read_bytes() == PATIENTS.read_bytes()


@pytest.fixture
def charged(place: Path, shell: Shell, monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """A question to a table whose book has a budget of ε = 1."""
    monkeypatch.chdir(place.parent)
    said = ["--unit", "patient_id", "--epsilon", "1", "--ledger", place]
    assert shell("init", PATIENTS, *said).code == 0
    return ["patients.toml", COUNT, "--limit", "rows=60", "--analyst", "ada"]


def test_what_is_asked_is_charged(shell: Shell, charged: list[object]) -> None:
    read = answer(shell, *charged, "--epsilon", "0.25")
    assert read["receipt"]["version"] >= 1
    shown = json.loads(shell("ledger", "show", "patients", "--json").out)
    assert shown["budgets"][0]["spent"]["epsilon"] == "0.25"
    done = shell("query", *charged, "--epsilon", "0.25")
    assert "charged to the ledger: receipt " in done.out


def test_over_the_budget_is_refused_and_costs_nothing(shell: Shell, charged: list[object]) -> None:
    assert shell("query", *charged, "--epsilon", "0.75").code == 0
    refuses(
        shell("query", *charged, "--epsilon", "0.6"),
        "refused, the answer would cost ε = 0.6, and ε = 0.25 is left of the privacy budget of "
        "everyone together: 0.35 too much, and nothing was spent",
        3,
    )
    shown = json.loads(shell("ledger", "show", "patients", "--json").out)
    assert shown["budgets"][0]["spent"]["epsilon"] == "0.75"


def test_the_same_request_is_charged_once_and_answered_alike(
    shell: Shell, charged: list[object]
) -> None:
    first = answer(shell, *charged, "--epsilon", "0.75", "--key", "monday")
    again = answer(shell, *charged, "--epsilon", "0.75", "--key", "monday")
    assert first == again


@pytest.mark.parametrize(
    ("output", "sentence"),
    [
        ("answer.xlsx", "should end in .csv or .parquet"),
        ("no-such-folder/answer.csv", "in a folder"),
        ("ledger.db", "is a file of a ledger itself; name another file"),
    ],
)
def test_a_file_that_cannot_be_written_costs_nothing(
    shell: Shell, charged: list[object], output: str, sentence: str
) -> None:
    refuses(shell("query", *charged, "--epsilon", "0.5", "--output", output), sentence)
    shown = json.loads(shell("ledger", "show", "patients", "--json").out)
    assert shown["count"] == 1


def test_a_terminal_gets_a_bar_and_a_pipe_gets_none(shell: Shell) -> None:
    controller, terminal = pty.openpty()
    arguments = ["query", str(PATIENTS), COUNT, *ROWS, "--epsilon", "1"]
    command = [sys.executable, "-m", "sfumato", *arguments]
    environment = {**os.environ, "TERM": "xterm"}
    with subprocess.Popen(command, stdout=terminal, stderr=terminal, env=environment) as running:
        os.close(terminal)
        shown = all_that_comes(controller)
    assert running.returncode == 0
    assert "\u2501" in shown
    assert "\x1b[1mn\x1b[0m" in shown
    piped = shell(*arguments)
    assert (piped.err, "\x1b" in piped.out) == ("", False)


def test_on_a_terminal_sentences_are_wrapped_and_the_table_is_not(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = ("query", PATIENTS, COUNT)
    declared = ("--unit", "patient_id", "--limit", "rows=10", "--epsilon", "1")
    said = (
        "contributions above 10 rows of one patient_id are scaled down, not dropped (contribution "
        "bounding), and the intervals do not cover that"
    )
    monkeypatch.setenv("COLUMNS", "50")
    assert said in shell(*asked, *declared).out.splitlines()
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    lines = shell(*asked, *declared).out.splitlines()
    assert all(len(line) <= 50 for line in lines[1:])
    assert said in " ".join(" ".join(lines).split())


def test_on_a_terminal_an_error_is_wrapped_between_words(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "50")
    whole = shell("entropy", "examples/hospital-a.csv", "--columns", "diagnosys").err
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    lines = shell("check").err.splitlines()
    assert whole.count("\n") == 1
    assert lines == ["sfumato: no certificate is named; write sfumato", "  check release.json"]
