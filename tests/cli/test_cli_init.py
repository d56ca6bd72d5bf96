"""The verb ``init``: a policy drafted from the schema alone, and the book of a table."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sfumato.data.policy import read_policy
from sfumato.ledger import Ledger
from tests.cli.test_cli_commands import all_that_comes

if TYPE_CHECKING:
    from tests.cli.conftest import Finished, Shell

PATIENTS = Path(__file__).parents[2] / "examples" / "patients.csv"
ALL_SAID = ("--unit", "patient_id", "--epsilon", "3", "--ledger", "ledger.db")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in, with a signing key of its own."""
    monkeypatch.setenv("SFUMATO_SIGNING_KEY", str(tmp_path / "key.pem"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def refuses(done: Finished, sentence: str) -> None:
    assert (done.code, done.out) == (2, ""), done.err
    assert sentence in done.err
    assert done.err.startswith("sfumato: ")
    assert done.err.count("\n") == 1


def test_a_draft_leaves_blank_what_was_not_said(shell: Shell, folder: Path) -> None:
    done = shell("init", PATIENTS)
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines() == [
        "patients.toml is written, from the names of the columns alone: no row was read",
        "fill in  unit in [table]: the privacy unit, the column of the person's id",
        "fill in  epsilon in [budget]: the privacy budget of the table",
        "fill in  path in [ledger]: the account of what was spent of it",
        "fill in  analyst in [ledger]: who gets the answers; or say it by --analyst",
        "fill in  type, bounds and values in [columns.…] of those that you ask about",
        "then do  sfumato init patients.toml, which opens a book",
        "look at  sfumato inspect patients.toml, for your eyes only: which cells fit that",
        "and try  sfumato plan patients.toml 'SELECT COUNT(*) AS n FROM patients' --epsilon 0.1",
    ]
    policy = read_policy(folder / "patients.toml")
    assert (policy.unit, policy.allowance, policy.ledger) == (None, None, None)
    assert Path(policy.source).samefile(PATIENTS)
    assert sorted(each.name for each in folder.iterdir()) == ["patients.toml"]


def test_types_are_said_to_be_read_where_a_table_has_them(shell: Shell, folder: Path) -> None:
    pq.write_table(pa.table({"id": [1], "age": [61]}), folder / "visits.parquet")
    done = shell("init", "visits.parquet")
    assert "from the names and types of the columns alone: no row was read" in done.out
    assert "fill in  bounds and values in [columns.…] of those that you ask about" in done.out
    assert "[columns.age]  # integer" in (folder / "visits.toml").read_text()


def test_a_draft_has_no_cell_of_the_table(shell: Shell, folder: Path) -> None:
    """Only the header is looked at: rows that no CSV could have make no difference."""
    table = folder / "visits.csv"
    table.write_bytes(b'id,age\ncanary,"\xff\xfe\n"canary",,,,\n')
    assert shell("init", table).code == 0
    drafted = (folder / "visits.toml").read_text()
    assert "canary" not in drafted
    table.write_text("id,age\n")
    assert shell("init", table, "--replace").code == 0
    assert (folder / "visits.toml").read_text() == drafted


def test_what_was_said_is_filled_in_and_the_book_is_open(shell: Shell, folder: Path) -> None:
    done = shell("init", PATIENTS, *ALL_SAID, "--delta", "1e-6", "--relation", "substitute")
    assert (done.code, done.err) == (0, "")
    guarantee = "(3, 1e-06)-DP (substitute one patient_id)"
    assert f"everyone together: {guarantee} for all answers ever given" in done.out
    assert f"{folder / 'ledger.db'}, made now" in done.out
    policy = read_policy(folder / "patients.toml")
    assert str(policy.budget) == guarantee
    with Ledger.open(folder / "ledger.db") as ledger:
        assert ledger.book("patients").rules[0].budget == policy.budget


def test_comments_stay_in_their_column(shell: Shell, folder: Path) -> None:
    shell("init", PATIENTS, *ALL_SAID)
    lines = (folder / "patients.toml").read_text().splitlines()
    unit = next(line for line in lines if line.startswith("unit"))
    relation = next(line for line in lines if line.startswith("relation"))
    assert unit.index("#") == relation.index("#")
    assert not any(line.startswith("# perhaps") for line in lines)


def test_paths_are_written_as_seen_from_the_policy(shell: Shell, folder: Path) -> None:
    (folder / "policies").mkdir()
    done = shell("init", PATIENTS, *ALL_SAID, "--output", "policies/p.toml", "--rho", "0.1")
    refuses(done, "both epsilon and rho")
    said = ["--unit", "row", "--rho", "1/10", "--ledger", "ledger.db", "--book", "visits"]
    assert shell("init", PATIENTS, *said, "--output", "policies/p.toml").code == 0
    policy = read_policy(folder / "policies" / "p.toml")
    assert policy.ledger is not None
    assert Path(str(policy.ledger.path)).resolve() == folder / "ledger.db"
    assert policy.ledger.book == "visits"
    assert str(policy.budget) == "0.1-zCDP (add or remove one row)"


def test_a_policy_that_is_filled_in_later_opens_its_book(shell: Shell, folder: Path) -> None:
    shell("init", PATIENTS, "--ledger", "ledger.db", "--epsilon", "ln(2)")
    refuses(shell("init", "patients.toml"), "the policy does not declare: unit; declare that, too")
    file = folder / "patients.toml"
    file.write_text(file.read_text().replace('unit = ""', 'unit = "patient_id"'))
    refuses(shell("init", "patients.toml", "--epsilon", "1"), "a policy says all that itself")
    done = shell("init", "patients.toml")
    assert done.out.startswith("the book of patients is open; its budgets never change\n")
    assert "ln(2)-DP (add or remove one patient_id)" in done.out
    refuses(shell("init", "patients.toml"), "there is a book 'patients' already")


def test_nothing_is_written_over(shell: Shell, folder: Path) -> None:
    shell("init", PATIENTS, *ALL_SAID)
    first = (folder / "patients.toml").read_text()
    refuses(shell("init", PATIENTS, "--unit", "row"), "'patients.toml' is there already")
    assert (folder / "patients.toml").read_text() == first
    again = shell("init", PATIENTS, *ALL_SAID, "--replace")
    said = "the book of patients is there already, with this budget, and goes on\n"
    assert (again.code, said in again.out) == (0, True)
    assert "is open; its budgets" not in again.out
    other = shell("init", PATIENTS, *ALL_SAID[:-4], "--epsilon", "4", *ALL_SAID[-2:], "--replace")
    refuses(other, "there is a book 'patients' already; its budgets never change")
    assert (folder / "patients.toml").read_text() == first
    assert [each.name for each in folder.iterdir() if each.name.startswith(".")] == []


def test_a_policy_that_is_copied_goes_with_the_same_book(shell: Shell, folder: Path) -> None:
    """A copy must not open a second full budget over the same people."""
    shell("init", PATIENTS, "--output", "first.toml", *ALL_SAID[:4])
    text = (folder / "first.toml").read_text()
    for name in ("first.toml", "second.toml"):
        (folder / name).write_text(text.replace('# path = "ledger.db"', 'path = "ledger.db"'))
    assert shell("init", "first.toml").out.startswith("the book of patients is open;")
    refuses(shell("init", "second.toml"), "there is a book 'patients' already")
    asked = ("SELECT COUNT(*) AS n FROM patients", "--epsilon", "2", "--analyst", "ada")
    assert shell("query", "first.toml", *asked).code == 0
    assert shell("query", "second.toml", *asked).code == 3


def test_other_books_of_the_ledger_are_named(shell: Shell) -> None:
    said = "is about the same people, what is spent of both adds up"
    shown = [
        shell("init", PATIENTS, *ALL_SAID, "--book", book, "--output", f"{book}.toml").out
        for book in "abcde"
    ]
    assert said not in shown[0]
    assert f"the ledger has another book (a): if it {said}" in shown[1]
    assert f"the ledger has other books (a, b, c and 1 more): if one {said}" in shown[4]


def test_commands_can_be_pasted_into_a_shell(shell: Shell, folder: Path) -> None:
    (folder / "mit leer.csv").write_bytes(PATIENTS.read_bytes())
    shown = shell("init", "mit leer.csv").out
    assert "then do  sfumato init 'mit leer.toml', which opens a book\n" in shown
    refused = shell("init", "mit leer.toml", "--epsilon", "1")
    refuses(refused, "write sfumato init 'mit leer.toml' and nothing else")


def test_only_policies_are_replaced(shell: Shell, folder: Path) -> None:
    other = folder / "pyproject.toml"
    other.write_text("[project]\nname = 'mine'\n")
    refuses(shell("init", PATIENTS, "--output", other, "--replace"), "no table 'project'")
    assert other.read_text() == "[project]\nname = 'mine'\n"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--unit", "patient"], "there is no column 'patient'"),
        (["--unit", "patient"], "did you mean 'patient_id'?"),
        (["--epsilon", "-1"], "--epsilon must be"),
        (["--epsilon", "much"], "--epsilon must be"),
        (["--rho", "0.1", "--delta", "1e-6"], "a budget of rho has no delta"),
        (["--delta", "1e-6"], "a budget has neither epsilon nor rho"),
        (["--relation", "swap"], "'swap'"),
        (["--output", "patients.yaml"], "write one that ends in .toml"),
        (["--output", "no-such-folder/p.toml"], "in a folder"),
        (["--ledger", "postgresql://ada:secret@host/books"], "has a password in it"),
        (["--unit", ""], "--unit is empty; write --unit COLUMN, or leave it out"),
    ],
)
def test_bad_input_is_one_sentence_and_nothing_is_made(
    shell: Shell, folder: Path, arguments: list[str], sentence: str
) -> None:
    refuses(shell("init", PATIENTS, *arguments), sentence)
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("name", ["none.csv", "empty.csv", "table.xlsx"])
def test_a_table_that_cannot_be_read(shell: Shell, folder: Path, name: str) -> None:
    if name != "none.csv":
        (folder / name).touch()
    refuses(shell("init", name), f"'{name}'")
    assert not (folder / "empty.toml").exists()


