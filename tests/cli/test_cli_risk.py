"""The verb risk, as the owner of a table meets it (rows M-RISK-1 and M-RISK-8)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.pages import pictures

if TYPE_CHECKING:
    from tests.cli.conftest import Shell

RAW, GENERALISED = "examples/hospital-a.csv", "examples/hospital-a-generalised.csv"
QUASI = ("--quasi", "age,sex,zip,smoker", "--sensitive", "diagnosis")


def test_everybody_is_unique_on_age(shell: Shell) -> None:
    done = shell("risk", RAW, "--quasi", "age", "--sensitive", "diagnosis")
    assert (done.code, done.err) == (0, "")
    first, *rest = done.out.splitlines()
    assert first == "9 of 9 rows are unique on age: each is alone in its equivalence class"
    assert "  age 56: 1 row, gives away diagnosis AIDS" in rest
    assert rest[-1].startswith("not private: ")


def test_the_generalised_table_as_json(shell: Shell) -> None:
    read = json.loads(shell("risk", GENERALISED, *QUASI, "--json").out)
    assert read["private"] is False
    assert (read["classes"]["k"], read["diversity"][0]["distinct_l"]) == (2, 2)
    (told,) = read["information"]
    figures = told["bits"], told["bits_left"], told["bits_learned"]
    assert figures == pytest.approx((2.947703, 0.972765, 1.974938), abs=5e-7)


def test_all_options_together(shell: Shell, tmp_path: Path) -> None:
    page = tmp_path / "risk.html"
    asked = ("--population", "900", "--public", RAW, "--at-least", "2", "--combinations", "2")
    done = shell("risk", RAW, *QUASI, *asked, "--rows", "1", "--html", page)
    assert (done.code, done.err) == (0, f"sfumato: {page} is written\n")
    assert "about 900 of 900 people are unique, or 100 % (Zayatz's estimator)" in done.out
    assert "9 people are in it for certain" in done.out
    assert done.out.count("gives away diagnosis") == 1
    assert len(pictures(page.read_text(encoding="utf-8"))) == 2


def test_numbers_in_order(shell: Shell) -> None:
    asked = ("risk", RAW, "--quasi", "sex", "--sensitive", "age", "--json")
    plain = json.loads(shell(*asked).out)["closeness"][0]
    moved = json.loads(shell(*asked, "--ordered", "age").out)["closeness"][0]
    assert (plain["distance"], moved["distance"]) == ("equal", "ordered")
    assert moved["t"] < plain["t"]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--quasi", "agee"), "there is no column 'agee' in 'examples/hospital-a.csv'; did you"),
        (("--quasi", "age", "--sensitive", "age"), "'age' is named both as a quasi-identifier"),
        (
            ("--quasi", "age", "--at-least", "10"),
            "sfumato: --at-least is 10, and the table has 9 rows",
        ),
        (
            ("--quasi", "age", "--at-least", "0"),
            "sfumato: --at-least must be a whole number of 1 or more, not 0",
        ),
        (
            ("--quasi", "age", "--population", "8"),
            "sfumato: --population is 8, and the table has 9 rows",
        ),
        (("--quasi", "age", "--population", "many"), "--population takes a whole number"),
        (("--quasi", "age", "--combinations", "0"), "sfumato: --combinations must be a whole"),
        (("--quasi", "age", "--html", "no/such/page.html"), "cannot be written"),
        (("--quasi", "age", "--public", "nobody.csv"), "nobody.csv"),
    ],
)
def test_mistakes_are_one_sentence(shell: Shell, options: tuple[str, ...], told: str) -> None:
    done = shell("risk", RAW, *options)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("sfumato: ")
    assert done.err.count("\n") == 1
    assert told in done.err


def test_an_empty_table_is_one_sentence(shell: Shell, tmp_path: Path) -> None:
    file = tmp_path / "empty.csv"
    file.write_text("age,sex\n")
    done = shell("risk", file, "--quasi", "age")
    assert (done.code, done.out) == (2, "")
    assert "has no rows below its header" in done.err


def test_cells_do_not_move_the_cursor(shell: Shell, tmp_path: Path) -> None:
    file = tmp_path / "people.csv"
    file.write_text("age,sex\n\x1b[2J,F\n41,M\n")
    assert "\x1b" not in shell("risk", file, "--quasi", "age").out


def test_help_says_what_it_is_for(shell: Shell) -> None:
    done = shell("risk", "--help")
    assert done.code == 0
    assert "--quasi" in done.out
    assert "sfumato risk hospital-a.csv --quasi age,sex,zip" in done.out


def test_a_page_is_not_written_over_the_table(shell: Shell, tmp_path: Path) -> None:
    table = tmp_path / "mine.csv"
    table.write_text("age\n56\n")
    done = shell("risk", table, "--quasi", "age", "--html", table)
    assert done.code == 2
    assert "is what would be read" in done.err
    assert table.read_text() == "age\n56\n"


@pytest.mark.parametrize("name", ["other.csv", "other.parquet", "report", "link.html"])
def test_a_page_is_written_over_pages_only(shell: Shell, tmp_path: Path, name: str) -> None:
    other = tmp_path / "other.csv"
    other.write_text("mine")
    (tmp_path / "link.html").symlink_to(other)
    done = shell("risk", RAW, "--quasi", "age", "--html", tmp_path / name)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert "is no name of a page; let it end in .html or .htm" in done.err
    assert other.read_text() == "mine"
    assert sorted(each.name for each in tmp_path.iterdir()) == ["link.html", "other.csv"]


def test_a_page_that_cannot_be_written_whole_leaves_the_earlier_one(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page, link = tmp_path / "risk.html", tmp_path / "link.html"
    page.write_text("earlier")
    link.symlink_to(page)
    assert shell("risk", RAW, "--quasi", "age", "--html", link).code == 0
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    page.write_text("earlier")

    def full(draft: Path, text: str, encoding: str) -> None:
        draft.write_bytes(text.encode(encoding)[:9])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    done = shell("risk", RAW, "--quasi", "age", "--html", page)
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert "cannot be written (No space left on device)" in done.err
    assert page.read_text() == "earlier"
    assert sorted(each.name for each in tmp_path.iterdir()) == ["link.html", "risk.html"]


def test_a_file_that_is_not_utf_8_is_said_to_be_that_alone(shell: Shell, tmp_path: Path) -> None:
    file = tmp_path / "latin1.csv"
    file.write_bytes(b"id,city\n1,Z\xfcrich\n2,Bern\n")
    done = shell("risk", file, "--quasi", "city")
    assert (done.code, done.out) == (2, "")
    assert "latin1.csv' is not text in UTF-8 (line 2)" in done.err
    assert "quotes" not in done.err
