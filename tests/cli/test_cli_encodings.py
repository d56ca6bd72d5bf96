"""A file in another encoding is said to be that by every verb that reads one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Shell

VERBS = [
    "risk FILE --quasi city",
    "entropy FILE --columns city",
    "divergence GOOD FILE --columns city",
    "anonymize FILE --quasi city --k 2 --output OUT",
    "kmeans FILE --k 2 --bounds age=0:100 --unit row --epsilon 1",
    "query FILE QUESTION --unit row --epsilon 1",
    "attack link FILE --person city=Bern --sensitive age",
    "attack homogeneity FILE --quasi city --sensitive age",
    "attack intersect GOOD FILE --on city --sensitive age",
    "attack difference FILE --publish city",
    "attack scoreboard FILE --known GOOD --person cheated --item city",
    "attack reconstruct FILE --column city=Bern",
    "survey collect SURVEY FILE",
]


@pytest.mark.parametrize("verb", VERBS)
def test_a_file_that_is_not_utf_8_is_said_to_be_that_alone(
    verb: str, shell: Shell, tmp_path: Path
) -> None:
    (tmp_path / "good.csv").write_text("city,age,cheated\nBern,61,yes\n", encoding="utf-8")
    latin = "survey,city,age,cheated\n,Bern,61,yes\n,Zürich,35,no\n".encode("cp1252")
    (tmp_path / "latin.csv").write_bytes(latin)
    words = {
        "FILE": tmp_path / "latin.csv",
        "GOOD": tmp_path / "good.csv",
        "OUT": tmp_path / "out.csv",
        "SURVEY": "examples/class.toml",
        "QUESTION": "SELECT COUNT(*) AS n FROM latin",
    }
    done = shell(*(words.get(word, word) for word in verb.split()))
    assert (done.code, done.out) == (2, "")
    assert "latin.csv' is not text in UTF-8 (line 3); save it again as CSV in UTF-8" in done.err
    assert "quotes" not in done.err
