"""What a published cell may stand for, against lists of the values behind it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.risk.attacks import pairing
from sfumato.risk.attacks.cells import fits, read_cell, read_cells
from sfumato.risk.attacks.pairing import fitting_pairs, only_equal_ones_fit
from tests.cases import cases
from tests.refusing import raises_code

if TYPE_CHECKING:
    from collections.abc import Sequence

AGES = range(10, 100)
#: What stands for days, and the first and the last of them.
DATED = {
    "198*******": ("1980-01-01", "1989-12-31"),
    "197*": ("1970-01-01", "1979-12-31"),
    "1985-1****": ("1985-10-01", "1985-12-31"),
    "1985-0*": ("1985-01-01", "1985-09-30"),
    "1985-03-1*": ("1985-03-10", "1985-03-19"),
    "1985": ("1985-01-01", "1985-12-31"),
    "1985-Q4": ("1985-10-01", "1985-12-31"),
    "1985-03": ("1985-03-01", "1985-03-31"),
    "1980s": ("1980-01-01", "1989-12-31"),
    "1985-12-31": ("1985-12-31", "1985-12-31"),
    "1979-05-01..1985-03-09": ("1979-05-01", "1985-03-09"),
    "1985-03-20..1985-09-30": ("1985-03-20", "1985-09-30"),
}


def pairs(left: Sequence[str], right: Sequence[str]) -> set[tuple[str, str]]:
    return fitting_pairs(read_cells(left), read_cells(right))


def behind(cell: str) -> set[int]:
    """The ages of two digits behind a cell, told by rules of their own."""
    if cell.startswith("{"):
        return set().union(*(behind(each.strip()) for each in cell[1:-1].split(",")))
    if "*" in cell:
        return {age for age in AGES if str(age).startswith(cell.rstrip("*"))}
    if cell[0] in "<>":
        number = int(cell.lstrip("<>="))
        tests = {"<": number.__gt__, "<=": number.__ge__, ">": number.__lt__, ">=": number.__le__}
        return {age for age in AGES if tests[cell.rstrip("0123456789")](age)}
    low, _, high = cell.partition("-")
    return set(range(int(low), int(high or low) + 1)) & set(AGES)


plain = st.integers(10, 99).map(str)
bands = st.tuples(st.integers(10, 99), st.integers(1, 40)).map(lambda p: f"{p[0]}-{sum(p)}")
simple = st.one_of(
    plain,
    bands,
    st.sampled_from(["*", "**", "1*", "5*", "9*"]),
    st.builds(lambda sign, n: f"{sign}{n}", st.sampled_from(["<", "<=", ">", ">="]), plain),
)
cells = simple | st.lists(simple, min_size=1, max_size=3).map(lambda each: f"{{{', '.join(each)}}}")


@given(cells, cells)
def test_cells_fit_where_a_value_is_behind_both(one: str, other: str) -> None:
    # A ray may go on where no age of two digits is: what is behind both is then beyond them.
    beyond = all(
        any(part in each for part in ("<", ">", "*", "{")) or int(each.split("-")[-1]) > 99
        for each in (one, other)
    )
    met = bool(behind(one) & behind(other))
    found = fits(read_cell(one), read_cell(other))
    assert found == fits(read_cell(other), read_cell(one))
    assert found >= met
    assert found == met or beyond


@given(st.sets(st.sampled_from(sorted(DATED))), st.sets(st.sampled_from(sorted(DATED))))
def test_dates_fit_where_a_day_is_behind_both(one: set[str], other: set[str]) -> None:
    wanted = {
        (a, b)
        for a in one
        for b in other
        if max(DATED[a][0], DATED[b][0]) <= min(DATED[a][1], DATED[b][1])
    }
    # A year by itself, or digits before stars, are numbers and codes where nothing else is a date.
    signs = {"1985", "198*******", "197*"}
    if one | other <= signs:
        wanted = {(a, b) for a in one for b in other if a == b or {a, b} == {"1985", "198*******"}}
    assert pairs(sorted(one), sorted(other)) == wanted


def test_moments_begin_as_their_days_do() -> None:
    moments = ["2020-01-31 13:00:00", "2020-02-01 00:30:00"]
    assert pairs(moments, ["2020-01*"]) == {(moments[0], "2020-01*")}


@settings(max_examples=60)
@given(st.sets(cells, max_size=12), st.sets(cells, max_size=12))
def test_looking_up_finds_the_same_pairs_as_comparing_all(one: set[str], other: set[str]) -> None:
    left, right = sorted(one), sorted(other)
    wanted = {(a.text, b.text) for a in read_cells(left) for b in read_cells(right) if fits(a, b)}
    assert pairs(left, right) == wanted
    if only_equal_ones_fit(read_cells(left), read_cells(right)):
        assert all(a == b for a, b in wanted)


DATES = ["2026", "2026-03", "2026-Q1", "2020s", "2026-03-16", "2026-03-17", "2025-12-31", "*"]
DATES += ["2026-01-01..2026-06-30", "2026-07-01 to 2026-12-31", "2026-0*", "1999", "2027-01"]


def test_looking_up_finds_the_same_pairs_of_dates() -> None:
    cells_read = read_cells(DATES)
    wanted = {(a.text, b.text) for a in cells_read for b in cells_read if fits(a, b)}
    assert pairs(DATES, DATES) == wanted
    march = {b for a, b in wanted if a == "2026-03-16"}
    assert march == {"2026", "2026-03", "2026-Q1", "2020s", "2026-03-16", "*", "2026-0*"} | {
        "2026-01-01..2026-06-30"
    }


@cases(
    ("one", "other", "met"),
    [
        ("56", "[50, 60)", True),
        ("60", "[50, 60)", False),
        ("60", "[50, 60[", False),
        ("50", "]50, 60]", False),
        ("92", "90+", True),
        ("64.0", "64", True),
        ("01901", "1901", True),
        ("55.5", "50 to 60", True),
        ("-5", "-10--1", True),
        ("45岁", "45岁", True),
        ("五十", "{四十, 五十}", True),
        ("男", "女", False),
        ("北京朝阳", "北京*", True),
        ("56", "50～60", True),
        ("56", "50至60", True),
        ("190150-190199", "1901**", True),
        ("190250-190299", "1901**", False),
        ("2026-03-16 10:00:00", "2026-03-16", True),
        ("1000-2000", "2026-03-16", False),
        ("2020-2030", "2026-03-16", True),
        ("a-b", "a-b", True),
        ("", "", True),
        ("{}", "{}", True),
        ("2026-13", "2026-13", True),
        ("1e-5", "0-1", True),
        ("2026-Q4", "2026-1*", True),
        ("9999-12-31", "9999-12", True),
        ("1e20", "100000000000000000000", True),
        ("-0.5", "-0.63..2.66e-05", True),
        ("0.1", "-0.63..2.66e-05", False),
        ("2020-05-01 10:00:00", "2020-01-02 12:48:00..2020-11-11 03:09:00", True),
        ("2020-01-02 12:47:00", "2020-01-02 12:48:00..2020-11-11 03:09:00", False),
        ("Doctor, senior", '{"Doctor, senior", baker}', True),
        ("senior", '{"Doctor, senior", baker}', False),
        ('the "boss"', '{"the ""boss""", baker}', True),
        ("baker", '{"Doctor, senior", baker}', True),
        ("30", "{37, (empty)}", True),
        ("50-60", "{17..20, (empty)}", True),
        ("30", '{37, "(empty)"}', False),
        ("(empty)", '{37, "(empty)"}', True),
    ],
)
def test_forms_of_cells(one: str, other: str, met: bool) -> None:  # noqa: FBT001
    assert ((one, other) in pairs([one], [other])) == met


