"""The verbs ``survey new`` and ``survey answer``, as a newcomer meets them."""

from __future__ import annotations

import io
import json
import sys
from typing import TYPE_CHECKING, Any

import pytest

import sfumato as sf

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Finished, Shell

CHEATED = ("--question", "cheated", "--choices", "yes,no")
COIN = (*CHEATED, "--truth", "2/3")
MOOD = ("--question", "mood=good,bad", "--epsilon", "1", "--lifetime", "3")


def report_of(done: Finished) -> dict[str, Any]:
    """The report, which is one line and all that is printed."""
    assert (done.code, done.err) == (0, "")
    assert done.out.count("\n") == 1
    read: dict[str, Any] = json.loads(done.out)
    return read


def test_an_answer_is_one_line_of_json(shell: Shell) -> None:
    report = report_of(
        shell("survey", "answer", *CHEATED, "--epsilon", "0.693", "yes"),
    )
    assert list(report) == ["survey", "cheated"]
    assert report["cheated"] in ("yes", "no")


def test_options_and_the_file_that_new_writes_are_one_survey(shell: Shell, tmp_path: Path) -> None:
    file = tmp_path / "class.toml"
    assert shell("survey", "new", file, *CHEATED, "--epsilon", "0.693").code == 0
    by_file = report_of(shell("survey", "answer", file, "yes"))
    by_options = report_of(shell("survey", "answer", *CHEATED, "--epsilon", "0.693", "no"))
    assert by_file["survey"] == by_options["survey"] == sf.survey.read_survey(file).digest


@pytest.mark.parametrize(
    "described",
    [
        (*COIN, "--name", "class 3b", "--ids", "--text", 'Did you "cheat"?'),
        ("--question", "colour=red,green,blue", "--question", "hours=-1:24.5", "--epsilon", "1/3"),
        (*CHEATED, "--epsilon", "ln(3)", "--protocol", "unary"),
        MOOD,
    ],
)
def test_a_file_has_all_that_the_options_say(
    shell: Shell, tmp_path: Path, described: tuple[str, ...]
) -> None:
    file = tmp_path / "class.toml"
    written = shell("survey", "new", file, *described, "--json")
    found = json.loads(written.out)
    assert found["digest"] == sf.survey.read_survey(file).digest
    assert file.read_text(encoding="utf-8").startswith("# A survey: ")


def test_what_is_new_says_what_was_chosen_and_how_to_go_on(shell: Shell, tmp_path: Path) -> None:
    file = tmp_path / "class.toml"
    done = shell("survey", "new", file, *COIN)
    said = " ".join(done.out.split())
    assert "randomized response: the truth with probability 2/3, and else the other choice" in said
    assert "no protocol has less variance, summed over 2 choices, at ε = ln(2)" in said
    assert "ln(2)-DP (substitute one person), against everybody, the collector included" in said
    assert "can become at most 66.7 % sure of it, and at least 33.3 %" in said
    assert f"sfumato survey answer {file} yes" in done.out
    assert shell("survey", "answer", file, "yes").code == 0


