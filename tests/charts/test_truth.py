"""An answer beside the truth: each diamond is where it belongs, and the title counts them."""

from __future__ import annotations

import pandas as pd
import pytest

import sfumato as sf
from sfumato.charts import to_svg
from sfumato.charts.releases import beside_the_truth
from tests.charts.drawings import data, title
from tests.charts.drawn_rows import said

ROWS = pd.DataFrame({"sex": ["F", "M"] * 50, "age": [40, 60] * 50})


@pytest.fixture(scope="module")
def answer() -> sf.tables.Release:
    table = sf.table(ROWS, unit="row", keys={"sex": ["F", "M"]}, bounds={"age": (0, 110)})
    return table.group_by("sex").agg(n=sf.count(), age=sf.mean("age")).release(epsilon=1000)


def test_each_truth_is_beside_its_value(answer: sf.tables.Release) -> None:
    truth: dict[str, list[float]] = {"n": [50, 7], "age": [40.0, 12.3]}
    chart = beside_the_truth(answer, truth, why="since it is made up")
    points = {(each["group"], each["truth"]): each for each in data(chart)}
    assert set(points) == {("F", 50), ("M", 7), ("F", 40.0), ("M", 12.3)}
    assert points["M", 7]["shown"].endswith("; truth: 7")
    assert points["M", 12.3]["shown"].endswith("; truth: 12.3")
    assert "diamonds: the truth, since it is made up" in said(chart)
    assert "<svg" in to_svg(chart)


@pytest.mark.full
def test_the_title_counts_the_bars_that_cover_it(answer: sf.tables.Release) -> None:
    ages = list(answer.to_pandas()["age"])
    counts = list(answer.to_pandas()["n"])
    right = beside_the_truth(answer, {"n": counts, "age": ages})
    assert title(right) == "n and age by sex: all 4 intervals cover the truth"
    wrong = beside_the_truth(answer, {"n": [counts[0], 9999], "age": [0.0, ages[1]]})
    assert title(wrong) == "n and age by sex: 2 of 4 intervals cover the truth"


def test_it_carries_the_guarantee_and_not_the_caveats(answer: sf.tables.Release) -> None:
    words = said(beside_the_truth(answer, {"n": [1, 1], "age": [1, 1]}))
    assert "1000-DP" in words
    assert not [each for each in map(str, answer.notes) if each in words]
