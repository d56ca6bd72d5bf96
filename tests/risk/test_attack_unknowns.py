"""Empty cells are unknown, and values that are written or typed differently are compared alike."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from sfumato.risk import difference, homogeneity, intersect, link
from tests.refusing import raises_code

NAN = float("nan")


def test_an_empty_sensitive_cell_may_be_anything_and_is_never_certain() -> None:
    release = pd.DataFrame({"age": [5, 5, 6, 7], "ill": ["flu", None, None, "gout"]})
    known = pd.DataFrame({"age": [5, 6, 7]})
    report = link(release, known, on="age", sensitive="ill")
    five, six, seven = sorted(report.links, key=lambda each: each.known["age"])
    assert (five.candidates, five.values, five.value, five.share) == (2, 1, "flu", 0.5)
    assert (six.candidates, six.value, six.share, six.certain) == (1, None, 0, False)
    assert [five.certain, seven.certain, report.certain] == [False, True, 1]
    alone = link(release, {"age": 6}, sensitive="ill")
    assert alone.findings()[0] == "age 6: 1 row fits; ill is empty there"


def test_a_class_with_an_empty_sensitive_cell_is_not_homogeneous() -> None:
    release = pd.DataFrame(
        {"age": [5, 5, 6, 7, 7, 7, 7], "ill": ["flu", None, None, *["gout"] * 4]}
    )
    report = homogeneity(release, quasi="age", sensitive="ill")
    assert [each.known["age"] for each in report.classes] == ["7"]
    report = homogeneity(release, quasi="age", sensitive="ill", certainty=0.5)
    assert [each.share for each in report.classes] == [1, 0.5]


@pytest.mark.full
@pytest.mark.parametrize("empty", [None, " "])
def test_an_empty_sensitive_cell_pins_nobody_in_an_intersection(empty: str | None) -> None:
    one = pd.DataFrame({"age": ["5", "5"], "ill": ["flu", empty]})
    two = pd.DataFrame({"age": ["5", "5"], "ill": ["flu", "gout"]})
    assert intersect(one, two, on="age", sensitive="ill").pinned_kinds == 0
    assert intersect(one, one, on="age", sensitive="ill").pinned_kinds == 0
    (kind,) = intersect(one, two[:1], on="age", sensitive="ill").pinned
    assert (kind.value, kind.before, kind.rows) == ("flu", 1, (2, 1))


@pytest.mark.full
@pytest.mark.parametrize("column", [["", "b", "b"], [" ", "b", "b"], [None, "b", "b"]])
@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_an_empty_text_is_an_empty_cell(frame: Any, column: list[Any]) -> None:
    release = frame({"x": column, "ill": ["flu", "gout", "gout"]})
    found = link(release, {"x": "b"}, sensitive="ill").links[0]
    assert (found.candidates, found.certain) == (3, False)


def test_what_is_no_number_is_an_empty_cell() -> None:
    release = pa.table({"x": [NAN, 1.5, 1.5], "ill": ["flu", "gout", "gout"]})
    assert link(release, {"x": 1.5}, sensitive="ill").links[0].candidates == 3
    secret = pa.table({"x": [1, 1], "dose": [NAN, 2.5]})
    assert not link(secret, {"x": 1}, sensitive="dose").links[0].certain


def test_zero_with_a_minus_is_zero() -> None:
    release = pd.DataFrame({"x": [0.0, -0.0], "ill": ["flu", "gout"]})
    assert homogeneity(release, quasi="x", sensitive="ill").exposed_people == 0


@pytest.mark.parametrize("nothing", [None, "", NAN])
def test_a_fact_that_is_not_known_is_refused(nothing: object) -> None:
    release = pd.DataFrame({"x": ["b"], "ill": ["flu"]})
    with raises_code("E-ARGUMENT-EMPTY", match="nothing is known of 'x'; leave it out"):
        link(release, {"x": nothing}, sensitive="ill")


@pytest.mark.full
@pytest.mark.parametrize("known", [True, "True", "true", 1, "1"])
def test_truth_is_truth_however_it_is_written(known: object) -> None:
    release = pd.DataFrame({"smoker": [True, False], "ill": ["flu", "gout"]})
    (found,) = link(release, {"smoker": known}, sensitive="ill").links
    assert (found.candidates, found.value) == (1, "flu")


@pytest.mark.full
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ([datetime(2020, 1, 1), datetime(2020, 1, 2)], ["2020-01-01", "2020-01-03"]),
        ([date(2020, 1, 1), date(2020, 1, 2)], [datetime(2020, 1, 1), datetime(2020, 1, 3)]),
        ([True, False], ["True", "TRUE"]),
        ([True, False], [1, 1]),
        (["flu ", "gout"], [" flu", "cold"]),
        ([1, 2], ["001", "003"]),
        ([1.5, 2.0], ["1.50", "003"]),
        ([1, 3], [1.0, 2.0]),
        ([0.1, 2.0], pl.Series([0.1, 3.0], dtype=pl.Float32)),
        ([1e-5, 2.0], ["0.00001", "1e-4"]),
        ([2e16, 2.0], ["20000000000000000", "3"]),
        ([0.30000000000000004, 2.0], ["0.30000000000000004", "0.3"]),
        ([2**60, 2], [str(2**60), str(2**60 + 1)]),
    ],
)
def test_sensitive_values_are_compared_whatever_their_type(one: Any, other: Any) -> None:
    first, second = (pl.DataFrame({"age": [5, 5], "ill": each}) for each in (one, other))
    assert intersect(first, second, on="age", sensitive="ill").pinned_kinds == 1


MIDNIGHT, MORNING, LATER = datetime(2026, 1, 1), datetime(2026, 1, 1, 5), datetime(2026, 1, 2)
HALF = datetime(2026, 1, 1, 5, 0, 0, 500000)


@pytest.mark.full
@pytest.mark.parametrize(
    ("one", "other"),
    [
        (pa.array([0.1, 2.0], pa.float32()), [0.1, 2.0]),
        (pa.array([0.1, 2.0], pa.float32()), ["0.100000001", "2"]),
        (pa.array([0.1, 2.0], pa.float32()), [1e300, 2.0]),
        ([1e-5, 2.0], ["0.00001", "2"]),
        ([2e16, 2.0], ["20000000000000000", "2"]),
        ([2**53, 2**53 + 1], [float(2**53), 2.0]),
        ([1000, 2], ["1e3", "2"]),
        ([1000, 2], ["1,000", "2"]),
        ([1.0, 2.0], ["1" * 400, "2"]),
        ([True, False], ["True", "no"]),
        ([True, False], [1, 7]),
        ([MORNING, MIDNIGHT], ["2026-01-01T05:00:00", "2026-01-01"]),
        ([MORNING, LATER], ["2026-01-01", "2026-01-02"]),
        ([MORNING, LATER], [MIDNIGHT.date(), LATER.date()]),
        ([MIDNIGHT, LATER], ["1/1/2026", "2026-01-02"]),
        (pa.array([HALF, LATER], pa.timestamp("ms")), pa.array([HALF, LATER], pa.timestamp("us"))),
    ],
)
def test_what_another_type_may_have_changed_is_never_ruled_out(one: Any, other: Any) -> None:
    first, second = (pa.table({"age": [5] * len(each), "ill": each}) for each in (one, other))
    assert intersect(first, second, on="age", sensitive="ill").pinned_kinds == 0


def test_moments_with_and_without_a_time_zone_are_not_compared() -> None:
    aware = pa.array([MORNING], pa.timestamp("us", tz="UTC"))
    first, second = (pa.table({"age": [5], "ill": each}) for each in (aware, [MORNING]))
    with raises_code("E-COLUMN-TYPE", match="cells of 'ill' are of types that cannot be compared"):
        intersect(first, second, on="age", sensitive="ill")
    assert link(first, second, on="age", sensitive="ill").certain == 1


def test_releases_without_a_common_value_are_not_said_to_be_of_other_people() -> None:
    one = pd.DataFrame({"age": [5, 5], "code": ["001", "002"]})
    two = pd.DataFrame({"age": [5, 5], "code": ["1", "2"]})
    report = intersect(one, two, on="age", sensitive="code")
    assert report.shared_values == 0
    assert not [each for each in report.lines() if each.startswith("nobody")]
    assert "no code is in all releases: is it written alike in them?" in report.lines()


@pytest.mark.full
def test_what_fits_only_by_an_empty_cell_is_counted() -> None:
    release = pd.DataFrame({"x": ["a", "b", "c", None, "*****"], "ill": ["flu"] * 5})
    report = link(release, pd.DataFrame({"x": ["a", "b", "z"]}), on="x", sensitive="ill")
    assert (report.reidentified, report.reidentified_without, report.fitting_by_a_star) == (0, 2, 3)
    sentence = "3 people fit at least one row only by an empty cell or a star; if such rows are "
    assert f"{sentence}left out, 2 fit exactly one" in report.findings()
    alone = link(release, {"x": "z"}, sensitive="ill")
    assert (alone.links[0].candidates, alone.links[0].by_a_star) == (2, 2)
    assert "2 rows of these fit only by an empty cell or a star, which may be anything" in str(
        alone
    )
    assert "star" not in str(link(release[:3], {"x": "a"}, sensitive="ill"))


@pytest.mark.full
def test_nothing_is_said_of_stars_that_tell_nothing() -> None:
    release = pd.DataFrame({"x": ["*"] * 4, "y": [*"abb", "*"], "ill": ["flu"] * 4})
    known = pd.DataFrame({"x": ["1", "2"], "y": ["a", "b"]})
    hidden, both = (link(release, known, on=on, sensitive="ill") for on in ("x", ["x", "y"]))
    assert (hidden.fitting_by_a_star, hidden.reidentified_without) == (0, 0)
    assert (both.fitting_by_a_star, both.reidentified_without) == (2, 1)
    without_it = link(release, known, on="y", sensitive="ill")
    assert both.findings()[2:4] == without_it.findings()[2:4]
    same = link(release, pd.DataFrame({"y": ["b", "b"]}), on="y", sensitive="ill")
    assert same.fitting_by_a_star == 2
    assert "star" not in str(same)


def test_great_figures_are_easy_to_read() -> None:
    people = pd.DataFrame({"age": [str(n) for n in range(1200)], "ill": ["flu"] * 1200})
    report = link(people, people, on="age", sensitive="ill")
    assert "right matches to expect of a choice among the rows that fit: 1,200.00" in str(report)


def test_somebody_who_is_not_there_is_not_said_to_be_there_perhaps() -> None:
    report = link("examples/hospital-a.csv", {"age": 99}, sensitive="diagnosis")
    assert report.findings() == [
        "age 99: no row fits",
        "nobody is in 'examples/hospital-a.csv' with this, written so",
    ]


@pytest.mark.full
@pytest.mark.parametrize("wide", [8, 2])
def test_reports_are_no_wider_than_a_terminal(wide: int) -> None:
    names = [f"a column of many words, number {place}" for place in range(wide)]
    release = pd.DataFrame(
        {name: [f"value {n} of a long text in a cell" for n in range(3)] for name in names}
        | {"ill": ["flu", "gout", "cold"]}
    )
    reports = (
        link(release, release, on=names, sensitive="ill"),
        intersect(release, release, on=names, sensitive="ill"),
        homogeneity(release, quasi=names, sensitive="ill"),
        difference(release, publish=[names, names[:1]], hide_below=2),
    )
    for report in reports:
        assert max(map(len, report.lines())) <= 80, report
        assert any("flu" in line or "group" in line for line in report.lines())
