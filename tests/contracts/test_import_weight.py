"""Importing sfumato loads no engine, web framework or plotting library."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

FORBIDDEN = {
    # engines and frames
    *(
        "duckdb",
        "ibis",
        "pandas",
        "polars",
        "psycopg",
        "pyarrow",
        "pyspark",
        "sqlalchemy",
        "sqlglot",
    ),
    # web
    *("aiohttp", "fastapi", "flask", "httpx", "jinja2", "requests", "starlette", "uvicorn"),
    # plotting and notebooks
    *("altair", "bokeh", "IPython", "matplotlib", "plotly", "seaborn"),
    # heavy, and needed only by some functions
    *("scipy", "sklearn", "torch", "typer", "click", "rich"),
}

EXAMPLES = Path(__file__).parents[2] / "examples"
PATIENTS, COIN = EXAMPLES / "patients.csv", EXAMPLES / "randomized-response.csv"
COUNT = "SELECT COUNT(*) AS n FROM patients"


def modules_after(code: str) -> list[str]:
    """The modules in memory after running code in a fresh interpreter."""
    tell = "import json, sys\nprint(json.dumps(sorted(sys.modules)))"
    program = f"{code}\n{tell}"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    found: list[str] = json.loads(done.stdout.splitlines()[-1])
    return found


def loaded_by(code: str) -> set[str]:
    """The top-level modules of those."""
    return {module.split(".")[0] for module in modules_after(code)}


def typed(*words: str) -> str:
    """Code that asks the shell something, and goes on if it was answered."""
    code = f"import sys; sys.argv = {['sfumato', *words]}\nfrom sfumato.cli import main\n"
    return code + "try:\n    main()\nexcept SystemExit as leaving:\n    assert not leaving.code"


@pytest.mark.parametrize(
    "code",
    [
        "import sfumato",
        "import sfumato as sf; sf.information.entropy([1, 2])",
        "import sfumato.information.continuous",
        "import sfumato as sf; sf.charts.check_picture",
    ],
)
def test_importing_sfumato_is_light(code: str) -> None:
    assert not loaded_by(code) & FORBIDDEN


def test_a_heavy_import_would_be_seen() -> None:
    assert loaded_by("import pandas") & FORBIDDEN


@pytest.mark.parametrize("argument", ["--help", "--version"])
def test_the_shell_greets_without_an_engine(argument: str) -> None:
    assert not loaded_by(typed(argument)) & (FORBIDDEN - {"typer", "click", "rich"})


def test_one_person_answers_a_survey_with_the_standard_library() -> None:
    code = "import sfumato as sf\nsf.Survey({'a': {'choices': ['b', 'c'], 'epsilon': 1}})"
    assert not loaded_by(f"{code}.answer({{'a': 'b'}})") & (FORBIDDEN | {"numpy", "flint"})


def test_one_person_answers_from_the_shell_without_more_than_the_shell_needs() -> None:
    code = typed("survey", "answer", "--question", "cheated=yes,no", "--epsilon", "1", "yes")
    heavy = (FORBIDDEN - {"typer", "click"}) | {"numpy", "flint"}
    assert not loaded_by(code) & heavy


@pytest.mark.parametrize(
    ("words", "auditor"),
    [
        (["query", str(PATIENTS), COUNT, "--unit", "patient_id", "--epsilon", "1"], False),
        (["verify", str(COIN), "--epsilon", "ln(2)"], True),
    ],
    ids=["a question", "the twin: a verdict"],
)
def test_a_question_is_answered_without_the_auditor(words: list[str], auditor: bool) -> None:  # noqa: FBT001
    assert ("sfumato.audit" in modules_after(typed(*words))) == auditor


@pytest.mark.parametrize(
    ("words", "scientific"),
    [
        (["query", str(PATIENTS), COUNT, "--unit", "patient_id", "--epsilon", "1"], False),
        (["risk", str(PATIENTS), "--quasi", "age,sex"], False),
        (["risk", str(PATIENTS), "--quasi", "age,sex", "--population", "9999"], True),
    ],
    ids=["a question", "exposure", "the twin: exposure in a population"],
)
def test_scipy_is_loaded_for_what_needs_it(words: list[str], scientific: bool) -> None:  # noqa: FBT001
    assert ("scipy" in loaded_by(typed(*words))) == scientific
