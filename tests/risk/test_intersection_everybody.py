"""Intersections against everybody who could be in the releases, person by person (M-RISK-4)."""

from __future__ import annotations

from collections import Counter
from datetime import date, timedelta
from decimal import Decimal
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.risk import anonymize, intersect, link
from sfumato.risk.attacks import kinds
from sfumato.risk.attacks.cells import fits, read_cell, read_cells

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sfumato.risk import Intersection

pytestmark = pytest.mark.full

#: Case, age, sex and illness; an illness that is empty may be any.
Row = tuple[str, str, str, str | None]
#: What a kind of person comes to: values before and left, the best, how likely, rows.
Fact = tuple[int, int, str, float, tuple[int, ...]]

NUMBERS = ["1", "2", "3", "1-3", "2-4", "3-5", "1..4", "4..6", "[1, 4)", "(2, 5]", "<3", ">=4"]
NUMBERS += [
    "5+",
    "*",
    "1*",
    "1**",
    "{1, 3}",
    "{2, 3}",
    "{1-2, 5}",
    "{1, >3}",
    "11",
    "10-12",
    "8-30",
]
TEXTS = ["1", "2", "11", "12", "*", "1*", "1**", "11*", "{1, 2}", "{2, 12}", "{1, 11}"]
FRACTIONS = ["1", "1.5", "1-2.5", "2.5-4", "<1.5", "[1.5, 3)", "(2, 3]", "*", "{1, 2.25}"]
FRACTIONS += [">=2", "2.*", "1.5*", "-0.*"]
CODES = ["02199", "021**", "021*", "02***", "0****", "02100..02149", "02120..02199", "*", "022**"]
CODES += ["00100..00199", "001**", "0010*", "{02110, 022**}", "02115", "(00120, 02130]", "****"]
DATES = ["1985", "1985-03", "1985-1****", "1985-0****", "198*******", "199*******", "*", "1980s"]
DATES += ["1985-Q1", "1975-01-01..1985-03-31", "1985-03-01..1995-12-31", "{1984, 1985-03-01}"]
DATES += ["1985-03-15", "1985-03-1*", "1990-01-01..1990-12-31"]
#: What is no number, no date and no code.
NOTHING = "n/a"


def cases(cells: list[str]) -> st.SearchStrategy[list[list[Row]]]:
    """Draw a number of cases that share no person, each of two or three small releases."""
    row = st.tuples(
        st.sampled_from(cells), st.sampled_from("FM*"), st.sampled_from(["a", "b", "c", None])
    )
    return st.integers(2, 3).flatmap(
        lambda number: st.lists(
            st.lists(st.lists(row, min_size=1, max_size=5), min_size=number, max_size=number),
            min_size=1,
            max_size=8,
        ).map(lambda drawn: _numbered(drawn, number))
    )


def _numbered(drawn: Sequence[Sequence[Any]], number: int) -> list[list[Row]]:
    return [
        [(f"case {place}", *row) for place, case in enumerate(drawn) for row in case[release]]
        for release in range(number)
    ]


def intersected(releases: Sequence[Sequence[Row]]) -> Intersection:
    frames = [pd.DataFrame(rows, columns=["case", "age", "sex", "ill"]) for rows in releases]
    return intersect(*frames, on=["case", "age", "sex"], sensitive="ill")


def kinds_of_everybody(releases: Sequence[Sequence[Row]], ages: Sequence[str]) -> list[Fact | None]:
    """What is left for every kind of person; None where anything is."""
    fitting = [_fitting(sorted({row[1] for row in rows}), ages) for rows in releases]
    found: dict[Any, Fact | None] = {}
    for case, age, sex in product(sorted({row[0] for row in releases[0]}), ages, "FMX"):
        rows = [
            [
                row
                for row in each
                if row[0] == case and row[1] in fitting[place][age] and row[2] in ("*", sex)
            ]
            for place, each in enumerate(releases)
        ]
        if all(rows):
            classes = tuple(frozenset(row[:3] for row in each) for each in rows)
            found[classes] = left([Counter(row[3] for row in each) for each in rows])
    return list(found.values())


def _fitting(cells: Sequence[str], ages: Sequence[str]) -> dict[str, set[str]]:
    read = read_cells(cells)
    return {age: {cell.text for cell in read if fits(read_cell(age), cell)} for age in ages}


def left(counts: Sequence[Counter[str | None]]) -> Fact | None:
    """In how many ways one row of each release with the same value fits a kind of person."""
    if all(each[None] for each in counts):
        return None
    values = {value for each in counts for value in each if value is not None}
    ways = {value: prod(each[value] + each[None] for each in counts) for value in values}
    ways = {value: number for value, number in ways.items() if number}
    best = min(ways, key=lambda value: (-ways[value], value), default="")
    return (
        min(len(each) for each in counts if not each[None]),
        len(ways),
        best,
        ways[best] / sum(ways.values()) if ways else 0.0,
        tuple(each[best] + each[None] for each in counts),
    )


def check(releases: Sequence[Sequence[Row]], ages: Sequence[str]) -> None:
    report, everybody = intersected(releases), kinds_of_everybody(releases, ages)
    facts = [each for each in everybody if each is not None]
    pinned = [each for each in facts if each[1] == 1]
    narrowed = [each for each in facts if 1 < each[1] < each[0]]
    assert report.complete
    assert report.kinds == len(everybody)
    assert report.impossible_kinds == sum(each[1] == 0 for each in facts)
    assert report.together_kinds == sum(each[0] > 1 for each in pinned)
    assert in_order(report.pinned) == sorted(pinned)
    assert in_order(report.narrowed) == pytest.approx(sorted(narrowed))


