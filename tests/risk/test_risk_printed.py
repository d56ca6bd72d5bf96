"""How exposure and coarser tables are printed: 80 columns, one name for a thing, warnings first."""

from __future__ import annotations

import pandas as pd
import pytest

from sfumato.cli.anonymize import lines_for_shell
from sfumato.printing.layout import figure, listed, places
from sfumato.risk import anonymize, risk
from tests.refusing import raises_code

WIDE = pd.DataFrame(
    {
        "ward, floor": ["East, 1st", "West, 3rd", None, ""] * 5,
        "入院日期与时间": ["二〇二四年五月六日上午九时三十分左右" * 3] * 19 + ["x" * 300],
        "a_column_with_a_name_that_goes_on_" * 5: [each // 2 for each in range(20)],
        "诊断": ["HIV, stage 1", "flu"] * 10,
        "编号": [f"P{each}" for each in range(20)],
        "cost": [*range(12), *[3] * 8],
    }
)
QUASI = list(WIDE.columns[:3])


@pytest.mark.parametrize("quasi", [QUASI, QUASI[:1], QUASI[1:]])
def test_every_line_fits_a_terminal(quasi: list[str]) -> None:
    exposure = risk(WIDE, quasi=quasi, sensitive="诊断", public=WIDE, population=900)
    coarser = anonymize(WIDE, quasi=quasi, sensitive="诊断", k=2)
    for lines in (exposure.lines(), coarser.lines(), lines_for_shell(coarser)):
        assert max(map(places, lines)) <= 80
        assert lines[-1] == "not private: exact figures, for the data owner"


def test_labels_in_chinese_stand_in_their_column() -> None:
    lines = risk(WIDE, quasi="ward, floor", sensitive="诊断").lines()
    starts = {places(line) - places(line.lstrip()) for line in lines if line.startswith("   ")}
    (secret,) = (line for line in lines if line.startswith("诊断"))
    assert places(secret[: secret.index("l = ")]) in starts


def test_names_that_hold_commas_are_quoted_and_an_empty_cell_has_one_name() -> None:
    printed = str(risk(WIDE, quasi=["ward, floor", "诊断"], sensitive="cost", at_least=20))
    assert 'unique on "ward, floor", 诊断' in printed
    assert '"ward, floor" "East, 1st", 诊断 "HIV, stage 1"' in printed
    assert '"ward, floor" (empty), 诊断' in printed
    page = risk(WIDE, quasi="ward, floor", at_least=20).to_html()
    for shown in (printed, page):
        assert "(missing)" not in shown
    assert "(empty)" in page
    assert listed(["a", 'b"c', "d,e"]) == 'a, "b""c", "d,e"'


@pytest.mark.full
def test_large_figures_have_separators() -> None:
    assert figure(777062.845866) == "777,062.845866"
    frame = pd.DataFrame({"a": range(25_000)})
    lines = anonymize(frame, quasi="a", k=2, hierarchies={}, suppression=0.1).lines()
    assert "information loss" in next(line for line in lines if "bits over all rows" in line)
    whole = pd.DataFrame({"a": ["x", "y"] * 12_000})
    told = str(anonymize(whole, quasi="a", k=2))
    assert "average class size 6,000 times k" in told


def test_columns_that_name_people_are_warned_of_on_the_second_line() -> None:
    found = anonymize(WIDE, quasi="诊断", k=2)
    assert found.others.identifying == ("编号",)
    assert found.others.telling == {"cost": 11}
    assert found.findings()[1:4] == [
        "WARNING: 编号 differs in every row and names people",
        (
            "WARNING: many rows are unique on one kept column alone: cost (11 of 20); name such "
            "columns too, or remove them"
        ),
        "to remove all of these, write remove=['编号', 'cost']",
    ]
    (alone,) = (
        each
        for each in anonymize(WIDE, quasi="诊断", k=2, remove="cost").findings()
        if each.startswith("WARNING")
    )
    assert alone == "WARNING: 编号 differs in every row and names people; write remove=['编号']"
    assert "and not looked at" in str(found)
    both = anonymize(WIDE.assign(number=range(20)), quasi="诊断", k=2).findings()[1]
    assert "编号, number differ in every row and name people" in both


def test_a_missing_value_may_be_the_only_one() -> None:
    frame = pd.DataFrame({"a": ["x"] * 4, "b": ["p", "p", "p", None], "c": ["p", "q", "q", "q"]})
    assert anonymize(frame, quasi="a", k=2).others.telling == {"b": 1, "c": 1}
    frame = pd.DataFrame({"a": ["x"] * 40, "b": ["p"] * 39 + ["q"]})
    assert anonymize(frame, quasi="a", k=2).others.telling == {}


def test_what_cannot_be_reached_is_told_by_the_diversity_that_was_asked_for() -> None:
    frame = pd.DataFrame({"s": list("aaabbb"), "d": list("xxyxxy")})
    with raises_code("E-TARGETS-UNREACHED"):
        anonymize(frame, quasi="s", sensitive="d", k=2, l=2, diversity="entropy")


def test_small_figures_have_the_decimals_of_those_beside_them() -> None:
    frame = pd.DataFrame({"s": ["a"] * 9999 + ["b"], "d": ["x"] * 9998 + ["y"] * 2})
    found = anonymize(frame, quasi="s", sensitive="d", k=1)
    (line,) = (each for each in found.findings() if "bits left" in each)
    assert all(len(each.partition(".")[2]) == 6 for each in line.split()[-2:])
