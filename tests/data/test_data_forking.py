"""A table belongs to the process that opened it; a child that was forked leaves it alone."""

from __future__ import annotations

import gc
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pandas as pd
import pytest

import sfumato as sf
from sfumato.data import count_groups, open_source
from tests.forking import assert_ended_well, forked
from tests.patience import PATIENCE
from tests.refusing import raises_code

if TYPE_CHECKING:
    from pathlib import Path

FRAME = pd.DataFrame({"person": [1, 2, 3], "sex": ["F", "M", "F"]})


def left_to_the_collector(number: int) -> None:
    """Leave tables behind that only the garbage collector can find."""
    for _ in range(number):
        knot: list[Any] = [open_source(FRAME)]
        knot.append(knot)


@pytest.mark.full
def test_a_child_can_collect_what_its_parent_left() -> None:
    """DuckDB's own destructor ends a child that was forked, about one time in three."""
    gc.collect()
    left_to_the_collector(12)
    assert_ended_well(forked(gc.collect))
    gc.collect()


@pytest.mark.full
def test_a_child_that_ends_leaves_the_parent_its_folder(tmp_path: Path) -> None:
    """The child ends as programs do, through the interpreter's own shutdown."""
    program = """
import os, sys, tempfile
import pandas as pd
from sfumato.data import count_groups, open_source
source = open_source(pd.DataFrame({"sex": ["F", "M"]}))
process = os.fork()
if not process:
    sys.exit(0)
print(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]))
print(len(os.listdir(tempfile.gettempdir())))
print(sorted(count_groups(source, ["sex"]).counts.tolist()))
"""
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={"TMPDIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    assert done.stdout.split("\n")[:3] == ["0", "1", "[1, 1]"], done.stderr
    assert not list(tmp_path.iterdir())


def test_a_child_is_told_to_open_the_table_itself() -> None:
    source = open_source(FRAME)

    def child() -> None:
        with raises_code("E-PROCESS-FORKED"):
            count_groups(source, ["sex"])
        assert count_groups(open_source(FRAME), ["sex"]).counts.sum() == len(FRAME)

    assert_ended_well(forked(child))


def test_a_child_that_asks_is_not_charged(tmp_path: Path) -> None:
    place = tmp_path / "ledger.db"
    unit = sf.privacy.AddRemove(unit=sf.privacy.Person("person"))
    with sf.Ledger.create(place, key=tmp_path / "key.pem") as ledger:
        ledger.add_book("patients", sf.PureDP(epsilon=1, relation=unit))
    book = {"path": place, "book": "patients", "analyst": "ada"}
    question = sf.table(FRAME, unit="person", ledger=book).agg(people=sf.people())

    def child() -> None:
        with raises_code("E-PROCESS-FORKED"):
            question.release(epsilon=0.5)

    assert_ended_well(forked(child))
    with sf.Ledger.open(place) as ledger:
        assert ledger.book("patients").standing()[0].used == 0
