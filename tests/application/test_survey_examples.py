"""The example reports are what their program makes of the example surveys."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from examples.make_reports import ANSWERS, write

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize("name", ANSWERS)
def test_the_reports_are_made_by_their_program(name: str) -> None:
    made = io.StringIO()
    write(name, made)
    assert (EXAMPLES / f"{name}-reports.csv").read_text(encoding="utf-8") == made.getvalue()
