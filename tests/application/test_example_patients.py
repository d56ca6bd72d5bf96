"""The example table is what its program makes."""

from __future__ import annotations

import csv
import io
from pathlib import Path

from examples.make_patients import HEADER, PATIENTS, write

FILE = Path(__file__).parents[2] / "examples" / "patients.csv"


def test_the_example_is_made_by_its_program() -> None:
    made = io.StringIO()
    write(made)
    assert FILE.read_text(encoding="utf-8") == made.getvalue()


def test_the_example_is_small_and_has_people_who_come_often() -> None:
    rows = list(csv.DictReader(FILE.read_text(encoding="utf-8").splitlines()))
    visits = [row["patient_id"] for row in rows]
    assert tuple(rows[0]) == HEADER
    assert FILE.stat().st_size < 100_000
    assert len(set(visits)) == PATIENTS
    assert max(map(visits.count, set(visits))) > 15
