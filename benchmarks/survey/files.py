"""Ten million reports in a file, collected: `python -m benchmarks.survey.files [PEOPLE]`.

Each look is in a process of its own, so that its peak of memory is its own.  Beside ours is the
least that an engine does: one bare GROUP BY of the reports, or, for texts of bits, which are all
different, to read them once.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb
import numpy as np
import pyarrow as pa
from pyarrow import csv, parquet

from benchmarks.groupby.memory import peak_mib
from benchmarks.measure import markdown, ratio, save
from benchmarks.survey.clock import Times, clocked
from benchmarks.survey.ours import reports_of
from benchmarks.survey.people import QUESTION, answers_of, survey_of
from sfumato.survey.collector.collect import collect
from sfumato.survey.collector.forms import written

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sfumato.survey import Survey

PEOPLE, CHUNK, EPSILON, ROUNDS = 10_000_000, 1_000_000, 1, 3
GROUPS = f"SELECT {QUESTION}, count(*) FROM '{{path}}' GROUP BY 1"  # noqa: S608 - our own file
READ = f"SELECT sum(length({QUESTION})) FROM '{{path}}'"  # noqa: S608 - our own file
FIRSTS = f"SELECT arg_min({QUESTION}, tag) AS {QUESTION} FROM '{{path}}' GROUP BY person"  # noqa: S608
ONE_EACH = f"SELECT {QUESTION}, count(*) FROM ({FIRSTS}) GROUP BY 1"  # noqa: S608 - our own file
OURS, FLOOR = "ours", "floor"


@dataclass(frozen=True)
class Case:
    """A file of reports."""

    protocol: str
    ending: str
    ids: bool = False

    @property
    def name(self) -> str:
        """The file's name."""
        return f"{self.protocol}{'-ids' if self.ids else ''}.{self.ending}"

    @classmethod
    def read(cls, path: Path) -> Case:
        """Return the case that a file's name tells."""
        protocol, _, ids = path.stem.partition("-")
        return cls(protocol, path.suffix[1:], bool(ids))

    @property
    def survey(self) -> Survey:
        """What was asked."""
        return survey_of(self.protocol, EPSILON, ids=self.ids)

    @property
    def has_bits(self) -> bool:
        """Whether a report is a text of bits."""
        return self.protocol in ("subset", "unary")

    @property
    def query(self) -> str:
        """The least that an engine does with the file."""
        if self.ids:
            return ONE_EACH
        return READ if self.has_bits else GROUPS


CASES = (
    Case("response", "parquet"),
    Case("response", "csv"),
    Case("response", "parquet", ids=True),
    Case("hadamard", "parquet"),
    Case("hashing", "parquet"),
    Case("subset", "parquet"),
    Case("subset", "csv"),
)


def make(case: Case, folder: Path, people: int) -> Path:
    """Write a file of reports."""
    path = folder / case.name
    parts = reports(case, people)
    first = next(parts)
    writer = csv.CSVWriter if case.ending == "csv" else parquet.ParquetWriter
    with writer(str(path), first.schema) as file:
        file.write_table(first)
        for part in parts:
            file.write_table(part)
    return path


def reports(case: Case, people: int) -> Iterator[pa.Table]:
    """Yield reports, some at a time."""
    survey = case.survey
    for start in range(0, people, CHUNK):
        count = min(CHUNK, people - start)
        found = written(survey.questions[QUESTION], reports_of(survey, answers_of(count)))
        yield pa.table(
            {
                "survey": pa.array([survey.digest] * count).dictionary_encode().cast(pa.string()),
                **(_identities(start, count) if case.ids else {}),
                QUESTION: found,
            }
        )


def _identities(start: int, count: int) -> dict[str, Any]:
    persons = np.arange(start, start + count)
    tags = np.random.default_rng(start).integers(2**63, size=count)
    return {
        "person": pa.array([f"p{each}" for each in persons.tolist()]),
        "tag": pa.array([f"t{each:016x}" for each in tags.tolist()]),
    }


def looks(path: Path) -> dict[str, Callable[[], Any]]:
    """Return what is done with a file."""
    case = Case.read(path)
    return {
        FLOOR: lambda: _bare(case.query.format(path=path)),
        OURS: lambda: collect(case.survey, path).estimate(),
    }


def _bare(query: str) -> Any:
    with duckdb.connect() as connection:
        return connection.execute(query).fetchall()


def alone(look: str, path: Path) -> tuple[Times, float]:
    """Return the least times and the peak of a look, in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.survey.files", look, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603 - ours
    wall, busy, peak = json.loads(done.stdout)
    return Times(wall, busy), peak


def line(case: Case, most: int) -> list[str]:
    """Make a file, measure it, and return the line of the table; a tenth of the people for bits."""
    people = most // 10 if case.has_bits else most
    with tempfile.TemporaryDirectory() as folder:
        path = make(case, Path(folder), people)
        size = path.stat().st_size / 2**20
        (floor, floor_peak), (mine, peak) = alone(FLOOR, path), alone(OURS, path)
    seconds = [f"{each:.3g}" for each in (mine.wall, mine.busy, floor.wall, floor.busy)]
    label = f"{case.protocol}{', with ids' if case.ids else ''}, {case.ending}"
    over = ratio(mine.busy, floor.busy)
    return [
        label,
        f"{people:,}",
        f"{size:,.0f}",
        *seconds,
        over,
        f"{peak:,.0f}",
        f"{floor_peak:,.0f}",
    ]


def main(people: int = PEOPLE) -> None:
    """Measure, print and save."""
    said = f"Processors: {os.cpu_count()}; load when the run began: {os.getloadavg()[0]:.1f}."
    header = ["file", "reports", "MiB", "s on the wall", "s", "floor: wall", "floor: s", "/ floor"]
    lines = [[*header, "peak MiB", "floor: peak"], *(line(case, people) for case in CASES)]
    text = f"{said}\n\n{markdown(lines)}"
    save("survey-files", "python -m benchmarks survey", text, note=NOTE)


NOTE = f"""One question of 100 choices, ε = {EPSILON}; the best of {ROUNDS}.

The floor is the bare `GROUP BY` of the reports by DuckDB, with ids of one report of each person;
for texts of bits, of which all differ, to read them once.  Ours also sets reports of other surveys
and impossible ones aside, and gives shares with their intervals.  `s` are those of processors.
Memory is the peak of the whole process, Python and its libraries included."""


if __name__ == "__main__":
    match sys.argv[1:]:
        case [look, path]:
            spent = clocked(looks(Path(path))[look], rounds=ROUNDS)
            print(json.dumps([spent.wall, spent.busy, peak_mib()]))
        case given:
            main(*map(int, given))
