"""Importing sfumato loads no engine, web framework or plotting library."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.util import find_spec
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
LINEAR_PROGRAM = ("--column", "smoker=yes", "--queries", "100", "--epsilon", "1")


#: What no everyday verb loads: frames and engines of others, pictures, and rooms of other verbs.
NEVER = {
    *("altair", "pandas", "polars", "psycopg", "scipy", "sklearn"),
    *("sfumato.audit", "sfumato.charts", "sfumato.learning", "sfumato.survey"),
}
ENGINE = {"duckdb", "ibis", "pyarrow", "sqlglot"}
KEY = "cryptography.hazmat.primitives.serialization"
LEDGER = {"sqlalchemy", "asyncio", "sfumato.ledger.ledger", KEY}
#: What a question to a file has no use for.
QUESTION = {
    *NEVER,
    *LEDGER,
    *("pyarrow.compute", "sfumato.risk", "sfumato.tables.certificate.question"),
    *("sfumato.privacy.accounting.profile", "sfumato.mechanisms.estimators.blocks"),
    *("sfumato.application.ledger.receipts", "sfumato.ledger.signer"),
    *("sfumato.data.engines.postgres.engine", "sfumato.data.engines.spark.engine"),
}
NUMBERS = {*NEVER, *LEDGER, *ENGINE, "sfumato.ledger", "sfumato.mechanisms", "sfumato.tables"}
ASKING = ["--unit", "patient_id", "--bounds", "age=0:110", "--keys", "sex=F,M", "--epsilon", "1"]
MEANS = "SELECT sex, COUNT(*) AS n, AVG(age) AS age FROM patients GROUP BY sex"
#: Verbs as they are written, LEDGER and CERTIFICATE for files that are there, and what none loads.
VERBS = {
    "query": (["query", str(PATIENTS), MEANS, *ASKING], QUESTION),
    "plan": (["plan", str(PATIENTS), MEANS, *ASKING], QUESTION),
    "risk": (
        ["risk", str(PATIENTS), "--quasi", "age,sex"],
        {*QUESTION, "cryptography", "sfumato.ledger", "sfumato.mechanisms", "sfumato.tables"}
        - {"sfumato.risk"},
    ),
    "calibrate": (["calibrate", "gaussian", "--epsilon", "1", "--delta", "1e-6"], NUMBERS),
    "account": (["account", str(EXAMPLES / "events.json"), "--delta", "1e-6"], NUMBERS),
    "ledger show": (
        ["ledger", "show", "--ledger", "LEDGER"],
        {*NEVER, *ENGINE, "numpy", "sfumato.mechanisms", "sfumato.tables", "sfumato.risk"},
    ),
    "check": (
        ["check", "CERTIFICATE"],
        {
            *(NEVER - {"sfumato.audit"}),
            *ENGINE,
            *("sqlalchemy", "sfumato.ledger.ledger", "sfumato.audit.blackbox"),
            *("sfumato.tables.query", "sfumato.risk"),
        },
    ),
    "a wrong option": (
        ["query", "--nonsense"],
        {
            *(*NUMBERS, "numpy", "flint", "cryptography", "sfumato.privacy"),
            *(f"sfumato.application.{each}" for each in ("tables", "ledger", "report")),
        },
    ),
}


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


def typed(*words: str, code: int = 0) -> str:
    """Code that asks the shell something, and goes on if it ended with an exit code."""
    program = f"import sys; sys.argv = {['sfumato', *words]}\nfrom sfumato.cli import main\n"
    ended = f"except SystemExit as leaving:\n    assert int(leaving.code or 0) == {code}"
    return f"{program}try:\n    main()\n{ended}"


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


def test_uniques_of_a_population_are_estimated_without_scipy() -> None:
    words = ["risk", str(PATIENTS), "--quasi", "age,sex", "--population", "9999"]
    assert "scipy" not in loaded_by(typed(*words))


def test_twin_a_verdict_and_a_linear_program_load_what_they_need() -> None:
    assert "sfumato.audit" in modules_after(typed("verify", str(COIN), "--epsilon", "ln(2)"))
    assert "scipy" in loaded_by(typed("attack", "reconstruct", str(PATIENTS), *LINEAR_PROGRAM))


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """A ledger and a certificate, and which modules were loaded for the answer of both."""
    folder = tmp_path_factory.mktemp("files")
    made = {"LEDGER": str(folder / "ledger.db"), "CERTIFICATE": str(folder / "release.json")}
    opening = typed("ledger", "init", "patients", "--epsilon", "9", "--ledger", made["LEDGER"])
    charging = [
        "--ledger",
        made["LEDGER"],
        "--analyst",
        "ada",
        "--certificate",
        made["CERTIFICATE"],
    ]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SFUMATO_SIGNING_KEY", str(folder / "key.pem"))
        modules_after(opening)
        asking = ["query", str(PATIENTS), COUNT, "--unit", "row", "--epsilon", "1"]
        made["LOADED"] = " ".join(modules_after(typed(*asking, *charging)))
    return made


@pytest.mark.parametrize("verb", VERBS)
def test_a_verb_loads_no_more_than_it_uses(verb: str, files: dict[str, str]) -> None:
    words, heavy = VERBS[verb]
    code = 2 if verb == "a wrong option" else 0
    loaded = modules_after(typed(*(files.get(each, each) for each in words), code=code))
    assert not heavy.intersection(loaded)


def test_what_a_verb_must_not_load_can_be_loaded() -> None:
    """The twin: a module of the lists that is not there, or was renamed, would never be seen."""
    heavy = set().union(*(each for _, each in VERBS.values()))
    assert [each for each in sorted(heavy - {*sys.modules}) if find_spec(each) is None] == []


def test_a_question_that_is_charged_and_certified_loads_both(files: dict[str, str]) -> None:
    """The twin of a question without a ledger: it loads what that one does not."""
    used = {*LEDGER, "sfumato.tables.certificate.certificate"}
    assert used <= set(files["LOADED"].split())
