"""Makes examples/patients.csv, a made-up table of visits to a hospital: nobody in it exists.

Run ``python examples/make_patients.py > examples/patients.csv`` to make it again; the numbers come
from a fixed seed, so that it is the same each time.
"""

from __future__ import annotations

import csv
import sys
from datetime import date, timedelta
from operator import itemgetter
from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TextIO

PATIENTS = 420
FIRST_DAY = date(2025, 1, 1)
HEADER = ("patient_id", "sex", "age", "smoker", "department", "cost", "visited")
DEPARTMENTS = ("cardiology", "dermatology", "emergency", "oncology", "orthopaedics")


def visits(seed: int = 1848) -> Iterator[tuple[object, ...]]:
    """Yield one row a visit; most patients come a few times, and a few come very often."""
    chance = Random(seed).random  # noqa: S311, since nothing about it is secret
    for patient in range(PATIENTS):
        sex = "F" if chance() < 0.54 else "M"
        age = 18 + int(40 * chance() + 36 * chance())
        smoker = "yes" if chance() < 0.22 else "no"
        usual = int(chance() * len(DEPARTMENTS))
        for _ in range(3 + int(3 * chance() * chance()) + 15 * (chance() < 0.01)):
            place = usual if chance() < 0.7 else int(chance() * len(DEPARTMENTS))
            cost = "" if chance() < 0.02 else f"{40 + 25 * place + 400 * chance() ** 3:.2f}"
            day = FIRST_DAY + timedelta(days=int(365 * chance()))
            yield 1000 + patient, sex, age, smoker, DEPARTMENTS[place], cost, day.isoformat()


def write(file: TextIO) -> None:
    """Write the table in the order of the visits."""
    table = csv.writer(file, lineterminator="\n")
    table.writerow(HEADER)
    rows = sorted(visits(), key=itemgetter(-1, 0))
    table.writerows(rows)


if __name__ == "__main__":
    write(sys.stdout)
