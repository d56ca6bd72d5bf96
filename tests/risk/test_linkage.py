"""Linkage with what somebody knows (row M-RISK-2)."""

from __future__ import annotations

from collections import Counter
from datetime import datetime
from typing import Any

import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.errors import InputError, UnknownNameError
from sfumato.risk import Linkage, anonymize, link
from sfumato.risk.attacks.cells import fits, read_cells

RAW, GENERALISED = "examples/hospital-a.csv", "examples/hospital-a-generalised.csv"


def test_m_risk_2_age_56_gives_the_diagnosis() -> None:
    report = link(RAW, {"age": 56}, sensitive="diagnosis")
    assert (report.people, report.reidentified, report.certain) == (1, 1, 1)
    assert report.expected_matches == 1
    (found,) = report.links
    assert (found.known, found.candidates, found.value) == ({"age": "56"}, 1, "AIDS")
    assert (found.probability, found.share, found.certain) == (1, 1, True)
    assert report.private is False


def test_m_risk_2_in_chinese() -> None:
    report = link("examples/hospital-a.zh.csv", {"年龄": 56}, sensitive="诊断")
    assert report.links[0].value == "艾滋病"
    assert str(report).splitlines()[0] == "年龄 56: 1 row fits; 诊断 is 艾滋病, for certain"


def test_everybody_of_the_raw_table_in_the_generalised_one() -> None:
    report = link(GENERALISED, RAW, on=["age", "sex", "zip"], sensitive="diagnosis", who="name")
    assert (report.people, report.matched, report.reidentified, report.certain) == (9, 9, 0, 0)
    assert report.expected_matches == pytest.approx(4)
    by_name = {each.who: each for each in report.links}
    assert by_name["Zhao Lina"].candidates == 2
    assert by_name["Li Guoqiang"].value == "lung cancer"
    assert by_name["Li Guoqiang"].share == pytest.approx(2 / 3)


def test_homogeneity_gives_a_value_away_without_a_match() -> None:
    release = pd.DataFrame({"age": ["50-60"] * 3, "ill": ["flu"] * 3})
    report = link(release, {"age": 56}, sensitive="ill")
    assert (report.reidentified, report.certain, report.links[0].probability) == (0, 1, 1 / 3)


@pytest.mark.full
@pytest.mark.parametrize("method", ["optimal", "mondrian"])
def test_everybody_fits_the_table_that_was_made_coarser(method: Any) -> None:
    people = pd.DataFrame(
        {
            "age": [str(17 + 7 * n % 60) for n in range(80)],
            "zip": [str(190100 + 13 * n % 97) for n in range(80)],
            "born": [f"19{50 + n % 40}-{1 + n % 12:02}-{1 + n % 28:02}" for n in range(80)],
            "race": ["abcd"[n * n % 4] for n in range(80)],
            "ill": ["flu", "gout", "cold"] * 26 + ["flu"] * 2,
        }
    )
    quasi = ["age", "zip", "born", "race"]
    coarser = anonymize(people, quasi=quasi, sensitive="ill", k=4, method=method)
    report = link(coarser.to_pandas(), people, on=quasi, sensitive="ill")
    assert report.matched == 80
    assert min(each.candidates for each in report.links) >= 4


@pytest.mark.full
def test_everybody_fits_regions_of_moments_floats_and_texts_with_commas() -> None:
    moments = [datetime(2020, 1 + n % 12, 1 + n % 28, n % 24, n) for n in range(40)]
    jobs = ["Doctor, senior", "baker", 'the "boss"', "甲、乙", "cook; night"]
    people = pd.DataFrame(
        {
            "seen": moments,
            "level": [(n - 20) ** 3 / 10**6 + 1e-7 for n in range(40)],
            "job": [jobs[n % 5] for n in range(40)],
            "ill": ["flu", "gout"] * 20,
        }
    )
    for quasi in ("seen", "level", "job"):
        coarser = anonymize(people, quasi=quasi, sensitive="ill", k=10, method="mondrian")
        report = link(coarser.to_pandas(), people, on=quasi, sensitive="ill")
        assert report.matched == 40, quasi
        assert min(each.candidates for each in report.links) >= 10, quasi


def test_nobody_is_certain_by_a_region_that_has_an_empty_cell() -> None:
    """Whoever has an empty cell may be of any age, in the raw table and in the coarser one."""
    ages = [None if n % 7 == 0 else str(20 + n * n % 50) for n in range(60)]
    people = pd.DataFrame(
        {
            "age": ages,
            "sex": [None if n % 11 == 0 else "FM"[n % 2] for n in range(60)],
            "word": [["(empty)", "missing", None, "x"][n % 4] for n in range(60)],
            "ill": ["flu", "gout", "cold"] * 20,
        }
    )
    quasi = ["age", "sex", "word"]
    coarser = anonymize(people, quasi=quasi, k=3, method="mondrian").to_pandas()
    assert coarser[quasi].apply(lambda column: column.str.contains(r"\(empty\)")).any(axis=None)
    raw = {
        tuple(e.known.values()): e for e in link(people, people, on=quasi, sensitive="ill").links
    }
    for each in link(coarser, people, on=quasi, sensitive="ill").links:
        before = raw[tuple(each.known.values())]
        assert each.candidates >= before.candidates
        assert each.values >= before.values


