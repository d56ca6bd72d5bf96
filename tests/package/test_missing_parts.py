"""A verb whose optional part is not installed says so in one sentence; all others work."""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING

import pytest

from tests.cli.commands import examples, help_pages, the_command
from tests.package.running import copied_examples, endings

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.full

#: What each optional part is told by.
PARTS = {
    "duckdb": ["duckdb", "ibis", "polars", "pyarrow"],
    "learn": ["sklearn", "threadpoolctl"],
    "optimize": ["scipy"],
    "pandas": ["pandas"],
    "plots": ["altair", "vl_convert"],
    "postgres": ["psycopg"],
    "spark": ["pyspark"],
    "torch": ["torch"],
}
#: Examples that are slow, or about files that others write or that must not be there yet.
ELSEWHERE = ("sfumato theorems", "sfumato check", "sfumato demo hospital --folder")
EXAMPLES = [
    shlex.split(each)[1:]
    for each in dict.fromkeys(
        example for _, page in help_pages(the_command()) for example in examples(page)
    )
    if not each.startswith(ELSEWHERE)
]
COUNT = ["query", "patients.csv", "SELECT COUNT(*) AS n FROM patients"]
COUNTING = [*COUNT, "--unit", "patient_id", "--limit", "rows=9", "--epsilon", "1"]
#: A command for each part, which needs nothing else that is hidden.
NEEDING = {
    "duckdb": ["risk", "hospital-a.csv", "--quasi", "age,sex"],
    "learn": shlex.split("kmeans shoppers.csv --k 2 --bounds orders=0:80 --unit row --epsilon 1"),
    "optimize": shlex.split("attack reconstruct patients.csv --column smoker=yes --queries 100"),
    "pandas": shlex.split("audit mechanisms:laplace --d0 staff.csv --d1 ratings.csv --epsilon 1"),
    "plots": [*COUNTING, "--plot", "answer.svg"],
    "postgres": ["ledger", "show", "--ledger", "postgresql://localhost/none"],
}
SENTENCE = re.compile(r"sfumato: .* needs an optional part: pip install 'sfumato\[(\w+)\]'\n")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return copied_examples(tmp_path)


def test_without_any_part_every_example_is_answered_or_names_what_it_needs(folder: Path) -> None:
    hidden = [name for names in PARTS.values() for name in names]
    ends = endings(folder, EXAMPLES, hidden=hidden)
    ended = {shlex.join(words): end for words, end in zip(EXAMPLES, ends, strict=True)}
    refused = {each: end for each, end in ended.items() if end["code"]}
    unclear = {each: end for each, end in refused.items() if not SENTENCE.fullmatch(end["err"])}
    assert unclear == {}
    assert {end["code"] for end in refused.values()} == {2}
    assert not [end["out"] for end in refused.values() if end["out"]]
    answered = {each.split()[0] for each in ended} - {each.split()[0] for each in refused}
    assert {"calibrate", "account", "verify", "audit", "ledger"} <= answered


@pytest.mark.parametrize("part", NEEDING)
def test_a_part_that_is_needed_is_named(part: str, folder: Path) -> None:
    (ended,) = endings(folder, [NEEDING[part]], hidden=PARTS[part])
    assert (ended["code"], ended["out"]) == (2, "")
    said = SENTENCE.fullmatch(ended["err"])
    assert said, ended["err"]
    assert said[1] == part


def test_a_part_that_is_not_needed_is_not_missed(folder: Path) -> None:
    """The twin: a command is refused for want of what it needs, and of nothing else."""
    others = [name for part in PARTS if part != "duckdb" for name in PARTS[part]]
    (ended,) = endings(folder, [COUNTING], hidden=others)
    assert (ended["code"], ended["err"]) == (0, "")


@pytest.mark.full
def test_no_example_needs_pandas(folder: Path) -> None:
    """Frames of pandas do, and the twin is the command that reads one."""
    hidden = PARTS["pandas"]
    ends = endings(folder, [*EXAMPLES, NEEDING["pandas"]], hidden=hidden)
    *others, twin = [end["err"] for end in ends]
    assert not [said for said in others if "sfumato[pandas]" in said]
    assert "sfumato[pandas]" in twin
    assert {end["code"] for end in ends[:-1]} <= {0, 3}
