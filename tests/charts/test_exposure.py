"""Pictures of exposure: they agree with the report, say that they are exact, and are total."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

import sfumato as sf
from sfumato.risk import risk
from tests.charts.drawn_rows import drawn_rows, said
from tests.refusing import raises_code

DRAWINGS = ["classes", "columns", "information"]
ODD = pd.DataFrame(
    {
        "a.b[c]": ["x", "x", "y"],
        "<b>中文</b>": ["1", "2", "3"],
        "two\nlines {y}": ["u", "u", "u"],
        "n" * 99: ["p", "q", "q"],
    }
)
SAME = pd.DataFrame({"x" * 70 + "1": ["a", "b"], "x" * 70 + "2": ["a", "a"]})


@pytest.fixture
def patients() -> sf.risk.Exposure:
    return risk("examples/patients.csv", quasi=["age", "sex"], sensitive=["smoker"])


@pytest.mark.full
@pytest.mark.parametrize("of", DRAWINGS)
def test_every_picture_says_that_it_is_exact(patients: sf.risk.Exposure, of: Any) -> None:
    assert "not private: " in said(patients.plot(of))


def test_rows_by_class_add_up_and_those_at_risk_are_dark(patients: sf.risk.Exposure) -> None:
    rows = drawn_rows(patients.plot(), "label")
    at_risk = [each for each in rows if each["kind"] == "at risk: equivalence classes below 5"]
    assert sum(each["value"] for each in rows) == patients.rows
    assert sum(each["value"] for each in at_risk) == patients.classes.rows_below(5)
    title = said(patients.plot())
    few = f"{patients.classes.rows_below(5):,} of {patients.rows:,} rows"
    assert f"{few} are in equivalence classes below 5" in title


def test_the_most_identifying_columns_are_named(patients: sf.risk.Exposure) -> None:
    rows = drawn_rows(patients.plot("columns"), "label")
    assert [each["label"] for each in rows] == ["age", "sex", "age, sex"]
    assert said(patients.plot("columns")).startswith("no row is unique on any of these columns")
    nine = risk("examples/hospital-a.csv", quasi=["sex", "zip", "smoker"])
    assert said(nine.plot("columns")).startswith("zip alone makes 5 of 9 rows unique")


def test_bits_are_split_into_learned_and_left() -> None:
    quasi = ["age", "sex", "zip", "smoker"]
    file = "examples/hospital-a-generalised.csv"
    chart = risk(file, quasi=quasi, sensitive="diagnosis").plot("information")
    assert "tell 1.97 of the 2.95 bits of diagnosis" in said(chart)
    learned, left = (each for each in drawn_rows(chart, "label") if each["label"] == "diagnosis")
    assert round(learned["high"], 6) == 1.974938
    assert round(left["high"] - left["low"], 6) == 0.972765


@pytest.mark.full
@pytest.mark.parametrize("of", DRAWINGS)
@pytest.mark.parametrize("table", [ODD, ODD.head(1), SAME], ids=["odd", "one row", "same start"])
def test_odd_columns_and_one_row_are_drawn(table: pd.DataFrame, of: Any) -> None:
    *quasi, secret = table.columns
    chart = risk(table, quasi=quasi, sensitive=secret).plot(of)
    assert sf.charts.to_svg(chart).startswith("<svg")
    labels = [each["label"] for each in drawn_rows(chart, "label") if of != "information"]
    assert len(set(labels)) == len(labels)


def test_without_anybody_at_risk_the_title_says_so() -> None:
    crowd = pd.DataFrame({"sex": ["F", "M"] * 10})
    found = risk(crowd, quasi="sex")
    assert said(found.plot()).startswith("every equivalence class has 5 rows or more on sex")
    assert said(found.plot("columns")).startswith("no row is unique")
    assert "sex tells 1.00 of the 4.32 bits of identity" in said(found.plot("information"))


@pytest.mark.parametrize(
    ("ages", "message"),
    [
        ([61], "1 of 1 row is in equivalence classes below 2 on age"),
        ([61, 61], "every equivalence class has 2 rows or more on age"),
    ],
)
def test_where_one_is_enough_rows_without_another_are_counted(
    ages: list[int], message: str
) -> None:
    found = risk(pd.DataFrame({"age": ages}), quasi="age", at_least=1)
    assert message in said(found.plot())
    assert "0 others" not in said(found.plot())


def test_an_unknown_picture_is_refused(patients: sf.risk.Exposure) -> None:
    wrong: Any = "class"
    with raises_code("E-NAME-UNKNOWN", match="there is no drawing 'class'; did you mean 'classes'"):
        patients.plot(wrong)
