"""What a verb prints is in the catalogues: with all of them in brackets, no prose is outside."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.docs.pages import ROOT
from tests.docs.terminal import printed_by

if TYPE_CHECKING:
    from pathlib import Path

SAID = re.compile(r"⟦[^⟦⟧]*⟧")
#: The lines of a tree, and where one is broken.
LAYOUT = re.compile(r"[\s│├└─]+")
PROSE = re.compile(r"\b[a-z][a-z']+(?: [a-z']{2,}){2,}")

VERBS = (
    (
        "query patients.csv 'SELECT sex, AVG(age) AS age, COUNT(*) AS n FROM patients GROUP BY "
        "sex' --unit patient_id --keys sex=F,M --epsilon 1 --bounds age=0:110 --notes"
    ),
    (
        "plan patients.csv 'SELECT department, MEDIAN(age) AS age, COUNT(*) AS n FROM patients "
        "GROUP BY department' --unit patient_id --limit groups=5 --epsilon 1 --delta 1e-6 "
        "--bounds age=0:110"
    ),
    "risk hospital-a.csv --quasi age,sex,zip --sensitive diagnosis",
    "anonymize hospital-a.csv --quasi age,sex,zip --k 2 --sensitive diagnosis --l 2",
    "entropy hospital-a.csv --columns age,sex",
    "account events.json --delta 1e-6 --explain",
    "calibrate gaussian --epsilon 1 --delta 1e-6",
    "attack homogeneity hospital-a-generalised.csv --quasi age,sex,zip --sensitive diagnosis",
    "survey needed --question cheated --choices yes,no --epsilon 1 --within 0.05",
    "survey collect class.toml class-reports.csv",
    "init patients.csv --unit patient_id --epsilon 3 --ledger {desk}/l.db --output {desk}/p.toml",
    "inspect patients.csv --unit patient_id --bounds age=0:110",
)


def left(printed: str) -> list[str]:
    """Return the prose that is in no brackets; what is quoted, and what is typed, is none."""
    before, rest = "", LAYOUT.sub(" ", printed)
    while before != rest:
        before, rest = rest, SAID.sub(" ¤ ", rest)
    return PROSE.findall(re.sub(r"sfumato [a-z ]+|'[^']*'|\b\w+ (fe)?male\b", "¤", rest))


@pytest.mark.usefixtures("bracketed")
@pytest.mark.parametrize("words", VERBS, ids=lambda words: words.partition(" ")[0])
def test_no_prose_is_outside_the_catalogues(
    words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT / "examples")
    monkeypatch.setenv("HOME", str(tmp_path))
    printed = printed_by(f"sfumato {words.format(desk=tmp_path)}")
    assert "⟦" in printed
    assert "Usage" not in printed
    assert left(printed) == []


def test_twin_prose_outside_is_found() -> None:
    assert left("⟦at most ⟦two⟧ rows⟧\n│ a test with false\n│  positives finds") != []
    assert left("⟦at most ⟦two⟧ rows⟧\n│ sfumato query patients") == []
