"""An answer is drawn by its shape, whatever its groups are called."""

from __future__ import annotations

import math
import struct
from typing import TYPE_CHECKING, Any

import pandas as pd
import pytest

import sfumato as sf
from sfumato.charts.parts.answers import ChartedAnswer
from sfumato.charts.parts.panels import OPEN, bins, cells, drawn_ends, intervals, trend
from sfumato.charts.releases import of_open_ends
from sfumato.errors import UnknownNameError
from sfumato.tables.release.answer import AnswerColumns
from tests.charts.answered import ODD, answers_to, people, rows_of
from tests.charts.drawings import legends
from tests.refusing import raises_code

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

COUNT, MEAN = sf.count(), sf.mean("age")
THREE = sf.tables.quantiles("age", [0.25, 0.5, 0.75])
BINS = sf.histogram("age", [0, 20, 60, 110])
TABLE: dict[str, Any] = {"down": "ward", "across": "sex"}
ASKED: dict[str, tuple[tuple[str, ...], dict[str, Any]]] = {
    "one number": ((), {"n": COUNT}),
    "several numbers": ((), {"n": COUNT, "age": MEAN, "half": sf.median("age")}),
    "quantiles": ((), {"age": THREE}),
    "a histogram": ((), {"age": BINS}),
    "favourites": ((), {"sex": sf.tables.top_k("sex", 2)}),
    "a mode": ((), {"sex": sf.tables.mode("sex")}),
    "groups": (("ward.[x]",), {"n": COUNT, "age": MEAN}),
    "years": (("year",), {"n": COUNT, "age": MEAN}),
    "days": (("day",), {"n": COUNT}),
    "two columns": (("ward.[x]", "sex"), {"n": COUNT, "age": MEAN}),
    "three columns": (("ward.[x]", "sex", "year"), {"n": COUNT}),
    "many groups": (("zip",), {"n": COUNT}),
    "a wide table": (("sex", "zip"), {"n": COUNT}),
    "quantiles of groups": (("ward.[x]",), {"age": THREE}),
    "quantiles of years": (("year",), {"age": THREE}),
    "quantiles of a table": (("sex", "year"), {"age": THREE}),
    "histograms of groups": (("ward.[x]",), {"age": BINS}),
    "histograms of days": (("day",), {"age": BINS}),
    "favourites of groups": (("sex",), {"zip": sf.tables.top_k("zip", 2)}),
    "modes of a table": (("sex", "year"), {"zip": sf.tables.mode("zip")}),
}


def drawn(name: str, **options: Any) -> Any:
    by, asked = ASKED[name]
    return answers_to(*by, **asked).plot(**options)


def first_layers(chart: Any) -> list[dict[str, Any]]:
    """The layers of the first panel."""
    spec = chart.to_dict()
    return list(spec.get("vconcat", [spec])[0]["layer"])


def marks_of(chart: Any) -> set[str]:
    return {each["mark"]["type"] for each in first_layers(chart)}


def notes_of(chart: Any) -> list[str]:
    """What is said below a picture."""
    every = (row for data in chart.to_dict()["datasets"].values() for row in data)
    return [row["note"] for row in every if "note" in row]


@pytest.mark.full
@pytest.mark.parametrize("name", ASKED)
def test_every_shape_is_a_picture(name: str) -> None:
    picture = sf.charts.to_svg(drawn(name))
    assert picture.startswith("<svg")
    assert picture.rstrip().endswith("</svg>")
    assert "NaN" not in picture


def test_a_file_is_written(tmp_path: Path) -> None:
    drawn("groups", to=tmp_path / "answer.png")
    content = (tmp_path / "answer.png").read_bytes()
    assert struct.unpack(">II", content[16:24]) > (400, 200)


@pytest.mark.full
def test_title_and_lines_below_say_what_is_drawn() -> None:
    title = drawn("groups").to_dict()["title"]
    assert title["text"] == ["n and age by ward.[x], with 95 % confidence intervals"]
    said = " ".join(title["subtitle"])
    assert "NOT PRIVATE: drawn from a seed" in said
    assert "2-DP (add or remove one row)" in said
    assert "95 % confidence intervals, for the noise" in said
    assert "left out" not in said
    below = " ".join(notes_of(drawn("groups")))
    assert "rows of groups that are not declared are left out" in below
    assert "values are clamped: age to [0, 110]" in below
    assert "charged to no ledger" not in said + below


def test_intervals_are_those_of_the_answer() -> None:
    answer = answers_to("sex", n=sf.count())
    frame = answer.to_pandas(confidence=0.8)
    rows = rows_of(answer.plot(confidence=0.8))
    assert [each["low"] for each in rows] == list(frame["n_low"])
    assert [each["high"] for each in rows] == list(frame["n_high"])
    assert "80 % confidence intervals" in answer.plot(confidence=0.8).to_dict()["title"]["text"][0]


