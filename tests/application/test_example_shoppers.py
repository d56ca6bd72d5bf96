"""The example table of customers is what its program makes."""

from __future__ import annotations

import csv
import io
from pathlib import Path

from examples.make_shoppers import HEADER, SHOPPERS, write

FILE = Path(__file__).parents[2] / "examples" / "shoppers.csv"


def test_the_example_is_made_by_its_program() -> None:
    made = io.StringIO()
    write(made)
    assert FILE.read_text(encoding="utf-8") == made.getvalue()


def test_the_example_is_small_and_has_one_row_a_customer() -> None:
    rows = list(csv.DictReader(FILE.read_text(encoding="utf-8").splitlines()))
    assert tuple(rows[0]) == HEADER
    assert FILE.stat().st_size < 100_000
    assert len({row["customer"] for row in rows}) == len(rows) == SHOPPERS
