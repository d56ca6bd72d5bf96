"""The estimates of a survey are drawn with the intervals that they have."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import sfumato as sf
from sfumato.errors import UnknownNameError
from sfumato.survey.collector.estimates import PairEstimates
from tests.charts.answered import estimates, rows_of
from tests.refusing import raises_code


@pytest.mark.full
def test_each_question_and_each_pair_has_a_panel() -> None:
    chart = estimates().plot()
    assert len(chart.to_dict()["vconcat"]) == 4
    assert chart.to_dict()["title"]["text"] == [
        "canteen: estimates from the reports of 2,000 people"
    ]
    assert "<svg" in sf.charts.to_svg(chart)


def test_shares_are_those_of_the_results() -> None:
    found = estimates()["meal"]
    rows = [each for each in rows_of(estimates().plot("meal")) if "low" in each]
    assert [each["group"] for each in rows] == ["soup", "<b>", "鱼"]
    assert [each["low"] for each in rows] == pytest.approx(100 * found.lower)
    assert [each["high"] for each in rows] == pytest.approx(100 * found.upper)


def test_the_truth_is_drawn_where_people_are_made_up_alone() -> None:
    made_up = rows_of(estimates().plot("spent"))
    assert [each["truth"] for each in made_up if "truth" in each] == [estimates().truth["spent"]]
    survey = sf.Survey({"cheated": {"choices": ["yes", "no"], "truth": "2/3"}})
    reports = [survey.answer({"cheated": "yes"}) for _ in range(30)]
    real = sf.survey.collect(survey, reports).estimate().plot()
    assert not any("truth" in each for each in rows_of(real))
    assert "diamond" not in " ".join(real.to_dict()["title"]["subtitle"])


def test_a_pair_is_a_table_in_either_order() -> None:
    for pair, rows in ((("meal", "again"), 3), (("again", "meal"), 2)):
        cells = rows_of(estimates().plot(pair))
        assert len({each["row"] for each in cells}) == rows
        assert sum(each["value"] for each in cells) == pytest.approx(100)


def test_of_many_choices_the_largest_are_drawn() -> None:
    choices = [f"postcode {each}" for each in range(90)]
    survey = sf.Survey({"zip": {"choices": choices, "epsilon": 3}})
    chart = sf.survey.simulate(survey, 500).estimate().plot()
    assert "zip: the 40 largest of 90 choices; 50 not shown" in chart.to_dict()["title"]["subtitle"]
    assert "<svg" in sf.charts.to_svg(chart)


def test_of_a_large_table_the_choices_with_the_largest_shares_are_drawn() -> None:
    rows, columns = [f"r{each}" for each in range(41)], [f"c{each}" for each in range(62)]
    shares = np.full((41, 62), 1e-4)
    shares[40], shares[:, 61] = 1e-3, 1e-3
    found = PairEstimates(
        ("home", "work"), tuple(rows), tuple(columns), shares, shares, shares / 2, 2 * shares
    )
    results = replace(estimates(), pairs={("home", "work"): found})
    chart = results.plot(("home", "work"))
    drawn = rows_of(chart)
    assert len({each["row"] for each in drawn}) == 40
    assert drawn[0]["row"] == "r40"
    assert drawn[0]["column"] == "c61"
    said = " ".join(chart.to_dict()["title"]["subtitle"])
    assert "home by work: home: the 40 largest of 41 choices; 1 not shown" in said
    assert "home by work: work: the 60 largest of 62 choices; 2 not shown" in said


def test_an_unknown_question_is_one_sentence() -> None:
    with raises_code(
        "E-NAME-UNKNOWN",
        match="there is no question 'meals'; did you mean 'meal'",
        kind=UnknownNameError,
    ):
        estimates().plot("meals")
