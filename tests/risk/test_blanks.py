"""Cells that differ only by blanks are counted as other values, and both reports say so."""

from __future__ import annotations

from collections import Counter

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.data import open_source
from sfumato.risk import anonymize, risk
from sfumato.risk.exposed import blanks_among, count_blanks

PEOPLE = pd.DataFrame(
    {"sex": ["M", "M ", "F", "F"], "age": [1, 1, 2, 2], "ill": ["flu", "flu\t", "flu", "cold"]}
)
SAID = "differs from others only by blanks around it, and counts as another value here; trim it"


def test_both_reports_say_so_and_count_alike() -> None:
    exposed = risk(PEOPLE, quasi=["sex", "age"], sensitive="ill")
    coarser = anonymize(PEOPLE, quasi=["sex", "age"], sensitive="ill", k=1)
    assert exposed.blanks == coarser.blanks == {"sex": 1, "ill": 1}
    assert exposed.figures()["blanks"] == coarser.figures()["blanks"] == {"sex": 1, "ill": 1}
    for report in (exposed, coarser):
        said = " ".join(str(report).split())
        assert f"WARNING ill: 1 cell {SAID}" in said.replace("WARNING:", "WARNING")
    assert "WARNING" in exposed.to_html()


def test_a_column_in_which_all_cells_have_blanks_is_no_matter() -> None:
    frame = pd.DataFrame({"sex": [" M", " M", " F"]})
    assert risk(frame, quasi="sex").blanks == {}
    assert "blanks" not in str(anonymize(frame, quasi="sex", k=1))


def test_a_blank_cell_is_like_an_empty_one() -> None:
    frame = pd.DataFrame({"sex": [None, "  ", "F"]})
    assert risk(frame, quasi="sex").blanks == anonymize(frame, quasi="sex", k=1).blanks
    assert risk(frame, quasi="sex").blanks == {"sex": 1}


def by_hand(values: list[str | None]) -> int:
    """The cells with blanks around them whose like, but for blanks, is written otherwise too."""
    texts = ["" if each is None else each for each in values]
    return sum(
        each != each.strip() and any(o != each and o.strip() == each.strip() for o in texts)
        for each in texts
    )


@pytest.mark.full
@settings(max_examples=40, deadline=None)
@given(st.lists(st.none() | st.text(" \tab", max_size=3), min_size=1, max_size=8))
def test_engine_and_memory_count_as_plain_python_does(values: list[str | None]) -> None:
    frame = pd.DataFrame({"key0": pd.Series(values, dtype="string"), "mass": 1})
    source = open_source(frame)
    found = count_blanks(source, source.table, ["ill"]).get("ill", 0)
    assert found == blanks_among(Counter(values).items()) == by_hand(values)