def test_a_moment_fits_its_own_moment_only_where_no_day_is_written() -> None:
    ten, eleven = "2026-03-16 10:00:00", "2026-03-16 11:00:00"
    assert pairs([ten, eleven], [ten, eleven]) == {(ten, ten), (eleven, eleven)}
    assert len(pairs([ten, eleven], ["2026-03-16"])) == 2


def test_a_number_of_four_digits_is_a_year_only_beside_dates() -> None:
    assert pairs(["2026"], ["2026", "2027"]) == {("2026", "2026")}
    assert pairs(["2026"], ["2026-03-16"]) == {("2026", "2026-03-16")}


def test_the_end_of_a_band_is_decided_by_its_own_column() -> None:
    assert pairs(["50-60"], ["60"]) == {("50-60", "60")}
    assert pairs(["50-60", "60-70"], ["60"]) == {("60-70", "60")}
    assert pairs(["50-59", "60-69"], ["59.5"]) == {("50-59", "59.5")}
    assert pairs(["50-60", ">=60"], ["60"]) == {(">=60", "60")}


def test_an_end_belongs_to_its_band_where_the_next_one_is_open_there() -> None:
    assert pairs(["50-60", ">60"], ["60"]) == {("50-60", "60")}
    assert pairs(["40-50", "(50, 60]"], ["50"]) == {("40-50", "50")}


def test_ends_belong_to_stretches_that_are_cut_cell_by_cell() -> None:
    """Where bands of one column overlap, one that begins at 60 says nothing of another's end."""
    assert pairs(["50-60", "60-70", "55-65"], ["60"]) == {
        ("50-60", "60"),
        ("60-70", "60"),
        ("55-65", "60"),
    }
    assert pairs(["50..60", "60..70"], ["60"]) == {("50..60", "60"), ("60..70", "60")}


@settings(max_examples=40)
@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=6))
def test_no_value_is_missed_in_stretches_that_overlap(stretches: list[tuple[int, int]]) -> None:
    texts = sorted({f"{min(each)}..{max(each)}" for each in stretches})
    found = pairs(texts, [str(age) for age in range(10)])
    for low, high in stretches:
        text = f"{min(low, high)}..{max(low, high)}"
        inside = {str(age) for age in range(min(low, high), max(low, high) + 1)}
        assert {age for cell, age in found if cell == text} == inside


@pytest.mark.full
def test_many_values_are_looked_up_and_not_compared() -> None:
    codes = [f"{number:06}" for number in range(0, 10**6, 50)]
    prefixes = sorted({code[:3] + "***" for code in codes})
    assert len(pairs(codes, prefixes)) == len(codes)
    assert len(pairs(codes, codes)) == len(codes)


def test_too_many_bands_are_refused_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pairing, "MOST_COMPARED", 3)
    with raises_code("E-TOO-LARGE", match=r"2 bands and prefixes .* 3 pairs are the most"):
        pairs(["1*", "2*"], ["1*", "2*"])