def test_json_says_what_is_blank(shell: Shell) -> None:
    drafted = json.loads(shell("init", PATIENTS, *ALL_SAID[:2], "--json").out)
    assert [each.partition(" ")[0] for each in drafted["blank"]] == ["epsilon", "path"]
    assert (drafted["policy"], drafted["book"]) == ("patients.toml", None)
    opened = json.loads(shell("init", PATIENTS, *ALL_SAID, "--replace", "--json").out)
    assert (opened["blank"], opened["book"]["dataset"]) == ([], "patients")


def converse(folder: Path, answers: str, *arguments: str) -> tuple[int, str]:
    """Run ``init`` on a terminal, and type the answers."""
    controller, terminal = pty.openpty()
    command = [sys.executable, "-m", "sfumato", "init", str(PATIENTS), *arguments]
    with subprocess.Popen(
        command,
        cwd=folder,
        env={**os.environ, "TERM": "xterm"},
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
    ) as running:
        os.close(terminal)
        os.write(controller, answers.encode())
        shown = all_that_comes(controller)
    return running.returncode, shown


def test_on_a_terminal_it_asks_for_the_rest_and_asks_again(folder: Path) -> None:
    code, shown = converse(folder, "patient\npatient_id\n-3\n3\nledger.db\n")
    assert code == 0, shown
    assert "the columns are patient_id, sex, age" in shown
    assert shown.count("the privacy unit: the ID column, or row") == 2
    assert "did you mean 'patient_id'?" in shown
    assert shown.count("the privacy budget, as ε") == 2
    assert "the book of patients is open" in shown
    assert str(read_policy(folder / "patients.toml").budget) == (
        "3-DP (add or remove one patient_id)"
    )


def test_what_was_said_is_not_asked_and_enter_leaves_a_blank(folder: Path) -> None:
    code, shown = converse(folder, "\n\n", "--unit", "row")
    assert code == 0, shown
    assert "the ID column, or row" not in shown
    policy = read_policy(folder / "patients.toml")
    assert (str(policy.relation), policy.allowance, policy.ledger) == (
        "add or remove one row",
        None,
        None,
    )


def test_no_input_asks_nothing(folder: Path) -> None:
    code, shown = converse(folder, "", "--no-input")
    assert (code, "the columns are" in shown) == (0, False)