def test_one_value_is_picked_by_its_name() -> None:
    answer = answers_to("sex", n=sf.count(), age=THREE)
    assert answer.plot("n").to_dict()["title"]["text"][0].startswith("n by sex")
    assert {each["value"] for each in rows_of(answer.plot("age_q25"))} == set(answer["age_q25"])
    with raises_code(
        "E-NAME-UNKNOWN",
        match=r"no value of the answer 'agge'; did you mean",
        kind=UnknownNameError,
    ):
        answer.plot("agge")
    with raises_code("E-ARGUMENT-RANGE", "confidence"):
        answer.plot(confidence=95)


def test_counts_begin_at_0_and_means_need_not() -> None:
    counts, means, _ = drawn("groups").to_dict()["vconcat"]
    assert counts["layer"][0]["mark"]["type"] == "bar"
    assert counts["layer"][0]["encoding"]["x"]["scale"]["zero"] is True
    assert means["layer"][-1]["mark"]["type"] == "point"
    assert means["layer"][-1]["encoding"]["x"]["scale"]["zero"] is False


@pytest.mark.full
def test_groups_in_order_are_a_line_and_two_values_are_not() -> None:
    assert {"line", "area"} <= marks_of(drawn("years", value="n"))
    assert first_layers(drawn("days"))[0]["encoding"]["x"]["type"] == "temporal"
    two = people().filter(sf.col("year") > 0).group_by("sex").agg(n=sf.count()).release(epsilon=1)
    assert "line" not in marks_of(two.plot())


def test_of_many_groups_the_largest_are_drawn_and_the_rest_is_said() -> None:
    answer = answers_to("zip", n=sf.count())
    chart = answer.plot()
    values = [each["value"] for each in rows_of(chart)]
    assert values == sorted(answer["n"], reverse=True)[:40]
    said = "the 40 largest by n of 100 groups; 60 not shown"
    assert said in chart.to_dict()["title"]["subtitle"]


def test_a_table_has_the_figure_and_what_it_is_off_by_in_each_cell() -> None:
    cells = rows_of(drawn("two columns", value="n"))
    assert len(cells) == 2 * len(ODD)
    assert all(each["off"] for each in cells)
    assert all(int(each["figure"].replace(",", "")) == each["value"] for each in cells)


def test_of_a_table_that_is_too_large_no_cell_looks_empty() -> None:
    chart = drawn("a wide table")
    said = chart.to_dict()["title"]["subtitle"]
    assert "the 40 largest by n of 200 groups; 160 not shown" in said
    assert len({each["group"] for each in rows_of(chart)}) == 40


def test_series_have_one_legend_with_colours_and_shapes() -> None:
    (legend,) = legends(drawn("quantiles of groups"))
    assert {"fill", "shape"} <= set(legend)


def test_groups_that_read_alike_stay_apart() -> None:
    answers = AnswerColumns(
        {"city": ["(missing)", None, "Oslo"], "year": [1, 1, 1], "n": [3, 2, 1]}
    )
    assert len(set(ChartedAnswer(answers, ("city",)).labels())) == 3
    assert len(set(ChartedAnswer(answers, ("city", "year")).labels())) == 3


def test_numbers_that_an_axis_cannot_tell_apart_are_labels() -> None:
    groups = [2**53 + each for each in (1, 2, 3)]
    table = sf.table(pd.DataFrame({"id": groups * 9}), unit="row", keys={"id": groups})
    chart = table.group_by("id").agg(n=sf.count()).release(epsilon=1).plot()
    labels = {row["group"] for row in rows_of(chart)}
    assert labels == {"9007199254740993", "9007199254740994", "9007199254740995"}
    assert ChartedAnswer(AnswerColumns({"id": [10**400] * 3, "n": [1, 2, 3]}), ("id",)).order == ""


def test_no_confidence_is_called_certainty() -> None:
    chart = answers_to("sex", n=sf.count()).plot(confidence=0.9999999).to_dict()
    assert chart["title"]["text"] == ["n by sex, with 99.99999 % confidence intervals"]
    assert "99.99999 % confidence intervals, for the noise" in chart["title"]["subtitle"]
    assert "100 %" not in str(chart)


def test_a_picture_says_nothing_of_where_the_tables_are_kept(tmp_path: Path) -> None:
    folder = tmp_path / "secret-project"
    folder.mkdir()
    files = {
        "ward.csv": "id,sex\n1,F\n2,M\n",
        "people.csv": "id,town\n1,x\n2,y\n",
        "wings.csv": "sex,wing\nF,a\nM,b\n",
    }
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    declared: dict[str, Any] = {"unit": "id", "limits": {"rows": 1}}
    table = sf.table(folder / "ward.csv", keys={"sex": ["F", "M"]}, **declared)
    joined = table.join(sf.public(folder / "wings.csv"), on="sex")
    joined = joined.join(sf.table(folder / "people.csv", **declared))
    for asked in (table, joined):
        drawn = str(asked.group_by("sex").agg(n=sf.count()).release(epsilon=1).plot().to_dict())
        assert "of 'ward.csv'" in drawn
        assert "secret-project" not in drawn
    assert "wings.csv" in drawn


