"""The verb ``plan``: what an answer would cost, said before a row is read."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sfumato.privacy.events import from_json

if TYPE_CHECKING:
    from tests.cli.conftest import Shell

PATIENTS = Path(__file__).parents[2] / "examples" / "patients.csv"
BY_SEX = "SELECT sex, COUNT(*) AS n, AVG(age) AS age FROM patients GROUP BY sex"
DECLARED = ("--unit", "patient_id", "--bounds", "age=0:110", "--keys", "sex=F,M")
LIMITED = (*DECLARED, "--limit", "rows=10")


def test_a_plan_is_a_tree_with_the_price_in_an_attackers_terms(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "1000")
    done = shell("plan", PATIENTS, BY_SEX, *LIMITED, "--epsilon", "1")
    assert (done.code, done.err) == (0, "")
    headline, *branches = done.out.splitlines()
    assert headline == f"n = count(*), age = mean(age) by sex of '{PATIENTS}'"
    assert "├─ groups by sex: 2, declared" in branches
    assert "├─ steps, together 1-DP (add or remove one patient_id)" in branches
    assert any("someone who thought it 50 % likely" in line for line in branches)
    assert sum(line.startswith("└─") for line in branches) == 1


def test_one_is_not_said_in_the_plural(shell: Shell) -> None:
    for rows, said in (
        (1, "contributions above 1 row of one"),
        (2, "contributions above 2 rows of one"),
    ):
        done = shell("plan", PATIENTS, BY_SEX, *DECLARED, "--limit", f"rows={rows}", "--rho", "1")
        assert said in done.out


def test_no_row_is_read(shell: Shell, tmp_path: Path) -> None:
    """Lines that no CSV could have, right behind the header, go unseen."""
    table = tmp_path / "patients.csv"
    header = b"patient_id,sex,age\n"
    options = [table, BY_SEX, *LIMITED, "--epsilon", "1"]
    table.write_bytes(header)
    planned = shell("plan", *options)
    assert planned.code == 0
    table.write_bytes(header + b'canary\r\n1,F,60,extra,cells\n"\xff')
    assert shell("plan", *options) == planned
    answered = shell("query", *options)
    assert (answered.code, "canary" in answered.err) == (2, False)


def test_no_row_of_a_parquet_file_is_read(shell: Shell, tmp_path: Path) -> None:
    table = tmp_path / "patients.parquet"
    columns = {"patient_id": [1, 2], "sex": ["F", "M"], "age": [60, 70]}
    pq.write_table(pa.table(columns), table, compression="none", use_dictionary=False)
    options = [table, BY_SEX, *LIMITED, "--epsilon", "1"]
    planned = shell("plan", *options)
    assert planned.code == 0
    content = table.read_bytes()
    table.write_bytes(content[:4] + b"\xff" * 60 + content[64:])
    assert shell("plan", *options) == planned
    assert shell("query", *options).code == 2


def test_json_holds_what_would_be_charged(shell: Shell) -> None:
    read = json.loads(shell("plan", PATIENTS, BY_SEX, *DECLARED, "--rho", "0.1", "--json").out)
    assert read["guarantee_in_words"] == "0.1-zCDP (add or remove one patient_id)"
    assert read["groups"] == 2
    assert set(read["errors"]) == {"n", "age"}
    assert len(from_json(json.dumps(read["event"]))) == 1


def test_weights_move_the_budget(shell: Shell) -> None:
    asked = "SELECT sex, COUNT(*) AS n, COUNT(DISTINCT patient_id) AS p FROM patients GROUP BY sex"
    plain = shell("plan", PATIENTS, asked, *LIMITED, "--epsilon", "1")
    weighed = shell("plan", PATIENTS, asked, *LIMITED, "--epsilon", "1", "--weight", "n=50")
    assert plain.out != weighed.out


def test_a_plan_charges_nothing_and_says_what_is_left(shell: Shell, place: Path) -> None:
    said = ["--unit", "patient_id", "--epsilon", "1", "--ledger", place]
    policy = place.with_name("patients.toml")
    assert shell("init", PATIENTS, *said, "--output", policy).code == 0
    sql = "SELECT COUNT(*) AS n FROM patients"
    fits, missing = (
        shell("plan", policy, sql, "--limit", "rows=9", "--epsilon", each).out.splitlines()[-1]
        for each in ("0.5", "5")
    )
    people = "(add or remove one patient_id)"
    assert fits == f"everyone together: 0 % of 1-DP {people} is spent, 1-DP is left"
    assert missing == (
        "query would refuse this: the answer would cost ε = 5, and ε = 1 is left of the privacy "
        "budget of everyone together: 4 too much, and nothing was spent"
    )
    shown = json.loads(shell("ledger", "show", "patients", "--json").out)
    assert shown["count"] == 1


def test_a_plan_needs_no_ledger(shell: Shell, tmp_path: Path) -> None:
    options = [*LIMITED, "--epsilon", "1", "--ledger", tmp_path / "ledger.db", "--analyst", "ada"]
    alone = shell("plan", PATIENTS, BY_SEX, *LIMITED, "--epsilon", "1")
    assert shell("plan", PATIENTS, BY_SEX, *options) == alone
    assert not (tmp_path / "ledger.db").exists()


def test_the_sql_of_the_engine_can_be_shown_alone(shell: Shell) -> None:
    done = shell("plan", PATIENTS, BY_SEX, *LIMITED, "--epsilon", "1", "--sql")
    assert (done.code, done.err) == (0, "")
    first, *statement = done.out.splitlines()
    assert first.startswith("-- add up the sum of age and the sum of (110 - age)")
    assert statement[0] == "SELECT"
    assert "GROUP BY" in done.out


def test_the_sensitivity_of_each_part_can_be_shown(shell: Shell) -> None:
    done = shell("plan", PATIENTS, BY_SEX, *LIMITED, "--epsilon", "1", "--explain")
    first, *parts = done.out.splitlines()
    assert first.startswith("if one patient_id is added or removed")
    assert any("a row adds at most 110, so by at most 1,100" in each for each in parts)
    both = shell("plan", PATIENTS, BY_SEX, *LIMITED, "--epsilon", "1", "--explain", "--sql")
    assert both.out.startswith(done.out)
    assert "SELECT" in both.out


def words(lines: list[str]) -> list[str]:
    """The words of lines, in order, without the stems of a tree."""
    return [each for line in lines for each in line.split() if each not in {"│", "├─", "└─"}]


@pytest.mark.parametrize("columns", [40, 50, 80, 100])
@pytest.mark.parametrize("options", [(), ("--explain",)])
def test_no_line_is_wider_than_the_terminal_and_no_word_is_lost(
    shell: Shell,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    columns: int,
    options: tuple[str, ...],
) -> None:
    shutil.copy(PATIENTS, tmp_path)
    monkeypatch.chdir(tmp_path)
    asked = ("plan", "patients.csv", BY_SEX, *LIMITED, "--epsilon", "1", *options)
    monkeypatch.setenv("COLUMNS", "1000")
    whole = shell(*asked).out.splitlines()
    assert max(map(len, whole)) > 100
    monkeypatch.setenv("COLUMNS", str(columns))
    narrow = shell(*asked).out.splitlines()
    assert max(map(len, narrow)) <= columns
    assert words(narrow) == words(whole)


def test_a_branch_is_wrapped_between_the_stems_of_the_others(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    lines = shell("plan", PATIENTS, BY_SEX, *LIMITED, "--epsilon", "1").out.splitlines()
    place = next(place for place, line in enumerate(lines) if "someone who thought" in line)
    assert lines[place].startswith("│  ├─ someone")
    assert lines[place + 1].startswith("│  │    ")


def test_json_has_the_parts_and_the_statements(shell: Shell) -> None:
    read = json.loads(shell("plan", PATIENTS, BY_SEX, *LIMITED, "--epsilon", "1", "--json").out)
    assert read["parts"][0]["moves"] == "any number of rows, all of one patient_id"
    assert read["statements"][0]["sql"].startswith("SELECT")
