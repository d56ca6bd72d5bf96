"""Attacks on published tables and figures, from the shell."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.cli.conftest import Shell

EXAMPLES = Path(__file__).parents[2] / "examples"
STAFF = EXAMPLES / "staff.csv"
RAW = EXAMPLES / "hospital-a.csv"
A, B = EXAMPLES / "hospital-a-generalised.csv", EXAMPLES / "hospital-b-generalised.csv"
NOT_PRIVATE = "not private: "


def test_m_risk_2_one_person_is_linked(shell: Shell) -> None:
    done = shell("attack", "link", RAW, "--person", "age=56", "--sensitive", "diagnosis")
    assert (done.code, done.err) == (0, "")
    first, *_, last = done.out.splitlines()
    assert first == "age 56: 1 row fits; diagnosis is AIDS, for certain"
    assert last.startswith(NOT_PRIVATE)


def test_m_risk_2_a_table_of_people_is_linked(shell: Shell) -> None:
    options = ["--known", RAW, "--on", "age,sex", "--who", "name", "--sensitive", "diagnosis"]
    done = shell("attack", "link", A, *options, "--json")
    read = json.loads(done.out)
    assert (read["private"], read["people"], read["expected_matches"]) == (False, 9, 4.0)
    assert {"who", "known", "match_probability"} <= set(read["links"][0])


def test_m_risk_4_two_releases_are_intersected(shell: Shell) -> None:
    options = ["--on", "age,sex,zip", "--sensitive", "diagnosis"]
    done = shell("attack", "intersect", A, B, *options)
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[0] == "diagnosis is given away with certainty 1 for 1 kind of person"
    assert " ".join(lines[2].split()) == "50-60 female 1901** AIDS 100 % 2 → 1 1 / 1"
    assert lines[-1].startswith(NOT_PRIVATE)
    read = json.loads(shell("attack", "intersect", A, B, *options, "--json").out)
    assert read["private"] is False
    assert [each["value"] for each in read["pinned"]] == ["AIDS"]


@pytest.mark.full
def test_m_risk_4_in_chinese(shell: Shell) -> None:
    files = [EXAMPLES / f"hospital-{each}-generalised.zh.csv" for each in "ab"]
    options = ["--on", "年龄,性别,邮政编码", "--sensitive", "诊断"]
    done = shell("attack", "intersect", *files, *options)
    assert "艾滋病" in done.out
    read = json.loads(shell("attack", "intersect", *files, *options, "--json").out)
    assert read["pinned"][0]["value"] == "艾滋病"


def test_homogeneous_classes_are_found(shell: Shell) -> None:
    options = ["--quasi", "age,sex,zip,smoker", "--sensitive", "diagnosis"]
    done = shell("attack", "homogeneity", A, *options, "--certainty", "0.6")
    assert (done.code, done.err) == (0, "")
    headline = "3 of 9 people are in equivalence classes with 60 % or more of one diagnosis"
    assert done.out.splitlines()[0] == headline
    read = json.loads(shell("attack", "homogeneity", A, *options, "--json").out)
    assert (read["private"], read["exposed_people"]) == (False, 0)


def test_m_risk_6_tables_are_subtracted(shell: Shell) -> None:
    options = ["--publish", "department", "--publish", "department,sex", "--value", "salary"]
    done = shell("attack", "difference", STAFF, *options, "--hide-below", "3")
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[0] == "1 group of fewer than 3 people is given away by exact figures"
    assert "  kitchen, male       1    5850  hidden" in lines
    options = ["--total", "--publish", "department", "--hide-below", "3", "--json"]
    read = json.loads(shell("attack", "difference", STAFF, *options).out)
    assert [each["group"] for each in read["recovered"]] == [{"department": "pharmacy"}]
    sets = ["--where", "salary>=2400", "--where", "salary>=2400 and salary!=5850"]
    done = shell("attack", "difference", STAFF, *sets, "--value", "salary", "--at-least", "2")
    assert "1    5850  never published" in done.out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["link", RAW, "--sensitive", "diagnosis"], "either, such as --known people.csv"),
        (["link", RAW, "--sensitive", "diagnosis", "--person", "age"], "--person takes age=56"),
        (["link", RAW, "--sensitive", "diagnosis", "--person", "agee=5"], "did you mean 'age'?"),
        (["link", RAW, "--sensitive", "age", "--person", "age=56"], "as one of the two"),
        (["link", RAW, "--sensitive", "diagnosis", "--known", A], "--on is missing; name"),
        (["link", RAW, "--sensitive", "diagnosis", "--person", "age=5", "--on", "sex"], "known of"),
        (
            ["homogeneity", A, "--quasi", "age", "--sensitive", "sex", "--certainty", "2"],
            "--certainty takes",
        ),
        (["difference", STAFF], "--publish is missing; name the columns"),
        (["difference", STAFF, "--total", "--hide-below", "-1"], "--hide-below must be a whole"),
        (["link", "no.csv", "--sensitive", "x", "--person", "age=5"], "no.csv"),
        (
            ["intersect", A, "--on", "age", "--sensitive", "diagnosis"],
            "is of two releases or more, not of 1",
        ),
        (["homogeneity", A, "--quasi", "ag", "--sensitive", "diagnosis"], "did you mean 'age'?"),
        (
            ["homogeneity", A, "--quasi", "age", "--sensitive", "sex", "--certainty", "all"],
            "--certainty takes a number above 0 and up to 1; 'all' is not",
        ),
        (["difference", STAFF, "--publish", ""], "write --publish sex, or --total"),
        (["difference", STAFF, "--publish", "sx"], "did you mean 'sex'?"),
        (["difference", STAFF, "--publish", "sex", "--hide-below", "few"], "'few' is not"),
        (["intersect", A, B, "--on", "ag", "--sensitive", "diagnosis"], "did you mean 'age'?"),
    ],
)
def test_mistakes_are_one_sentence(shell: Shell, arguments: list[str], sentence: str) -> None:
    done = shell("attack", *arguments)
    assert done.code == 2
    assert done.out == ""
    assert sentence in done.err
    assert done.err.count("\n") == 1
