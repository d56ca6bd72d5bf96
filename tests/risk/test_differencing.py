"""Differencing of exact figures (row M-RISK-6)."""

from __future__ import annotations

from itertools import combinations, product
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.errors import InputError
from sfumato.risk import difference
from sfumato.risk.attacks import conditions, determined
from sfumato.risk.attacks.determined import determined_sums
from tests.refusing import raises_code

STAFF = "examples/staff.csv"


def test_a_total_and_a_total_without_one() -> None:
    people = pd.DataFrame({"boss": ["no"] * 7 + ["yes"], "pay": [*range(7), 100]})
    report = difference(people, publish=[(), "boss"], value="pay", hide_below=2)
    (boss,) = report.recovered
    assert (boss.group, boss.people, boss.total) == ({"boss": "yes"}, 1, 100)
    assert report.alone == 1
    assert report.private is False
    assert not difference(people, publish="boss", hide_below=2).recovered


def test_a_hidden_cell_is_what_others_leave_of_a_margin() -> None:
    tables = ["department", ("department", "sex")]
    report = difference(STAFF, publish=tables, value="salary", hide_below=3)
    (cook,) = report.recovered
    assert cook.group == {"department": "kitchen", "sex": "male"}
    staff = pd.read_csv(STAFF)
    true = staff[(staff.department == "kitchen") & (staff.sex == "male")].salary
    assert cook.total == true.sum()
    assert report.hidden_cells == 4


def test_several_tables_give_back_every_hidden_cell() -> None:
    columns = ("department", "sex", "night_shift")
    report = difference(STAFF, publish=list(combinations(columns, 2)), hide_below=3)
    assert report.hidden_cells == len(report.recovered) == 5
    assert {"department": "care", "sex": "male", "night_shift": "yes"} in [
        each.group for each in report.pieced_together
    ]


def test_two_hidden_cells_of_one_margin_protect_each_other() -> None:
    people = pd.DataFrame({"team": ["a"] * 9, "sex": ["F"] * 2 + ["M"] * 2 + ["X"] * 5})
    report = difference(people, publish=["team", ("team", "sex")], hide_below=3)
    assert (report.hidden_cells, report.recovered) == (2, ())


def test_small_cells_are_shown_where_nothing_is_hidden() -> None:
    report = difference("examples/hospital-a.zh.csv", publish=["性别", ("性别", "年龄")])
    assert report.alone == 9
    assert {each.how for each in report.given_away} == {"shown"}
    assert "女性, 56" in str(report)


def test_two_sets_that_differ_by_one_person() -> None:
    report = difference(
        "examples/hospital-a.csv", where=["age>=50", "age >= 50 and age!=56"], at_least=2
    )
    (woman,) = report.pieced_together
    assert woman.group == {"age>=50": "yes", "age >= 50 and age!=56": "no"}
    assert (woman.people, woman.how) == (1, "never published")
    assert "age>=50, not age >= 50 and age!=56" in str(report)


def test_what_two_sets_leave_is_found_beside_tables_that_divide_it() -> None:
    """Two people are left of a total; which sex each has is published, and does not divide them."""
    people = pd.DataFrame({"部门": ["甲", "乙"] + ["甲", "乙"] * 5, "年龄": [70, 71] + [30] * 10})
    report = difference(people, publish=[()], where=["年龄<60", "部门=甲"], at_least=3)
    assert {"年龄<60": "no"} in [each.group for each in report.pieced_together]
    assert report.alone == 0


def test_two_hidden_cells_are_given_away_together() -> None:
    """Nobody can tell the two apart, and the sum of their pay is one subtraction away."""
    staff = pd.DataFrame(
        {"dep": ["kitchen"] * 7 + ["care"] * 8, "sex": [*"FFFFFMX", *"FFFFMMMM"], "pay": range(15)}
    )
    report = difference(staff, publish=["dep", ("dep", "sex")], value="pay", hide_below=3)
    (both,) = report.given_away
    assert both.group == {"dep": "kitchen", "sex": "the others"}
    assert (both.people, both.total, both.how) == (2, 5 + 6, "never published")
    assert report.alone == 0
    assert not difference(staff, publish=[("dep", "sex")], hide_below=3).given_away


