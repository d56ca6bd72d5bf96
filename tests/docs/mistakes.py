"""The commonest mistakes of a first hour, and their answers: ``python -m tests.docs.mistakes``."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

import sfumato as sf
from tests.docs.pages import DOCS, ROOT
from tests.docs.terminal import printed_by

if TYPE_CHECKING:
    from collections.abc import Iterator

PAGE = DOCS / "mistakes.md"
LANGUAGES = ("en", "zh")
ONE = "SELECT COUNT(*) AS n FROM patients"
ASKED = "--unit patient_id --epsilon 1"


def query(sql: str, options: str = ASKED, file: str = "patients.csv") -> str:
    """Return a command."""
    return f"sfumato query {file} '{sql}' {options}"


#: What is typed in a shell, in the folder of the examples.
TYPED = (
    "sfumato qeury patients.csv",
    query(ONE, file="patient.csv"),
    query(ONE, "--epsilon 1"),
    query(ONE, "--unit patient --epsilon 1"),
    query(ONE, "--unit patient_id"),
    query(ONE, "--unit patient_id --epsilo 1"),
    query(ONE, "--unit patient_id --epsilon 0"),
    query("SELECT * FROM patients"),
    query("SELECT AVG(agee) AS a FROM patients"),
    query("SELECT AVG(sex) AS a FROM patients"),
    query("SELECT COUNT(*) AS n FROM patients WHERE age > 60"),
    query("SELECT AVG(age) AS a FROM patients", f"{ASKED} --bounds age=110:0"),
    query("SELECT sex, COUNT(*) AS n FROM patients GROUP BY sex"),
    query(ONE, f"{ASKED} --ledger none.db"),
    "sfumato risk patients.csv --quasi age,gender",
    "sfumato calibrate gaussian --epsilon 1",
)
#: What is written in Python, of a private table that is called ``patients``.
WRITTEN = (
    "patients.head()",
    "len(patients)",
    "patients['age'].mean()",
    "patients.groupby('sex').count()",
)
HEAD = """\
# The first hour's mistakes

The twenty commonest mistakes of a first hour, and how each is answered, in English and in Chinese
(`--lang zh`, or `SFUMATO_LANG=zh`; `sf.language.use("zh")` in Python). Nothing is charged for a
mistake, and no cell of the data stands in an answer. Every answer has [a code](errors.md) that
stays when its sentence is reworded or translated.

This page is made by running what it shows (`python -m tests.docs.mistakes`), and a test holds the
two together.
"""


def page() -> str:
    """Return the page."""
    parts = [HEAD, "## In a shell\n", _table("typed", [(each, _shell(each)) for each in TYPED])]
    parts += ["## In Python\n", _table("written", [(each, _python(each)) for each in WRITTEN])]
    return "\n".join(parts)


def _table(how: str, rows: list[tuple[str, list[str]]]) -> str:
    lines = [f"| what was {how} | English | 中文 |", "| --- | --- | --- |"]
    lines += [f"| `{given}` | {' | '.join(answers)} |" for given, answers in rows]
    return "\n".join(lines) + "\n"


def _shell(command: str) -> list[str]:
    with _desk():
        spoken = [command.replace("sfumato", f"sfumato --lang {each}", 1) for each in LANGUAGES]
        return [_cell(printed_by(each)) for each in spoken]


def _python(source: str) -> list[str]:
    frame = pd.read_csv(ROOT / "examples" / "patients.csv")
    patients = sf.table(frame, unit="patient_id", bounds={"age": (0, 110)})
    return [_cell(_refusal(source, patients, each)) for each in LANGUAGES]


def _refusal(source: str, patients: Any, language: str) -> str:
    with sf.language.using(language):
        try:
            eval(source, {"patients": patients})  # noqa: S307
        except sf.SfumatoError as error:
            return str(error)
    message = f"{source} is no mistake"
    raise AssertionError(message)


def _cell(printed: str) -> str:
    """Return what was printed as a cell of a table: without the usage above an error."""
    said = " ".join(printed.strip().rpartition("\n\n")[2].split())
    shown = said.replace(f"{ROOT}/examples", "…").replace("|", "\\|")
    return f"`{shown}`"


@contextlib.contextmanager
def _desk() -> Iterator[None]:
    """A folder with the examples, and a home without a ledger."""
    before, here = dict(os.environ), Path.cwd()
    with tempfile.TemporaryDirectory() as home:
        os.environ.update(HOME=home, COLUMNS="10000", NO_COLOR="1")
        os.chdir(ROOT / "examples")
        try:
            yield
        finally:
            os.chdir(here)
            os.environ.clear()
            os.environ.update(before)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
