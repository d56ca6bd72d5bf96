"""Sentences fit the terminal, whatever the verb; no word of them is lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sfumato.audit import BookReport, BookRow
from sfumato.printing.layout import places

if TYPE_CHECKING:
    from tests.cli.conftest import Shell

RISK = ("risk", "examples/hospital-a.csv", "--quasi", "age,sex,zip,smoker")
AUDIT = ("audit", "examples.mechanisms:half_the_noise", "--d0", "[0]", "--d1", "[1]")
ACCOUNT = ("account", "examples/events.json", "--delta", "1e-6")
VERBS = {
    "risk": (*RISK, "--sensitive", "diagnosis"),
    "account": ACCOUNT,
    "explain": (*ACCOUNT, "--explain"),
    "calibrate": ("calibrate", "gaussian", "--epsilon", "1", "--delta", "1e-6"),
    "audit": (*AUDIT, "--epsilon", "1", "--samples", "1000"),
    "entropy": ("entropy", RISK[1], "--columns", "diagnosis", "--given", "age,sex,zip,smoker"),
    "verify": ("verify", "examples/randomized-response.csv", "--epsilon", "0.69"),
    "link": ("attack", "link", RISK[1], "--person", "age=56", "--sensitive", "diagnosis"),
    "needed": ("survey", "needed", "examples/class.toml", "--people", "500"),
}


@pytest.mark.parametrize("verb", VERBS)
def test_no_line_is_wider_than_the_terminal(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, verb: str
) -> None:
    monkeypatch.setenv("COLUMNS", "50")
    lines = shell(*VERBS[verb]).out.splitlines()
    assert max(map(places, lines)) <= 50


@pytest.mark.full
@pytest.mark.parametrize("verb", ["risk", "account", "explain", "calibrate", "entropy"])
def test_a_narrow_terminal_shows_the_same_words(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, verb: str
) -> None:
    monkeypatch.setenv("COLUMNS", "1000")
    wide = shell(*VERBS[verb]).out
    monkeypatch.setenv("COLUMNS", "50")
    narrow = shell(*VERBS[verb]).out
    assert narrow.split() == wide.split()
    assert narrow.count("\n") > wide.count("\n")


def test_a_row_of_a_table_stays_whole(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    files = ("examples/hospital-a-generalised.csv", "examples/hospital-b-generalised.csv")
    asked = ("divergence", *files, "--columns", "age,sex")
    wide = shell(*asked).out.splitlines()
    monkeypatch.setenv("COLUMNS", "50")
    narrow = shell(*asked).out.splitlines()
    rows = [line for line in wide if line.endswith(("Q from P", "0.608198", "0.810930"))]
    assert len(rows) == 3
    assert set(rows) <= set(narrow)
    assert max(places(line) for line in narrow if line not in rows) <= 50


def test_statements_on_a_narrow_terminal() -> None:
    row = BookRow(
        name="Theorem 5.1",
        title="a survey",
        text="It is ln 2-differentially private, whatever the number of people asked.",
        instances=20,
        figures="20 surveys",
        wrong="the truth told with probability 3/4",
        holds=True,
        caught=True,
        seconds=0.1,
    )
    book = BookReport((row,))
    shown = {width: "\n".join(book.lines(width=width)) for width in (96, 50, 43)}
    assert "instances  about" in shown[96]
    assert "instances  about" not in shown[50]
    assert "a survey" in shown[50]
    assert "a survey" not in shown[43]
    assert shown[43].endswith("has them")
    details = book.lines(details=True, width=43)
    assert max(map(places, [*shown[43].splitlines(), *details])) <= 43
