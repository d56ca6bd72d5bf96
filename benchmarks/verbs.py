"""What a verb of the shell costs from the first word to the last, imports and all.

Processor seconds, user and system, of fresh processes, the least of several rounds in turns. The
floor of a question is a connection of Ibis to DuckDB, with which nothing is asked yet.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from benchmarks.interpreters import ROOT
from benchmarks.measure import markdown, save

ROUNDS = 5
EXAMPLES = ROOT / "examples"
SHELL = "from sfumato.cli import command; command()"
FLOOR = "import ibis; ibis.duckdb.connect()"
NOTHING = "pass"
SQL = "SELECT sex, COUNT(*) AS n, AVG(age) AS age FROM patients GROUP BY sex"
ASKED = [str(EXAMPLES / "patients.csv"), SQL, "--unit", "patient_id", "--bounds", "age=0:110"]
ASKED += ["--keys", "sex=F,M", "--epsilon", "1"]
OF_SECONDS = (
    "Processor seconds of a whole process, with compiled bytecode, the least of "
    f"{ROUNDS} in turns; ratios travel from machine to machine."
)


@dataclass(frozen=True)
class Task:
    """A command, and how it ends.

    Attributes
    ----------
    code
        What Python runs.
    words
        Its arguments.
    ends
        Its exit code.
    """

    code: str
    words: tuple[str, ...] = ()
    ends: int = 0


def seconds(task: Task) -> float:
    """Return the processor seconds of a command in a fresh interpreter."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-c", task.code, *task.words]
    done = subprocess.run(command, capture_output=True, check=False, env=_environment())  # noqa: S603
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != task.ends:
        sys.exit(f"{' '.join(task.words)} ended with {done.returncode}: {done.stderr.decode()}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _environment() -> dict[str, str]:
    """Return an environment in which compiled bytecode is kept."""
    return {name: each for name, each in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def tasks(folder: Path) -> dict[str, Task]:
    """Return what is measured, with a ledger and a certificate made in a folder."""
    ledger, certificate = str(folder / "ledger.db"), str(folder / "release.json")
    seconds(Task(SHELL, ("ledger", "init", "patients", "--epsilon", "3", "--ledger", ledger)))
    seconds(Task(SHELL, ("query", *ASKED, "--certificate", certificate)))
    verbs = {
        "query": ("query", *ASKED),
        "plan": ("plan", *ASKED),
        "risk": ("risk", str(EXAMPLES / "patients.csv"), "--quasi", "age,sex"),
        "calibrate": ("calibrate", "gaussian", "--epsilon", "1", "--delta", "1e-6"),
        "account": ("account", str(EXAMPLES / "events.json"), "--delta", "1e-6"),
        "ledger show": ("ledger", "show", "--ledger", ledger),
        "check": ("check", certificate),
    }
    return {
        "nothing": Task(NOTHING),
        "a connection": Task(FLOOR),
        **{name: Task(SHELL, words) for name, words in verbs.items()},
        "a wrong option": Task(SHELL, ("query", "--nonsense"), ends=2),
    }


def measured(asked: dict[str, Task], rounds: int) -> dict[str, float]:
    """Return the least seconds of each command; they take turns."""
    turns = [{name: seconds(task) for name, task in asked.items()} for _ in range(rounds + 1)]
    return {name: min(turn[name] for turn in turns[1:]) for name in asked}


def table(found: dict[str, float]) -> str:
    """Return a Markdown table: seconds, and how many connections and bare interpreters they are."""
    floor, nothing = found["a connection"], found["nothing"]
    lines = [["sfumato", "seconds", "/ a connection", "/ python"]]
    lines += [
        [name, f"{each:.2f}", f"{each / floor:.2f}", f"{each / nothing:.0f}"]
        for name, each in found.items()
    ]
    return markdown(lines)


def main() -> None:
    """Measure, print and save."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["SFUMATO_SIGNING_KEY"] = str(Path(folder) / "key.pem")
        found = measured(tasks(Path(folder)), ROUNDS)
    said = f"`nothing` is `python -c {NOTHING!r}`, `a connection` is `python -c {FLOOR!r}`."
    text = f"{table(found)}\n{said}\n"
    save("verbs", "python -m benchmarks verbs", text, note=OF_SECONDS)
