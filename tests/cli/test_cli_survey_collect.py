"""The verbs ``survey collect`` and ``survey needed``: what many reports say."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from sfumato.survey import read_survey
from tests.pages import pictures

if TYPE_CHECKING:
    from tests.cli.conftest import Finished, Shell

EXAMPLES = Path(__file__).parents[2] / "examples"
CLASS = (EXAMPLES / "class.toml", EXAMPLES / "class-reports.csv")
CANTEEN = (EXAMPLES / "canteen.toml", EXAMPLES / "canteen-reports.csv")
DIGEST = read_survey(CLASS[0]).digest
COIN = ("--question", "cheated=yes,no", "--truth", "2/3")


def as_json(done: Finished) -> dict[str, Any]:
    assert (done.code, done.err) == (0, "")
    read: dict[str, Any] = json.loads(done.out)
    return read


def reports(folder: Path, *rows: str, name: str = "reports.csv") -> Path:
    file = folder / name
    file.write_text("\n".join(["survey,cheated", *rows, ""]), encoding="utf-8")
    return file


def test_the_teacher_s_class_is_estimated_by_the_book(shell: Shell) -> None:
    """16 of 40 say yes, and 3 · 16/40 - 1 is a fifth (M-RR-2)."""
    done = shell("survey", "collect", *CLASS)
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[:2] == ["class: the reports of 40 people", "cheated"]
    assert re.fullmatch(r"  yes  20\.0 % +0\.0 to 70\.\d %  [▒┃█·]{28}", lines[2])
    assert re.fullmatch(r"  no   80\.0 % +\d\d\.\d to 100\.0 %  [▒┃█·]{28}", lines[3])
    assert "with 95 % confidence" in lines[4]
    assert "ln(2)-DP (substitute one person)" in lines[5]
    assert "at most 66.7 % sure" in lines[6]


def test_pairs_means_and_shuffling(shell: Shell) -> None:
    done = shell("survey", "collect", *CANTEEN, "--pairs", "meal,again", "--confidence", "0.9")
    assert "meal by again, in %" in done.out
    assert "mean 6.8" in done.out
    assert "with 90 % confidence" in done.out
    mixed = shell("survey", "collect", *CLASS, "--shuffled", "--delta", "1e-6")
    said = " ".join(mixed.out.split())
    assert re.search(r"keep \(0\.\d{1,6}, 1e-06\)-DP \(substitute one person\), if nobody", said)


def test_json_has_every_estimate_and_the_guarantee(shell: Shell) -> None:
    found = as_json(shell("survey", "collect", *CANTEEN, "--pairs", "meal,again", "--json"))
    assert (found["survey"], found["people"], found["confidence"]) == ("canteen", 2000, 0.95)
    assert found["set_aside"] == {"other_survey": 0, "impossible": 0, "duplicates": 0}
    assert len(found["estimates"]) == 4 + 2 + 1 + 8
    assert found["guarantee_in_words"] == "3-DP (substitute one person)"
    assert found["guarantee"]
    assert found["shuffled"] is None


def test_consistent_shares_are_possible(shell: Shell, tmp_path: Path) -> None:
    all_yes = reports(tmp_path, *[f"{DIGEST},yes"] * 9)
    free = as_json(shell("survey", "collect", CLASS[0], all_yes, "--json"))
    assert free["estimates"][0]["estimate"] == pytest.approx(2)
    assert "--consistent makes them possible" in " ".join(
        shell("survey", "collect", CLASS[0], all_yes).out.split()
    )
    held = as_json(shell("survey", "collect", CLASS[0], all_yes, "--consistent", "--json"))
    assert [each["estimate"] for each in held["estimates"]] == [1, 0]


def test_options_describe_the_survey_as_well(shell: Shell, tmp_path: Path) -> None:
    lines = [shell("survey", "answer", *COIN, answer).out for answer in ("yes", "no", "yes")]
    file = tmp_path / "reports.jsonl"
    file.write_text("".join(lines), encoding="utf-8")
    assert as_json(shell("survey", "collect", *COIN, file, "--json"))["people"] == 3


def test_what_cannot_be_counted_is_set_aside_and_said(shell: Shell, tmp_path: Path) -> None:
    rows = [f"{DIGEST},yes", "s0000000000000000,yes", f"{DIGEST},perhaps", f"{DIGEST},no"]
    done = shell("survey", "collect", CLASS[0], reports(tmp_path, *rows))
    assert done.out.startswith("class: the reports of 2 people\n")
    assert (
        "set aside: 1 of another survey or no reports at all, 1 that cannot be reports" in done.out
    )


def test_a_page_needs_nothing_else(shell: Shell, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    done = shell("survey", "collect", *CANTEEN, "--pairs", "meal,again", "--html", page)
    assert done.err == f"sfumato: {page} is written\n"
    text = page.read_text(encoding="utf-8")
    assert text.startswith("<!doctype html>")
    assert not re.search(r"href=|url\(|@import|<script", text)
    assert text.count("<table") == 4
    (drawing,) = pictures(text)
    assert drawing.count('aria-roledescription="bar"') == 4 + 2
    assert "3-DP (substitute one person), against everybody" in text


def test_words_of_a_survey_cannot_steer_a_page(shell: Shell, tmp_path: Path) -> None:
    choices = "<script>,&amp;"
    survey = ("--question", "q", "--choices", choices, "--epsilon", "1", "--name", "<b>")
    file = tmp_path / "reports.jsonl"
    file.write_text(shell("survey", "answer", *survey, "<script>").out, encoding="utf-8")
    page = tmp_path / "page.html"
    assert shell("survey", "collect", *survey, file, "--html", page).code == 0
    text = page.read_text(encoding="utf-8")
    assert "<script" not in text
    assert "<b>" not in text
    assert "&amp;amp;" in text
    assert "<script" not in pictures(text)[0]


@pytest.mark.parametrize("width", [40, 80])
def test_lines_fit_the_terminal(shell: Shell, monkeypatch: pytest.MonkeyPatch, width: int) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    done = shell("survey", "collect", *CANTEEN, "--pairs", "meal,again")
    assert max(map(len, done.out.splitlines())) <= width


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("", "has no header; its first line should name the columns"),
        ("survey,cheated\n", "has no reports; have people answer first"),
        (
            "survey,cheated\ns0000000000000000,yes\ns0000000000000000,no\n",
            "no report in",
        ),
        ("survey,copied\ns0000000000000000,yes\n", "there is no column 'cheated' in"),
    ],
)
def test_a_file_without_reports_is_one_sentence(
    shell: Shell, tmp_path: Path, content: str, sentence: str
) -> None:
    file = tmp_path / "reports.csv"
    file.write_text(content, encoding="utf-8")
    done = shell("survey", "collect", CLASS[0], file)
    assert (done.code, done.out) == (2, "")
    assert sentence in done.err
    assert done.err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("no-such.csv",), "there is no file 'no-such.csv'; check the spelling and the folder"),
        ((), "no file of reports is named; write sfumato survey collect class.toml reports.csv, "),
        (("a.csv", "b.csv"), "2 files of reports are named; write one, as in sfumato survey"),
        ((CLASS[1], "--delta", "1e-6"), "--delta is for reports that somebody shuffled; add"),
        ((CLASS[1], "--shuffled"), "--shuffled needs a δ; write --shuffled --delta 1e-6, say"),
        ((CLASS[1], "--shuffled", "--delta", "2"), "--delta must"),
        (
            (CLASS[1], "--confidence", "95"),
            "--confidence must be from 0.5 to 0.999999999, not",
        ),
        ((CLASS[1], "--pairs", "cheated,copied"), "there is no question 'copied' (known: 'cheat"),
        (
            (CLASS[1], "--pairs", "cheated"),
            "a pair is of two questions with choices, of which this survey has 'cheated'",
        ),
        ((CLASS[1], "--html", "page.csv"), "'page.csv' is no name of a page; let it end in .html"),
    ],
)
def test_a_mistake_is_one_sentence(
    shell: Shell, arguments: tuple[object, ...], sentence: str
) -> None:
    done = shell("survey", "collect", CLASS[0], *arguments)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"sfumato: {sentence}")
    assert done.err.count("\n") == 1


def test_a_pair_of_a_number_names_what_can_be_paired(shell: Shell) -> None:
    done = shell("survey", "collect", *CANTEEN, "--pairs", "meal,spent")
    assert done.err == (
        "sfumato: 'spent' is a number, and a pair is of two questions with choices, of which this "
        "survey has 'meal', 'again'; write --pairs meal,again, say\n"
    )


def test_a_file_of_json_is_to_be_renamed(shell: Shell, tmp_path: Path) -> None:
    file = tmp_path / "reports.json"
    file.write_text("{}", encoding="utf-8")
    done = shell("survey", "collect", CLASS[0], file)
    assert done.code == 2
    assert done.err.endswith(".arrow, .feather\n")


def test_reports_with_ids_are_not_anonymous(shell: Shell, tmp_path: Path) -> None:
    ids = (*COIN, "--ids")
    file = tmp_path / "reports.jsonl"
    answered = [shell("survey", "answer", *ids, "--person", "7", "yes").out for _ in range(2)]
    file.write_text("".join(answered), encoding="utf-8")
    assert "set aside: 1 " in shell("survey", "collect", *ids, file).out
    done = shell("survey", "collect", *ids, file, "--shuffled", "--delta", "1e-6")
    assert (done.code, done.err.split("; ")[1]) == (2, "make a survey without ids\n")


def test_how_many_people_are_needed(shell: Shell) -> None:
    done = shell("survey", "needed", CANTEEN[0], "--within", "0.05", "--within", "spent=0.5")
    assert (done.code, done.err) == (0, "")
    rows = [line.split() for line in done.out.splitlines()]
    assert [row[0] for row in rows[2:5]] == ["meal", "again", "spent"]
    assert rows[4][1:3] == ["±", "0.5"]
    found = as_json(shell("survey", "needed", CLASS[0], "--within", "0.05", "--json"))
    assert found["people"] == found["questions"]["cheated"]["people"]
    assert 3000 < found["people"] < 4000
    wider = as_json(shell("survey", "needed", CLASS[0], "--within", "0.1", "--json"))
    assert wider["people"] < found["people"] / 3


def test_how_exact_so_many_people_make_it(shell: Shell) -> None:
    done = shell("survey", "needed", CANTEEN[0], "--people", "500")
    assert (done.code, done.err) == (0, "")
    rows = [line.split() for line in done.out.splitlines()]
    assert rows[0][:3] == ["with", "500", "reports"]
    assert [row[0] for row in rows[2:5]] == ["meal", "again", "spent"]
    found = as_json(shell("survey", "needed", CLASS[0], "--people", "3515", "--json"))
    assert 0.049 < found["questions"]["cheated"]["within"] <= 0.05


def test_an_empty_file_is_told_what_to_write_into_it(shell: Shell, tmp_path: Path) -> None:
    file = tmp_path / "class.toml"
    file.write_text("")
    done = shell("survey", "collect", file, CLASS[1])
    assert (done.code, done.out) == (2, "")
    assert 'write [questions.cheated] on a line, and below it choices = ["yes", "no"]' in done.err
    assert "sf.Survey" not in done.err


def test_a_mean_is_not_wanted_wider_than_its_range(shell: Shell) -> None:
    done = shell("survey", "needed", CANTEEN[0], "--within", "spent=15")
    assert done.err == (
        "sfumato: --within must be above 0 and at most 10, half the range of 'spent', not '15'; "
        "write 1, say\n"
    )


def test_one_report_is_enough_for_what_is_known_before(shell: Shell) -> None:
    done = shell("survey", "needed", *COIN, "--within", "0.5")
    assert done.out.startswith("1 report is enough, whatever people answer\n")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            (),
            (
                "--within is missing: it says how exact estimates are to be; write --within 0.05, "
                "or --people 500 to learn how exact so many people make them"
            ),
        ),
        (
            ("--within", "0.1", "--people", "500"),
            "--within and --people ask opposite questions; leave one of them out",
        ),
        (
            ("--people", "0"),
            "--people must be a whole number of 1 or more, not 0; write 1, say",
        ),
        (("--people", "many"), "--people takes a whole number of 1 or more; 'many' is not"),
        (
            ("--within", "0"),
            "--within must be a share above 0 and at most 0.5, not '0'; write 0.05 for 5 points",
        ),
        (
            ("--within", "cheated=5"),
            "--within must be a share above 0 and at most 0.5, not '5'; write 0.05 for 5 points",
        ),
        (("--within", "hours=1"), "there is no question 'hours' (known: 'cheated')"),
        (
            ("--within", "0.1,0.2"),
            "--within is given twice; write --within 0.05 --within hours=0.5, say",
        ),
        (("more", "--within", "0.1"), "there is one word too many, 'more'; see --help"),
    ],
)
def test_what_is_needed_must_be_said(
    shell: Shell, arguments: tuple[str, ...], sentence: str
) -> None:
    done = shell("survey", "needed", CLASS[0], *arguments)
    assert (done.code, done.out, done.err) == (2, "", f"sfumato: {sentence}\n")