def test_somebody_who_is_not_there() -> None:
    report = link(RAW, {"age": 99}, sensitive="diagnosis")
    assert (report.matched, report.certain, report.expected_matches) == (0, 0, 0)
    assert report.links[0].value is None
    assert str(report).splitlines()[0] == "age 99: no row fits"


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_typed_tables_and_empty_cells(frame: Any) -> None:
    release = frame({"age": [56, None, 60], "ill": ["flu", None, "gout"]})
    report = link(release, frame({"age": [56.0, 61.0]}), on="age", sensitive="ill")
    first, second = sorted(report.links, key=lambda each: each.known["age"])
    assert (first.candidates, first.values, first.certain) == (2, 1, False)
    assert (second.candidates, second.value, second.certain) == (1, None, False)
    assert report.certain == 0
    assert "(empty)" in str(report)


cells = st.sampled_from(["1", "2", "3", "1-2", "2-3", "<3", "*", "{1, 3}"])
rows = st.lists(st.tuples(cells, st.sampled_from("FM*"), st.sampled_from("abc")), min_size=1)
people = st.lists(st.tuples(cells, st.sampled_from("FM")), min_size=1, max_size=6)


@pytest.mark.full
@settings(max_examples=8, deadline=None)
@given(rows, people)
def test_the_engine_finds_what_comparing_every_row_finds(
    release: list[tuple[str, str, str]], known: list[tuple[str, str]]
) -> None:
    report = link(
        pd.DataFrame(release, columns=["age", "sex", "ill"]),
        pd.DataFrame(known, columns=["age", "sex"]),
        on=["age", "sex"],
        sensitive="ill",
    )
    candidates = brute_force(release, known)
    assert report.people == len(known)
    assert report.reidentified == sum(len(each) == 1 for each in candidates)
    assert report.certain == sum(len(set(each)) == 1 for each in candidates)
    assert report.expected_matches == pytest.approx(sum(1 / len(c) for c in candidates if c))
    found = {tuple(each.known.values()): each for each in report.links}
    for person, values in zip(known, candidates, strict=True):
        counts = Counter(values)
        best = min(counts, key=lambda value: (-counts[value], value), default=None)
        assert found[person].candidates == len(values)
        assert found[person].value == best
        assert found[person].people == known.count(person)


def brute_force(
    release: list[tuple[str, str, str]], known: list[tuple[str, str]]
) -> list[list[str]]:
    ages = read_cells(sorted({row[0] for row in release}))
    by_age = {each.text: each for each in ages}
    by_known = {each.text: each for each in read_cells(sorted({row[0] for row in known}))}
    return [
        [
            ill
            for age, sex, ill in release
            if fits(by_age[age], by_known[person[0]]) and sex in ("*", person[1])
        ]
        for person in known
    ]


def test_long_lists_are_cut_and_the_result_says_so() -> None:
    release = pd.DataFrame({"age": range(2000), "ill": ["flu"] * 2000})
    report = link(release, release[["age"]], on="age", sensitive="ill")
    assert (len(report.links), report.reidentified) == (1000, 2000)
    assert "  and 1,990 more" in str(report).splitlines()
    assert report.as_dict()["links_left_out"] == 1000


def test_a_page_of_text_in_a_terminal_is_narrow() -> None:
    report = link(GENERALISED, RAW, on=["age", "sex", "zip"], sensitive="diagnosis", who="name")
    assert max(map(len, report.lines())) <= 80


def fails(**options: Any) -> Linkage:
    return link(RAW, **{"known": {"age": 56}, "sensitive": "diagnosis", **options})


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"known": {"agee": 56}}, "no column 'agee' in .*did you mean 'age'"),
        ({"sensitive": "diagnoses"}, "did you mean 'diagnosis'"),
        ({"sensitive": "age"}, "named both as a quasi-identifier and as sensitive"),
        ({"sensitive": ["diagnosis"]}, "the name of one column"),
        ({"known": {}}, "nothing is known of the person"),
        ({"known": GENERALISED}, "on is missing"),
        ({"known": pd.DataFrame({"weight": [1]}), "on": "age"}, "no column in common"),
        ({"known": pd.DataFrame({"age": [1]}), "on": "sex"}, "no column 'sex' in the table"),
        ({"known": RAW, "on": "age", "who": "nam"}, "did you mean 'name'"),
        ({"known": pd.DataFrame({"age": []}), "on": "age"}, "no rows below its header"),
    ],
)
def test_what_cannot_be_linked_is_refused_in_a_sentence(
    options: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(InputError, match=sentence):
        fails(**options)


def test_a_wrong_name_has_its_own_type() -> None:
    with pytest.raises(UnknownNameError):
        fails(known={"agee": 56})
