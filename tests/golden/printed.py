"""What verbs of the shell print, in English and in lines of a fixed width."""

from __future__ import annotations

import io
import shlex
import shutil
import sys
import tempfile
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from unittest.mock import patch

from sfumato.cli import main
from tests.golden.fixed import fixed
from tests.golden.versions import CERTIFICATES, HERE, LEDGER, RECEIPTS

EXAMPLES = HERE.parents[1] / "examples"
_MEANS = "SELECT sex, COUNT(*) AS n, AVG(age) AS age FROM patients GROUP BY sex"
_ASKED = f'patients.csv "{_MEANS}" --unit patient_id --bounds age=0:110 --keys sex=F,M --epsilon 1'
_GENERALISED = "hospital-a-generalised.csv hospital-b-generalised.csv"
#: What is typed in the folder of the examples, with a certificate, a receipt and a ledger beside.
VERBS = {
    "query": f"query {_ASKED}",
    "query-notes": f"query {_ASKED} --notes",
    "query-json": f"query {_ASKED} --json",
    "plan": f"plan {_ASKED}",
    "inspect": "inspect patients.csv --types age=integer --bounds cost=0:20000",
    "kmeans": "kmeans shoppers.csv --k 3 --bounds orders=0:80 --bounds basket=0:250 "
    "--unit customer --epsilon 1",
    "check": "check release.json",
    "risk": "risk hospital-a.csv --quasi age,sex,zip --sensitive diagnosis",
    "anonymize": "anonymize hospital-a.csv --quasi age,sex,zip --k 2 --remove name --output a.csv",
    "entropy": "entropy hospital-a.csv --columns diagnosis --given age,sex",
    "divergence": f"divergence {_GENERALISED} --columns age,sex",
    "account": "account events.json --delta 1e-6 --explain",
    "calibrate": "calibrate gaussian --epsilon 1 --delta 1e-6 --sensitivity 2",
    "verify": "verify randomized-response.csv --epsilon 'ln(2)'",
    "ledger-show": "ledger show patients",
    "ledger-export": "ledger export points --format csv",
    "ledger-verify": "ledger verify --receipt receipt.json",
    "survey-needed": "survey needed class.toml --within 0.05",
    "survey-collect": "survey collect class.toml class-reports.csv",
    "survey-answer": "survey answer class.toml yes",
    "attack-intersect": f"attack intersect {_GENERALISED} --on age,sex,zip --sensitive diagnosis",
    "attack-difference": "attack difference staff.csv --publish department "
    "--publish department,sex --value salary --hide-below 5",
    "refused": "query patients.csv 'SELECT AVG(weight) FROM patients' --unit row --epsilon 1",
}


def said(name: str, version: Path) -> str:
    """What a verb prints, below what was typed, and its exit code."""
    with tempfile.TemporaryDirectory() as room, fixed(folder := Path(room)):
        for path in EXAMPLES.iterdir():
            if path.is_file():
                shutil.copy(path, folder)
        shutil.copy(version / LEDGER, folder)
        shutil.copy(version / CERTIFICATES / "charged.json", folder / "release.json")
        shutil.copy(version / RECEIPTS / "0.json", folder / "receipt.json")
        printed, code = _run(shlex.split(VERBS[name]))
        return f"$ sfumato {VERBS[name]}\n{printed.replace(room, '…')}[{code}]\n"


def _run(words: list[str]) -> tuple[str, int]:
    stream = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="\n")
    code = 0
    typed = patch.object(sys, "argv", ["sfumato", *words])
    with typed, redirect_stdout(stream), redirect_stderr(stream):
        try:
            main()
        except SystemExit as ended:
            code = int(ended.code or 0)
    stream.flush()
    stream.seek(0)
    return stream.read(), code