def in_order(found: Sequence[Any]) -> list[Fact]:
    return sorted((e.before, e.left, e.value, e.probability, e.rows) for e in found)


@settings(max_examples=10, deadline=None)
@given(cases(NUMBERS))
def test_everybody_of_any_whole_age_is_judged_right(releases: list[list[Row]]) -> None:
    check(releases, [NOTHING, *(str(age) for age in range(-2, 220))])


@settings(max_examples=5, deadline=None)
@given(cases(TEXTS))
def test_everybody_of_any_code_is_judged_right(releases: list[list[Row]]) -> None:
    codes = [*range(20), *range(100, 130), *range(1100, 1110)]
    check(releases, [NOTHING, *map(str, codes)])


@settings(max_examples=5, deadline=None)
@given(cases(FRACTIONS))
def test_everybody_of_any_fraction_is_judged_right(releases: list[list[Row]]) -> None:
    whole = all(cell.find(".") < 0 for rows in releases for _, cell, *_ in rows)
    step = Decimal(1) if whole else Decimal("0.125")
    numbers = [format((step * place).normalize(), "f") for place in range(-8, 64)]
    check(releases, [NOTHING, *numbers, *([] if whole else ["1.55", "2.0", "-0.0"])])


@settings(max_examples=4, deadline=None)
@given(cases(CODES))
def test_everybody_of_any_code_with_a_zero_in_front_is_judged_right(
    releases: list[list[Row]],
) -> None:
    codes = [*range(90, 210), *range(2000, 2310), *range(9990, 10010)]
    check(releases, [NOTHING, *(f"{code:05}" for code in codes)])


@settings(max_examples=4, deadline=None)
@given(cases(DATES))
def test_everybody_of_any_birthday_is_judged_right(releases: list[list[Row]]) -> None:
    years = 1974, 1980, 1984, 1985, 1986, 1990, 1995, 1999
    months = [date(year, month, 1) for year in years for month in range(1, 13)]
    days = [first + timedelta(days=more) for first in months for more in (0, 9, 14, 27, 28)]
    check(releases, [NOTHING, *sorted({day.isoformat() for day in days})])


def test_codes_with_a_zero_in_front_are_found_by_bands_and_prefixes() -> None:
    one = pd.DataFrame({"zip": ["021**", "021**", "022**"], "ill": ["flu", "gout", "cold"]})
    two = pd.DataFrame({"zip": ["02100..02199"] * 2, "ill": ["flu", "cold"]})
    (found,) = intersect(one, two, on="zip", sensitive="ill").pinned
    assert (found.example["zip"], found.value) == ("02100", "flu")


@pytest.mark.parametrize("great", ["1" * 29, "1e30", ">=1e30", "0-1e400", "9" * 200 + "*"])
def test_numbers_of_many_digits_are_intersected(great: str) -> None:
    one = pd.DataFrame({"pay": ["0-10", great], "ill": ["flu", "cold"]})
    two = pd.DataFrame({"pay": ["0-20", "*"], "ill": ["flu", "cold"]})
    assert intersect(one, two, on="pay", sensitive="ill").pinned_kinds


def overlapping() -> tuple[pd.DataFrame, pd.DataFrame]:
    one = pd.DataFrame({"age": ["50-60"] * 2 + ["55-65"] * 2, "ill": ["flu"] * 2 + ["gout"] * 2})
    return one, pd.DataFrame({"age": ["50-65"] * 4, "ill": ["flu", "flu", "gout", "gout"]})


def test_people_at_the_edges_of_overlapping_classes_are_found() -> None:
    one, two = overlapping()
    report = intersect(one, two, on="age", sensitive="ill")
    found = {each.example["age"]: (each.known["age"], each.value) for each in report.pinned}
    assert found == {"50": ("50-60 & 50-65", "flu"), "61": ("55-65 & 50-65", "gout")}
    for age, (_, value) in found.items():
        assert link(one, {"age": age}, sensitive="ill").links[0].value == value


def test_where_not_all_kinds_can_be_looked_at_the_result_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What is found among some people is still true, and nothing is said of the others."""
    monkeypatch.setattr(kinds, "MOST_KINDS", 2)
    one, two = overlapping()
    report = intersect(one, two, on="age", sensitive="ill")
    assert not report.complete
    assert {each.value for each in report.pinned} <= {"flu", "gout"}
    assert any("others may be pinned besides" in line for line in report.findings())


def test_regions_of_mondrian_are_intersected_with_the_table_they_are_of() -> None:
    people = pd.DataFrame(
        {
            "age": [str(17 + 7 * n % 60) for n in range(60)],
            "zip": [str(190100 + 13 * n % 97) for n in range(60)],
            "ill": [["flu", "gout", "cold"][n * n % 3] for n in range(60)],
        }
    )
    quasi = ["age", "zip"]
    coarse = anonymize(people, quasi=quasi, sensitive="ill", k=3, method="mondrian").to_pandas()
    report = intersect(people, coarse, on=quasi, sensitive="ill")
    alone = link(people, people, on=quasi, sensitive="ill")
    assert report.impossible_kinds == 0
    assert report.pinned_kinds == alone.certain == 60
