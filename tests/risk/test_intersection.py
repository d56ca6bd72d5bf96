"""Intersection of releases that are each safe by themselves (row M-RISK-4)."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from sfumato.errors import InputError
from sfumato.risk import intersect
from sfumato.risk.attacks import kinds
from tests.refusing import raises_code

A, B = "examples/hospital-a-generalised.csv", "examples/hospital-b-generalised.csv"
ON = ["age", "sex", "zip"]


def test_m_risk_4_women_of_50_to_60_are_pinned_with_certainty_1() -> None:
    report = intersect(A, B, on=ON, sensitive="diagnosis")
    (women,) = report.pinned
    assert women.known == {"age": "50-60", "sex": "female", "zip": "1901**"}
    assert (women.value, women.probability) == ("AIDS", 1)
    assert (women.before, women.left, women.rows) == (2, 1, (1, 1))
    assert (report.kinds, report.pinned_kinds, report.impossible_kinds) == (2, 1, 1)
    assert report.private is False


@pytest.mark.full
def test_m_risk_4_in_chinese() -> None:
    report = intersect(
        "examples/hospital-a-generalised.zh.csv",
        "examples/hospital-b-generalised.zh.csv",
        on=["年龄", "性别", "邮政编码"],
        sensitive="诊断",
    )
    assert [each.value for each in report.pinned] == ["艾滋病"]
    assert "艾滋病" in str(report)


@pytest.mark.full
def test_a_raw_release_beside_a_generalised_one() -> None:
    report = intersect("examples/hospital-a.csv", B, on=ON, sensitive="diagnosis")
    assert [each.value for each in report.pinned] == ["AIDS"]
    assert report.pinned[0].known["age"] == "56 & 50-60"
    assert report.pinned[0].cells[0]["zip"] == "190103"


@pytest.mark.full
def test_multiplicities_give_probabilities() -> None:
    one = pd.DataFrame({"age": ["50-60"] * 6, "ill": ["flu"] * 3 + ["cold", "gout", "gout"]})
    two = pd.DataFrame({"age": ["50-60"] * 5, "ill": ["flu"] * 2 + ["cold"] + ["fever"] * 2})
    report = intersect(one, two, on="age", sensitive="ill")
    (kind,) = report.narrowed
    assert (kind.before, kind.left, kind.value) == (3, 2, "flu")
    assert kind.probability == pytest.approx(6 / 7)
    assert kind.rows == (3, 2)
    assert report.pinned_kinds == 0


@pytest.mark.full
def test_a_suppressed_row_may_be_anybody_s() -> None:
    """With a starred row that has gout, flu is no longer certain for those aged 50 to 60."""
    one = pd.DataFrame({"age": ["50-60", "50-60", "*"], "ill": ["flu", "cold", "gout"]})
    two = pd.DataFrame({"age": ["50-60", "50-60"], "ill": ["flu", "gout"]})
    kind = intersect(one, two, on="age", sensitive="ill").pinned
    assert not kind
    pinned = intersect(one[:2], two, on="age", sensitive="ill").pinned
    assert [each.value for each in pinned] == ["flu"]


@pytest.mark.full
def test_three_releases_and_types() -> None:
    one = pd.DataFrame({"age": [56, 56, 60], "code": [1, 2, 3]})
    two = pd.DataFrame({"age": ["50-60", "50-60", "60-70"], "code": ["1", "2", "3"]})
    three = pd.DataFrame({"age": ["5*", "6*"], "code": [1.0, 3.0]})
    report = intersect(one, two, three, on="age", sensitive="code")
    assert [(each.cells[0]["age"], float(each.value)) for each in report.pinned] == [
        ("56", 1),
        ("60", 3),
    ]
    assert report.pinned[0].rows == (1, 1, 1)


def test_a_broad_match_is_refused_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    frame = pd.DataFrame({"age": [f"{n}+" for n in range(10)], "ill": ["flu"] * 10})
    monkeypatch.setattr(kinds, "MOST_PAIRS", 50)
    with raises_code("E-TOO-LARGE", match=r"more than 50 pairs of .* name more columns"):
        intersect(frame, frame, on="age", sensitive="ill")
    monkeypatch.setattr(kinds, "MOST_FITTING", 50)
    with raises_code("E-TOO-LARGE", match=r"the 10 different cells of 'age' overlap in too many"):
        intersect(frame, frame, on="age", sensitive="ill")


def test_what_only_the_intersection_gives_away_comes_first() -> None:
    one = pd.DataFrame({"age": [5, 5, 5, 6, 6], "ill": ["flu"] * 3 + ["gout", "cold"]})
    two = pd.DataFrame({"age": [5, 5, 5, 6, 6], "ill": ["flu"] * 3 + ["gout", "fever"]})
    report = intersect(one, two, on="age", sensitive="ill")
    assert [(each.value, each.before) for each in report.pinned] == [("gout", 2), ("flu", 1)]
    end = "for 2 kinds of people, 1 of them only by intersecting"
    assert report.findings()[0] == f"ill is given away with certainty 1 {end}"


def test_long_lists_are_cut_and_the_result_says_so() -> None:
    release = pd.DataFrame({"age": range(1200), "ill": ["flu"] * 1200})
    read = intersect(release, release, on="age", sensitive="ill").as_dict()
    assert (len(read["pinned"]), read["pinned_left_out"], read["narrowed_left_out"]) == (
        1000,
        200,
        0,
    )


@pytest.mark.full
def test_nobody_is_in_all_sets_though_any_two_share_one() -> None:
    sets = [pd.DataFrame({"x": [each], "ill": ["flu"]}) for each in ("{a, b}", "{b, c}", "{a, c}")]
    report = intersect(*sets, on="x", sensitive="ill")
    assert (report.kinds, report.pinned_kinds) == (0, 0)
    assert intersect(*sets[:2], on="x", sensitive="ill").pinned[0].example == {"x": "b"}


@pytest.mark.full
@pytest.mark.parametrize(
    ("releases", "options", "sentence"),
    [
        ([A], {}, "an intersection is of two releases or more, not of 1; name two"),
        ([], {}, "two releases or more, not of 0"),
        ([A, B], {"on": ["age", "sx"]}, "did you mean 'sex'"),
        ([A, B], {"on": ["smoker"]}, "no column 'smoker' in 'examples/hospital-b-general"),
        ([A, B], {"on": ["age", "diagnosis"]}, "named both as"),
        ([A, B], {"on": []}, "no quasi-identifier is named"),
        ([A, pd.DataFrame({"diagnosis": ["flu"]})], {}, "no column in common"),
        ([A, pd.DataFrame({"age": [], "diagnosis": []})], {"on": "age"}, "no rows below"),
    ],
)
def test_what_cannot_be_intersected_is_refused_in_a_sentence(
    releases: list[Any], options: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(InputError, match=sentence):
        intersect(*releases, **{"on": ON, "sensitive": "diagnosis", **options})


@pytest.mark.parametrize("sensitive", [None, ["ill"]])
def test_one_sensitive_column_is_named(sensitive: object) -> None:
    one = pd.DataFrame({"age": ["50-60"], "ill": ["flu"]})
    with raises_code("E-ARGUMENT-TYPE", "sensitive"):
        intersect(one, one, on="age", sensitive=sensitive)  # type: ignore[arg-type]
