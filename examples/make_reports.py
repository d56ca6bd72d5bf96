"""Makes the reports of two made-up surveys: of a class, and of a canteen's guests.

Run ``python examples/make_reports.py class > examples/class-reports.csv``, and the same for
``canteen``, to make them again; chance comes from a fixed seed, so that they are the same each
time.  Nobody in them exists.
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from sfumato.survey import read_survey
from sfumato.survey.client.draws import Draws

if TYPE_CHECKING:
    from collections.abc import Iterator
    from fractions import Fraction
    from typing import TextIO

HERE = Path(__file__).parent
#: How many pupils there are, and how many of them cheated.
PUPILS, CHEATERS = 40, 12
#: Each meal with how many ate it, how many of these would come again, and what it costs.
MEALS = {
    "pasta": (800, 600, 6),
    "soup": (300, 60, 4),
    "salad": (500, 300, 7),
    "curry": (400, 360, 8),
}


class SeededDraws(Draws):
    """Chance from a seed: for examples, and not private."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)  # noqa: S311, since nothing about it is secret

    def below(self, bound: int) -> int:
        """Return one of 0, 1, ..., bound - 1."""
        return self._random.randrange(bound)

    def chance(self, probability: Fraction) -> bool:
        """Return True with this probability."""
        return self.below(probability.denominator) < probability.numerator


def pupils() -> Iterator[dict[str, object]]:
    """Yield the true answer of each pupil."""
    for pupil in range(PUPILS):
        yield {"cheated": "yes" if pupil < CHEATERS else "no"}


def guests() -> Iterator[dict[str, object]]:
    """Yield the true answers of each guest."""
    for meal, (people, pleased, price) in MEALS.items():
        for guest in range(people):
            yield {"meal": meal, "again": "yes" if guest < pleased else "no", "spent": price}


ANSWERS = {"class": pupils, "canteen": guests}


def write(name: str, file: TextIO, *, seed: int = 1965) -> None:
    """Write the reports of a survey."""
    survey, draws = read_survey(HERE / f"{name}.toml"), SeededDraws(seed)
    table = csv.writer(file, lineterminator="\n")
    table.writerow(survey.entries)
    for answers in ANSWERS[name]():
        table.writerow(survey.answer(answers, draws=draws).values())


if __name__ == "__main__":
    write(sys.argv[1], sys.stdout)
