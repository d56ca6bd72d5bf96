"""Tables that the SQL of ``plan`` and ``query`` joins."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.tables.joins.asked import BY_CARD, BY_WING, write_clinic

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Shell


@pytest.fixture(autouse=True)
def clinic(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(write_clinic(tmp_path))


@pytest.mark.parametrize(
    ("file", "sql", "options"),
    [
        ("visits.toml", BY_WING, []),
        ("visits.csv", BY_WING, ["--unit", "id", "--public", "wings=wings.csv"]),
        ("visits.toml", BY_CARD, ["--with", "cards=cards.toml"]),
    ],
)
def test_tables_are_joined(file: str, sql: str, options: list[str], shell: Shell) -> None:
    for verb in ("plan", "query"):
        done = shell(verb, file, sql, *options, "--epsilon", "1")
        assert (done.code, done.err) == (0, "")
        assert "1-DP (add or remove one id)" in done.out


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (
            [],
            (
                "there is no table 'cards' (known: 'wings'); one to join is given by "
                "--public cards=FILE.csv, or --with cards=FILE.toml if it is private"
            ),
        ),
        (["--with", "cards"], "--with takes cards=cards.toml, say; 'cards' is not of this form"),
        (
            ["--with", "cards.toml"],
            "--with takes cards=cards.toml, say; 'cards.toml' is not of this form",
        ),
        (["--public", "c.csv"], "--public takes c=c.csv, say; 'c.csv' is not of this form"),
        (["--public", "c"], "--public takes c=c.csv, say; 'c' is not of this form"),
        (
            ["--with", "cards=cards.csv"],
            "--with takes the policy of a private table, which declares its privacy unit",
        ),
        (["--with", "cards=cards.csv"], "write --with cards=cards.toml, which sfumato init drafts"),
        (["--public", "cards=none.csv"], "the public table 'cards': there is no file 'none.csv'"),
    ],
)
def test_a_mistake_is_one_sentence(options: list[str], said: str, shell: Shell) -> None:
    done = shell("plan", "visits.toml", BY_CARD, *options, "--epsilon", "1")
    assert (done.code, done.out) == (2, "")
    assert said in done.err


def test_a_join_with_a_table_that_is_not_given_says_how_to_give_it(shell: Shell) -> None:
    done = shell("plan", "visits.csv", BY_WING, "--unit", "id", "--epsilon", "1")
    assert (done.code, done.out) == (2, "")
    assert done.err.endswith(
        "write --public wings=FILE.csv, or --with wings=FILE.toml if it is private\n"
    )


BEDS = "SELECT wing, AVG(beds) AS beds FROM visits v JOIN wings w ON v.ward = w.ward GROUP BY wing"


def test_the_type_of_a_public_column_is_said_by_its_table(shell: Shell) -> None:
    options = ["--unit", "id", "--limit", "rows=5", "--public", "wings=wings.csv", "--epsilon", "1"]
    done = shell("plan", "visits.csv", BEDS, *options)
    assert (done.code, done.out) == (2, "")
    assert done.err.endswith("if it holds numbers, declare --types wings.beds=number\n")
    done = shell("plan", "visits.csv", BEDS, *options, "--types", "wings.beds=number")
    assert (done.code, done.err) == (0, "")
    done = shell("plan", "visits.csv", BEDS, *options, "--types", "wings.bed=integer")
    assert "there is no column 'bed' in 'wings.csv'; did you mean 'beds'?" in done.err


def test_the_type_of_a_public_column_goes_before_what_a_policy_says(shell: Shell) -> None:
    assert shell("plan", "visits.toml", BEDS, "--epsilon", "1").code == 0
    done = shell("plan", "visits.toml", BEDS, "--epsilon", "1", "--types", "wings.beds=text")
    assert (done.code, done.out) == (2, "")
    assert "mean takes a column of numbers, and beds is of type text" in done.err


def test_columns_of_two_types_are_told_which_to_declare(shell: Shell) -> None:
    asked = ("plan", "visits.csv", BY_WING, "--unit", "id", "--public", "wings=wings.csv")
    done = shell(*asked, "--epsilon", "1", "--types", "ward=integer")
    assert done.err.endswith("declare one type for both, as in --types wings.ward=integer\n")
    done = shell(*asked, "--epsilon", "1", "--types", "wings.ward=integer")
    assert done.err.endswith("declare one type for both, as in --types ward=integer\n")


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        (
            "SELECT COUNT(*) FROM visits WHERE ward",
            "declare --types ward=boolean, or compare it, as in ward = 'yes'",
        ),
        ("SELECT COUNT(*) FROM visits WHERE cost = 99999999999999999999", "as in 1e20"),
        (
            "SELECT COUNT(*) FROM visits WHERE cost = 1e999",
            "which is not finite; write another, or NULL",
        ),
        (
            "SELECT PERCENTILE_CONT(0) WITHIN GROUP (ORDER BY cost) FROM visits",
            "for the ends write MIN(age) or MAX(age)",
        ),
        ("SELECT MODE(ward) FROM visits", "declare them, as in --keys ward=Lyon,Oslo"),
    ],
)
def test_no_word_of_python_is_in_a_refusal(sql: str, said: str, shell: Shell) -> None:
    options = ["--unit", "id", "--bounds", "cost=0:100", "--epsilon", "1"]
    done = shell("plan", "visits.csv", sql, *options)
    assert (done.code, done.out) == (2, "")
    assert said in done.err