def test_a_recovered_cell_is_taken_off_as_well() -> None:
    staff = pd.DataFrame({"team": ["a"] * 8 + ["b"] * 5, "sex": [*"FFFFFMXY", *"FFFMM"]})
    tables = ["team", ("team", "sex")]
    report = difference(staff, publish=tables, where=["team=a and sex!=Y"], hide_below=3)
    assert {"team": "a", "sex": "the others"} in [
        each.group for each in report.given_away if each.people == 2
    ]


def test_exact_sums_have_all_their_digits() -> None:
    people = pd.DataFrame({"id": [1, 2], "pay": [9007199254740993, 3]})
    texts, tenths = people.assign(pay=people.pay.map(str)), [0.1, 0.2, 0.3]
    for frame in (people, texts):
        assert difference(frame, publish="id", value="pay").shown[0].total == 9007199254740993
    (group,) = difference(pd.DataFrame({"pay": tenths}), publish=[()], value="pay").shown
    assert group.total == 0.6
    small = pd.DataFrame({"pay": [1e-20, 1e-20]})
    assert difference(small, publish=[()], value="pay").shown[0].total == 2e-20


def test_a_sum_that_is_not_known_is_not_0() -> None:
    people = pd.DataFrame({"id": ["a", "b"], "pay": [None, 3.0]})
    report = difference(people, publish="id", value="pay")
    assert [each.total for each in report.shown] == [None, 3]
    assert "(empty)" in str(report)
    assert "total" not in report.figures()["shown"][0]


def test_only_small_groups_are_counted_each_person_once() -> None:
    people = pd.DataFrame({"sex": ["F"] * 3 + ["M"] * 9})
    report = difference(people, publish=[(), "sex"], hide_below=5, at_least=2)
    assert (len(report.recovered), report.given_away) == (1, ())
    twice = difference(STAFF, publish=[("sex", "department"), ("department", "sex")])
    once = difference(STAFF, publish=[("sex", "department")])
    assert (twice.cells, twice.alone) == (once.cells, once.alone)
    people["team"] = ["a", *"bb", *"c" * 9]
    assert difference(people, publish=["team", ("sex", "team")]).alone == 1


@pytest.mark.parametrize(
    ("column", "where", "inside"),
    [
        (["50", "60", "unknown", None], "c!=50", 2),
        (["01234", "1234", "0"], "c=01234", 1),
        (["Trinidad and Tobago", "Cuba"], "c=Trinidad and Tobago", 1),
        (["Trinidad and Tobago", "Cuba"], "c=Trinidad and Tobago and c!=Cuba", 1),
        (pd.to_datetime(["2019-05-01", "2020-01-01", "2021-01-01"]), "c>=2020", 2),
        ([True, False, False], "c=True", 1),
        ([True, False, False], "c!=1", 2),
        (["M", "F", "F"], 'c="M"', 1),
        (["M", "F", "F"], "c='M'", 1),
        (["x and c=y", "F", "F"], 'c="x and c=y" and c!=F', 1),
        (["this or that", "F"], 'c="this or that"', 1),
        ([">50K", "<=50K"], "c=>50K", 1),
        (["50", "", None, "60", " "], "c=", 3),
        ([50.0, None, 60.0], 'c!=""', 2),
        (["2019-05-01", "2020-01-01", "unknown", None], "c>=2020-01-01", 1),
        (["Crohn's disease", "flu"], "c!=flu and c=Crohn's disease", 1),
    ],
)
def test_sets_are_read_as_a_person_means_them(column: Any, where: str, inside: int) -> None:
    report = difference(pd.DataFrame({"c": column}), where=where, at_least=9)
    assert [each.people for each in report.shown] == [inside]


sums = st.sets(st.integers(0, 6), min_size=1).map(frozenset)


@settings(max_examples=150)
@given(st.lists(sums, max_size=8), st.lists(sums, min_size=1, max_size=4))
def test_what_follows_is_what_leaves_the_rank_as_it_is(
    published: list[frozenset[int]], wanted: list[frozenset[int]]
) -> None:
    rows = [[float(each in members) for each in range(7)] for members in published]
    rank = np.linalg.matrix_rank(np.array([*rows, [0.0] * 7]))
    for members, follows in zip(wanted, determined_sums(published, wanted, 7), strict=True):
        more = np.array([*rows, [float(each in members) for each in range(7)]])
        assert follows == (np.linalg.matrix_rank(more) == rank)


