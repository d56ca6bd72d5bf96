"""Intersection of releases that are each safe by themselves (row M-RISK-4)."""

from __future__ import annotations

from collections import Counter
from itertools import product
from math import prod
from typing import Any

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.errors import InputError
from sfumato.risk import intersect
from sfumato.risk.attacks import lookalikes
from sfumato.risk.attacks.cells import Cell, fits, read_cells

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


def test_m_risk_4_in_chinese() -> None:
    report = intersect(
        "examples/hospital-a-generalised.zh.csv",
        "examples/hospital-b-generalised.zh.csv",
        on=["年龄", "性别", "邮政编码"],
        sensitive="诊断",
    )
    assert [each.value for each in report.pinned] == ["艾滋病"]
    assert "艾滋病" in str(report)


def test_a_raw_release_beside_a_generalised_one() -> None:
    report = intersect("examples/hospital-a.csv", B, on=ON, sensitive="diagnosis")
    assert [each.value for each in report.pinned] == ["AIDS"]
    assert report.pinned[0].known["age"] == "56 & 50-60"
    assert report.pinned[0].cells[0]["zip"] == "190103"


def test_multiplicities_give_probabilities() -> None:
    one = pd.DataFrame({"age": ["50-60"] * 6, "ill": ["flu"] * 3 + ["cold", "gout", "gout"]})
    two = pd.DataFrame({"age": ["50-60"] * 5, "ill": ["flu"] * 2 + ["cold"] + ["fever"] * 2})
    report = intersect(one, two, on="age", sensitive="ill")
    (kind,) = report.narrowed
    assert (kind.before, kind.left, kind.value) == (3, 2, "flu")
    assert kind.probability == pytest.approx(6 / 7)
    assert kind.rows == (3, 2)
    assert report.pinned_kinds == 0


def test_a_suppressed_row_may_be_anybody_s() -> None:
    """With a starred row that has gout, flu is no longer certain for those aged 50 to 60."""
    one = pd.DataFrame({"age": ["50-60", "50-60", "*"], "ill": ["flu", "cold", "gout"]})
    two = pd.DataFrame({"age": ["50-60", "50-60"], "ill": ["flu", "gout"]})
    kind = intersect(one, two, on="age", sensitive="ill").pinned
    assert not kind
    pinned = intersect(one[:2], two, on="age", sensitive="ill").pinned
    assert [each.value for each in pinned] == ["flu"]


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


cells = st.sampled_from(["1", "2", "3", "1-2", "2-3", "*", "{1, 3}"])
rows = st.lists(
    st.tuples(cells, st.sampled_from("FM"), st.sampled_from("abcd")), min_size=1, max_size=8
)


@settings(max_examples=8, deadline=None)
@given(st.lists(rows, min_size=2, max_size=3))
def test_the_engine_finds_what_comparing_every_class_finds(
    tables: list[list[tuple[str, str, str]]],
) -> None:
    frames = [pd.DataFrame(each, columns=["age", "sex", "ill"]) for each in tables]
    report = intersect(*frames, on=["age", "sex"], sensitive="ill")
    wanted = brute_force(tables)
    assert report.kinds == len(wanted)
    assert report.impossible_kinds == sum(not ways for ways in wanted.values())
    assert report.pinned_kinds == sum(len(ways) == 1 for ways in wanted.values())
    for kind in (*report.pinned, *report.narrowed):
        ways = wanted[tuple((each["age"], each["sex"]) for each in kind.cells)]
        assert kind.left == len(ways)
        assert kind.value == min(ways, key=lambda value: (-ways[value], value))
        assert kind.probability == pytest.approx(ways[kind.value] / sum(ways.values()))


def brute_force(tables: list[list[tuple[str, str, str]]]) -> dict[Any, dict[str, int]]:
    """Every kind of person, and in how many ways each value is in all releases."""
    read: list[dict[tuple[str, str], Cell]] = []
    for table in tables:
        ages = {each.text: each for each in read_cells(sorted({row[0] for row in table}))}
        read.append({(age, sex): ages[age] for age, sex, _ in table})
    found = {}
    for kind in product(*read):
        if all(both_fit(read, kind, i, j) for i in range(len(kind)) for j in range(i)):
            found[kind] = left(tables, read, kind)
    return found


def both_fit(read: list[dict[tuple[str, str], Cell]], kind: Any, i: int, j: int) -> bool:
    return kind[i][1] == kind[j][1] and fits(read[i][kind[i]], read[j][kind[j]])


def left(tables: Any, read: Any, kind: Any) -> dict[str, int]:
    """In how many ways one row of each release with the same value fits the kind."""
    counts = []
    for place, table in enumerate(tables):
        fitting = [
            ill
            for age, sex, ill in table
            if all(
                sex == key[1] and fits(read[place][age, sex], read[other][key])
                for other, key in enumerate(kind)
            )
        ]
        counts.append(Counter(fitting))
    return {
        value: prod(each[value] for each in counts)
        for value in counts[0]
        if all(each[value] for each in counts)
    }


def test_a_broad_match_is_refused_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lookalikes, "MOST_PAIRS", 50)
    frame = pd.DataFrame({"age": [f"{n}+" for n in range(10)], "ill": ["flu"] * 10})
    with pytest.raises(InputError, match=r"more than 50 pairs of .* name more columns"):
        intersect(frame, frame, on="age", sensitive="ill")


@pytest.mark.parametrize(
    ("releases", "options", "sentence"),
    [
        ([A], {}, "1 release is given; an intersection needs two or more"),
        ([], {}, "0 releases are given"),
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
    with pytest.raises(InputError, match="takes the name of one column"):
        intersect(one, one, on="age", sensitive=sensitive)  # type: ignore[arg-type]
