"""The wheel with the core alone: what works, and what says which part is missing."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

import sfumato
from tests.package.running import ROOT, copied_examples, endings

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.full

#: Python without the modules that are installed beside it.
BARE = (sys.executable, "-S")
ANSWERED = {
    "--version": f"sfumato {sfumato.__version__}\n",
    "calibrate laplace --epsilon 1": "use Laplace noise of scale 1",
    "survey answer --question cheated=yes,no --epsilon 1 yes": '"cheated"',
    "survey needed --question cheated=yes,no --epsilon 1 --within 0.05": "1,840 reports",
    "account events.json --delta 1e-6": "ε = ",
    "verify randomized-response.csv --epsilon 'ln(2)'": "proved",
    "ledger init patients --epsilon 1": "the book of patients is open",
    "completion bash": "complete -o default",
}
REFUSED = {
    "query patients.csv 'SELECT COUNT(*) AS n FROM patients' --unit row --epsilon 1": "duckdb",
    "risk hospital-a.csv --quasi age,sex": "duckdb",
    "demo hospital": "duckdb",
    "kmeans shoppers.csv --k 2 --bounds orders=0:80 --unit row --epsilon 1": "learn",
    "ledger show --ledger postgresql://localhost/none": "postgres",
}


def test_nothing_but_the_wheel_and_its_needs_is_there(core_alone: Path) -> None:
    """The twin of the next: an optional part that could be imported would hide a mistake."""
    code = (
        "import sfumato, numpy, flint, sqlalchemy, cryptography, typer, importlib.util\n"
        "print(sfumato.__file__)\n"
        "parts = ['duckdb', 'ibis', 'altair', 'vl_convert', 'sklearn', 'scipy', 'pandas']\n"
        "parts += ['psycopg']\n"
        "print([each for each in parts if importlib.util.find_spec(each)])"
    )
    environment = {**os.environ, "PYTHONPATH": str(core_alone)}
    done = subprocess.run(
        [*BARE, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines() == [str(core_alone / "sfumato" / "__init__.py"), "[]"]


def test_verbs_answer_or_name_the_part_they_need(core_alone: Path, tmp_path: Path) -> None:
    folder = copied_examples(tmp_path)
    commands = [shlex.split(each) for each in (*ANSWERED, *REFUSED)]
    ended = endings(folder, commands, python=("-S",), PYTHONPATH=str(core_alone))
    answered, refused = ended[: len(ANSWERED)], ended[len(ANSWERED) :]
    for (command, answer), end in zip(ANSWERED.items(), answered, strict=True):
        assert (end["code"], answer in end["out"]) == (0, True), (command, end)
    for (command, part), end in zip(REFUSED.items(), refused, strict=True):
        assert (end["code"], end["out"]) == (2, ""), command
        assert end["err"].endswith(f" needs an optional part: pip install 'sfumato[{part}]'\n")
        assert end["err"].count("\n") == 1
    shown = f"$ sfumato risk hospital-a.csv --quasi age,sex\n{refused[1]['err']}"
    assert shown in (ROOT / "docs" / "install.md").read_text(encoding="utf-8")