def test_a_combination_with_halves_is_found() -> None:
    """Three people, known two by two: each is half of a sum of three sums."""
    pairs = [frozenset(pair) for pair in combinations(range(3), 2)]
    assert determined_sums(pairs, [frozenset({each}) for each in range(3)], 3) == [True] * 3
    assert determined_sums(pairs[:2], [frozenset({0})], 3) == [False]


def test_many_groups_are_taken_one_by_one() -> None:
    unknowns = 20_000
    shown = [frozenset({each}) for each in range(1, unknowns)] + [frozenset(range(unknowns))]
    assert determined_sums(shown, [frozenset({0})], unknowns) == [True]


def test_what_is_too_great_is_refused_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = [frozenset(pair) for pair in combinations(range(4), 2)]
    monkeypatch.setattr(determined, "MOST_ENTRIES", 10)
    with raises_code("E-TOO-LARGE", match="6 cells cut across each other, and tell 4 groups"):
        determined_sums(pairs, [frozenset({0})], 4)
    cube = pd.DataFrame(product("xyz", "vw", "tu"), columns=["a", "b", "c"])
    with raises_code("E-TOO-LARGE", match="leave out the table by 'a, c', which shows most cells"):
        difference(cube, publish=[("a", "b"), ("a", "c"), ("b", "c")])
    monkeypatch.setattr(conditions, "MOST_GROUPS", 3)
    with raises_code("E-TOO-LARGE", match="more than 3 combinations"):
        difference(STAFF, publish="salary")


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"publish": []}, "publish is missing; name the columns of each published table"),
        ({"publish": ["sx"]}, "did you mean 'sex'"),
        ({"publish": [("sex", "sex")]}, "named twice"),
        ({"where": ["older"]}, "a set is written as age>=50 and sex=female, say; 'older' is"),
        ({"where": ["ag>=50 and sex=male"]}, "no column 'ag'"),
        ({"publish": 3}, "int is not the type of a name"),
        ({"value": "sex"}, "the column 'sex' of .* has no number in 33 cells"),
        ({"value": "salaries"}, "did you mean 'salary'"),
        ({"hide_below": -1}, "hide_below must be a whole number of 0 or more, not -1; write 0"),
        ({"at_least": 0}, "at_least must be a whole number of 1 or more, not 0; write 1"),
        ({"where": "salary>=90 or sex=male"}, "where joins tests by 'and' only, and 'salary>="),
        ({"where": "salary>=90 OR sex=male"}, "where joins tests by 'and' only"),
        ({"where": "sex=male 或 salary>=90"}, "where joins tests by 'and' only"),
        ({"where": "salary>=90,sex=male"}, "where joins tests by 'and' only"),
        ({"where": "sex!=male or female"}, "put a value in quotes that has 'or', =, < or > in it"),
        ({"where": "salary>=much"}, "takes a number or a date as 2026-11-16 after >=, and 'much'"),
        ({"where": "salary<"}, "takes a number or a date as 2026-11-16 after <, and '' is none"),
        ({"where": "sex=femal"}, "nobody of .* is in the set 'sex=femal'; write the value as"),
        ({"where": "sex=femal", "hide_below": 3}, "nobody of .* is in the set"),
        (
            {"data": pd.DataFrame({"a>5": ["x"], "a": [9]}), "publish": "a>5", "where": "a>5"},
            "a column and a set are both called 'a>5'",
        ),
        (
            {"data": pd.DataFrame({"sex": "FM", "pay": [1e308] * 2}), "value": "pay"},
            "the sum of 'pay' in the table is too great",
        ),
        (
            {"data": pd.DataFrame({"sex": ["F"], "pay": ["much"]}), "value": "pay"},
            "the column 'pay' of the table has no number in 1 cell,",
        ),
        ({"data": pd.DataFrame({"sex": []})}, "no rows below its header"),
    ],
)
def test_what_cannot_be_subtracted_is_refused_in_a_sentence(
    options: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(InputError, match=sentence):
        difference(**{"data": STAFF, "publish": ["sex"], **options})
