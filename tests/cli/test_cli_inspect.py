"""The owner sees which cells do not fit what is declared of them."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Finished, Shell

_ROWS = [
    "id,sex,age,born,paid",
    "1,F,61,1980-01-01,1.5",
    "1,F,x,01.02.1980,",
    "2,M,250,1990-05-05,NaN",
    ",x,35,,7",
    "1,F,3.5,1980-13-01,9",
]
_DECLARED = [
    *("--unit", "id", "--types", "age=integer", "--types", "born=date", "--bounds", "age=0:110"),
    *("--bounds", "paid=0:8", "--keys", "sex=F,M", "--limit", "rows=2"),
]


@pytest.fixture
def visits(tmp_path: Path) -> Path:
    file = tmp_path / "visits.csv"
    file.write_text("\n".join(_ROWS) + "\n", encoding="utf-8")
    return file


def figures(done: Finished) -> dict[str, Any]:
    assert done.code == 0, done.err
    found: dict[str, Any] = json.loads(done.out)
    return found


def test_each_cell_that_does_not_fit_is_counted(shell: Shell, visits: Path) -> None:
    found = figures(shell("inspect", visits, *_DECLARED, "--json"))
    columns = {each.pop("column"): each for each in found["columns"]}
    sex = {"type": "text", "missing": 0, "unreadable": None, "beyond": None, "other": 1}
    assert columns["sex"] == sex
    age = {"type": "integer", "missing": 0, "unreadable": 2, "beyond": 1, "other": None}
    assert columns["age"] == age
    born = {"type": "date", "missing": 1, "unreadable": 2, "beyond": None, "other": None}
    assert columns["born"] == born
    paid = {"type": "number", "missing": 1, "unreadable": 1, "beyond": 1, "other": None}
    assert columns["paid"] == paid
    people = {"column": "id", "people": 3, "nobodys": 1, "limit": 2, "over": 1}
    assert (found["private"], found["rows"], found["people"]) == (False, 5, people)


def test_the_answer_is_first_and_that_it_is_not_private_last(
    shell: Shell, visits: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(visits.parent)
    lines = shell("inspect", visits.name, *_DECLARED).out.splitlines()
    assert lines[0] == "5 cells cannot be read as declared, in 5 rows of 'visits.csv'"
    assert "unreadable cells count as missing" in lines
    assert "rows without id count together as one id" in lines
    assert lines[-1].startswith("not private: ")


def test_no_cell_is_shown(shell: Shell, visits: Path) -> None:
    out = shell("inspect", visits, *_DECLARED).out
    assert not any(each in out for each in ("01.02.1980", "1980-13-01", "250", "3.5"))


def test_a_policy_is_read_and_rows_may_be_people(shell: Shell, visits: Path) -> None:
    policy = visits.with_suffix(".toml")
    text = '[table]\nsource = "visits.csv"\nunit = "row"\n[columns.paid]\ntype = "text"\n'
    policy.write_text(text, encoding="utf-8")
    found = figures(shell("inspect", policy, "--json"))
    (paid,) = found["columns"]
    assert (paid["column"], paid["unreadable"], paid["missing"]) == ("paid", None, 1)
    assert found["people"] is None


def test_dates_beyond_their_bounds_are_counted(shell: Shell, visits: Path) -> None:
    bounds = ["--bounds", "born=1985-01-01:1999-12-31", "--json"]
    (born,) = figures(shell("inspect", visits, *bounds))["columns"]
    assert (born["type"], born["beyond"], born["unreadable"]) == ("date", 1, 2)


def test_nothing_declared_says_what_to_declare(shell: Shell, visits: Path) -> None:
    out = " ".join(shell("inspect", visits).out.split())
    assert "which has 5 rows; declare their types, bounds or values" in out


def test_a_column_that_is_not_there_is_named(shell: Shell, visits: Path) -> None:
    done = shell("inspect", visits, "--types", "agee=integer")
    assert (done.code, done.out) == (2, "")
    assert "there is no column 'agee'" in done.err
    assert "did you mean 'age'?" in done.err


_HABITS = [
    "id,Gebühr €,day,people",
    '1,"6,93",31.01.2025,"1,234"',
    '1,"-0,125",01.02.2025,"12,345.5"',
    '2,"12,0",2025-03-01,5',
    '2,4.5,"1,5",x',
]


@pytest.fixture
def habits(tmp_path: Path) -> Path:
    file = tmp_path / "fees.csv"
    file.write_text("\n".join(_HABITS) + "\n", encoding="utf-8")
    return file


def test_how_unreadable_cells_are_written_is_told_where_it_can_be(
    shell: Shell, habits: Path
) -> None:
    declared = ["--bounds", "Gebühr €=0:20", "--bounds", "people=0:9", "--types", "day=date"]
    found = figures(shell("inspect", habits, *declared, "--json"))
    assert [tuple(each.values()) for each in found["miswritten"]] == [
        ("Gebühr €", "numbers with a decimal comma", 3, "0, 20"),
        ("day", "dates with the day first", 2, "0, 100"),
        ("people", "numbers with commas between thousands", 2, "0, 9"),
    ]
    out = " ".join(shell("inspect", habits, *declared).out.split())
    assert '3 cells of "Gebühr €" look like numbers with a decimal comma: declare' in out
    assert "AS DOUBLE), 0, 20), say" in out
    assert not any(each in out for each in ("6,93", "31.01.2025", "1,234"))


def test_what_is_advised_for_such_cells_reads_them(shell: Shell, habits: Path) -> None:
    declared = ["--bounds", "Gebühr €=0:20", "--bounds", "people=0:9", "--types", "day=date"]
    out = " ".join(shell("inspect", habits, *declared).out.split())
    advised = re.findall(r"ask about (.*?), say", out)
    counts = ", ".join(f"COUNT({each}) AS n{place}" for place, each in enumerate(advised))
    asked = ["--unit", "row", "--epsilon", "10000", "--json"]
    done = shell("query", habits, f"SELECT {counts} FROM fees", *asked)  # noqa: S608
    (row,) = figures(done)["rows"]
    assert [row[f"n{place}"] for place in range(3)] == [4, 3, 3]