def test_lines_fit_a_narrow_terminal_but_for_commands(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.chdir(tmp_path)
    done = shell("survey", "new", "a.toml", "--question", "colour=red,green,blue", "--epsilon", "1")
    others = [line for line in done.out.splitlines() if "sfumato survey" not in line]
    assert max(map(len, others)) <= 40


def test_a_file_is_not_written_over_unless_told(shell: Shell, tmp_path: Path) -> None:
    file = tmp_path / "class.toml"
    assert shell("survey", "new", file, *COIN).code == 0
    before = file.read_text(encoding="utf-8")
    refused = shell("survey", "new", file, *CHEATED, "--epsilon", "1")
    assert refused.code == 2
    assert "already" in refused.err
    assert refused.err.count("\n") == 1
    assert file.read_text(encoding="utf-8") == before
    assert shell("survey", "new", file, *CHEATED, "--epsilon", "1", "--replace").code == 0
    assert sf.survey.read_survey(file).loss.text == "1"


def test_several_questions_are_answered_by_name(shell: Shell) -> None:
    both = ("--question", "cheated=yes,no", "--question", "hours=0:24", "--epsilon", "1")
    report = report_of(shell("survey", "answer", *both, "hours=30", "cheated=no"))
    assert list(report) == ["survey", "cheated", "hours"]
    refused = shell("survey", "answer", *both, "yes", "3")
    assert refused.err == (
        "sfumato: this survey has 2 questions; write each answer with its question, as in "
        "cheated=… hours=…\n"
    )
    twice = shell("survey", "answer", *both, "hours=3", "hours=4")
    assert twice.err == "sfumato: 'hours' is answered twice; answer each question once\n"


def test_a_choice_may_hold_an_equals_sign(shell: Shell) -> None:
    described = ("--question", "rule", "--choices", "a=b,a≠b", "--epsilon", "1")
    assert report_of(shell("survey", "answer", *described, "a=b"))["rule"] in ("a=b", "a≠b")
    assert report_of(shell("survey", "answer", *described, "rule=a=b"))["rule"] in ("a=b", "a≠b")


def test_answers_come_from_standard_input(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    both = ("--question", "cheated=yes,no", "--question", "hours=0:24", "--epsilon", "1")
    monkeypatch.setattr(sys, "stdin", io.StringIO("cheated=yes\n\n hours=3 \n"))
    assert list(report_of(shell("survey", "answer", *both, "-"))) == ["survey", "cheated", "hours"]


def test_on_a_terminal_every_question_is_asked_until_it_is_answered(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sfumato.cli.survey.answer.can_ask", lambda: True)
    monkeypatch.setattr(sys, "stdin", io.StringIO("perhaps\nyes\n3\n"))
    both = ("--question", "cheated=yes,no", "--question", "hours=0:24", "--epsilon", "1")
    done = shell("survey", "answer", *both)
    assert list(json.loads(done.out)) == ["survey", "cheated", "hours"]
    assert "cheated (yes, no):" in done.err
    assert "that is no answer to 'cheated'; write 'yes' or 'no'" in done.err
    assert "hours (0 to 24):" in done.err


def test_who_leaves_the_prompt_has_answered_nothing(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sfumato.cli.survey.answer.can_ask", lambda: True)
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    done = shell("survey", "answer", *COIN)
    assert (done.code, done.out.strip()) == (130, "")
    assert done.err.endswith("\nsfumato: no answer was given, and nothing was done\n")


def test_a_number_below_0_is_answered_by_its_name(shell: Shell, tmp_path: Path) -> None:
    file = tmp_path / "degrees.toml"
    done = shell("survey", "new", file, "--question", "degrees=-10:10", "--epsilon", "3")
    assert f"sfumato survey answer {file} degrees=-10\n" in done.out
    assert "intervals of at most ± 1 for 'degrees', with" in done.out
    assert list(report_of(shell("survey", "answer", file, "degrees=-10"))) == ["survey", "degrees"]


def test_people_with_ids_say_whose_report_it_is(shell: Shell) -> None:
    report = report_of(shell("survey", "answer", *COIN, "--ids", "--person", "0042", "yes"))
    assert report["person"] == "0042"
    assert report["tag"].startswith("t")


def test_a_permanent_answer_is_kept_in_a_file_of_the_person_s_own(
    shell: Shell, tmp_path: Path
) -> None:
    memory = tmp_path / "answers.db"
    for _ in range(2):
        report = report_of(shell("survey", "answer", *MOOD, "--memory", memory, "good"))
        assert report["mood"] in ("b00", "b01", "b10", "b11")
    assert memory.stat().st_mode & 0o077 == 0


def test_a_memory_that_would_keep_nothing_is_refused(shell: Shell, tmp_path: Path) -> None:
    memory = tmp_path / "answers.db"
    done = shell(
        *("survey", "answer", "--question", "cheated=yes,no", "--epsilon", "1"),
        *("--memory", memory, "yes"),
    )
    assert done.code == 2
    assert "each report spends anew; leave --memory out" in done.err
    assert not memory.exists()


def test_a_choice_may_begin_with_the_name_of_its_question(shell: Shell) -> None:
    words = ("survey", "answer", "--question", "q=q=b,c", "--epsilon", "1", "q=b")
    assert report_of(shell(*words))["q"] in ("q=b", "c")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((*COIN, "perhaps"), "that is no answer to 'cheated'; write 'yes' or 'no'"),
        (
            (*CHEATED, "--epsilon", "0", "yes"),
            (
                "question 'cheated': --epsilon must be from 0.000001 to 64, not 0; write 1, 0.5 or "
                "'ln(2)', say"
            ),
        ),
        (
            (*CHEATED, "--epsilon", "-1", "yes"),
            (
                "question 'cheated': --epsilon must be from 0.000001 to 64, not -1; "
                "write 1, 0.5 or 'ln(2)', say"
            ),
        ),
        (
            ("--question", "cheated", "--choices", "yes", "--epsilon", "1", "yes"),
            "question 'cheated' has 1 choice; write two or more, such as --choices yes,no",
        ),
        (
            ("--question", "cheated=yes,no", "--choices", "a,b", "--epsilon", "1", "yes"),
            (
                "--choices and --question cheated=yes,no both say what may be answered; leave one "
                "of them out"
            ),
        ),
        (
            ("--question", "hours=0-24", "--epsilon", "1", "3"),
            ("--question hours=0-24 has one choice; write hours=0:24 for the numbers between"),
        ),
        (
            ("--question", "cheated", "--epsilon", "1", "yes"),
            (
                "what may be answered to 'cheated' is given by either --choices or --bounds; write "
                "--choices yes,no or --bounds 0:24, say"
            ),
        ),
        (
            ("--question", "hours", "--bounds", "24:0", "--epsilon", "1", "3"),
            (
                "question 'hours': the lower bound must be below the upper one; "
                "write --bounds 0:100, say"
            ),
        ),
        (
            ("--question", "hours", "--bounds", "24", "--epsilon", "1", "3"),
            "--bounds takes 0:24, say; '24' is not of this form",
        ),
        (
            (*CHEATED, "yes"),
            (
                "question 'cheated': what a report may tell is given by either --epsilon or "
                "--truth; write --epsilon 1, say"
            ),
        ),
        (
            (*CHEATED, "--truth", "0.5", "yes"),
            (
                "question 'cheated': --truth must be above 1/2, which is guessing, and below 1, "
                "not 0.5; write '2/3' for two choices, say"
            ),
        ),
        (
            (*COIN, "--protocol", "unary", "yes"),
            (
                "question 'cheated': --truth belongs to the protocol 'response', not to 'unary'; "
                "write --epsilon 1, "
                "say, in its place"
            ),
        ),
        (
            (*CHEATED, "--epsilon", "1", "--protocol", "unari", "yes"),
            (
                "question 'cheated': there is no protocol 'unari'; did you mean 'unary'? (known: "
                "'auto', 'response', 'subset', 'unary', 'hadamard', 'hashing', 'permanent')"
            ),
        ),
        (
            ("--question", "hours=0:24", "--truth", "2/3", "3"),
            (
                "--truth is not for 'hours', which is answered by a number; write --epsilon 1, "
                "say, in its place"
            ),
        ),
        (
            ("--question", "a=b,c", "--question", "hours=0:24", "--epsilon", "1", "hour=3"),
            "there is no question 'hour'; did you mean 'hours'? (known: 'a', 'hours')",
        ),
        (
            (*MOOD, "good"),
            (
                "question 'mood' has a permanent answer, which the person must keep; write "
                "--memory answers.db, say"
            ),
        ),
        ((*COIN, "--person", "7", "yes"), "this survey has no ids; leave --person out"),
        (
            (*COIN, "--ids", "yes"),
            "this survey counts each person once, by an id; write --person 0042, say",
        ),
        (
            (*COIN,),
            (
                "no answer is given; write it after the survey's file, or - there to read it from "
                "standard input"
            ),
        ),
        (
            ("--choices", "yes,no", "yes"),
            (
                "--choices describes a question; name it too, as in --question cheated --choices "
                "yes,no --epsilon 1, or leave --choices out where a file describes it"
            ),
        ),
        (
            ("--question", "a=b,c", "--question", "d=e,f", "--text", "why", "--epsilon", "1"),
            (
                "--text cannot say which of 2 questions it belongs to; write --question "
                "cheated=yes,no --question hours=0:24, say, and the rest into the file that "
                "'sfumato survey new' makes"
            ),
        ),
        (
            ("--question", "a=b,c", "--question", "a=e,f", "--epsilon", "1"),
            "--question names 'a' twice; give each name once",
        ),
        (
            (),
            (
                "no survey is named; write the name of its file, which 'sfumato survey new' makes, "
                "or --question cheated --choices yes,no --epsilon 1, say"
            ),
        ),
        (
            ("no-such.toml", "yes"),
            "there is no file 'no-such.toml'; check the spelling and the folder",
        ),
    ],
)
def test_a_mistake_is_one_sentence(
    shell: Shell, arguments: tuple[str, ...], sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    done = shell("survey", "answer", *arguments)
    assert (done.code, done.out, done.err) == (2, "", f"sfumato: {sentence}\n")


def test_a_survey_is_described_once(shell: Shell, tmp_path: Path) -> None:
    file = tmp_path / "class.toml"
    assert shell("survey", "new", file, *COIN).code == 0
    done = shell("survey", "answer", file, *COIN, "yes")
    assert done.err == (
        f"sfumato: {str(file)!r} describes a survey, and so does --question; leave one of them "
        "out\n"
    )


def test_a_file_that_describes_no_survey_is_named(shell: Shell, tmp_path: Path) -> None:
    file = tmp_path / "class.toml"
    file.write_text('[questions.cheated]\nchoices = ["yes"]\nepsilon = 1\n', encoding="utf-8")
    done = shell("survey", "answer", file, "yes")
    assert done.err == (
        "sfumato: class.toml: question 'cheated' has 1 choice; write two or more, such as "
        'choices = ["yes", "no"]\n'
    )
    assert done.code == 2


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            ("class.csv", *COIN),
            "'class.csv' is no name of a survey's file; let it end in .toml",
        ),
        (
            ("class.toml",),
            (
                "a survey has at least one question; write --question cheated --choices yes,no "
                "--epsilon 1, say"
            ),
        ),
        (
            ("no-such-folder/class.toml", *COIN),
            "'no-such-folder/class.toml' cannot be written; name a file in a folder that exists",
        ),
    ],
)
def test_what_cannot_be_written_is_one_sentence(
    shell: Shell,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    sentence: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    done = shell("survey", "new", *arguments)
    assert (done.code, done.out, done.err) == (2, "", f"sfumato: {sentence}\n")
    assert not list(tmp_path.iterdir())