def test_no_group_at_all_is_said() -> None:
    """The one row is shown with a chance of δ at most, 1e-9."""
    import pandas as pd

    table = sf.table(pd.DataFrame({"city": ["Oslo"]}), unit="row")
    answer = table.group_by("city").agg(n=sf.count()).release(epsilon=0.1, delta=1e-9)
    assert len(answer) == 0
    chart = answer.plot()
    assert rows_of(chart) == [{"said": "no group is shown"}]
    assert "<svg" in sf.charts.to_svg(chart)


@pytest.mark.full
@pytest.mark.parametrize(
    "far", [math.inf, math.nan, 10**400, None], ids=["infinite", "none", "huge", "missing"]
)
def test_ends_that_are_no_numbers_are_drawn(far: Any) -> None:
    ends = {"value": 1.0, "low": None if far is None else -far, "high": far, "shown": "1"}
    other = {"value": 2.0, "low": 0.0, "high": 5.0, "shown": "2"}
    panels = [
        intervals([{"group": "a", **ends}, {"group": "b", **other}], "n", bars=True),
        trend([{"group": 1, **ends}, {"group": 2, **other}], "n", along="year", kind="Q"),
        bins([{"left": 0, "right": 1, "bin": "", **ends}], "n", along="age"),
        cells([{"row": "a", "column": "b", "value": far, "figure": "1", "off": ""}], "n", **TABLE),
    ]
    for panel in panels:
        assert "Infinity" not in panel.to_json()
        assert "<svg" in sf.charts.to_svg(panel)
    if far in (math.inf, 10**400):
        assert rows_of(panels[0])[0]["high"] > 5.0


@pytest.mark.parametrize("draw", ["intervals", "trend", "bins"])
def test_an_end_that_is_nowhere_is_an_arrow_and_has_no_cap(draw: str) -> None:
    ends = [(1.0, 0.0, 3.0), (2.0, -math.inf, 4.0)]
    names = ("value", "low", "high")
    bars: list[dict[str, Any]] = [
        dict(zip(names, each, strict=True), group=place, left=place, right=place + 1, shown="")
        for place, each in enumerate(ends)
    ]
    drawn_by: dict[str, Callable[[list[dict[str, Any]]], Any]] = {
        "intervals": lambda found: intervals(found, "n", bars=True),
        "trend": lambda found: trend(found, "n", along="year", kind="Q"),
        "bins": lambda found: bins([{**each, "bin": ""} for each in found], "n", along="age"),
    }
    closed = [{**each, "low": 0.0} for each in bars]
    assert [_tips(drawn_by[draw](each)) for each in (bars, closed)] == [1, 0]


def _tips(panel: Any) -> int:
    """How many arrows are drawn, each at an end that is open and that no cap is at."""
    layers = panel.to_dict()["layer"]
    shapes = [str(each["mark"].get("shape", "")) for each in layers]
    tips = [each for each, shape in zip(layers, shapes, strict=True) if "triangle" in shape]
    caps = [each for each in layers if each["mark"]["type"] == "tick"]
    for tip in tips:
        assert tip["transform"] == [{"filter": "datum.low_open"}]
        lows = [each for each in caps if "'low'" in str(each["encoding"])]
        assert all(each["transform"] == [{"filter": "!datum.low_open"}] for each in lows)
    return len(tips)


def test_an_arrow_is_explained() -> None:
    open_, closed = (
        ChartedAnswer(AnswerColumns({"n": [7], "n_low": [low], "n_high": [9]}), ())
        for low in (-math.inf, 4)
    )
    assert of_open_ends(open_) == [OPEN]
    assert not of_open_ends(closed)


def test_the_name_of_a_file_is_told_where_it_belongs() -> None:
    table = sf.table(pd.DataFrame({"age": [61, 64]}), unit="row")
    answer = table.agg(n=sf.count()).release(epsilon=1)
    with raises_code(
        "E-ARGUMENT-CHOICE", match=r"'b\.png' is no value of the answer; .* to='b\.png'"
    ):
        answer.plot("b.png")


@pytest.mark.parametrize("value", [5.0, 0.0, -3.0])
def test_an_open_end_goes_further_than_the_only_value_there_is(value: float) -> None:
    (drawn,) = drawn_ends([{"value": value, "low": -math.inf, "high": math.inf}])
    assert drawn["low"] < value < drawn["high"]
